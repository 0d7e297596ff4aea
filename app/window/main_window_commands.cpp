// What the user asks for.
#include "app/window/curve_page.h"
#include "app/window/duel_page.h"
#include "app/window/key_owner.h"
#include "app/window/load_status.h"
#include "app/window/main_window.h"
#include "app/window/notice.h"
#include "app/window/panel_dock.h"
#include "app/window/picture.h"
#include "app/window/place.h"
#include "app/window/recording_controls.h"
#include "app/window/simulation_controls.h"
#include "app/window/sweep_charts.h"
#include "app/window/text_window.h"
#include "app/window/transport_bar.h"
#include "app/window/value_slider.h"
#include "views/events/event_list_view.h"
#include "views/machine/machine_view.h"
#include "views/timeline/timeline_view.h"

#include <QActionGroup>
#include <QApplication>
#include <QFileDialog>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMessageBox>

#include <algorithm>
#include <limits>

namespace tlbscope {

void MainWindow::connectActions() {
    const Actions& a = *actions_;
    const auto on = [this](QAction* action, auto function) {
        connect(action, &QAction::triggered, this, function);
    };
    on(a.open, [this] { chooseRecording(); });
    on(a.close, [this] { session_->close_recording(); });
    on(a.report, [this] { showReport(this, session_->load_progress()); });
    on(a.exportPicture, [this] { choosePicture(); });
    on(a.quit, [this] { close(); });

    on(a.play, [this] {
        if (page_ == Page::duel) return duelPage_->playOrPause();
        if (shown_ && shown_->running)
            session_->pause();
        else
            session_->play();
    });
    const auto stepEvent = [this](int n) {
        if (page_ == Page::machine)
            session_->step_event(n);
        else if (duelPage_->duel())
            duelPage_->duel()->step_event(n);
    };
    on(a.event, [stepEvent] { stepEvent(1); });
    on(a.eventBack, [stepEvent] { stepEvent(-1); });
    on(a.nextTick, [this] {
        if (duelPage_->duel()) duelPage_->duel()->run_to_next_tick();
    });
    on(a.shootdown, [this] { session_->step_shootdown(1); });
    on(a.shootdownBack, [this] { session_->step_shootdown(-1); });
    on(a.nextFlush, [this] { session_->run_to_next_flush(); });
    on(a.toStart, [this] {
        if (page_ == Page::duel) return duelPage_->toStart();
        session_->seek_time(std::numeric_limits<std::int64_t>::min());
    });
    on(a.restart, [this] { session_->reset(controls_->scenario()); });
    on(a.jump, [this] { transport_->timeField()->setFocus(Qt::ShortcutFocusReason); });
    on(a.find, [this] { findEvents({}); });
    const auto speedBy = [this](int steps) {
        if (page_ == Page::duel) return duelPage_->changeSpeed(steps);
        transport_->speedSlider()->setValue(transport_->speedSlider()->value() + steps);
    };
    on(a.slower, [speedBy] { speedBy(-2); });
    on(a.faster, [speedBy] { speedBy(2); });
    on(a.fullSpeed, [this] {
        if (page_ == Page::duel) return duelPage_->fullSpeed();
        transport_->speedSlider()->setValue(transport_->speedSlider()->maximum());
    });

    on(a.machinePage, [this] { showPage(Page::machine); });
    on(a.curvePage, [this] { showPage(Page::curve); });
    on(a.duelPage, [this] { showPage(Page::duel); });
    on(a.dark, [this] { applyTheme(ThemeKind::dark, settings_.scale); });
    on(a.light, [this] { applyTheme(ThemeKind::light, settings_.scale); });
    on(a.contrast, [this] { applyTheme(ThemeKind::high_contrast, settings_.scale); });
    const auto scaleTo = [this](double scale) {
        applyTheme(settings_.theme, std::clamp(scale, kMinScale, kMaxScale));
    };
    on(a.larger, [this, scaleTo] { scaleTo(settings_.scale * 1.1); });
    on(a.smaller, [this, scaleTo] { scaleTo(settings_.scale / 1.1); });
    on(a.normalSize, [scaleTo] { scaleTo(1); });
    on(a.fullScreen, [this] {
        if (isFullScreen())
            showNormal();
        else
            showFullScreen();
    });
    on(a.present, [this] { setPresenting(!presenting_); });
    on(a.resetWindows, [this] { placeDocks(); });
    on(a.keys, [this] { showKeys(this, *actions_); });
    on(a.glossary, [this] { showGlossary(this); });
    on(a.about, [this] { about(); });
}

void MainWindow::connectViews() {
    connect(transport_, &TransportBar::speedChanged, this,
            [this](double speed) { session_->set_speed(speed); });
    connect(transport_, &TransportBar::jumpRequested, this, &MainWindow::jumpTo);
    connect(recordingControls_, &RecordingControls::jumpRequested, this, &MainWindow::jumpTo);
    connect(controls_, &SimulationControls::scenarioChanged, this, [this](const Scenario& scenario) {
        session_->apply(scenario);
        sweeps_->setScenario(scenario);
        markCurrent();
    });
    connect(timeline_, &TimelineView::seekRequested, this,
            [this](qint64 ticks) { session_->seek_time(ticks); });
    connect(timeline_, &TimelineView::stepEventRequested, this, [this](int n) { session_->step_event(n); });
    connect(timeline_, &TimelineView::stepShootdownRequested, this,
            [this](int n) { session_->step_shootdown(n); });
    connect(timeline_, &TimelineView::cpuSelected, this, [this](int cpu) {
        if (cpu >= 0) machine_->selectCpu(static_cast<CpuId>(cpu));
    });
    connect(events_, &EventListView::activated, this, [this](quint64 index) { session_->seek(index); });
    connect(recordingControls_, &RecordingControls::searchRequested, this, &MainWindow::findEvents);
    connect(load_, &LoadStatus::cancelled, this, [this] { session_->cancel_load(); });
    connect(sweeps_, &SweepCharts::changed, this, &MainWindow::fillChart);
    connect(sweeps_, &SweepCharts::failed, this, &MainWindow::showError);
    connect(curvePage_, &CurvePage::failed, this, &MainWindow::showError);
    connect(duelPage_, &DuelPage::failed, this, &MainWindow::showError);
}

void MainWindow::jumpTo(const QString& text) {
    if (text.trimmed().isEmpty() || !shown_) return;
    const bool recorded = shown_->machine->recorded;
    const EventLog& log = shown_->log;
    const double ticks = recorded ? log.ticks_per_second() : shown_->machine->hz;
    const std::int64_t origin = recorded && !log.empty() ? log[log.first_index()].time : 0;
    const auto place = parsePlace(text, ticks, recorded, origin);
    if (!place)
        return showError(
            tr("\"%1\" is no time and no event. Try 1.5 ms, 612.189734, +20 us or #18402.").arg(text));
    notice_->hide();
    if (place->isEvent)
        session_->seek(static_cast<std::uint64_t>(std::max<std::int64_t>(place->value, 1)) - 1);
    else
        session_->seek_time(place->value);
}

void MainWindow::findEvents(const QString& text) {
    eventsDock_->show();
    eventsDock_->raise();
    if (text.isEmpty()) return events_->focusSearch();
    events_->setSnapshot(shown_);
    events_->setSearchText(text);
    events_->findNext();
}

void MainWindow::chooseRecording() {
    auto* dialog = new QFileDialog(this, tr("Open a recording"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::openRecording);
    dialog->open();
}

void MainWindow::choosePicture() {
    auto* dialog = new QFileDialog(this, tr("Export picture"), QStringLiteral("tlbscope.png"),
                                   tr("Pictures (*.png *.svg)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("png"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        try {
            writePicture(*this, path, std::max(devicePixelRatioF(), 2.0));
        } catch (const std::exception& e) {
            showError(QString::fromUtf8(e.what()));
        }
    });
    dialog->open();
}

void MainWindow::showError(const QString& text) {
    notice_->showError(text);
}

void MainWindow::about() {
    auto* box = new QMessageBox(
        QMessageBox::NoIcon, tr("About tlbscope"),
        tr("tlbscope shows what the TLBs of a machine are doing while kernels flush them: in its own "
           "simulation of hardware and kernel, and in recordings of real kernels."),
        QMessageBox::Close, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

bool MainWindow::event(QEvent* event) {
    if (event->type() != QEvent::UpdateRequest) return QMainWindow::event(event);
    // All painting of a frame happens in here.
    meter_.beginPainting();
    const bool taken = QMainWindow::event(event);
    meter_.endPainting();
    return taken;
}

bool MainWindow::eventFilter(QObject* object, QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && object == QApplication::focusWidget()) {
        auto* focus = static_cast<QWidget*>(object);
        if (focus->window() == this && keepsKey(focus, static_cast<QKeyEvent*>(event))) {
            event->accept();
            return true;
        }
    }
    return QMainWindow::eventFilter(object, event);
}

} // namespace tlbscope
