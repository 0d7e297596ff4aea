// The window: a session's snapshots in views, the user's wishes as commands. Owns no engine state.
#pragma once

#include "app/window/actions.h"
#include "app/window/frame_meter.h"
#include "app/window/opening_scenario.h"
#include "app/window/page.h"
#include "app/window/settings.h"
#include "engine/session/session.h"

#include <QMainWindow>
#include <QTimer>

#include <atomic>
#include <map>
#include <optional>

class QScrollArea;
class QStackedWidget;

namespace tlbscope {

class CountersPanel;
class CurvePage;
class CyclesPanel;
class DecisionPanel;
class DuelPage;
class LegendPanel;
class LoadStatus;
class MachineView;
class Notice;
class PageBar;
class PageStack;
class PanelDock;
class RecordingControls;
class SceneCaption;
class ScenePlayer;
class SimulationControls;
class Spotlight;
class SweepCharts;
class ThemedLabel;
class ThroughputChart;
class TimelineView;
class EventListView;
class TransportBar;

inline constexpr int kPanelStateVersion = 1;

struct MainWindowOptions {
    std::string resources;
    Scenario scenario = openingScenario();
    bool remember = true;           // read and write Settings
    Settings settings;              // to start with when not `remember`
    std::optional<Page> page;       // instead of the remembered one
    std::optional<ThemeKind> theme; // instead of the remembered one
    double speed = 0;               // 0: SpeedScale::defaultSpeed()
    bool sweeps = true;
    QSize size{1600, 1000}; // without a remembered one
};

// GUI thread. Nothing in it waits for the worker; the destructor joins worker and sweeps.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    // Throws Error when resources or scenario are bad.
    explicit MainWindow(const MainWindowOptions& options);
    ~MainWindow() override;

    Session& session() { return *session_; }
    const Actions& actions() const { return *actions_; }
    SimulationControls& simulationControls() { return *controls_; }
    RecordingControls& recordingControls() { return *recordingControls_; }
    SweepCharts& sweeps() { return *sweeps_; }
    TransportBar& transport() { return *transport_; }
    TimelineView& timeline() { return *timeline_; }
    MachineView& machine() { return *machine_; }
    EventListView& events() { return *events_; }
    const Notice& notice() const { return *notice_; }
    const FrameMeter& meter() const { return meter_; }

    CurvePage& curvePage() { return *curvePage_; }
    DuelPage& duelPage() { return *duelPage_; }
    ScenePlayer& scenes() { return *scenes_; }
    // Presents it from that step on, counted from 0. Throws Error for a scene that is not there or broken.
    void startScene(const std::string& id, std::size_t step = 0, bool fullScreen = true);

    Page page() const { return page_; }
    // The panels of the machine's page hide on the others, and come back as they were.
    void showPage(Page page);
    void openRecording(const QString& path);
    // Draws the newest snapshot now. For pictures and tests.
    void takeFrame();
    // Everything that is made in the background for the views is there afterwards. For pictures.
    void finishViews();
    void setPresenting(bool on, bool fullScreen = true);
    void setSpeed(double simulatedPerHostSecond);

Q_SIGNALS:
    void frameDrawn();

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    // main_window_layout.cpp
    void buildDocks();
    void placeDocks();
    void sizeDocks();
    void restyle();
    void applyTheme(ThemeKind kind, double scale);
    void restorePlaces(QSize size);
    QList<PanelDock*> docks() const;

    // main_window_pages.cpp
    void buildPages();
    void enableForPage();
    void activatePages();
    QByteArray panelState() const; // of the machine's page, whichever is shown
    void hideForPresenting();
    void buildScenes();

    // main_window_charts.cpp
    void buildCharts();
    void showParameterCaption();
    void showCharts();
    void fillChart(int slot);
    void markCurrent();

    // main_window_commands.cpp
    void connectActions();
    void connectViews();
    void jumpTo(const QString& place);
    void findEvents(const QString& text);
    void chooseRecording();
    void choosePicture();
    void showError(const QString& text);
    void about();

    // main_window_frame.cpp
    void wantFrame();
    void frame();
    void showMode(const Snapshot& snapshot);
    void showLoad();
    void updateNeeds();

    const std::string resources_;
    Settings settings_;
    const bool remember_;
    std::unique_ptr<Actions> actions_;
    PageBar* pageBar_;
    PageStack* pageStack_;
    CurvePage* curvePage_;
    DuelPage* duelPage_;
    SceneCaption* caption_;
    Spotlight* light_;
    ScenePlayer* scenes_ = nullptr;
    bool sceneFullScreen_ = false, presentedBefore_ = false;
    TransportBar* transport_;
    Notice* notice_;
    MachineView* machine_;
    TimelineView* timeline_;
    EventListView* events_;
    DecisionPanel* decision_;
    CyclesPanel* cycles_;
    CountersPanel* counters_;
    LegendPanel* legend_;
    ThroughputChart *shiftChart_, *ceilingChart_, *workingSetChart_;
    QStackedWidget* parameterStack_;
    SimulationControls* controls_;
    RecordingControls* recordingControls_;
    QStackedWidget* controlsStack_;
    QScrollArea* controlsScroll_;
    QList<QWidget*> margins_;
    LoadStatus* load_;
    ThemedLabel *statusText_, *frameText_;
    PanelDock *controlsDock_, *countersDock_, *legendDock_, *decisionDock_, *cyclesDock_, *shiftDock_,
        *workingSetDock_, *timelineDock_, *eventsDock_;
    QByteArray defaultState_, stateBeforePresenting_;
    double scaleBeforePresenting_ = 1;
    bool presenting_ = false, maximizedBefore_ = false;
    Page page_ = Page::machine;
    QByteArray stateOfMachine_; // its panels, while another page is shown
    bool presentedMachine_ = false, machineRan_ = false;

    QTimer frameTimer_;
    FrameMeter meter_;
    std::shared_ptr<const Snapshot> shown_;
    std::uint64_t loadSeen_ = 0; // whose end has been told
    bool recordedMode_ = false, sweepsWanted_ = true;
    int frameCount_ = 0;
    bool appeared_ = false;                           // a dock that has not had the newest
    std::map<const QWidget*, const Snapshot*> given_; // the last that each view was given
    ViewNeeds needs_;
    std::atomic<bool> frameWanted_{false};
    SweepCharts* sweeps_ = nullptr;
    std::unique_ptr<Session> session_;
};

} // namespace tlbscope
