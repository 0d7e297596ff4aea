// Everything the window can do, with its keys; in menus, and by name for tests and the list of keys.
#pragma once

#include <QAction>
#include <QList>

class QMainWindow;
class QMenu;
class QActionGroup;

namespace tlbscope {

struct Actions {
    // Makes the actions and the menu bar of `window`.
    explicit Actions(QMainWindow* window);

    // File
    QAction *open, *close, *report, *exportPicture, *quit;
    // Run
    QAction *play, *toStart, *eventBack, *event, *shootdownBack, *shootdown, *nextFlush, *nextTick, *restart,
        *jump, *find, *slower, *faster, *fullSpeed;
    // View
    QActionGroup* themes;
    QAction *dark, *light, *contrast, *larger, *smaller, *normalSize, *fullScreen, *frameTimes, *resetWindows;
    QActionGroup* pages;
    QAction *machinePage, *curvePage, *duelPage;
    QMenu* panels; // filled by the window with its docks
    // Present
    QAction *present, *nextStep, *previousStep, *firstStep, *leaveScene;
    QMenu* presentMenu; // the scenes are added to it
    // Help
    QAction *keys, *glossary, *about;

    // In the order of the menus; without the panels.
    QList<QAction*> all() const { return all_; }

private:
    QAction* add(QMenu* menu, const QString& text, const QList<QKeySequence>& shortcuts, const QString& tip);

    QMainWindow* window_;
    QList<QAction*> all_;
};

} // namespace tlbscope
