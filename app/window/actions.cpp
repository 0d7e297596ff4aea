#include "app/window/actions.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

namespace tlbscope {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Actions", text);
}

} // namespace

QAction* Actions::add(QMenu* menu, const QString& text, const QList<QKeySequence>& shortcuts,
                      const QString& tip) {
    auto* action = new QAction(text, window_);
    action->setShortcuts(shortcuts);
    QString plain = text;
    plain.remove(u'&').remove(u'…');
    const QString key =
        shortcuts.isEmpty() ? QString() : shortcuts.first().toString(QKeySequence::NativeText);
    action->setToolTip(key.isEmpty() ? plain : QStringLiteral("%1 (%2)").arg(plain, key));
    action->setStatusTip(tip);
    action->setAutoRepeat(true);
    menu->addAction(action);
    window_->addAction(action); // works in full screen without a menu bar
    all_ << action;
    return action;
}

Actions::Actions(QMainWindow* window) : window_(window) {
    QMenu* file = window->menuBar()->addMenu(tr("&File"));
    open = add(file, tr("&Open recording…"), {QKeySequence(Qt::CTRL | Qt::Key_O)},
               tr("Kernel trace text, trace-cmd report or perf script text"));
    close =
        add(file, tr("&Close recording"), {QKeySequence(Qt::CTRL | Qt::Key_W)}, tr("Back to the simulation"));
    report = add(file, tr("&Import report"), {QKeySequence(Qt::CTRL | Qt::Key_I)},
                 tr("What was parsed, skipped and not known in the recording"));
    file->addSeparator();
    exportPicture = add(file, tr("&Export picture…"), {QKeySequence(Qt::CTRL | Qt::Key_E)},
                        tr("The window as PNG or SVG"));
    file->addSeparator();
    quit = add(file, tr("&Quit"), {QKeySequence(Qt::CTRL | Qt::Key_Q)}, {});

    QMenu* run = window->menuBar()->addMenu(tr("&Run"));
    play = add(run, tr("&Play"), {QKeySequence(Qt::Key_Space)}, tr("Run or pause"));
    play->setAutoRepeat(false);
    run->addSeparator();
    event = add(run, tr("Step one &event"), {QKeySequence(Qt::Key_Right), QKeySequence(Qt::Key_Period)},
                tr("To the next event, of any kind and CPU"));
    eventBack =
        add(run, tr("Step one event &back"), {QKeySequence(Qt::Key_Left), QKeySequence(Qt::Key_Comma)},
            tr("To the moment before the last event"));
    shootdown = add(run, tr("Step one &shootdown"), {QKeySequence(Qt::SHIFT | Qt::Key_Right)},
                    tr("To the next decision that sends IPIs"));
    shootdownBack = add(run, tr("Step one shootdown bac&k"), {QKeySequence(Qt::SHIFT | Qt::Key_Left)},
                        tr("To the decision before, that sent IPIs"));
    nextFlush = add(run, tr("Run to the next &flush"), {QKeySequence(Qt::Key_N)},
                    tr("To the next tlb_flush on any CPU, with or without IPIs"));
    nextTick = add(run, tr("To the next timer &tick"), {QKeySequence(Qt::Key_T)},
                   tr("Side by side: to just before the next tick, then to just after it"));
    toStart = add(run, tr("To the s&tart"), {QKeySequence(Qt::Key_Home)},
                  tr("To time 0 of the run, or the first event"));
    restart = add(run, tr("&New run"), {QKeySequence(Qt::CTRL | Qt::Key_R)},
                  tr("Start over with the same parameters"));
    run->addSeparator();
    jump = add(run, tr("&Jump to time or event"), {QKeySequence(Qt::CTRL | Qt::Key_G)},
               tr("612.189734, 1.5 ms, or #18402 for an event"));
    find = add(run, tr("F&ind event"), {QKeySequence(Qt::CTRL | Qt::Key_F)},
               tr("Search and filter the list of events"));
    run->addSeparator();
    slower = add(run, tr("S&lower"), {QKeySequence(Qt::Key_BracketLeft)}, {});
    faster = add(run, tr("F&aster"), {QKeySequence(Qt::Key_BracketRight)}, {});
    fullSpeed = add(run, tr("As fast as &possible"), {QKeySequence(Qt::Key_Backslash)}, {});

    QMenu* view = window->menuBar()->addMenu(tr("&View"));
    pages = new QActionGroup(window);
    machinePage = add(view, tr("&Machine"), {QKeySequence(Qt::CTRL | Qt::Key_1)},
                      tr("One machine, its TLBs, timeline and events"));
    curvePage = add(view, tr("&Curve"), {QKeySequence(Qt::CTRL | Qt::Key_2)},
                    tr("Throughput against working set, and why one kernel's curve lies below another's"));
    duelPage = add(view, tr("Side &by side"), {QKeySequence(Qt::CTRL | Qt::Key_3)},
                   tr("Two machines that do the same work on one clock"));
    for (QAction* page : {machinePage, curvePage, duelPage}) {
        page->setCheckable(true);
        pages->addAction(page);
    }
    machinePage->setChecked(true);
    view->addSeparator();
    themes = new QActionGroup(window);
    dark = add(view, tr("&Dark"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D)}, {});
    light = add(view, tr("&Light"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L)}, {});
    contrast = add(view, tr("&High contrast"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_H)}, {});
    for (QAction* theme : {dark, light, contrast}) {
        theme->setCheckable(true);
        themes->addAction(theme);
    }
    view->addSeparator();
    larger = add(view, tr("L&arger type"),
                 {QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)}, {});
    smaller = add(view, tr("S&maller type"), {QKeySequence(Qt::CTRL | Qt::Key_Minus)}, {});
    normalSize = add(view, tr("&Normal type"), {QKeySequence(Qt::CTRL | Qt::Key_0)}, {});
    view->addSeparator();
    fullScreen = add(view, tr("&Full screen"), {QKeySequence(Qt::Key_F11)}, {});
    fullScreen->setCheckable(true);
    view->addSeparator();
    panels = view->addMenu(tr("&Panels"));
    resetWindows = add(view, tr("&Reset windows"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_W)},
                       tr("Every panel back to its place"));
    frameTimes = add(view, tr("Frame &times"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T)},
                     tr("Frames drawn, and the longest and the usual time of one"));
    frameTimes->setCheckable(true);

    presentMenu = window->menuBar()->addMenu(tr("&Present"));
    present =
        add(presentMenu, tr("&Large type, full screen"), {QKeySequence(Qt::Key_F5)}, tr("For an audience"));
    present->setCheckable(true);
    presentMenu->addSeparator();
    nextStep = add(presentMenu, tr("&Next step of the scene"), {QKeySequence(Qt::Key_PageDown)},
                   tr("In a scene also Space and →"));
    previousStep = add(presentMenu, tr("Step &back"), {QKeySequence(Qt::Key_PageUp)},
                       tr("In a scene also Backspace and ←"));
    firstStep = add(presentMenu, tr("&First step"), {}, tr("In a scene: Home"));
    leaveScene = add(presentMenu, tr("&Leave the scene"), {}, tr("In a scene: Esc"));

    QMenu* help = window->menuBar()->addMenu(tr("&Help"));
    keys = add(help, tr("&Keys"), {QKeySequence(Qt::Key_F1)}, {});
    glossary = add(help, tr("&Glossary of flush reasons"), {QKeySequence(Qt::Key_F2)}, {});
    about = add(help, tr("&About tlbscope"), {}, {});
}

} // namespace tlbscope
