// The window as a user meets it, on the offscreen platform.
#include "app/window/key_owner.h"
#include "app/window/main_window.h"
#include "app/window/notice.h"
#include "app/window/panel_dock.h"
#include "app/window/parameter_slider.h"
#include "app/window/place.h"
#include "app/window/recording_controls.h"
#include "app/window/simulation_controls.h"
#include "app/window/speed_scale.h"
#include "app/window/sweep_charts.h"
#include "app/window/transport_bar.h"
#include "app/window/value_slider.h"
#include "app/window/window_app.h"
#include "engine/core/error.h"
#include "views/events/event_list_view.h"
#include "views/machine/machine_view.h"
#include "views/timeline/timeline_view.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QDropEvent>
#include <QEventLoop>
#include <QFile>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>

#include <map>

namespace tlbscope {
namespace {

const std::string kRecording = std::string(TLBSCOPE_TEST_DATA) + "/recording/kernel_shootdowns.txt";

class WindowTest : public testing::Test {
protected:
    static void SetUpTestSuite() {
        if (qApp) return;
        qputenv("QT_QPA_PLATFORM", "offscreen");
        static int argc = 1;
        static char name[] = "app_tests";
        static char* argv[] = {name, nullptr};
        new QApplication(argc, argv); // lives as long as the tests
    }

    static MainWindowOptions plain() {
        MainWindowOptions options;
        options.resources = TLBSCOPE_RESOURCES;
        options.remember = false;
        options.sweeps = false;
        return options;
    }

    // Runs the event loop until it holds. The deadline is only there so that a broken build ends.
    template <typename Predicate>
    static bool until(Predicate holds) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(90);
        while (!holds()) {
            if (std::chrono::steady_clock::now() > deadline) return false;
            QEventLoop loop;
            QTimer::singleShot(10, &loop, &QEventLoop::quit);
            loop.exec(); // a round of events
        }
        return true;
    }
    static const Snapshot& shown(MainWindow& window) { return *window.machine().snapshot(); }

    static void drop(MainWindow& window, const QString& path) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &enter);
        QDropEvent event(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &event);
    }
};

TEST_F(WindowTest, ShowsARunningMachine) {
    MainWindow window(plain());
    window.show();
    window.setSpeed(1e-3);
    window.session().play();
    ASSERT_TRUE(until([&] { return shown(window).running && shown(window).event_count > 500; }));
    EXPECT_EQ(shown(window).machine->topology.cpus(), 8);
    EXPECT_TRUE(std::any_of(shown(window).cells.begin(), shown(window).cells.end(),
                            [](const TlbCell& cell) { return cell.flags & TlbCell::kValid; }));
    EXPECT_TRUE(until([&] { return window.windowTitle().contains(QStringLiteral("ebizzy")); }));
    window.session().pause();
    EXPECT_TRUE(until([&] { return !shown(window).running; }));
}

TEST_F(WindowTest, SlidersActOnTheRunningMachine) {
    MainWindow window(plain());
    window.show();
    window.session().play();
    ASSERT_TRUE(until([&] { return shown(window).running; }));
    const std::uint64_t run = shown(window).run;
    SimulationControls& controls = window.simulationControls();
    for (int shift : {-1, 5, 12, 2}) {
        controls.shift()->slider()->setValue(shift + 1);
        ASSERT_TRUE(until([&] { return shown(window).scenario.shift == shift; })) << shift;
    }
    controls.threads()->choose(6);
    controls.flushPages()->choose(300);
    controls.workingSet()->choose(500);
    ASSERT_TRUE(until([&] { return shown(window).scenario == controls.scenario(); }));
    EXPECT_EQ(shown(window).scenario.threads, 6);
    EXPECT_EQ(shown(window).scenario.flush_pages, 300);
    EXPECT_EQ(shown(window).run, run) << "these need no new run";
    EXPECT_TRUE(shown(window).running);
    // The default of the processor and kernel is kept as a default, not as its number.
    controls.shift()->choose(controls.shift()->defaultValue());
    EXPECT_EQ(controls.scenario().shift, Scenario::kDefault);
}

TEST_F(WindowTest, ControlsFollowTheRunBackOverAChange) {
    MainWindow window(plain());
    window.show();
    SimulationControls& controls = window.simulationControls();
    window.session().seek(300);
    controls.shift()->choose(7);
    window.session().seek(600);
    ASSERT_TRUE(until([&] { return shown(window).event_count == 601; }));
    EXPECT_EQ(controls.effectiveShift(), 7);
    window.session().seek(100);
    ASSERT_TRUE(until([&] { return controls.scenario().shift == Scenario::kDefault; }));
    EXPECT_EQ(shown(window).event_count, 101u);
    window.session().seek(600);
    EXPECT_TRUE(until([&] { return controls.effectiveShift() == 7; }));
}

TEST_F(WindowTest, ARefusedScenarioSaysSoAndPutsTheControlsBack) {
    MainWindow window(plain());
    window.show();
    Scenario bad;
    bad.threads = 0;
    const std::uint64_t run = shown(window).run;
    window.session().reset(bad);
    ASSERT_TRUE(until([&] { return window.notice().isVisible(); }));
    EXPECT_TRUE(window.notice().text().contains(QStringLiteral("threads")));
    EXPECT_EQ(shown(window).run, run);
    EXPECT_EQ(window.simulationControls().scenario(), openingScenario());
}

TEST_F(WindowTest, ClosesDuringASweep) {
    for (int i = 0; i < 3; ++i) {
        MainWindowOptions options = plain();
        options.sweeps = true;
        options.scenario.threads = 1;
        MainWindow window(options);
        window.resize(1600, 1000);
        window.show();
        window.session().play();
        QApplication::processEvents();
        window.sweeps().startNow();
        ASSERT_GE(window.sweeps().started(), 1u);
        if (i > 0) {
            ASSERT_TRUE(
                until([&] { return !window.sweeps().series(SweepCharts::parameter).points.empty(); }));
        }
        if (i == 2) window.close();
    }
}

TEST_F(WindowTest, AMovedSliderStartsTheSweepAnew) {
    MainWindowOptions options = plain();
    options.sweeps = true;
    MainWindow window(options);
    window.resize(1600, 1000);
    window.show();
    QApplication::processEvents();
    SweepCharts& sweeps = window.sweeps();
    sweeps.startNow();
    const std::uint64_t first = sweeps.series(SweepCharts::parameter).id;
    ASSERT_NE(first, 0u);
    // Its own parameter only moves the mark.
    window.simulationControls().shift()->choose(5);
    sweeps.startNow();
    EXPECT_EQ(sweeps.series(SweepCharts::parameter).id, first);
    window.simulationControls().threads()->choose(2);
    sweeps.startNow();
    EXPECT_NE(sweeps.series(SweepCharts::parameter).id, first);
    EXPECT_TRUE(sweeps.series(SweepCharts::parameter).points.empty());
    EXPECT_EQ(sweeps.series(SweepCharts::parameter).spec.base.threads, 2);
    // A kernel without a parameter has nothing to sweep.
    Scenario always;
    always.policy = "<=3.5";
    sweeps.setScenario(always);
    EXPECT_FALSE(sweeps.series(SweepCharts::parameter).possible);
}

TEST_F(WindowTest, ClosesDuringALoad) {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("long.txt"));
    QFile source(QString::fromStdString(kRecording)), file(path);
    ASSERT_TRUE(source.open(QIODevice::ReadOnly) && file.open(QIODevice::WriteOnly));
    const QByteArray text = source.readAll();
    while (file.size() < 30'000'000)
        file.write(text);
    file.close();
    for (int i = 0; i < 4; ++i) {
        MainWindow window(plain());
        window.show();
        window.openRecording(path);
        if (i > 0) {
            ASSERT_TRUE(until([&] {
                const LoadProgress load = window.session().load_progress();
                return load.bytes_done > 0 || !load.active;
            }));
        }
        if (i == 2) window.close();
        if (i == 3) {
            window.session().cancel_load();
            ASSERT_TRUE(until([&] { return !window.session().load_progress().active; }));
            EXPECT_FALSE(shown(window).machine->recorded);
        }
    }
}

TEST_F(WindowTest, ADroppedRecordingOpensAndCanBeWalked) {
    MainWindow window(plain());
    window.show();
    drop(window, QString::fromStdString(kRecording));
    ASSERT_TRUE(until([&] { return shown(window).machine->recorded; }));
    EXPECT_TRUE(window.recordingControls().isVisible());
    EXPECT_FALSE(window.simulationControls().isVisible());
    EXPECT_FALSE(window.session().load_progress().report.empty());
    const std::uint64_t at = shown(window).cursor;
    window.actions().event->trigger();
    ASSERT_TRUE(until([&] { return shown(window).cursor == at + 1; }));
    window.actions().eventBack->trigger();
    ASSERT_TRUE(until([&] { return shown(window).cursor == at; }));
    window.transport().timeField()->setText(QStringLiteral("#17"));
    QKeyEvent enter(QEvent::KeyPress, Qt::Key_Return, Qt::NoModifier);
    QApplication::sendEvent(window.transport().timeField(), &enter);
    ASSERT_TRUE(until([&] { return shown(window).event_count == 17; }));
    window.actions().shootdown->trigger();
    ASSERT_TRUE(until([&] { return shown(window).event_count != 17; }));
    EXPECT_GT(shown(window).decision.shootdown, 0u);
    window.actions().close->trigger();
    ASSERT_TRUE(until([&] { return !shown(window).machine->recorded; }));
    EXPECT_TRUE(window.simulationControls().isVisible());
}

TEST_F(WindowTest, ADroppedBadFileShowsAnErrorAndKeepsTheState) {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("bad.txt"));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("Dear diary,\nthis is no trace at all.\n");
    file.close();
    MainWindow window(plain());
    window.show();
    window.session().step_event(40);
    ASSERT_TRUE(until([&] { return shown(window).event_count == 40; }));
    drop(window, path);
    ASSERT_TRUE(until([&] { return window.notice().isVisible(); }));
    EXPECT_TRUE(window.notice().text().contains(QStringLiteral("bad.txt")))
        << qPrintable(window.notice().text());
    EXPECT_FALSE(shown(window).machine->recorded);
    EXPECT_EQ(shown(window).event_count, 40u);
    drop(window, folder.filePath(QStringLiteral("missing.txt")));
    ASSERT_TRUE(until([&] { return window.notice().text().contains(QStringLiteral("missing.txt")); }));
    EXPECT_EQ(shown(window).event_count, 40u);
}

TEST_F(WindowTest, EveryShortcutIsUnique) {
    MainWindow window(plain());
    std::map<QString, const QAction*> seen;
    int shortcuts = 0;
    for (const QAction* action : window.findChildren<QAction*>()) {
        EXPECT_FALSE(action->text().isEmpty() && !action->shortcuts().isEmpty());
        for (const QKeySequence& key : action->shortcuts()) {
            ++shortcuts;
            const auto [at, fresh] = seen.emplace(key.toString(), action);
            EXPECT_TRUE(fresh || at->second == action)
                << qPrintable(key.toString() + u' ' + action->text() + u' ' + at->second->text());
        }
    }
    EXPECT_GE(shortcuts, 25);
}

TEST_F(WindowTest, FramesDoOnlyWhatIsNew) {
    MainWindow window(plain());
    window.show();
    ASSERT_TRUE(until([&] { return window.machine().frames() > 0; }));
    window.takeFrame();
    const std::int64_t snapshots = window.meter().snapshots(), views = window.meter().views();
    for (int i = 0; i < 20; ++i)
        window.takeFrame();
    EXPECT_EQ(window.meter().snapshots(), snapshots) << "the same snapshot was drawn again";
    EXPECT_EQ(window.meter().views(), views);

    // One view, one snapshot a frame, however many the worker makes.
    window.setSpeed(std::numeric_limits<double>::infinity());
    window.session().play();
    const std::int64_t before = window.meter().frames();
    ASSERT_TRUE(until([&] { return window.meter().frames() > before + 30; }));
    EXPECT_LE(window.meter().snapshots(), window.meter().frames());
    EXPECT_LE(window.meter().mostViews(), 6);
    EXPECT_LE(window.machine().frames(), static_cast<int>(window.meter().frames()) + 10);
}

TEST_F(WindowTest, HiddenViewsAreLeftAlone) {
    MainWindow window(plain());
    window.show();
    QApplication::processEvents();
    for (auto* dock : window.findChildren<PanelDock*>())
        dock->hide();
    QApplication::processEvents();
    window.takeFrame();
    const std::int64_t views = window.meter().views(), snapshots = window.meter().snapshots();
    const int spans = window.timeline().spansMade();
    const std::uint64_t seen = shown(window).sequence;
    window.session().step_event(10);
    ASSERT_TRUE(until([&] { return shown(window).sequence > seen; }));
    window.session().pause();
    EXPECT_TRUE(until([&] { return shown(window).event_count == 10; }));
    EXPECT_EQ(window.timeline().spansMade(), spans);
    EXPECT_GT(window.meter().snapshots(), snapshots);
    EXPECT_EQ(window.meter().views() - views, window.meter().snapshots() - snapshots)
        << "only the machine was given snapshots";
}

TEST_F(WindowTest, AViewThatAppearsIsUpToDate) {
    MainWindow window(plain());
    window.show();
    window.session().step_event(50);
    ASSERT_TRUE(until([&] { return shown(window).event_count == 50; }));
    EXPECT_EQ(window.events().model().rowCount(), 0) << "it is behind the timeline";
    window.actions().find->trigger();
    EXPECT_TRUE(until([&] { return window.events().isVisible() && window.events().model().rowCount() > 0; }));
}

TEST_F(WindowTest, EverythingThatTakesTheFocusHasAName) {
    MainWindow window(plain());
    window.show();
    int checked = 0;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (!(widget->focusPolicy() & Qt::TabFocus) || widget->objectName().startsWith(QStringLiteral("qt_")))
            continue;
        if (widget->window() != &window || !widget->isVisible()) continue;
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        const bool named = !widget->accessibleName().isEmpty() || (button && !button->text().isEmpty());
        EXPECT_TRUE(named) << widget->metaObject()->className() << " in "
                           << widget->parentWidget()->metaObject()->className();
        ++checked;
    }
    EXPECT_GT(checked, 25);
}

TEST_F(WindowTest, PresentingComesAndGoes) {
    MainWindow window(plain());
    window.resize(1280, 800);
    window.show();
    QApplication::processEvents();
    const double scale = Theme::current().scale;
    window.setPresenting(true, false);
    EXPECT_GT(Theme::current().scale, scale);
    EXPECT_FALSE(window.simulationControls().isVisible());
    window.setPresenting(false, false);
    QApplication::processEvents();
    EXPECT_EQ(Theme::current().scale, scale);
    EXPECT_TRUE(window.simulationControls().isVisible());
}

TEST_F(WindowTest, BrokenSettingsCountAsNone) {
    QTemporaryDir folder;
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder.path());
    QDir(folder.path()).mkpath(QStringLiteral("tlbscope"));
    for (const char* text :
         {"\x00\xff[[[ theme", "[General]\ntheme=plaid\nscale=nan\nstate=@ByteArray(xyz)\ngeometry=12\n",
          "scale=-1e300\ntheme=light"}) {
        QFile file(folder.filePath(QStringLiteral("tlbscope/window.ini")));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        const Settings settings = Settings::load();
        EXPECT_GE(settings.scale, kMinScale);
        EXPECT_LE(settings.scale, kMaxScale);
        MainWindowOptions options = plain();
        options.remember = true;
        MainWindow window(options);
        window.show();
        EXPECT_TRUE(window.simulationControls().isVisible());
        window.close();
    }
    EXPECT_EQ(Settings::load().theme, ThemeKind::light);
}

TEST_F(WindowTest, PicturesDependOnTheOptionsAlone) {
    QTemporaryDir folder;
    RenderOptions options;
    options.resources = TLBSCOPE_RESOURCES;
    options.width = 900;
    options.height = 600;
    options.sweeps = false;
    options.at_seconds = 300e-6;
    std::vector<QByteArray> bytes;
    for (const char* name : {"a.png", "b.png", "c.svg"}) {
        options.output = folder.filePath(QLatin1String(name)).toStdString();
        ASSERT_TRUE(render_window(options));
        QFile file(QString::fromStdString(options.output));
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        bytes.push_back(file.readAll());
    }
    EXPECT_EQ(bytes[0], bytes[1]);
    const QImage image = QImage::fromData(bytes[0]);
    EXPECT_EQ(image.size(), QSize(900, 600));
    EXPECT_TRUE(bytes[2].contains("<svg"));
    options.scale = 2;
    ASSERT_TRUE(render_window(options));
    options.output = folder.filePath(QStringLiteral("d.png")).toStdString();
    ASSERT_TRUE(render_window(options));
    EXPECT_EQ(QImage(QString::fromStdString(options.output)).size(), QSize(1800, 1200));
    options.width = 1;
    EXPECT_THROW(render_window(options), Error);
    options.width = 900;
    options.output = folder.filePath(QStringLiteral("no/such/folder.png")).toStdString();
    EXPECT_THROW(render_window(options), Error);
    options.output = folder.filePath(QStringLiteral("e.png")).toStdString();
    options.progress = [](double) { return false; };
    options.sweeps = true;
    EXPECT_FALSE(render_window(options));
    EXPECT_FALSE(QFile::exists(QString::fromStdString(options.output)));
}

TEST_F(WindowTest, FocusedWidgetsKeepTheirKeys) {
    QLineEdit field;
    QPushButton button;
    QSlider slider;
    QWidget nothing;
    const QKeyEvent left(QEvent::KeyPress, Qt::Key_Left, Qt::NoModifier),
        space(QEvent::KeyPress, Qt::Key_Space, Qt::NoModifier),
        open(QEvent::KeyPress, Qt::Key_O, Qt::ControlModifier),
        f5(QEvent::KeyPress, Qt::Key_F5, Qt::NoModifier);
    EXPECT_TRUE(keepsKey(&field, &space) && keepsKey(&field, &left));
    EXPECT_TRUE(keepsKey(&button, &space) && !keepsKey(&button, &left));
    EXPECT_TRUE(keepsKey(&slider, &left) && !keepsKey(&slider, &space));
    for (const QWidget* widget :
         {static_cast<QWidget*>(&field), static_cast<QWidget*>(&button), static_cast<QWidget*>(&slider)})
        EXPECT_FALSE(keepsKey(widget, &open) || keepsKey(widget, &f5));
    EXPECT_FALSE(keepsKey(&nothing, &space) || keepsKey(nullptr, &space));
}

TEST(SpeedScale, EveryPositionComesBack) {
    double before = 0;
    for (int position = 0; position <= SpeedScale::last(); ++position) {
        const double speed = SpeedScale::speedAt(position);
        EXPECT_GT(speed, before);
        before = speed;
        EXPECT_EQ(SpeedScale::positionOf(speed), position);
    }
    EXPECT_TRUE(std::isinf(before));
    EXPECT_EQ(SpeedScale::speedAt(SpeedScale::last() - 1), 1.0);
    EXPECT_LE(SpeedScale::defaultSpeed(), 1.0 / 2000);
}

TEST(Place, ReadsTimesExactly) {
    const auto ticks = [](const char* text, double hz, bool recorded, std::int64_t origin = 0) {
        const auto place = parsePlace(QString::fromUtf8(text), hz, recorded, origin);
        return place && !place->isEvent ? place->value : -1;
    };
    EXPECT_EQ(ticks("612.189734", 1e9, true), 612189734000);
    EXPECT_EQ(ticks("612.189734123 s", 1e9, true), 612189734123);
    EXPECT_EQ(ticks("1796059892.277266", 1e9, true), 1796059892277266000);
    EXPECT_EQ(ticks("20 us", 1e9, true), 20000);
    EXPECT_EQ(ticks("20 µs", 1e9, true), 20000);
    EXPECT_EQ(ticks("+1.5 ms", 1e9, true, 1000), 1501000);
    EXPECT_EQ(ticks("1.5", 2e9, false), 3000000) << "milliseconds in a simulation";
    EXPECT_EQ(ticks("4 366 338 cycles", 3.4e9, false), 4366338);
    EXPECT_EQ(ticks("17", 0, true), 17) << "a clock that only counts";
    EXPECT_EQ(ticks("17 ms", 0, true), -1);
    for (const char* bad : {"", "abc", "1.2.3", "#", "-5", "99999999999999999999", "1 year", "."})
        EXPECT_FALSE(parsePlace(QString::fromUtf8(bad), 1e9, true, 0)) << bad;
    const auto event = parsePlace(QStringLiteral("#18 402"), 1e9, true, 0);
    ASSERT_TRUE(event && event->isEvent);
    EXPECT_EQ(event->value, 18402);
}

TEST(Stops, AreSortedAndNearestIsNearest) {
    const Stops stops = logStops(1, 8192, 4, {33, 129});
    EXPECT_TRUE(std::is_sorted(stops.begin(), stops.end()));
    EXPECT_EQ(std::adjacent_find(stops.begin(), stops.end()), stops.end());
    EXPECT_EQ(stops.front(), 1);
    EXPECT_EQ(stops.back(), 8192);
    for (int i = 0; i < static_cast<int>(stops.size()); ++i)
        EXPECT_EQ(nearestStop(stops, stops[static_cast<std::size_t>(i)]), i);
    EXPECT_EQ(nearestStop(stops, -5), 0);
    EXPECT_EQ(nearestStop(stops, 1 << 30), static_cast<int>(stops.size()) - 1);
}

} // namespace
} // namespace tlbscope
