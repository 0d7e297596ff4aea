#include "views/machine/machine_view.h"

#include "tests/views/synthetic.h"

#include <QAccessible>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

using namespace tlbscope;
using synthetic::Arrays;
using synthetic::Spec;

namespace {

std::unique_ptr<MachineView> shown(const Spec& spec, QSize size = {930, 540}) {
    auto view = std::make_unique<MachineView>();
    view->resize(size);
    view->setSnapshot(synthetic::snapshot(spec));
    view->show();
    return view;
}

// Pixels of a colour, within a small distance, inside a rectangle of the viewport.
int pixels_near(const QImage& image, QRect box, const QColor& color) {
    int count = 0;
    box &= image.rect();
    for (int y = box.top(); y <= box.bottom(); ++y)
        for (int x = box.left(); x <= box.right(); ++x) {
            const QRgb p = image.pixel(x, y);
            count += std::abs(qRed(p) - color.red()) + std::abs(qGreen(p) - color.green()) +
                         std::abs(qBlue(p) - color.blue()) <
                     24;
        }
    return count;
}

} // namespace

// What the view shows, cell by cell, against the reference: also after changes that are painted in part.
TEST(MachineView, CellsEqualTheReference) {
    for (const Spec& start :
         {Spec{.topology = {1, 4, 2}, .shootdown = false}, Spec{.topology = {2, 16, 2}, .shootdown = false},
          Spec{.topology = {2, 64, 2}, .arrays = Arrays::skylake, .shootdown = false},
          Spec{.topology = {1, 4, 2}, .arrays = Arrays::zen3, .shootdown = false}}) {
        auto view = shown(start);
        const auto machine = view->snapshot()->machine;
        for (int frame = 0; frame < 3; ++frame) {
            Spec spec = start;
            spec.frame = frame * 31;
            spec.seed = start.seed + static_cast<std::uint64_t>(frame / 2);
            auto snapshot = synthetic::snapshot(spec);
            snapshot->machine = machine;
            snapshot->run = 1;
            view->setSnapshot(snapshot);
            const QImage image = view->viewport()->grab().toImage().convertToFormat(QImage::Format_RGB32);
            const MachineLayout& layout = view->layout();
            for (int core = 0; core < machine->topology.cores(); ++core)
                for (const GridPlace& grid : layout.card().grids) {
                    const CellPainter reference(Theme::current(), grid.shape.pitch);
                    const QPoint at = MachineCanvas::cellOrigin(layout, core, grid, view->contentOffset(), 1);
                    const TlbArray& array = machine->arrays[grid.array];
                    for (std::uint32_t i = 0; i < array.entries(); i += core % 3 ? 7 : 1) {
                        const TlbCell& cell =
                            snapshot->cells[static_cast<std::size_t>(core) * machine->cells_per_core +
                                            array.first_cell + i];
                        const QRect place = grid.shape.cell(i).translated(at);
                        if (!image.rect().contains(place)) continue;
                        ASSERT_EQ(image.copy(place), reference.reference(cell))
                            << "core " << core << " cell " << i << " frame " << frame;
                    }
                }
        }
    }
}

// What is painted piece by piece over many frames is what a fresh view paints at once.
TEST(MachineView, NothingIsLeftBehindByEarlierFrames) {
    for (const Spec& start :
         {Spec{.topology = {1, 4, 2}}, Spec{.topology = {2, 4, 2}}, Spec{.topology = {2, 16, 2}},
          Spec{.topology = {2, 64, 2}, .arrays = Arrays::skylake}, Spec{.topology = {8, 64, 2}},
          Spec{.topology = {1, 4, 1}, .recorded = true}, Spec{.topology = {1, 128, 1}, .recorded = true}}) {
        auto view = shown(start, {1100, 620});
        const auto machine = view->snapshot()->machine;
        std::shared_ptr<Snapshot> last;
        for (int frame = 0; frame < 6; ++frame) {
            Spec spec = start;
            spec.frame = frame * 23;
            if (!spec.recorded)
                spec.seed = static_cast<std::uint64_t>(frame + 1); // a recording does not change
            if (!spec.recorded) spec.busy_cpus = 2 + frame % 3 * 2;
            last = synthetic::snapshot(spec);
            last->machine = machine;
            last->run = 1;
            if (start.recorded) last->cursor = static_cast<std::uint64_t>(900 * (frame + 1));
            view->setSnapshot(last);
            view->viewport()->grab();
        }
        MachineView fresh;
        fresh.resize(1100, 620);
        fresh.setSnapshot(last);
        fresh.show();
        EXPECT_EQ(view->viewport()->grab().toImage(), fresh.viewport()->grab().toImage())
            << machine->topology.cpus() << " CPUs";
    }
}

TEST(MachineView, AWaitingCpuLooksLikeWaiting) {
    for (const QSize size : {QSize(1400, 760), QSize(930, 540), QSize(500, 300)}) {
        auto view = shown({.topology = {1, 4, 2}}, size);
        const QImage image = view->viewport()->grab().toImage();
        const auto box = [&](CpuId cpu) {
            return view->layout().headerRect(cpu).translated(-view->contentOffset());
        };
        const Theme& t = Theme::current();
        EXPECT_GT(pixels_near(image, box(0), t.hue.yellow), 10);
        for (CpuId cpu = 4; cpu < 8; ++cpu)
            EXPECT_EQ(pixels_near(image, box(cpu), t.hue.yellow), 0) << cpu;
        // …and its whole card is framed.
        EXPECT_GT(
            pixels_near(image, view->layout().cardRect(0).translated(-view->contentOffset()), t.hue.yellow),
            60);
    }
}

TEST(MachineView, HiddenItComputesNothing) {
    MachineView view;
    view.resize(900, 500);
    for (int i = 0; i < 4; ++i)
        view.setSnapshot(synthetic::snapshot({.seed = static_cast<std::uint64_t>(i)}));
    EXPECT_EQ(view.frames(), 0);
    EXPECT_EQ(view.layouts(), 0);
    view.show();
    view.grab();
    const int frames = view.frames();
    EXPECT_GT(frames, 0);
    view.hide();
    view.setSnapshot(synthetic::snapshot({.seed = 77}));
    QTest::qWait(0);
    EXPECT_EQ(view.frames(), frames);
}

TEST(MachineView, OneLayoutServesAllFramesOfARun) {
    auto view = shown({});
    view->viewport()->grab();
    const int layouts = view->layouts();
    const auto machine = view->snapshot()->machine;
    for (int i = 0; i < 10; ++i) {
        auto snapshot = synthetic::snapshot({.frame = i});
        snapshot->machine = machine;
        view->setSnapshot(snapshot);
        view->viewport()->grab();
    }
    EXPECT_EQ(view->layouts(), layouts);
}

TEST(MachineView, ClickSelectsKeysMoveAndHeadersFold) {
    auto view = shown({.topology = {2, 4, 2}}, {1100, 620});
    view->viewport()->grab();
    QSignalSpy selected(view.get(), &MachineView::cpuSelected);
    const auto middle = [&](CpuId cpu) {
        return view->layout().cpuRect(cpu).center() - view->contentOffset();
    };
    for (CpuId cpu = 0; cpu < 16; ++cpu) {
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, middle(cpu));
        EXPECT_EQ(view->selectedCpu(), cpu);
    }
    EXPECT_EQ(selected.count(), 16);
    view->selectCpu(0);
    QTest::keyClick(view.get(), Qt::Key_Right);
    EXPECT_NE(view->selectedCpu(), 0);
    EXPECT_NE(view->selectedCpu(), kNoCpu);
    QTest::keyClick(view.get(), Qt::Key_Escape);
    EXPECT_EQ(view->selectedCpu(), kNoCpu);
    const QPoint header = view->layout().sockets()[1].header.center() - view->contentOffset();
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, header);
    EXPECT_TRUE(view->isFolded(1));
    EXPECT_FALSE(view->layout().visible(4));
    view->viewport()->grab();
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {},
                      view->layout().sockets()[1].header.center() - view->contentOffset());
    EXPECT_FALSE(view->isFolded(1));
}

TEST(MachineView, ZoomingShowsMoreAndKeepsThePointersCpu) {
    auto view = shown({.topology = {2, 64, 2}, .arrays = Arrays::skylake}, {1250, 640});
    view->viewport()->grab();
    EXPECT_TRUE(view->fits());
    const int pitch = view->layout().pitch();
    const CpuId cpu = view->cpuAt({600, 300}) == kNoCpu ? CpuId{40} : view->cpuAt({600, 300});
    view->selectCpu(cpu);
    for (int i = 0; i < 5; ++i)
        QTest::keyClick(view.get(), Qt::Key_Plus);
    view->viewport()->grab();
    EXPECT_GT(view->layout().pitch(), pitch);
    EXPECT_FALSE(view->fits());
    EXPECT_TRUE(
        view->viewport()->rect().intersects(view->layout().cpuRect(cpu).translated(-view->contentOffset())));
    QTest::keyClick(view.get(), Qt::Key_0);
    EXPECT_TRUE(view->fits());
    EXPECT_EQ(view->layout().pitch(), pitch);
    for (int i = 0; i < 40; ++i)
        view->zoomOut();
    EXPECT_EQ(view->layout().detail(), Detail::gauge);
    view->viewport()->grab();
}

TEST(MachineView, SpeaksToScreenReaders) {
    auto view = shown({.topology = {1, 4, 2}});
    view->selectCpu(0);
    QAccessibleInterface* access = QAccessible::queryAccessibleInterface(view.get());
    ASSERT_NE(access, nullptr);
    EXPECT_FALSE(access->text(QAccessible::Name).isEmpty());
    const QString text = access->text(QAccessible::Description);
    EXPECT_TRUE(text.contains(QStringLiteral("CPU 0"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("waiting")));
}

TEST(MachineView, OddSnapshotsDoNoHarm) {
    MachineView view;
    view.resize(400, 300);
    view.show();
    view.grab();
    view.setSnapshot(nullptr);
    view.grab();
    auto cut = synthetic::snapshot({});
    cut->cells.resize(3); // a worker that left the cells out
    view.setSnapshot(cut);
    view.grab();
    auto stray = synthetic::snapshot({.seed = 4});
    stray->ipis.push_back({900, 901, IpiPhase::travelling, std::nanf(""), 1, 0});
    stray->ipis.push_back({0, 0, IpiPhase::pending, 7, 1, 0});
    stray->cpus[1].pages_total = -1;
    stray->cpus[1].state = CpuState::servicing;
    view.setSnapshot(stray);
    view.grab();
    view.setSnapshot(synthetic::snapshot({.topology = {1, 4, 1}, .recorded = true, .seed = 5, .events = 0}));
    view.grab();
}

TEST(CpuStatus, SaysItInTheKernelsWords) {
    auto s = synthetic::snapshot({});
    EXPECT_EQ(cpuStatus(*s, 0).word, QStringLiteral("waiting"));
    s->cpus[0].acks_needed = 3;
    s->cpus[0].acks_got = 2;
    EXPECT_EQ(cpuStatus(*s, 0).details.front(), QStringLiteral("2 of 3 acknowledgements"));
    s->cpus[1].state = CpuState::servicing;
    s->cpus[1].ipi_pending = false;
    s->cpus[1].pages_total = 129;
    s->cpus[1].pages_done = 81;
    EXPECT_EQ(cpuStatus(*s, 1).word, QStringLiteral("servicing IPI"));
    EXPECT_EQ(cpuStatus(*s, 1).details.front(), QStringLiteral("invlpg 81 of 129"));
    EXPECT_NEAR(cpuStatus(*s, 1).progress, 81.0 / 129, 1e-9);
    s->cpus[1].pages_total = -1;
    EXPECT_EQ(cpuStatus(*s, 1).details.front(), QStringLiteral("full flush: CR3 write"));
    s->cpus[1].state = CpuState::lazy;
    EXPECT_EQ(cpuStatus(*s, 1).word, QStringLiteral("idle, lazy TLB"));
    for (const QString& text :
         {cpuStatus(*s, 1).detail(QFontMetricsF(Theme::current().font(FontRole::small)), 5)})
        EXPECT_TRUE(text.isEmpty());
}
