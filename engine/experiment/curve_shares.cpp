#include "engine/experiment/curve.h"

#include <numeric>

namespace tlbscope {

const char* to_string(CurveShare share) {
    switch (share) {
    case CurveShare::compute:
        return "user work";
    case CurveShare::tick:
        return "timer tick";
    case CurveShare::cr3:
        return "CR3 loads";
    case CurveShare::dtlb_l1:
        return "dTLB refills from L1D";
    case CurveShare::dtlb_l2:
        return "dTLB refills from L2";
    case CurveShare::dtlb_memory:
        return "dTLB refills from memory";
    case CurveShare::itlb:
        return "iTLB refills";
    case CurveShare::data_l2:
        return "data from L2";
    case CurveShare::data_memory:
        return "data from memory";
    case CurveShare::other:
    case CurveShare::count_:
        break;
    }
    return "other";
}

CurveShares curve_shares(const BucketCycles& buckets, const StallCycles& stalls) {
    constexpr auto kL1d = static_cast<std::size_t>(MemoryLevel::l1d);
    constexpr auto kL2 = static_cast<std::size_t>(MemoryLevel::l2);
    constexpr auto kL3 = static_cast<std::size_t>(MemoryLevel::l3);
    constexpr auto kMemory = static_cast<std::size_t>(MemoryLevel::memory);
    CurveShares shares{};
    const auto share = [&](CurveShare which) -> Cycles& { return shares[static_cast<std::size_t>(which)]; };
    const auto bucket = [&](Bucket which) { return buckets[static_cast<std::size_t>(which)]; };
    share(CurveShare::compute) = bucket(Bucket::user) + stalls.data[kL1d];
    share(CurveShare::tick) = bucket(Bucket::interrupt);
    share(CurveShare::cr3) = bucket(Bucket::cr3_load);
    share(CurveShare::dtlb_l1) = stalls.dtlb[kL1d];
    share(CurveShare::dtlb_l2) = stalls.dtlb[kL2] + stalls.dtlb[kL3];
    share(CurveShare::dtlb_memory) = stalls.dtlb[kMemory];
    share(CurveShare::itlb) = std::accumulate(stalls.itlb.begin(), stalls.itlb.end(), Cycles{0});
    share(CurveShare::data_l2) = stalls.data[kL2] + stalls.data[kL3];
    share(CurveShare::data_memory) = stalls.data[kMemory];
    const Cycles all = std::accumulate(buckets.begin(), buckets.end(), Cycles{0});
    share(CurveShare::other) = all - std::accumulate(shares.begin(), shares.end(), Cycles{0});
    return shares;
}

} // namespace tlbscope
