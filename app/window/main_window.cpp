#include "app/window/main_window.h"

#include "app/window/curve_page.h"
#include "app/window/duel_page.h"
#include "app/window/notice.h"
#include "app/window/recording_controls.h"
#include "app/window/scene_player.h"
#include "app/window/simulation_controls.h"
#include "app/window/speed_scale.h"
#include "app/window/sweep_charts.h"
#include "app/window/transport_bar.h"
#include "engine/core/error.h"
#include "views/timeline/timeline_view.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QMimeData>
#include <QToolBar>

namespace tlbscope {
namespace {

constexpr int kFrameMilliseconds = 16;

QString localFile(const QMimeData* data) {
    for (const QUrl& url : data->urls())
        if (url.isLocalFile()) return url.toLocalFile();
    return {};
}

} // namespace

MainWindow::MainWindow(const MainWindowOptions& options)
    : resources_(options.resources), settings_(options.remember ? Settings::load() : options.settings),
      remember_(options.remember) {
    setWindowTitle(QStringLiteral("tlbscope"));
    setAcceptDrops(true);
    setDockOptions(QMainWindow::AllowTabbedDocks | QMainWindow::AllowNestedDocks);
    if (options.theme) settings_.theme = *options.theme;
    // Before the first widget takes its fonts.
    Theme::apply(*qApp, Theme::make(settings_.theme, settings_.scale));

    actions_ = std::make_unique<Actions>(this);
    controls_ = new SimulationControls(options.resources, this);
    recordingControls_ = new RecordingControls(*actions_, this);
    transport_ = new TransportBar(*actions_, this);
    curvePage_ = new CurvePage(options.resources, *actions_, this);
    duelPage_ = new DuelPage(options.resources, *actions_, this);
    notice_ = new Notice(this);
    buildDocks();
    sweeps_ = new SweepCharts(options.resources, this);
    sweepsWanted_ = options.sweeps;
    sweeps_->setEnabled(options.sweeps);

    session_ = std::make_unique<Session>(
        options.resources,
        [this] {
            // On the worker's thread: one frame is asked for, however many snapshots come.
            if (!frameWanted_.exchange(true))
                QMetaObject::invokeMethod(this, &MainWindow::wantFrame, Qt::QueuedConnection);
        },
        options.scenario);
    connectActions();
    connectViews();
    buildScenes();
    controls_->setScenario(options.scenario);
    sweeps_->setScenario(options.scenario);
    markCurrent();
    frameTimer_.setSingleShot(true);
    frameTimer_.setTimerType(Qt::PreciseTimer);
    frameTimer_.setInterval(kFrameMilliseconds);
    connect(&frameTimer_, &QTimer::timeout, this, &MainWindow::frame);
    qApp->installEventFilter(this);

    applyTheme(settings_.theme, settings_.scale);
    restorePlaces(options.size);
    setSpeed(options.speed > 0 ? options.speed : SpeedScale::defaultSpeed());
    updateNeeds();
    timeline_->setFocus();
    takeFrame();
    showPage(options.page.value_or(settings_.page));
}

MainWindow::~MainWindow() {
    qApp->removeEventFilter(this);
    // Both call back into this window: they end while all of it is still there.
    session_.reset();
    delete sweeps_;
    sweeps_ = nullptr;
    delete scenes_;
    scenes_ = nullptr;
    delete curvePage_;
    delete duelPage_;
    curvePage_ = nullptr;
    duelPage_ = nullptr;
}

void MainWindow::openRecording(const QString& path) {
    notice_->hide();
    session_->open_recording(path.toStdString());
}

void MainWindow::setSpeed(double speed) {
    transport_->setSpeed(speed);
    session_->set_speed(transport_->speed());
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (remember_) {
        if (presenting_) setPresenting(false);
        settings_.geometry = saveGeometry();
        settings_.state = panelState();
        settings_.page = page_;
        settings_.save();
    }
    session_->pause();
    session_->cancel_load();
    sweeps_->setEnabled(false);
    curvePage_->setActive(false);
    duelPage_->setActive(false);
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!localFile(event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QString file = localFile(event->mimeData());
    if (file.isEmpty()) return;
    event->acceptProposedAction();
    openRecording(file);
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && presenting_)
        actions_->present->trigger();
    else if (event->key() == Qt::Key_Escape && isFullScreen())
        actions_->fullScreen->trigger();
    else
        QMainWindow::keyPressEvent(event);
}

} // namespace tlbscope
