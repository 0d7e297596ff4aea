#include "views/machine/machine_layout.h"

#include "tests/views/synthetic.h"
#include "views/machine/ipi_painter.h"
#include "views/machine/ipi_route.h"

#include <gtest/gtest.h>

using namespace tlbscope;
using synthetic::Arrays;
using synthetic::Spec;

namespace {

struct Case {
    Topology topology;
    Arrays arrays;
    QSize viewport;
    int pitch;
    bool recorded = false;
};

const Case kCases[] = {
    {{1, 1, 2}, Arrays::teaching, {960, 540}, -1},     {{1, 4, 2}, Arrays::ivybridge, {930, 540}, -1},
    {{1, 4, 2}, Arrays::ivybridge, {300, 200}, -1},    {{2, 4, 2}, Arrays::skylake, {1100, 620}, -1},
    {{1, 8, 1}, Arrays::zen3, {1100, 620}, -1},        {{1, 2, 8}, Arrays::ivybridge, {1200, 700}, -1},
    {{1, 2, 4}, Arrays::zen3, {1200, 700}, 8},         {{2, 16, 2}, Arrays::ivybridge, {1100, 620}, -1},
    {{2, 64, 2}, Arrays::skylake, {1250, 640}, -1},    {{2, 64, 2}, Arrays::skylake, {1250, 640}, 5},
    {{4, 64, 1}, Arrays::zen3, {1920, 1000}, -1},      {{8, 64, 2}, Arrays::ivybridge, {1250, 640}, -1},
    {{8, 16, 8}, Arrays::teaching, {1250, 640}, 0},    {{1, 4, 1}, Arrays::none, {930, 540}, -1, true},
    {{1, 128, 1}, Arrays::none, {930, 540}, -1, true}, {{1, 1, 1}, Arrays::ivybridge, {50, 40}, -1},
};

class LayoutProperties : public ::testing::TestWithParam<Case> {
protected:
    LayoutProperties() {
        Spec spec;
        spec.topology = GetParam().topology;
        spec.arrays = GetParam().arrays;
        spec.recorded = GetParam().recorded;
        machine = synthetic::machine(spec);
        layout = make(1);
    }
    MachineLayout make(double dpr) const {
        MachineLayout::Request request;
        request.viewport = GetParam().viewport;
        request.pitch = GetParam().pitch;
        return MachineLayout(machine, LayoutMetrics::of(Theme::current(), dpr), request);
    }
    MachineDescription machine;
    MachineLayout layout;
};

} // namespace

TEST_P(LayoutProperties, EveryCpuHasAPlaceAndNoTwoShareOne) {
    const Topology& t = machine.topology;
    const QRect all(QPoint(0, 0), layout.size());
    std::vector<QRect> places;
    for (int c = 0; c < t.cpus(); ++c) {
        const CpuId cpu = static_cast<CpuId>(c);
        const QRect area = layout.cpuRect(cpu);
        EXPECT_FALSE(area.isEmpty());
        EXPECT_TRUE(all.contains(area)) << "CPU " << c;
        EXPECT_TRUE(layout.cardRect(t.core_of(cpu)).contains(area)) << "CPU " << c;
        EXPECT_TRUE(area.contains(layout.headerRect(cpu).topLeft()));
        places.push_back(area);
    }
    for (std::size_t i = 0; i < places.size(); ++i)
        for (std::size_t j = i + 1; j < places.size(); ++j)
            ASSERT_FALSE(places[i].intersects(places[j])) << i << " and " << j;
    for (int a = 0; a < t.cores(); ++a)
        for (int b = a + 1; b < t.cores(); ++b)
            ASSERT_FALSE(layout.cardRect(a).intersects(layout.cardRect(b)));
    for (std::size_t a = 0; a < layout.sockets().size(); ++a)
        for (std::size_t b = a + 1; b < layout.sockets().size(); ++b)
            EXPECT_FALSE(layout.sockets()[a].frame.intersects(layout.sockets()[b].frame));
    for (int core = 0; core < t.cores(); ++core)
        EXPECT_TRUE(layout.sockets()[static_cast<std::size_t>(layout.socketOf(core))].frame.contains(
            layout.cardRect(core)));
}

TEST_P(LayoutProperties, HitTestIsTheInverse) {
    for (int c = 0; c < machine.topology.cpus(); ++c) {
        const QRect area = layout.cpuRect(static_cast<CpuId>(c));
        for (const QPoint& p : {area.topLeft(), area.center(), area.bottomRight()})
            EXPECT_EQ(layout.cpuAt(p), c);
    }
    EXPECT_EQ(layout.cpuAt({-1, -1}), kNoCpu);
    EXPECT_EQ(layout.cpuAt({layout.size().width() + 5, 5}), kNoCpu);
}

TEST_P(LayoutProperties, GridsHoldAllEntriesAndLieApart) {
    for (const double dpr : {1.0, 1.5, 2.0}) {
        const MachineLayout scaled = make(dpr);
        const QRect inside(QPoint(0, 0), scaled.card().size);
        std::vector<QRect> taken;
        for (const SiblingPlace& s : scaled.card().siblings)
            taken.push_back(s.header);
        for (const GridPlace& grid : scaled.card().grids) {
            EXPECT_EQ(grid.shape.entries, machine.arrays[grid.array].entries());
            EXPECT_TRUE(inside.contains(grid.cells));
            EXPECT_GE(grid.cells.width() * dpr + 1e-6, grid.shape.size().width());
            EXPECT_GE(grid.cells.height() * dpr + 1e-6, grid.shape.size().height());
            for (const QRect& other : taken)
                EXPECT_FALSE(other.intersects(grid.cells)) << "dpr " << dpr;
            taken.push_back(grid.cells);
            if (grid.caption.isValid()) {
                for (const QRect& other : taken)
                    EXPECT_FALSE(other.intersects(grid.caption));
                taken.push_back(grid.caption);
            }
        }
        if (scaled.detail() != Detail::gauge) {
            std::set<std::size_t> seen;
            for (const GridPlace& grid : scaled.card().grids)
                seen.insert(grid.array);
            EXPECT_EQ(seen.size(), machine.arrays.size());
        }
    }
}

TEST_P(LayoutProperties, IpiRoutesStayBetweenTheCards) {
    const Topology& t = machine.topology;
    synthetic::Random random{11};
    for (int i = 0; i < 60; ++i) {
        const CpuId from = static_cast<CpuId>(random.below(t.cpus())),
                    to = static_cast<CpuId>(random.below(t.cpus()));
        const QPolygonF way = ipiRoute(layout, t, from, to, i % 2 ? 1 : -1);
        if (from == to) {
            EXPECT_TRUE(way.isEmpty());
            continue;
        }
        ASSERT_GE(way.size(), 2);
        EXPECT_EQ(way.front(), ipiPort(layout, t, from, i % 2 ? 1 : -1));
        EXPECT_EQ(way.back(), ipiPort(layout, t, to, i % 2 ? 1 : -1));
        for (double share = 0.001; share < 1; share += 0.01) {
            const QPointF p = pointAlong(way, share);
            for (int core = 0; core < t.cores(); ++core)
                ASSERT_FALSE(QRectF(layout.cardRect(core)).adjusted(0.5, 0.5, -0.5, -0.5).contains(p))
                    << from << " to " << to;
        }
    }
}

TEST_P(LayoutProperties, FoldingHidesASocketAndKeepsTheOthers) {
    if (machine.topology.sockets < 2) return;
    MachineLayout::Request request;
    request.viewport = GetParam().viewport;
    request.pitch = GetParam().pitch;
    request.folded = {1};
    const MachineLayout folded(machine, LayoutMetrics::of(Theme::current(), 1), request);
    const int core = machine.topology.cores_per_socket;
    EXPECT_FALSE(folded.visible(core));
    EXPECT_TRUE(folded.visible(0));
    EXPECT_EQ(folded.socketHeaderAt(folded.sockets()[1].header.center()), 1);
    EXPECT_EQ(folded.cpuAt(folded.sockets()[1].header.center()), kNoCpu);
}

INSTANTIATE_TEST_SUITE_P(Machines, LayoutProperties, ::testing::ValuesIn(kCases));

TEST(MachineLayout, FitsWhereItSaysSo) {
    for (const Case& c : kCases) {
        if (c.pitch >= 0 || c.viewport.width() < 600 || c.topology.cpus() > 600) continue;
        Spec spec;
        spec.topology = c.topology;
        spec.arrays = c.arrays;
        spec.recorded = c.recorded;
        MachineLayout::Request request;
        request.viewport = c.viewport;
        const MachineLayout layout(synthetic::machine(spec), LayoutMetrics::of(Theme::current(), 1), request);
        EXPECT_LE(layout.size().width(), c.viewport.width());
        EXPECT_LE(layout.size().height(), c.viewport.height()) << c.topology.cpus() << " CPUs";
    }
}

TEST(MachineLayout, NeighboursLieInTheDirectionAsked) {
    Spec spec;
    spec.topology = {2, 4, 2};
    MachineLayout::Request request;
    request.viewport = {1100, 620};
    const MachineLayout layout(synthetic::machine(spec), LayoutMetrics::of(Theme::current(), 1), request);
    for (int c = 0; c < 16; ++c) {
        const CpuId cpu = static_cast<CpuId>(c);
        const QPoint at = layout.cpuRect(cpu).center();
        for (const auto& [dx, dy] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
            const CpuId next = layout.neighbour(cpu, dx, dy);
            if (next == cpu) continue;
            const QPoint d = layout.cpuRect(next).center() - at;
            EXPECT_GT(d.x() * dx + d.y() * dy, 0);
        }
    }
}

TEST(IpiLabels, OverlapNothing) {
    for (const int busy : {2, 4, 6, 8})
        for (int frame = 0; frame < 60; frame += 7) {
            Spec spec;
            spec.busy_cpus = busy;
            spec.frame = frame;
            const auto snapshot = synthetic::snapshot(spec);
            MachineLayout::Request request;
            request.viewport = {1100, 620};
            const MachineLayout layout(*snapshot->machine, LayoutMetrics::of(Theme::current(), 1), request);
            const auto labels = placeIpiLabels(*snapshot, layout, Theme::current());
            EXPECT_FALSE(labels.empty());
            for (std::size_t i = 0; i < labels.size(); ++i) {
                for (std::size_t j = i + 1; j < labels.size(); ++j)
                    EXPECT_FALSE(labels[i].box.intersects(labels[j].box));
                for (int core = 0; core < 4; ++core)
                    EXPECT_FALSE(labels[i].box.intersects(QRectF(layout.cardRect(core))));
                for (const SocketPlace& socket : layout.sockets())
                    EXPECT_FALSE(labels[i].box.intersects(QRectF(socket.header)));
            }
        }
}
