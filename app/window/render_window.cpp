// The real window, drawn without a display at a moment that depends on the options alone.
#include "app/window/curve_page.h"
#include "app/window/duel_page.h"
#include "app/window/main_window.h"
#include "app/window/picture.h"
#include "app/window/scene_player.h"
#include "app/window/sweep_charts.h"
#include "app/window/window_app.h"
#include "engine/core/error.h"

#include <QApplication>
#include <QEventLoop>
#include <QLayout>
#include <QTimer>

#include <algorithm>
#include <cmath>

namespace tlbscope {
namespace {

constexpr double kStartSeconds = 2e-3;
constexpr double kDuelSeconds = 5.2e-3; // on the way to a tick
constexpr double kPollSeconds = 0.1;
constexpr int kPollMilliseconds = 100;
constexpr int kSearchSteps = 400;
// Shares of the progress: reaching the moment, then the sweeps.
constexpr double kMomentShare = 0.3;

void check(const RenderOptions& o) {
    const auto within = [](const char* field, double value, double low, double high) {
        if (!(value >= low && value <= high))
            throw Error(field, std::to_string(value) + " is outside its range",
                        std::to_string(low) + " to " + std::to_string(high));
    };
    within("width", o.width, 640, 16384);
    within("height", o.height, 400, 16384);
    within("scale", o.scale, 0.5, 8);
    if (o.at_seconds) within("at", *o.at_seconds, 0, 1e9);
    if (!o.output.ends_with(".png") && !o.output.ends_with(".svg"))
        throw Error(o.output, "this kind of picture cannot be written", "the name must end in .png or .svg");
}

// Blocks in steps, so that progress is told and a wish to stop is heard.
class Waiter {
public:
    Waiter(Session& session, const std::function<bool(double)>& progress)
        : session_(session), progress_(progress) {}

    // Until every command so far is done. False: cancelled.
    bool settle() {
        const std::uint64_t mark = session_.mark();
        while (!session_.wait_for(mark, kPollSeconds))
            if (!tell(kMomentShare / 2)) return false;
        if (const std::string error = session_.take_error(); !error.empty()) throw Error("render", error);
        return true;
    }
    bool tell(double share) { return !progress_ || progress_(share); }

private:
    Session& session_;
    const std::function<bool(double)>& progress_;
};

bool load(MainWindow& window, const std::string& path, Waiter& waiter) {
    window.session().open_recording(path);
    for (;;) {
        if (!waiter.settle()) return false;
        const LoadProgress load = window.session().load_progress();
        if (!load.error.empty()) throw Error("render", load.error);
        if (!load.active) return true;
        const double share =
            load.bytes_total ? static_cast<double>(load.bytes_done) / static_cast<double>(load.bytes_total)
                             : 0;
        if (!waiter.tell(kMomentShare * share)) return false;
        // A mark nobody reaches: a pause in which the load goes on.
        window.session().wait_for(~std::uint64_t{0}, 0.02);
    }
}

// On to where a target serves the IPI, or at least where one is on its way.
bool go_to_shootdown(Session& session, Waiter& waiter) {
    session.seek_time(static_cast<std::int64_t>(kStartSeconds * session.snapshot()->machine->hz));
    session.step_shootdown(1);
    if (!waiter.settle()) return false;
    const std::int64_t begin = session.snapshot()->now;
    const std::int64_t step =
        std::max<std::int64_t>(static_cast<std::int64_t>(session.snapshot()->machine->hz * 60e-9), 1);
    for (int i = 1; i <= kSearchSteps; ++i) {
        session.seek_time(begin + i * step);
        if (!waiter.settle()) return false;
        const auto s = session.snapshot();
        const auto in = [&](IpiPhase phase) {
            return std::any_of(s->ipis.begin(), s->ipis.end(),
                               [&](const IpiView& ipi) { return ipi.phase == phase; });
        };
        if (in(IpiPhase::servicing)) return true;
    }
    session.seek_time(begin);
    return waiter.settle();
}

bool go_to_moment(Session& session, const RenderOptions& o, Waiter& waiter) {
    const auto s = session.snapshot();
    if (o.at_seconds) {
        const double hz = s->machine->recorded && s->log.ticks_per_second() > 0 ? s->log.ticks_per_second()
                                                                                : s->machine->hz;
        const std::int64_t origin = s->machine->recorded ? s->log[s->log.first_index()].time : 0;
        session.seek_time(origin + std::llround(*o.at_seconds * hz));
    } else if (o.at_event) {
        session.seek(*o.at_event);
    } else if (!s->machine->recorded) {
        return go_to_shootdown(session, waiter);
    } else {
        // Where the first target that was interrupted flushes.
        for (const ShootdownTarget& target : s->shootdowns->targets)
            if (target.entry != kNoEvent && target.send != kNoEvent) {
                session.seek(target.flush != kNoEvent ? target.flush : target.entry);
                break;
            }
    }
    return waiter.settle();
}

// The size asked for; below what the panels need, the smallest of the same shape that they fit in.
QSize layoutSize(const MainWindow& main, const RenderOptions& options) {
    const QSize least = main.minimumSizeHint().expandedTo(main.minimumSize());
    const double larger =
        std::max({1.0, double(least.width()) / options.width, double(least.height()) / options.height});
    return {int(std::ceil(options.width * larger)), int(std::ceil(options.height * larger))};
}

// Runs the event loop until it holds. False: cancelled.
template <typename Predicate, typename Share>
bool run_until(Waiter& waiter, Predicate holds, Share share) {
    while (!holds()) {
        QEventLoop loop;
        QTimer::singleShot(kPollMilliseconds / 5, &loop, &QEventLoop::quit);
        loop.exec();
        if (!waiter.tell(share())) return false;
    }
    return true;
}

// The curve, or two machines just after a tick, or a step of a scene, with all that they wait for.
bool show_page(MainWindow& main, const RenderOptions& options, Waiter& waiter) {
    QString failure;
    const auto fail = [&](const QString& text) { failure = text; };
    QObject::connect(&main.curvePage(), &CurvePage::failed, &main, fail);
    QObject::connect(&main.duelPage(), &DuelPage::failed, &main, fail);
    bool there = false;
    if (!options.scene.empty()) {
        const std::size_t steps = load_scene(options.resources, options.scene).steps.size();
        if (options.step >= steps)
            throw Error("step", std::to_string(options.step + 1) + " is outside its range",
                        "1 to " + std::to_string(steps));
        main.scenes().setStill(true);
        main.startScene(options.scene, options.step, false);
        main.resize(layoutSize(main, options));
        ScenePlayer& scenes = main.scenes();
        there = run_until(
            waiter, [&] { return scenes.settled() || !failure.isEmpty(); },
            [&] { return scenes.progress(); });
    } else if (parsePage(options.page) == Page::curve) {
        main.showPage(Page::curve);
        CurvePage& page = main.curvePage();
        there = run_until(
            waiter, [&] { return page.finished() || !failure.isEmpty(); }, [&] { return page.progress(); });
    } else {
        main.showPage(Page::duel);
        Duel* duel = main.duelPage().duel();
        if (!duel) throw Error("render", failure.toStdString());
        const double hz = duel->snapshot()->sides[0].snapshot->machine->hz;
        duel->seek_time(std::llround(options.at_seconds.value_or(kDuelSeconds) * hz));
        if (!options.at_seconds) {
            duel->run_to_next_tick();
            duel->run_to_next_tick();
        }
        const std::uint64_t mark = duel->mark();
        there = run_until(
            waiter,
            [&] {
                main.duelPage().takeFrame();
                return duel->snapshot()->mark >= mark || !failure.isEmpty();
            },
            [] { return 0.5; });
        main.duelPage().takeFrame();
    }
    if (!failure.isEmpty()) throw Error("render", failure.toStdString());
    return there;
}

} // namespace

bool render_window(const RenderOptions& options) {
    check(options);
    const ThemeKind theme = parseTheme(options.theme);
    std::unique_ptr<QApplication> application;
    static int argc = 1;
    static char name[] = "tlbscope";
    static char* argv[] = {name, nullptr};
    if (!qApp) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        application = std::make_unique<QApplication>(argc, argv);
    }
    MainWindowOptions window;
    window.resources = options.resources;
    if (options.scenario) window.scenario = *options.scenario;
    window.remember = false;
    window.settings.theme = theme;
    window.size = QSize(options.width, options.height);
    window.sweeps = options.sweeps && options.recording.empty();
    MainWindow main(window);
    main.layout()->setSizeConstraint(QLayout::SetNoConstraint); // the size asked for, whatever fits
    main.resize(options.width, options.height);
    main.show();
    if (options.present) main.setPresenting(true, false);
    main.resize(layoutSize(main, options));
    QApplication::processEvents();

    Waiter waiter(main.session(), options.progress);
    if (!options.scene.empty() || options.page != "machine") {
        if (!show_page(main, options, waiter)) return false;
        QApplication::processEvents();
        writePicture(main, QString::fromStdString(options.output), options.scale,
                     QSize(options.width, options.height));
        return true;
    }
    if (!options.recording.empty() && !load(main, options.recording, waiter)) return false;
    if (!go_to_moment(main.session(), options, waiter)) return false;
    main.takeFrame();
    main.finishViews();
    if (window.sweeps) {
        main.sweeps().startNow();
        while (!main.sweeps().finished()) {
            QEventLoop loop;
            QObject::connect(&main.sweeps(), &SweepCharts::changed, &loop, &QEventLoop::quit);
            QTimer::singleShot(kPollMilliseconds, &loop, &QEventLoop::quit);
            loop.exec();
            if (!waiter.tell(kMomentShare + (1 - kMomentShare) * main.sweeps().progress())) return false;
        }
    }
    QApplication::processEvents();
    main.finishViews();
    writePicture(main, QString::fromStdString(options.output), options.scale,
                 QSize(options.width, options.height));
    return true;
}

} // namespace tlbscope
