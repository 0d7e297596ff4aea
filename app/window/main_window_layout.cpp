// Where things are, how large, in which colours.
#include "app/window/curve_page.h"
#include "app/window/duel_page.h"
#include "app/window/load_status.h"
#include "app/window/main_window.h"
#include "app/window/notice.h"
#include "app/window/page_bar.h"
#include "app/window/page_stack.h"
#include "app/window/panel_dock.h"
#include "app/window/recording_controls.h"
#include "app/window/simulation_controls.h"
#include "app/window/themed_label.h"
#include "app/window/transport_bar.h"
#include "views/events/event_list_view.h"
#include "views/machine/machine_view.h"
#include "views/panels/counters_panel.h"
#include "views/panels/cycles_panel.h"
#include "views/panels/decision_panel.h"
#include "views/panels/legend_panel.h"
#include "views/present/scene_caption.h"
#include "views/present/spotlight.h"
#include "views/timeline/timeline_view.h"

#include <QApplication>
#include <QMenu>
#include <QMenuBar>
#include <QScreen>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QToolBar>
#include <QVBoxLayout>

#include <algorithm>

namespace tlbscope {
namespace {

// In a window of this size; larger ones have larger type, so that a hall reads the same at any resolution.
constexpr double kPresentingScale = 1.4, kPresentingLargest = 4;
constexpr QSize kPresentingSize{1600, 900};
// Below this height counters and legend share a place, and so do the two charts.
constexpr double kRoomForAll = 880;

QToolBar* addBar(QMainWindow* window, const QString& name, QWidget* content) {
    auto* bar = new QToolBar(name, window);
    bar->setObjectName(name);
    bar->setMovable(false);
    bar->setFloatable(false);
    bar->toggleViewAction()->setEnabled(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    content->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(content);
    window->addToolBar(Qt::TopToolBarArea, bar);
    return bar;
}

QWidget* addMargin(QMainWindow* window, Qt::ToolBarArea area) {
    auto* bar = new QToolBar(window);
    bar->setObjectName(QStringLiteral("margin%1").arg(static_cast<int>(area)));
    bar->setMovable(false);
    bar->toggleViewAction()->setVisible(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->setFocusPolicy(Qt::NoFocus);
    window->addToolBar(area, bar);
    return bar;
}

} // namespace

void MainWindow::buildDocks() {
    buildPages();
    addBar(this, QStringLiteral("transport"), pageBar_);
    // Cards do not touch the window's edges.
    for (const Qt::ToolBarArea area : {Qt::LeftToolBarArea, Qt::RightToolBarArea, Qt::BottomToolBarArea})
        margins_ << addMargin(this, area);

    auto* centre = new QWidget(this);
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Theme::current().px(8));
    machine_ = new MachineView(centre);
    machine_->setMinimumSize(1, Theme::current().px(120));
    column->addWidget(notice_);
    pageStack_->add(machine_);
    pageStack_->add(curvePage_);
    pageStack_->add(duelPage_);
    column->addWidget(pageStack_, 1);
    caption_ = new SceneCaption(centre);
    column->addWidget(caption_);
    light_ = new Spotlight(pageStack_);
    setCentralWidget(centre);

    controlsStack_ = new QStackedWidget(this);
    controlsStack_->addWidget(controls_);
    controlsStack_->addWidget(recordingControls_);
    controlsScroll_ = new QScrollArea(this);
    controlsScroll_->setWidget(controlsStack_);
    controlsScroll_->setWidgetResizable(true);
    controlsScroll_->setFrameShape(QFrame::NoFrame);
    controlsScroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    controlsScroll_->setFocusPolicy(Qt::NoFocus);

    buildCharts();
    timeline_ = new TimelineView(this);
    events_ = new EventListView(this);
    decision_ = new DecisionPanel(this);
    cycles_ = new CyclesPanel(this);
    counters_ = new CountersPanel(this);
    legend_ = new LegendPanel(this);

    controlsDock_ = new PanelDock(QStringLiteral("controls"), tr("Simulation"), controlsScroll_, true, this);
    countersDock_ = new PanelDock(QStringLiteral("counters"), counters_, this);
    legendDock_ = new PanelDock(QStringLiteral("legend"), legend_, this);
    decisionDock_ = new PanelDock(QStringLiteral("decision"), decision_, this);
    cyclesDock_ = new PanelDock(QStringLiteral("cycles"), cycles_, this);
    timelineDock_ = new PanelDock(QStringLiteral("timeline"), timeline_, this);
    eventsDock_ = new PanelDock(QStringLiteral("events"), events_, this);
    for (PanelDock* dock : docks()) {
        actions_->panels->addAction(dock->toggleViewAction());
        connect(dock, &PanelDock::appeared, this, [this] {
            appeared_ = true;
            wantFrame();
        });
    }

    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);

    statusText_ = new ThemedLabel({}, FontRole::small, Tone::dim, this);
    frameText_ = new ThemedLabel({}, FontRole::monoSmall, Tone::dim, this);
    load_ = new LoadStatus(this);
    statusBar()->setContentsMargins(Theme::current().px(14), 0, Theme::current().px(14), 0);
    statusBar()->addWidget(load_);
    statusText_->setText(
        tr("Space plays and pauses · ← → one event · Shift ← → one shootdown · N next flush · F1 all keys"));
    statusBar()->addWidget(statusText_, 1);
    statusBar()->addPermanentWidget(frameText_);
    statusBar()->setSizeGripEnabled(false);
    placeDocks();
    defaultState_ = saveState(kPanelStateVersion);
}

QList<PanelDock*> MainWindow::docks() const {
    return {controlsDock_, countersDock_,   legendDock_,   decisionDock_, cyclesDock_,
            shiftDock_,    workingSetDock_, timelineDock_, eventsDock_};
}

void MainWindow::placeDocks() {
    showPage(Page::machine);
    for (PanelDock* dock : docks()) {
        removeDockWidget(dock);
        dock->setFloating(false);
    }
    addDockWidget(Qt::LeftDockWidgetArea, controlsDock_);
    addDockWidget(Qt::LeftDockWidgetArea, countersDock_);
    addDockWidget(Qt::LeftDockWidgetArea, legendDock_);
    for (PanelDock* dock : {decisionDock_, cyclesDock_, shiftDock_, workingSetDock_})
        addDockWidget(Qt::RightDockWidgetArea, dock);
    addDockWidget(Qt::BottomDockWidgetArea, timelineDock_);
    addDockWidget(Qt::BottomDockWidgetArea, eventsDock_);
    tabifyDockWidget(timelineDock_, eventsDock_);
    if (height() < Theme::current().px(kRoomForAll)) {
        tabifyDockWidget(countersDock_, legendDock_);
        tabifyDockWidget(shiftDock_, workingSetDock_);
    }
    for (PanelDock* dock : docks())
        dock->show();
    if (recordedMode_) {
        shiftDock_->hide();
        workingSetDock_->hide();
    }
    timelineDock_->raise();
    countersDock_->raise();
    if (!recordedMode_) shiftDock_->raise();
    for (QTabBar* tabs : findChildren<QTabBar*>())
        if (tabs->accessibleName().isEmpty()) tabs->setAccessibleName(tr("Panels that share a place"));
    sizeDocks();
}

void MainWindow::sizeDocks() {
    const Theme& t = Theme::current();
    resizeDocks({controlsDock_, decisionDock_}, {t.px(300), t.px(presenting_ ? 335 : 350)}, Qt::Horizontal);
    // In front of an audience the machine has the room.
    resizeDocks({timelineDock_}, {t.px(presenting_ ? 232 : 300)}, Qt::Vertical);
    const bool tight = height() < t.px(kRoomForAll);
    if (tight)
        resizeDocks({controlsDock_, countersDock_}, {t.px(490), t.px(155)}, Qt::Vertical);
    else
        resizeDocks({controlsDock_, countersDock_, legendDock_}, {t.px(560), t.px(232), t.px(122)},
                    Qt::Vertical);
    if (presenting_)
        resizeDocks({decisionDock_, cyclesDock_}, {t.px(330), t.px(200)}, Qt::Vertical);
    else if (tight)
        resizeDocks({decisionDock_, cyclesDock_, shiftDock_}, {t.px(322), t.px(172), t.px(160)},
                    Qt::Vertical);
    else
        resizeDocks({decisionDock_, cyclesDock_, shiftDock_, workingSetDock_},
                    {t.px(320), t.px(170), t.px(180), t.px(180)}, Qt::Vertical);
}

void MainWindow::restorePlaces(QSize size) {
    if (settings_.geometry.isEmpty() || !restoreGeometry(settings_.geometry)) resize(size);
    if (settings_.state.isEmpty() || !restoreState(settings_.state, kPanelStateVersion)) placeDocks();
}

void MainWindow::applyTheme(ThemeKind kind, double scale) {
    settings_.theme = kind;
    settings_.scale = scale;
    (kind == ThemeKind::dark    ? actions_->dark
     : kind == ThemeKind::light ? actions_->light
                                : actions_->contrast)
        ->setChecked(true);
    Theme::apply(*qApp, Theme::make(kind, scale));
    restyle();
}

void MainWindow::restyle() {
    const Theme& t = Theme::current();
    const int gap = t.px(10);
    setStyleSheet(
        QStringLiteral("QMainWindow { background: %1; }"
                       "QMainWindow::separator { background: %1; width: %2px; height: %2px; }"
                       "QMainWindow::separator:hover { background: %3; }"
                       "QToolBar { border: 0; padding: 0; margin: 0; spacing: 0; background: %1; }"
                       "QToolBar#transport { background: %4; }"
                       "QMenuBar { background: %4; color: %5; }"
                       "QMenuBar::item:selected { background: %6; }"
                       "QStatusBar { background: %1; } QStatusBar::item { border: 0; }"
                       "QTabBar::tab { background: transparent; color: %7; border: 0; padding: %8px %9px;"
                       " border-bottom: 2px solid transparent; }"
                       "QTabBar::tab:selected { color: %5; border-bottom-color: %10; }"
                       "QTabBar::tab:hover { color: %5; }"
                       "QPushButton { color: %5; background: %6; border: 1px solid %3; border-radius: %8px;"
                       " padding: %8px %9px; } QPushButton:hover { border-color: %7; }"
                       "QPushButton:focus { border-color: %5; } QPushButton:disabled { color: %7; }"
                       "QComboBox, QSpinBox { color: %5; background: %6; border: 1px solid %3;"
                       " border-radius: %8px; padding: %8px; }"
                       "QComboBox:focus, QSpinBox:focus { border-color: %5; }"
                       "QComboBox::drop-down { border: 0; width: %9px; }"
                       "QComboBox QAbstractItemView { color: %5; background: %6; border: 1px solid %3; }")
            .arg(t.window.name())
            .arg(gap)
            .arg(t.border.name(), t.panel.name(), t.text.name(), t.card.name(), t.dim.name())
            .arg(t.px(4))
            .arg(t.px(12))
            .arg(t.accent.name()));
    for (QWidget* margin : margins_) {
        margin->setFixedSize(QWIDGETSIZE_MAX, QWIDGETSIZE_MAX);
        margin->setMinimumSize(0, 0);
        if (margin == margins_.last())
            margin->setFixedHeight(gap);
        else
            margin->setFixedWidth(gap);
    }
    controlsStack_->setContentsMargins(0, 0, t.px(8), 0);
    controlsScroll_->setMinimumWidth(controlsStack_->minimumSizeHint().width() + t.px(14));
    for (QWidget* plain : {static_cast<QWidget*>(controlsScroll_), controlsScroll_->viewport(),
                           static_cast<QWidget*>(controlsStack_)}) {
        QPalette p = t.palette();
        p.setColor(QPalette::Window, t.panel);
        plain->setPalette(p);
    }
}

void MainWindow::setPresenting(bool on, bool fullScreen) {
    if (on == presenting_) return;
    presenting_ = on;
    actions_->present->setChecked(on);
    if (on) transport_->setPresenting(true);
    if (on) {
        stateBeforePresenting_ = panelState();
        scaleBeforePresenting_ = settings_.scale;
        maximizedBefore_ = isMaximized();
        const QSize size = fullScreen ? screen()->size() : this->size();
        const double larger = std::min(static_cast<double>(size.width()) / kPresentingSize.width(),
                                       static_cast<double>(size.height()) / kPresentingSize.height());
        applyTheme(settings_.theme,
                   std::clamp(kPresentingScale * larger, kPresentingScale, kPresentingLargest));
        menuBar()->hide();
        statusBar()->hide();
        if (page_ == Page::machine) hideForPresenting();
        if (fullScreen) showFullScreen();
    } else {
        applyTheme(settings_.theme, scaleBeforePresenting_);
        transport_->setPresenting(false);
        menuBar()->show();
        statusBar()->show();
        if (fullScreen) maximizedBefore_ ? showMaximized() : showNormal();
        if (page_ == Page::machine)
            restoreState(stateBeforePresenting_, kPanelStateVersion);
        else
            stateOfMachine_ = stateBeforePresenting_;
        presentedMachine_ = false;
    }
    curvePage_->setPresenting(on);
    duelPage_->setPresenting(on);
}

void MainWindow::changeEvent(QEvent* event) {
    if (event->type() == QEvent::WindowStateChange && actions_) {
        actions_->fullScreen->setChecked(isFullScreen());
        activatePages();
    }
    QMainWindow::changeEvent(event);
}

} // namespace tlbscope
