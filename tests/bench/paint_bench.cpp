// Milliseconds of processor time for one frame of each view, without a display; median and 99th percentile:
// paint_bench --benchmark_filter=Machine
#include "tests/views/sweep_points.h"
#include "tests/views/synthetic.h"
#include "views/charts/throughput_chart.h"
#include "views/machine/machine_view.h"
#include "views/timeline/timeline_view.h"

#include <benchmark/benchmark.h>

#include <QApplication>
#include <QPainter>

#include <algorithm>
#include <ctime>

using namespace tlbscope;
using synthetic::Arrays;
using synthetic::Spec;

namespace {

class Times {
public:
    template <class F>
    void measure(F&& frame) {
        const double start = now();
        frame();
        ms_.push_back((now() - start) * 1e3);
    }
    void report(benchmark::State& state) {
        std::sort(ms_.begin(), ms_.end());
        state.counters["median_ms"] = ms_[ms_.size() / 2];
        state.counters["p99_ms"] = ms_[ms_.size() * 99 / 100];
    }

private:
    // Processor time of this thread: other load on the machine does not count.
    static double now() {
        timespec t{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
    }
    std::vector<double> ms_;
};

// 256 CPUs of one thread a core, 2,112 entries each: every cell of every frame is new.
Spec many_cpus() {
    Spec spec;
    spec.topology = {4, 64, 1};
    spec.arrays = Arrays::zen3;
    spec.events = 20000;
    return spec;
}

void frames(benchmark::State& state, Spec spec, QSize size) {
    std::vector<std::shared_ptr<Snapshot>> snapshots;
    for (int i = 0; i < 8; ++i) {
        spec.frame = i * 17;
        spec.seed = static_cast<std::uint64_t>(1 + i);
        snapshots.push_back(synthetic::snapshot(spec));
        snapshots.back()->machine = snapshots.front()->machine;
        snapshots.back()->run = 1;
    }
    MachineView view;
    view.resize(size);
    view.setSnapshot(snapshots[0]);
    view.show();
    QImage target(size, QImage::Format_ARGB32_Premultiplied);
    view.render(&target);
    Times times;
    std::size_t i = 0;
    for (auto _ : state) {
        view.setSnapshot(snapshots[++i % snapshots.size()]);
        times.measure([&] { view.viewport()->render(&target); });
    }
    times.report(state);
}

void MachineFrame_256x2112(benchmark::State& state) {
    frames(state, many_cpus(), {1920, 1000});
}
void MachineFrame_8(benchmark::State& state) {
    frames(state, Spec{}, {930, 540});
}

// The peer's way: one fillRect a cell, same cells, same size.
void MachineFrame_256x2112_fillRect(benchmark::State& state) {
    const auto snapshot = synthetic::snapshot(many_cpus());
    const Theme& theme = Theme::current();
    QImage target(1920, 1000, QImage::Format_ARGB32_Premultiplied);
    Times times;
    for (auto _ : state)
        times.measure([&] {
            QPainter painter(&target);
            for (std::size_t i = 0; i < snapshot->cells.size(); ++i)
                painter.fillRect(QRect(static_cast<int>(i % 960) * 2, static_cast<int>(i / 960), 2, 1),
                                 CellPainter::fill(theme, snapshot->cells[i]));
        });
    times.report(state);
}

void TimelineFrame(benchmark::State& state, int cpus, std::size_t events, bool all) {
    Spec spec;
    spec.topology = {cpus > 128 ? 2 : 1, cpus > 128 ? cpus / 4 : cpus / 2, 2};
    spec.events = events;
    TimelineView view;
    view.resize(1250, 420);
    view.setSnapshot(synthetic::snapshot(spec));
    view.show();
    view.finish();
    if (all) view.showAll();
    view.finish();
    QImage target(view.size(), QImage::Format_ARGB32_Premultiplied);
    view.render(&target);
    Times times;
    double by = 0.001;
    for (auto _ : state) {
        const TimeMap map = view.window();
        by = -by;
        view.setWindow(map.begin + map.span() * by, map.end + map.span() * by);
        times.measure([&] { view.render(&target); });
    }
    times.report(state);
}
void TimelineFrame_8_near(benchmark::State& state) {
    TimelineFrame(state, 8, 1'000'000, false);
}
void TimelineFrame_256_all(benchmark::State& state) {
    TimelineFrame(state, 256, 1'000'000, true);
}

void ChartUpdate_8x2000(benchmark::State& state) {
    ThroughputChart chart(QStringLiteral("Throughput"), SweepAxis::working_set_pages);
    chart.setScale(ChartScale::linear);
    chart.resize(640, 300);
    chart.show();
    std::vector<std::vector<SweepPoint>> data(16);
    synthetic::Random random{1};
    for (auto& points : data)
        for (int i = 0; i < 2000; ++i)
            points.push_back(synthetic::sweep_point(i, 5000 + 2000 * random.unit(), 100));
    QImage target(chart.size(), QImage::Format_ARGB32_Premultiplied);
    Times times;
    std::size_t round = 0;
    for (auto _ : state) {
        ++round;
        for (std::size_t s = 0; s < 8; ++s)
            chart.setSeries(QString::number(s), data[(s + round) % data.size()]);
        times.measure([&] { chart.flush(); });
    }
    times.report(state);
}

BENCHMARK(MachineFrame_256x2112)->Unit(benchmark::kMillisecond);
BENCHMARK(MachineFrame_256x2112_fillRect)->Unit(benchmark::kMillisecond);
BENCHMARK(MachineFrame_8)->Unit(benchmark::kMillisecond);
BENCHMARK(TimelineFrame_8_near)->Unit(benchmark::kMillisecond);
BENCHMARK(TimelineFrame_256_all)->Unit(benchmark::kMillisecond);
BENCHMARK(ChartUpdate_8x2000)->Unit(benchmark::kMillisecond);

} // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    benchmark::Initialize(&argc, argv);
    QApplication application(argc, argv);
    Theme::apply(application, Theme::make(ThemeKind::dark));
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
