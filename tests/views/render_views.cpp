// Draws every view to PNG files without a display: render_views FOLDER [PART-OF-NAME].
#include "tests/views/curve_points.h"
#include "tests/views/sweep_points.h"
#include "tests/views/synthetic.h"
#include "views/charts/curve_chart.h"
#include "views/charts/throughput_chart.h"
#include "views/events/event_list_view.h"
#include "views/machine/machine_view.h"
#include "views/panels/attribution_panel.h"
#include "views/panels/counters_panel.h"
#include "views/panels/cycles_panel.h"
#include "views/panels/decision_panel.h"
#include "views/panels/delta_strip.h"
#include "views/panels/legend_panel.h"
#include "views/present/scene_caption.h"
#include "views/present/spotlight.h"
#include "views/theme/theme.h"
#include "views/timeline/timeline_view.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>

#include <cstdio>
#include <functional>

using namespace tlbscope;

namespace {

struct Renderer {
    QApplication& application;
    QString folder, filter;

    void draw(const QString& name, QSize size, const std::function<QWidget*()>& make, double scale = 1) {
        if (!name.contains(filter)) return;
        static const std::pair<ThemeKind, const char*> themes[] = {
            {ThemeKind::dark, "dark"}, {ThemeKind::light, "light"}, {ThemeKind::high_contrast, "contrast"}};
        for (const auto& [kind, suffix] : themes) {
            if (kind == ThemeKind::high_contrast && !filter.contains(QStringLiteral("contrast")) &&
                filter != name)
                continue;
            Theme::apply(application, Theme::make(kind, scale));
            const std::unique_ptr<QWidget> widget(make());
            widget->resize(size);
            widget->show();
            QApplication::processEvents();
            QElapsedTimer timer;
            timer.start();
            const QPixmap picture = widget->grab();
            std::printf("%s-%s %.1f ms\n", qPrintable(name), suffix,
                        static_cast<double>(timer.nsecsElapsed()) / 1e6);
            picture.save(folder + u'/' + name + u'-' + QLatin1String(suffix) + QStringLiteral(".png"));
        }
    }
};

QWidget* machineOf(const synthetic::Spec& spec, int select = -1) {
    auto* view = new MachineView;
    view->setSnapshot(synthetic::snapshot(spec));
    if (select >= 0) view->selectCpu(static_cast<CpuId>(select));
    return view;
}

void machines(Renderer& r) {
    using synthetic::Arrays;
    using synthetic::Spec;
    r.draw("machine-2", {960, 540}, [] {
        return machineOf({.topology = {1, 1, 2}, .arrays = Arrays::teaching});
    });
    r.draw("machine-4-teaching", {960, 540}, [] {
        return machineOf({.topology = {1, 2, 2}, .arrays = Arrays::teaching, .busy_cpus = 4}, 1);
    });
    r.draw("machine-8", {930, 540}, [] { return machineOf({.topology = {1, 4, 2}, .busy_cpus = 5}, 1); });
    r.draw("machine-8-small", {700, 420}, [] {
        return machineOf({.topology = {1, 4, 2}, .busy_cpus = 5}, 1);
    });
    r.draw("machine-8-large", {1400, 760}, [] { return machineOf({.topology = {1, 4, 2}, .busy_cpus = 8}); });
    r.draw("machine-8-skylake", {1100, 620}, [] {
        return machineOf({.topology = {1, 4, 2}, .arrays = Arrays::skylake});
    });
    r.draw("machine-8-zen3", {1100, 620}, [] {
        return machineOf({.topology = {1, 4, 2}, .arrays = Arrays::zen3});
    });
    r.draw(
        "machine-8-talk", {1400, 800},
        [] {
            return machineOf({.topology = {1, 4, 2}});
        },
        1.6);
    r.draw("machine-16", {1100, 620}, [] { return machineOf({.topology = {2, 4, 2}}, 3); });
    r.draw("machine-64", {1100, 620}, [] { return machineOf({.topology = {2, 16, 2}}, 3); });
    r.draw("machine-256", {1250, 640}, [] {
        return machineOf({.topology = {2, 64, 2}, .arrays = Arrays::skylake}, 3);
    });
    r.draw("machine-256x2112", {1920, 1000}, [] {
        return machineOf({.topology = {4, 64, 1}, .arrays = Arrays::zen3}, 3);
    });
    r.draw("machine-1024", {1250, 640}, [] { return machineOf({.topology = {8, 64, 2}}, 3); });
    r.draw("machine-recorded-4", {930, 540}, [] {
        return machineOf({.topology = {1, 4, 1}, .recorded = true}, 1);
    });
    r.draw("machine-recorded-16", {930, 540}, [] {
        return machineOf({.topology = {1, 16, 1}, .recorded = true}, 1);
    });
    r.draw("machine-recorded-128", {930, 540}, [] {
        return machineOf({.topology = {1, 128, 1}, .recorded = true}, 1);
    });
}

template <class Widget>
QWidget* panelOf(const synthetic::Spec& spec) {
    auto* widget = new Widget;
    widget->setSnapshot(synthetic::snapshot(spec));
    return widget;
}

QWidget* timelineOf(const synthetic::Spec& spec, bool all = false) {
    auto* view = new TimelineView;
    view->setSnapshot(synthetic::snapshot(spec));
    view->resize(900, 330);
    view->finish();
    if (all) view->showAll();
    view->finish();
    return view;
}

void timelines(Renderer& r) {
    using synthetic::Spec;
    r.draw("timeline-8", {930, 340}, [] { return timelineOf({.topology = {1, 4, 2}, .busy_cpus = 5}); });
    r.draw("timeline-8-all", {930, 340}, [] {
        return timelineOf({.topology = {1, 4, 2}, .events = 400000}, true);
    });
    r.draw("timeline-4-recorded", {930, 240}, [] {
        return timelineOf({.topology = {1, 4, 1}, .recorded = true});
    });
    r.draw("timeline-64", {1250, 420}, [] { return timelineOf({.topology = {2, 16, 2}}); });
    r.draw("timeline-256", {1250, 420}, [] {
        return timelineOf({.topology = {2, 64, 2}, .events = 200000}, true);
    });
    r.draw("timeline-empty", {930, 200}, [] { return new TimelineView; });
    r.draw(
        "timeline-8-talk", {1400, 560},
        [] {
            return timelineOf({.topology = {1, 4, 2}});
        },
        1.6);
}

void panels(Renderer& r) {
    using synthetic::Spec;
    const Spec spec;
    r.draw("panel-decision", {320, 330}, [&] { return panelOf<DecisionPanel>(spec); });
    r.draw("panel-decision-small", {280, 200}, [&] { return panelOf<DecisionPanel>(spec); });
    r.draw("panel-decision-empty", {320, 200}, [] { return new DecisionPanel; });
    r.draw("panel-cycles", {320, 200}, [&] { return panelOf<CyclesPanel>(spec); });
    r.draw("panel-cycles-wide", {640, 130}, [&] { return panelOf<CyclesPanel>(spec); });
    r.draw("panel-counters", {250, 270}, [&] { return panelOf<CountersPanel>(spec); });
    r.draw("panel-counters-stale", {320, 270}, [&] {
        auto snapshot = synthetic::snapshot(spec);
        snapshot->counters.stale_uses = 3;
        auto* panel = new CountersPanel;
        panel->setSnapshot(snapshot);
        return panel;
    });
    r.draw("panel-legend", {280, 280}, [] { return new LegendPanel; });
    r.draw("events", {760, 320}, [&] {
        auto* view = new EventListView;
        view->setSnapshot(synthetic::snapshot(spec));
        return view;
    });
    r.draw("events-filtered", {560, 320}, [&] {
        auto* view = new EventListView;
        view->setSnapshot(synthetic::snapshot(spec));
        view->setGroup(KindGroup::flushes, true);
        view->setCpuText(QStringLiteral("0-1"));
        view->show();
        view->model().finish();
        return view;
    });
}

void charts(Renderer& r) {
    r.draw("chart-shift", {320, 200}, [] {
        auto* chart = new ThroughputChart(QStringLiteral("Throughput against shift"), SweepAxis::shift);
        chart->setExpected({-1, 0, 1, 2, 3, 4, 5, 6, 7, 8});
        chart->setSeries({}, synthetic::shift_points(10));
        chart->setCurrent(1);
        chart->setProgress(0.8);
        return chart;
    });
    r.draw("chart-shift-wide", {640, 300}, [] {
        auto* chart = new ThroughputChart(QStringLiteral("Throughput against shift"), SweepAxis::shift);
        for (int threads : {1, 2, 4, 8})
            chart->setSeries(QStringLiteral("%1 threads").arg(threads), synthetic::shift_points(10, threads));
        chart->setCurrent(2);
        chart->setPublished({{2, 9300, "a mail"}, {5, 9700, "a mail"}});
        return chart;
    });
    r.draw("chart-set", {320, 200}, [] {
        auto* chart = new ThroughputChart(QStringLiteral("Throughput against working set"),
                                          SweepAxis::working_set_pages);
        chart->setSeries(QStringLiteral("3:1"), synthetic::set_points(1));
        chart->setSeries(QStringLiteral("4:4"), synthetic::set_points(2));
        chart->setCurrent(129);
        chart->setProgress(0.4);
        return chart;
    });
    r.draw("chart-few", {320, 200}, [] {
        auto* chart = new ThroughputChart(QStringLiteral("Throughput against shift"), SweepAxis::shift);
        chart->setExpected({-1, 0, 1, 2, 3, 4, 5, 6, 7, 8});
        chart->setSeries({}, synthetic::shift_points(2));
        chart->setCurrent(3);
        chart->setProgress(0.1);
        return chart;
    });
    r.draw("chart-empty", {320, 200},
           [] { return new ThroughputChart(QStringLiteral("Throughput against shift"), SweepAxis::shift); });
}

QWidget* curveOf(std::size_t variants, int points, CurveView view = CurveView::throughput,
                 bool found = true) {
    auto* chart = new CurveChart(QStringLiteral("HINT: throughput against working set"));
    std::vector<CurveChart::Label> labels;
    for (std::size_t i = 0; i < variants; ++i)
        labels.push_back({QString::fromLatin1(synthetic::curve_labels()[i % 8]),
                          variants == 4 ? static_cast<int>(i % 2) : -1});
    chart->setVariants(labels);
    chart->setUnit(QStringLiteral("MQUIPS"));
    chart->setExpected(64 * synthetic::kKilo, 1536 * synthetic::kKilo);
    chart->setPoints(synthetic::curve_points(variants, points));
    chart->setMarks(synthetic::curve_marks());
    chart->setView(view);
    if (found) {
        chart->setKnee(0, Knee{548 * synthetic::kKilo, 9.3, 5.9});
        chart->setKnee(1, Knee{437 * synthetic::kKilo, 9.2, 5.8});
        chart->setWindow(
            Window{290 * synthetic::kKilo, 690 * synthetic::kKilo, 480 * synthetic::kKilo, 0.152});
    }
    chart->setCursor(420 * synthetic::kKilo);
    return chart;
}

// In front of a hall: 1.6 at 1280 x 720; 2 at 3840 x 2160, where the window may choose more.
void hall(Renderer& r, const QString& name, const std::function<QWidget*()>& make) {
    r.draw(name, {1280, 720}, make);
    r.draw(name + QStringLiteral("-hall"), {1280, 720}, make, 1.6);
    r.draw(name + QStringLiteral("-4k"), {3840, 2160}, make, 2);
}

void curves(Renderer& r) {
    hall(r, QStringLiteral("curve-two"), [] { return curveOf(2, 24); });
    hall(r, QStringLiteral("curve-four"), [] { return curveOf(4, 40); });
    hall(r, QStringLiteral("curve-both"), [] { return curveOf(2, 24, CurveView::both); });
    hall(r, QStringLiteral("curve-difference"), [] { return curveOf(4, 24, CurveView::difference); });
    r.draw("curve-eight", {1280, 720}, [] { return curveOf(8, 2000); });
    r.draw("curve-small", {420, 260}, [] { return curveOf(2, 24); });
    r.draw("curve-first", {1280, 720}, [] {
        auto* chart = static_cast<CurveChart*>(curveOf(2, 0, CurveView::throughput, false));
        chart->setPoints(synthetic::curve_points(2, 5, 1));
        chart->setProgress(0.1);
        chart->setCursor({});
        return chart;
    });
    r.draw("curve-empty", {1280, 720}, [] {
        auto* chart = new CurveChart(QStringLiteral("HINT: throughput against working set"));
        chart->setVariants({{QStringLiteral("3:1")}, {QStringLiteral("4:4")}});
        chart->setProgress(0);
        return chart;
    });
}

QWidget* attributionOf(int seeds, double scale = 1) {
    auto* panel = new AttributionPanel;
    panel->setNames(QStringLiteral("3:1"), QStringLiteral("4:4"), 2.5e9);
    panel->setBand(synthetic::attribution(seeds, scale));
    return panel;
}

void attributions(Renderer& r) {
    hall(r, QStringLiteral("attribution"), [] { return attributionOf(16); });
    r.draw("attribution-dock", {620, 340}, [] { return attributionOf(16); });
    r.draw("attribution-small", {330, 260}, [] { return attributionOf(1); });
    r.draw("attribution-even", {620, 340}, [] { return attributionOf(16, 0.01); });
    r.draw("attribution-empty", {620, 340}, [] {
        auto* panel = new AttributionPanel;
        panel->setPlace(500 * synthetic::kKilo);
        panel->setProgress(0.2);
        return panel;
    });
    r.draw("attribution-none", {620, 200}, [] { return new AttributionPanel; });
}

QWidget* deltaOf(Lockstep lockstep, int frames, double loss = 0.0043) {
    auto* strip = new DeltaStrip;
    strip->setNames(QStringLiteral("3:1"), QStringLiteral("4:4"));
    for (int i = 1; i <= frames; ++i)
        strip->setSnapshot(synthetic::duel(lockstep, i, loss));
    return strip;
}

void deltas(Renderer& r) {
    hall(r, QStringLiteral("delta"), [] { return deltaOf(Lockstep::work, 140); });
    r.draw("delta-dock", {460, 430}, [] { return deltaOf(Lockstep::work, 140); });
    r.draw("delta-strip", {300, 620}, [] { return deltaOf(Lockstep::work, 140); });
    r.draw("delta-time", {460, 430}, [] { return deltaOf(Lockstep::time, 140, 0.16); });
    r.draw("delta-small", {280, 200}, [] { return deltaOf(Lockstep::work, 140); });
    r.draw("delta-start", {460, 430}, [] { return deltaOf(Lockstep::work, 0); });
    r.draw(
        "delta-hall-side", {420, 600}, [] { return deltaOf(Lockstep::work, 140); }, 1.6);
}

// The curve with a spotlight on its window, and the caption beside it, as a scene shows them.
QWidget* sceneOf(const QRect& target, bool side) {
    auto* window = new QWidget;
    const QSize size(1280, 720);
    window->resize(size);
    auto* curve = curveOf(2, 24);
    curve->setParent(window);
    auto* caption = new SceneCaption(window);
    caption->setText(
        {3, 10, QStringLiteral("The objection: a tick cannot cost that much"),
         QStringLiteral("A flush at every tick empties at most 64 entries. Refilling them all from memory "
                        "takes 38 400 cycles, 15 µs of a millisecond: 1.5 %, not 17 %."),
         QStringLiteral("made up for a picture of the caption")});
    const int margin = Theme::current().px(10);
    const QRect place = caption->place(QRect(QPoint(), size), target, margin);
    caption->setGeometry(place);
    curve->setGeometry(side ? QRect(0, 0, size.width(), size.height())
                            : QRect(0, 0, size.width(), place.top() - margin / 2));
    auto* light = new Spotlight(window);
    light->setTarget(target);
    caption->raise();
    return window;
}

void scenes(Renderer& r) {
    r.draw(
        "scene-bottom", {1280, 720}, [] { return sceneOf(QRect(560, 150, 420, 260), false); }, 1.4);
    r.draw(
        "scene-side", {1280, 720}, [] { return sceneOf(QRect(40, 60, 700, 640), true); }, 1.4);
    hall(r, QStringLiteral("caption"), [] {
        auto* caption = new SceneCaption;
        caption->setText({10, 12, QStringLiteral("Where did the 17 % go?"),
                          QStringLiteral("One line of text that says what is to be seen.\nAnd a second one."),
                          QStringLiteral("a source, its date")});
        return caption;
    });
    r.draw("caption-narrow", {300, 300}, [] {
        auto* caption = new SceneCaption;
        caption->setText(
            {4, 8, QStringLiteral("A longer headline over two lines"),
             QStringLiteral("Three or four lines of text that have to fit beside the machine, and do so "
                            "by smaller type where the room is scarce."),
             QStringLiteral("a source, its date")});
        return caption;
    });
}

} // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    Renderer renderer{application, argc > 1 ? argv[1] : ".", argc > 2 ? argv[2] : ""};
    QDir().mkpath(renderer.folder);
    machines(renderer);
    timelines(renderer);
    panels(renderer);
    charts(renderer);
    curves(renderer);
    attributions(renderer);
    deltas(renderer);
    scenes(renderer);
    return 0;
}
