// The page of two machines side by side, on one clock.
#pragma once

#include "app/window/duel_pairs.h"
#include "engine/session/duel.h"

#include <QTimer>
#include <QWidget>

#include <atomic>

namespace tlbscope {

struct Actions;
class DuelBar;
class DeltaStrip;
class DuelControls;
class MachineView;
class SideCard;
class ThemedLabel;

// GUI thread. The machines are made when the page is shown for the first time; they stand still while it is
// hidden.
class DuelPage : public QWidget {
    Q_OBJECT
public:
    DuelPage(const std::string& resources, const Actions& actions, QWidget* parent);
    ~DuelPage() override; // joins the worker

    QWidget* bar() const;
    // Whether the page is the one that is shown, in a window that is not put away.
    void setActive(bool active);
    void setPresenting(bool on); // the column of controls makes room

    const DuelChoice& choice() const;
    void setChoice(const DuelChoice& choice); // both machines start anew where it is another
    void setLockstep(Lockstep lockstep);
    void setSpeed(double simulatedPerHostSecond);
    void playOrPause();
    void toStart();
    void changeSpeed(int steps); // of the slider
    void fullSpeed();

    // Null before the page was active.
    Duel* duel() { return duel_.get(); }
    DuelControls& controls() { return *controls_; }
    const std::shared_ptr<const DuelSnapshot>& shown() const { return shown_; }
    DeltaStrip& strip() { return *strip_; }
    QWidget* side(std::size_t i) const { return sides_[i].box; } // a machine with its title
    QWidget* machines() const { return machines_; }
    MachineView& machine(std::size_t side) { return *sides_[side].machine; }
    // Draws the newest snapshot now. For pictures and tests.
    void takeFrame();

Q_SIGNALS:
    void frameDrawn();
    void failed(const QString& error);

private:
    struct Side {
        QWidget* box;
        ThemedLabel *title, *counts;
        MachineView* machine;
    };
    void build();
    void restart();
    void wantFrame();
    void showSide(std::size_t i);
    void restyle();

    const std::string resources_;
    DuelBar* bar_;
    DuelControls* controls_;
    SideCard* card_;
    std::array<Side, 2> sides_;
    QWidget* machines_;
    DeltaStrip* strip_;
    QTimer frameTimer_;
    bool active_ = false, wasRunning_ = false;
    Lockstep lockstep_ = Lockstep::work;
    std::shared_ptr<const DuelSnapshot> shown_;
    std::atomic<bool> frameWanted_{false};
    std::unique_ptr<Duel> duel_; // last: its thread calls into this page
};

} // namespace tlbscope
