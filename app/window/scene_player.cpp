#include "app/window/scene_player.h"

#include "app/window/curve_page.h"
#include "app/window/duel_page.h"
#include "app/window/scene_numbers.h"
#include "views/charts/curve_chart.h"
#include "views/machine/machine_view.h"
#include "views/panels/attribution_panel.h"
#include "views/panels/delta_strip.h"
#include "views/present/scene_caption.h"
#include "views/present/spotlight.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>

#include <cmath>

namespace tlbscope {
namespace {

// The caption leaves the page the rest of the window.
constexpr double kMostOfWindow = 0.36;

// Whether its text waits for its figure.
bool says_numbers(const SceneStep& step) {
    const std::string text = step.headline + step.body;
    for (std::size_t i = text.find('{'); i != std::string::npos; i = text.find('{', i + 1))
        if (text.compare(i, 6, "{duel.") != 0 && text.compare(i, 11, "{published:") != 0) return true;
    return false;
}

} // namespace

ScenePlayer::ScenePlayer(const std::string& resources, const Stage& stage, QObject* parent)
    : QObject(parent), stage_(stage), published_(load_published(resources)) {
    stage_.caption->hide();
    stage_.caption->setHint(tr("Space next · ⌫ back · Home first · Esc leaves"));
    connect(stage_.curve, &CurvePage::figureChanged, this, &ScenePlayer::say);
    connect(stage_.duel, &DuelPage::frameDrawn, this, &ScenePlayer::say);
    qApp->installEventFilter(this);
}

void ScenePlayer::start(Scene scene, std::size_t step) {
    scene_ = std::move(scene);
    step_ = std::min(step, scene_.steps.size() - 1);
    apply();
}

void ScenePlayer::next() {
    if (!active() || step_ + 1 == scene_.steps.size()) return;
    ++step_;
    apply();
}

void ScenePlayer::back() {
    if (!active() || step_ == 0) return;
    --step_;
    apply();
}

void ScenePlayer::first() {
    if (!active()) return;
    step_ = 0;
    apply();
}

void ScenePlayer::leave() {
    if (!active()) return;
    scene_ = {};
    step_ = 0;
    stage_.caption->hide();
    stage_.light->setTarget({});
    stage_.curve->attributionPanel().show();
    stage_.duel->strip().show();
    stage_.duel->machines()->show();
    stage_.curve->prepare({});
    Q_EMIT changed();
}

void ScenePlayer::apply() {
    const SceneStep& step = scene_.steps[step_];
    if (step.page == Page::curve) {
        stage_.curve->attributionPanel().setVisible(step.attribution);
        stage_.curve->setView(step.view);
        stage_.curve->setChoice(step.figure);
        stage_.curve->setCursor(step.cursor);
    } else if (step.page == Page::duel) {
        stage_.duel->strip().setVisible(step.strip);
        stage_.duel->machines()->setVisible(step.machines);
        stage_.duel->setChoice(step.duel);
        stage_.duel->setLockstep(step.lockstep);
        stage_.duel->setSpeed(step.speed);
    }
    stage_.showPage(step.page);
    if (step.page == Page::duel) applyDuel(step);
    prepare();
    stage_.caption->show();
    say();
    light();
    Q_EMIT changed();
}

void ScenePlayer::applyDuel(const SceneStep& step) {
    Duel* duel = stage_.duel->duel();
    if (!duel) return;
    const auto s = duel->snapshot();
    const double hz = s->sides[0].snapshot->machine->hz;
    duel->seek_time(static_cast<Cycles>(std::llround(step.begin_seconds * hz)));
    for (int i = 0; i < step.ticks; ++i)
        duel->run_to_next_tick();
    duelMark_ = duel->mark();
    if (step.play && !still_) duel->play();
}

// This step's figure first, then those to come.
void ScenePlayer::prepare() {
    std::vector<CurvePage::Place> places;
    for (std::size_t i = step_; i < scene_.steps.size(); ++i) {
        const SceneStep& step = scene_.steps[i];
        if (step.page == Page::curve || says_numbers(step)) places.push_back({step.figure, step.cursor});
    }
    stage_.curve->prepare(places);
}

void ScenePlayer::say() {
    if (!active()) return;
    const SceneStep& step = scene_.steps[step_];
    NumberSources sources;
    const auto figure = stage_.curve->figures().find(step.figure);
    sources.figure = figure.get();
    if (step.cursor)
        sources.attribution = stage_.curve->attributions().find(
            attribution_key(make_figure(step.figure), step.figure, *step.cursor));
    sources.duel = stage_.duel->shown().get();
    sources.published = &published_;
    SceneCaptionText text;
    text.step = static_cast<int>(step_) + 1;
    text.steps = static_cast<int>(scene_.steps.size());
    text.headline = QString::fromStdString(fill_numbers(step.headline, sources));
    text.body = QString::fromStdString(fill_numbers(step.body, sources));
    text.source = QString::fromStdString(step.source);
    if (text == stage_.caption->text()) return;
    stage_.caption->setText(text);
    light();
}

void ScenePlayer::light() {
    if (!active()) return;
    SceneCaption& caption = *stage_.caption;
    const int most = static_cast<int>(stage_.window->height() * kMostOfWindow);
    const int width = caption.parentWidget()->width();
    caption.setFixedHeight(std::clamp(caption.heightFor(width), 1, std::max(1, most)));
    QWidget* target = nullptr;
    switch (scene_.steps[step_].highlight) {
    case Highlight::none:
        break;
    case Highlight::chart:
        target = &stage_.curve->chart();
        break;
    case Highlight::attribution:
        target = &stage_.curve->attributionPanel();
        break;
    case Highlight::left:
        target = stage_.duel->side(0);
        break;
    case Highlight::right:
        target = stage_.duel->side(1);
        break;
    case Highlight::machines:
        target = stage_.duel->machines();
        break;
    case Highlight::strip:
        target = &stage_.duel->strip();
        break;
    }
    const QWidget* over = stage_.light->parentWidget();
    const bool there = target && target->isVisible();
    stage_.light->setTarget(there ? QRect(target->mapTo(over, QPoint(0, 0)), target->size()) : QRect());
}

bool ScenePlayer::settled() const {
    if (!active()) return true;
    const SceneStep& step = scene_.steps[step_];
    if (step.page == Page::duel) {
        const auto& shown = stage_.duel->shown();
        if (!shown || shown->mark < duelMark_) return false;
    }
    if (step.page != Page::curve && !says_numbers(step)) return true;
    const auto figure = stage_.curve->figures().find(step.figure);
    if (!figure || !figure->complete()) return false;
    return !step.cursor ||
           stage_.curve->attributions().find(attribution_key(figure->figure, step.figure, *step.cursor));
}

double ScenePlayer::progress() const {
    if (!active()) return 1;
    const auto figure = stage_.curve->figures().find(scene_.steps[step_].figure);
    return settled() ? 1 : figure ? 0.95 * figure->progress : 0;
}

bool ScenePlayer::takeKey(int key) {
    switch (key) {
    case Qt::Key_Space:
    case Qt::Key_PageDown:
    case Qt::Key_Right:
        next();
        return true;
    case Qt::Key_Backspace:
    case Qt::Key_PageUp:
    case Qt::Key_Left:
        back();
        return true;
    case Qt::Key_Home:
        first();
        return true;
    case Qt::Key_Escape:
        leave();
        return true;
    default:
        return false;
    }
}

bool ScenePlayer::eventFilter(QObject* object, QEvent* event) {
    if (active() && (event->type() == QEvent::Resize || event->type() == QEvent::Show) &&
        object == stage_.light->parentWidget())
        QMetaObject::invokeMethod(this, &ScenePlayer::light, Qt::QueuedConnection);
    if (!active() || (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride))
        return QObject::eventFilter(object, event);
    auto* widget = qobject_cast<QWidget*>(object);
    auto* key = static_cast<QKeyEvent*>(event);
    if (!widget || widget->window() != stage_.window || QApplication::activePopupWidget() ||
        key->modifiers() & ~Qt::KeypadModifier)
        return QObject::eventFilter(object, event);
    if (qobject_cast<QLineEdit*>(widget) || qobject_cast<QAbstractSpinBox*>(widget))
        return QObject::eventFilter(object, event);
    switch (key->key()) {
    case Qt::Key_Space:
    case Qt::Key_PageDown:
    case Qt::Key_Right:
    case Qt::Key_Backspace:
    case Qt::Key_PageUp:
    case Qt::Key_Left:
    case Qt::Key_Home:
    case Qt::Key_Escape:
        if (event->type() == QEvent::ShortcutOverride) {
            event->accept();
            return true;
        }
        return takeKey(key->key());
    default:
        return QObject::eventFilter(object, event);
    }
}

} // namespace tlbscope
