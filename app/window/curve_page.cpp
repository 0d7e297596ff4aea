#include "app/window/curve_page.h"

#include "app/window/actions.h"
#include "app/window/curve_bar.h"
#include "app/window/curve_controls.h"
#include "app/window/segmented_choice.h"
#include "app/window/side_card.h"
#include "engine/core/error.h"
#include "engine/workload/workload.h"
#include "views/charts/curve_chart.h"
#include "views/panels/attribution_panel.h"
#include "views/theme/theme_notifier.h"

#include <QHBoxLayout>

namespace tlbscope {
namespace {

constexpr int kRestMilliseconds = 120;
constexpr const char* kMarked = "xeon-2.5-512k";
constexpr double kFirstCursor = 500 * kKilo; // where most of the argument of April 2004 is about

QString workloadName(const std::string& id) {
    for (const WorkloadInfo& info : workloads())
        if (id == info.id) return QString::fromUtf8(info.name);
    return QString::fromStdString(id);
}

} // namespace

CurvePage::CurvePage(const std::string& resources, const Actions& actions, QWidget* parent)
    : QWidget(parent), resources_(resources) {
    bar_ = new CurveBar(actions, this);
    bar_->view()->setCurrent(static_cast<int>(CurveView::throughput));
    controls_ = new CurveControls(resources, this);
    card_ = new SideCard(tr("Figure"), controls_, this);
    chart_ = new CurveChart(tr("Throughput against working set"), this);
    chart_->setCursor(kFirstCursor);
    figures_ = new CurveFigures(resources, this);
    figures_->setEnabled(false);
    attributions_ = new Attributions(resources, this);
    marks_ = load_curve_marks(resources);

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(Theme::current().px(10));
    row->addWidget(card_);
    panel_ = new AttributionPanel(this);
    row->addWidget(chart_, 3);
    row->addWidget(panel_, 2);

    rest_.setSingleShot(true);
    rest_.setInterval(kRestMilliseconds);
    connect(&rest_, &QTimer::timeout, this, &CurvePage::start);
    connect(controls_, &CurveControls::changed, this, [this] {
        due_ = true;
        if (active_) rest_.start();
    });
    connect(bar_->view(), &SegmentedChoice::changed, this, &CurvePage::setView);
    connect(figures_, &CurveFigures::changed, this, &CurvePage::take);
    connect(figures_, &CurveFigures::failed, this, &CurvePage::failed);
    connect(chart_, &CurveChart::cursorMoved, this, &CurvePage::attribute);
    connect(attributions_, &Attributions::failed, this, &CurvePage::failed);
    connect(attributions_, &Attributions::changed, this,
            [this](const AttributionKey& key, const AttributionBand& band, double share) {
                if (!data_ || !cursor() || key != attribution_key(data_->figure, data_->choice, *cursor()))
                    return;
                panel_->setBand(band);
                panel_->setProgress(share);
                Q_EMIT figureChanged();
            });
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this,
            [row] { row->setSpacing(Theme::current().px(10)); });
}

CurvePage::~CurvePage() = default;

QWidget* CurvePage::bar() const {
    return bar_;
}

void CurvePage::setActive(bool active) {
    if (active == active_) return;
    active_ = active;
    figures_->setEnabled(active || prepared_);
    attributions_->setEnabled(active || prepared_);
    if (active && due_) start();
    if (!active) rest_.stop();
}

void CurvePage::setPresenting(bool on) {
    presenting_ = on;
    card_->setVisible(!on);
}

const FigureChoice& CurvePage::choice() const {
    return controls_->choice();
}

void CurvePage::setChoice(const FigureChoice& choice) {
    if (choice != controls_->choice()) {
        controls_->setChoice(choice);
        due_ = true;
    }
    if (active_ && due_) start();
}

std::optional<double> CurvePage::cursor() const {
    return chart_->cursor();
}

void CurvePage::setCursor(std::optional<double> bytes) {
    chart_->setCursor(bytes);
    attribute();
}

void CurvePage::setView(int view) {
    bar_->view()->setCurrent(view);
    chart_->setView(static_cast<CurveView>(view));
}

void CurvePage::prepare(const std::vector<Place>& places) {
    prepared_ = !places.empty();
    std::vector<FigureChoice> choices;
    std::vector<AttributionKey> keys;
    for (const Place& place : places) {
        choices.push_back(place.choice);
        try {
            if (place.cursor)
                keys.push_back(attribution_key(make_figure(place.choice), place.choice, *place.cursor));
        } catch (const std::exception&) {
            // Told when it is that figure's turn.
        }
    }
    figures_->setEnabled(active_ || prepared_);
    attributions_->setEnabled(active_ || prepared_);
    figures_->prepare(choices);
    attributions_->prepare(keys);
}

const AttributionBand* CurvePage::attribution() const {
    if (!data_ || !cursor()) return nullptr;
    return attributions_->find(attribution_key(data_->figure, data_->choice, *cursor()));
}

void CurvePage::attribute() {
    if (!data_ || !cursor()) return;
    panel_->setPlace(*cursor());
    const AttributionBand* band =
        attributions_->show(attribution_key(data_->figure, data_->choice, *cursor()));
    if (band)
        panel_->setBand(*band);
    else
        panel_->clear();
    panel_->setProgress(band ? -1 : 0);
    Q_EMIT figureChanged();
}

void CurvePage::start() {
    rest_.stop();
    due_ = false;
    try {
        take(figures_->show(controls_->choice()));
    } catch (const std::exception& e) {
        // The figure before stays, and the controls say what it is.
        if (data_) controls_->setChoice(data_->choice);
        Q_EMIT failed(QString::fromUtf8(e.what()));
    }
}

void CurvePage::take(const std::shared_ptr<const FigureData>& newest) {
    if (!newest || newest->choice != controls_->choice()) return;
    if (newest != data_) {
        data_ = newest;
        std::vector<CurveChart::Label> labels;
        for (std::size_t v = 0; v < newest->figure.spec.variants.size(); ++v) {
            const PresetFigure::Style& style = newest->figure.styles[v];
            labels.push_back(
                {QString::fromStdString(newest->figure.spec.variants[v].label), style.color, style.dash});
        }
        chart_->setVariants(labels);
        chart_->setPair(newest->figure.reference, newest->figure.compared);
        chart_->setUnit(QString::fromUtf8(throughput_unit(newest->choice.workload)));
        chart_->setExpected(newest->figure.first, newest->figure.last);
        // What was told in 2004 was told about HINT on that Xeon.
        const bool told = find_figure_preset(newest->choice.preset).long_mode == false &&
                          newest->choice.workload == "hint-double" && newest->choice.processor == kMarked;
        chart_->setMarks(told ? marks_ : std::vector<CurveMark>());
        const auto& lines = newest->figure.spec.variants;
        panel_->setNames(QString::fromStdString(lines[newest->figure.reference].label),
                         QString::fromStdString(lines[newest->figure.compared].label),
                         static_cast<double>(controls_->processor().hz));
        attribute();
    }
    fill();
    Q_EMIT figureChanged();
}

void CurvePage::fill() {
    for (std::size_t v = 0; v < data_->points.size(); ++v)
        chart_->setPoints(data_->line(v));
    find();
    showProgress();
}

void CurvePage::find() {
    const PresetFigure& figure = data_->figure;
    for (std::size_t v = 0; v < data_->points.size(); ++v)
        chart_->setKnee(v, v == figure.reference || v == figure.compared ? find_knee(data_->line(v))
                                                                         : std::nullopt);
    const auto a = data_->line(figure.reference), b = data_->line(figure.compared);
    chart_->setWindow(find_window(a, b));
    chart_->setCrossing(find_crossing(a, b));
}

void CurvePage::showProgress() {
    const FigureChoice& choice = data_->choice;
    const QString runs = data_->complete()   ? tr("%1 runs").arg(data_->total)
                         : data_->total == 0 ? tr("starts …")
                                             : tr("%1 of %2 runs").arg(data_->done).arg(data_->total);
    controls_->setProgress(runs);
    chart_->setProgress(data_->complete() ? -1 : data_->progress);
    bar_->setTitle(QString::fromUtf8(find_figure_preset(choice.preset).name),
                   QStringLiteral("%1 · %2 · %3")
                       .arg(workloadName(choice.workload),
                            QString::fromStdString(controls_->processor().title()), runs));
}

double CurvePage::progress() const {
    return data_ ? data_->progress : 0;
}

bool CurvePage::finished() const {
    return !due_ && !rest_.isActive() && data_ && data_->complete() && (!cursor() || attribution());
}

} // namespace tlbscope
