// The machine, the curve, two machines: one page at a time.
#include "app/window/curve_page.h"
#include "app/window/duel_page.h"
#include "app/window/main_window.h"
#include "app/window/notice.h"
#include "app/window/page_bar.h"
#include "app/window/page_stack.h"
#include "app/window/panel_dock.h"
#include "app/window/scene_player.h"
#include "app/window/themed_label.h"
#include "app/window/transport_bar.h"

#include <QMenu>

namespace tlbscope {

void MainWindow::buildPages() {
    pageBar_ = new PageBar(*actions_, this);
    pageBar_->setBar(Page::machine, transport_);
    pageBar_->setBar(Page::curve, curvePage_->bar());
    pageBar_->setBar(Page::duel, duelPage_->bar());
    pageStack_ = new PageStack(this);
}

QByteArray MainWindow::panelState() const {
    return page_ == Page::machine ? saveState(kPanelStateVersion) : stateOfMachine_;
}

void MainWindow::showPage(Page page) {
    for (const auto& [which, action] : {std::pair{Page::machine, actions_->machinePage},
                                        {Page::curve, actions_->curvePage},
                                        {Page::duel, actions_->duelPage}})
        action->setChecked(which == page);
    pageBar_->show(page);
    if (page == page_) return;
    if (page_ == Page::machine) {
        stateOfMachine_ = saveState(kPanelStateVersion);
        presentedMachine_ = presenting_;
        machineRan_ = shown_ && shown_->running && !shown_->machine->recorded;
        session_->pause();
        for (PanelDock* dock : docks())
            dock->hide();
    }
    page_ = page;
    pageStack_->show(static_cast<int>(page));
    if (page == Page::machine) {
        restoreState(stateOfMachine_, kPanelStateVersion);
        if (presenting_ && !presentedMachine_) hideForPresenting();
        if (machineRan_) session_->play();
    }
    enableForPage();
    activatePages();
    updateNeeds();
    wantFrame();
    if (QWidget* shown = pageStack_->currentWidget()) shown->setFocus(Qt::OtherFocusReason);
}

void MainWindow::hideForPresenting() {
    for (PanelDock* dock :
         {controlsDock_, countersDock_, legendDock_, shiftDock_, workingSetDock_, eventsDock_})
        dock->hide();
    sizeDocks();
    presentedMachine_ = true;
}

// What a key or menu does nothing with on a page is off there.
void MainWindow::enableForPage() {
    const Actions& a = *actions_;
    const bool machine = page_ == Page::machine, duel = page_ == Page::duel;
    for (QAction* action : {a.shootdown, a.shootdownBack, a.nextFlush, a.restart, a.jump, a.find})
        action->setEnabled(machine);
    for (QAction* action : {a.play, a.event, a.eventBack, a.toStart, a.slower, a.faster, a.fullSpeed})
        action->setEnabled(machine || duel);
    a.nextTick->setEnabled(duel);
    a.panels->setEnabled(machine);
    statusText_->setText(
        machine ? tr("Space plays and pauses · ← → one event · Shift ← → one shootdown · N next flush · F1 "
                     "all keys")
        : duel
            ? tr("Space plays and pauses · ← → one event of either machine · T before and after the next "
                 "timer tick · F1 all keys")
            : tr("Click or ← → move the cursor · double click takes a slider to its default · F1 all keys"));
}

void MainWindow::buildScenes() {
    scenes_ = new ScenePlayer(
        resources_, {this, curvePage_, duelPage_, caption_, light_, [this](Page page) { showPage(page); }},
        this);
    const Actions& a = *actions_;
    QAction* before = a.nextStep;
    for (const auto& [id, title] : list_scenes(resources_)) {
        auto* action = new QAction(QString::fromStdString(title), this);
        connect(action, &QAction::triggered, this, [this, name = id] {
            try {
                startScene(name);
            } catch (const std::exception& e) {
                showError(QString::fromUtf8(e.what()));
            }
        });
        a.presentMenu->insertAction(before, action);
    }
    a.presentMenu->insertSeparator(before);
    connect(a.nextStep, &QAction::triggered, scenes_, &ScenePlayer::next);
    connect(a.previousStep, &QAction::triggered, scenes_, &ScenePlayer::back);
    connect(a.firstStep, &QAction::triggered, scenes_, &ScenePlayer::first);
    connect(a.leaveScene, &QAction::triggered, scenes_, &ScenePlayer::leave);
    const auto enable = [this] {
        const bool on = scenes_->active();
        for (QAction* action :
             {actions_->nextStep, actions_->previousStep, actions_->firstStep, actions_->leaveScene})
            action->setEnabled(on);
        if (!on && !presentedBefore_) setPresenting(false, sceneFullScreen_);
    };
    connect(scenes_, &ScenePlayer::changed, this, enable);
    for (QAction* action : {a.nextStep, a.previousStep, a.firstStep, a.leaveScene})
        action->setEnabled(false);
}

void MainWindow::startScene(const std::string& id, std::size_t step, bool fullScreen) {
    Scene scene = load_scene(resources_, id);
    notice_->hide();
    if (!scenes_->active()) {
        presentedBefore_ = presenting_;
        sceneFullScreen_ = fullScreen;
    }
    setPresenting(true, fullScreen);
    scenes_->start(std::move(scene), step);
}

void MainWindow::activatePages() {
    const bool seen = !isMinimized();
    curvePage_->setActive(seen && page_ == Page::curve);
    duelPage_->setActive(seen && page_ == Page::duel);
}

} // namespace tlbscope
