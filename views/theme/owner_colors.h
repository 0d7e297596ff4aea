// Colours and hatches of the owners of a run's cycles, and of the parts of a difference: the same thing has
// the same look in both, and in the panel of the buckets.
#pragma once

#include "engine/experiment/attribution.h"
#include "views/theme/theme.h"

namespace tlbscope {

struct OwnerLook {
    QColor color;
    Qt::BrushStyle hatch = Qt::NoBrush; // the second cue, over the colour
};

OwnerLook ownerLook(const Theme& theme, CurveShare share);
OwnerLook ownerLook(const Theme& theme, AttributionPart part);

} // namespace tlbscope
