// Plays a scene in the window: step by step, by the keys of a presenter's remote.
#pragma once

#include "app/window/scene.h"
#include "engine/experiment/published.h"

#include <QObject>

#include <functional>

class QWidget;

namespace tlbscope {

class CurvePage;
class DuelPage;
class SceneCaption;
class Spotlight;

// GUI thread. While a scene is on, Space, PageDown and → go on, Backspace, PageUp and ← go back, Home begins
// anew and Esc leaves, whatever has the focus except a text field or a menu.
class ScenePlayer : public QObject {
    Q_OBJECT
public:
    // What it plays on; all of it outlives the player.
    struct Stage {
        QWidget* window = nullptr;
        CurvePage* curve = nullptr;
        DuelPage* duel = nullptr;
        SceneCaption* caption = nullptr;
        Spotlight* light = nullptr;
        std::function<void(Page)> showPage;
    };
    ScenePlayer(const std::string& resources, const Stage& stage, QObject* parent);

    // Nothing runs, so that a step is the same picture each time.
    void setStill(bool still) { still_ = still; }
    void start(Scene scene, std::size_t step = 0);
    void next();
    void back();
    void first();
    void leave();
    bool active() const { return !scene_.steps.empty(); }
    const Scene& scene() const { return scene_; }
    std::size_t step() const { return step_; }
    // Whether everything that the step shows and says is there. For pictures.
    bool settled() const;
    double progress() const; // 0 … 1 of that

Q_SIGNALS:
    void changed(); // another step, begun or ended

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void apply();
    void applyDuel(const SceneStep& step);
    void prepare();
    void say();
    void light();
    bool takeKey(int key);

    const Stage stage_;
    const std::vector<PublishedFigure> published_;
    Scene scene_;
    std::size_t step_ = 0;
    bool still_ = false;
    std::uint64_t duelMark_ = 0; // when the duel has arrived where the step wants it
};

} // namespace tlbscope
