// A frame: the newest snapshot goes to the views that can be seen.
#include "app/window/load_status.h"
#include "app/window/main_window.h"
#include "app/window/notice.h"
#include "app/window/panel_dock.h"
#include "app/window/recording_controls.h"
#include "app/window/simulation_controls.h"
#include "app/window/sweep_charts.h"
#include "app/window/themed_label.h"
#include "app/window/transport_bar.h"
#include "views/events/event_list_view.h"
#include "views/machine/machine_view.h"
#include "views/panels/counters_panel.h"
#include "views/panels/cycles_panel.h"
#include "views/panels/decision_panel.h"
#include "views/timeline/timeline_view.h"

#include <QFileInfo>
#include <QStackedWidget>

namespace tlbscope {
namespace {

// Numbers that change faster than this cannot be read.
constexpr int kTextEvery = 6;
constexpr int kListEvery = 3;

} // namespace

void MainWindow::wantFrame() {
    if (!frameTimer_.isActive()) frameTimer_.start();
}

void MainWindow::takeFrame() {
    frameTimer_.stop();
    frame();
}

void MainWindow::frame() {
    frameWanted_ = false;
    meter_.begin();
    const std::shared_ptr<const Snapshot> s = session_->snapshot();
    const std::string error = session_->take_error();
    if (!error.empty()) showError(QString::fromUtf8(error));
    showLoad();
    updateNeeds();
    int views = 0;
    const bool fresh = s != shown_;
    if (fresh || std::exchange(appeared_, false)) {
        const bool newRun = !shown_ || s->run != shown_->run;
        const bool atRest = !s->running || newRun || !fresh;
        shown_ = s;
        showMode(*s);
        const auto give = [&](PanelDock* dock, auto* view) {
            if ((dock && !dock->onScreen() && !newRun) || std::exchange(given_[view], s.get()) == s.get())
                return;
            view->setSnapshot(s);
            ++views;
        };
        give(nullptr, machine_);
        give(timelineDock_, timeline_);
        if (atRest || frameCount_ % kListEvery == 0) give(eventsDock_, events_);
        if (atRest || ++frameCount_ % kTextEvery == 0) {
            transport_->show(*s);
            give(decisionDock_, decision_);
            give(cyclesDock_, cycles_);
            give(countersDock_, counters_);
            if (recordedMode_) recordingControls_->show(*s);
        }
    }
    meter_.end(fresh, views);
    if (actions_->frameTimes->isChecked()) frameText_->setText(meter_.text());
    frameText_->setVisible(actions_->frameTimes->isChecked());
    Q_EMIT frameDrawn();
}

void MainWindow::showMode(const Snapshot& s) {
    const bool recorded = s.machine->recorded;
    if (recorded != recordedMode_) {
        recordedMode_ = recorded;
        controlsStack_->setCurrentWidget(recorded ? static_cast<QWidget*>(recordingControls_) : controls_);
        controlsDock_->setHeading(recorded ? tr("Recording") : tr("Simulation"));
        shiftDock_->setVisible(!recorded);
        workingSetDock_->setVisible(!recorded);
        sweeps_->setEnabled(!recorded && sweepsWanted_);
    }
    actions_->close->setEnabled(recorded);
    actions_->report->setEnabled(recorded);
    actions_->restart->setEnabled(!recorded && page_ == Page::machine);
    actions_->play->setText(s.running ? tr("&Pause") : tr("&Play"));
    // Parameters follow when the run goes back over a change, or refuses one.
    if (!recorded && s.edits == session_->edits() && s.scenario != controls_->scenario()) {
        controls_->setScenario(s.scenario);
        sweeps_->setScenario(s.scenario);
        markCurrent();
    }
    const QString name = QString::fromStdString(s.title);
    setWindowTitle(name.isEmpty() ? QStringLiteral("tlbscope") : name + QStringLiteral(" – tlbscope"));
}

void MainWindow::showLoad() {
    const LoadProgress progress = session_->load_progress();
    // A short load may have ended before any frame saw it begin.
    if (!progress.active && progress.id == loadSeen_) return;
    load_->show(progress);
    if (progress.active) return;
    loadSeen_ = progress.id;
    if (!progress.error.empty())
        showError(QString::fromUtf8(progress.error));
    else if (!progress.summary.empty())
        statusText_->setText(QFileInfo(QString::fromStdString(progress.path)).fileName() +
                             QStringLiteral(": ") + QString::fromUtf8(progress.summary));
}

void MainWindow::updateNeeds() {
    ViewNeeds needs;
    const bool here = page_ == Page::machine;
    needs.cells = here && (machine_->isVisible() || !isVisible());
    needs.history = here; // jumps and the title need the log, and it is shared, not copied
    needs.decision = here && (decisionDock_->onScreen() || !isVisible());
    if (needs.cells != needs_.cells || needs.history != needs_.history || needs.decision != needs_.decision) {
        needs_ = needs;
        session_->set_needs(needs);
    }
}

void MainWindow::finishViews() {
    timeline_->finish();
}

} // namespace tlbscope
