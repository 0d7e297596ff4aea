#include "views/theme/owner_colors.h"

namespace tlbscope {

OwnerLook ownerLook(const Theme& t, CurveShare share) {
    switch (share) {
    case CurveShare::compute:
        return {t.bucket(Bucket::user), Qt::NoBrush};
    case CurveShare::tick:
        return {t.bucket(Bucket::interrupt), Qt::NoBrush};
    case CurveShare::cr3:
        return {t.bucket(Bucket::cr3_load), Qt::FDiagPattern};
    case CurveShare::dtlb_l1:
        return {mix(t.bucket(Bucket::page_walk), t.text, 0.45), Qt::NoBrush};
    case CurveShare::dtlb_l2:
        return {mix(t.bucket(Bucket::page_walk), t.text, 0.22), Qt::Dense6Pattern};
    case CurveShare::dtlb_memory:
        return {t.bucket(Bucket::page_walk), Qt::Dense5Pattern};
    case CurveShare::itlb:
        return {t.bucket(Bucket::page_walk), Qt::VerPattern};
    case CurveShare::data_l2:
        return {t.bucket(Bucket::cache_miss), Qt::Dense6Pattern};
    case CurveShare::data_memory:
        return {t.hue.orange, Qt::Dense6Pattern};
    case CurveShare::other:
    case CurveShare::count_:
        break;
    }
    return {t.hue.grey, Qt::NoBrush};
}

OwnerLook ownerLook(const Theme& t, AttributionPart part) {
    switch (part) {
    case AttributionPart::tick:
        return ownerLook(t, CurveShare::tick);
    case AttributionPart::cr3:
        return ownerLook(t, CurveShare::cr3);
    case AttributionPart::dtlb_l1:
        return ownerLook(t, CurveShare::dtlb_l1);
    case AttributionPart::dtlb_l2:
        return ownerLook(t, CurveShare::dtlb_l2);
    case AttributionPart::dtlb_memory:
        return ownerLook(t, CurveShare::dtlb_memory);
    case AttributionPart::itlb:
        return ownerLook(t, CurveShare::itlb);
    case AttributionPart::data_pollution:
        return ownerLook(t, CurveShare::data_l2);
    case AttributionPart::data_placement:
        return ownerLook(t, CurveShare::data_memory);
    case AttributionPart::other:
    case AttributionPart::count_:
        break;
    }
    return ownerLook(t, CurveShare::other);
}

} // namespace tlbscope
