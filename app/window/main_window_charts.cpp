// The two charts and the sweeps that fill them.
#include "app/window/main_window.h"
#include "app/window/panel_dock.h"
#include "app/window/parameter_slider.h"
#include "app/window/simulation_controls.h"
#include "app/window/sweep_charts.h"
#include "views/charts/throughput_chart.h"

#include <QAbstractScrollArea>
#include <QStackedWidget>

namespace tlbscope {

void MainWindow::buildCharts() {
    shiftChart_ = new ThroughputChart(tr("Throughput against shift"), SweepAxis::shift, this);
    ceilingChart_ = new ThroughputChart(tr("Throughput against ceiling"), SweepAxis::ceiling, this);
    workingSetChart_ =
        new ThroughputChart(tr("Throughput against working set"), SweepAxis::working_set_pages, this);
    parameterStack_ = new QStackedWidget(this);
    parameterStack_->addWidget(shiftChart_);
    parameterStack_->addWidget(ceilingChart_);
    shiftDock_ =
        new PanelDock(QStringLiteral("parameter"), shiftChart_->title(), parameterStack_, true, this);
    workingSetDock_ = new PanelDock(QStringLiteral("workingSet"), workingSetChart_, this);
    shiftDock_->setTabName(tr("Throughput by shift"));
    workingSetDock_->setTabName(tr("By working set"));
    for (ThroughputChart* chart : {shiftChart_, ceilingChart_}) {
        chart->setFramed(false);
        connect(chart, &Panel::captionChanged, this, &MainWindow::showParameterCaption);
    }
    connect(shiftChart_, &ThroughputChart::valueClicked, this,
            [this](int v) { controls_->shift()->choose(v); });
    connect(ceilingChart_, &ThroughputChart::valueClicked, this,
            [this](int v) { controls_->ceiling()->choose(v); });
    connect(workingSetChart_, &ThroughputChart::valueClicked, this,
            [this](int v) { controls_->workingSet()->choose(v); });
    for (ThroughputChart* chart : {shiftChart_, ceilingChart_, workingSetChart_})
        for (QAbstractScrollArea* area : chart->findChildren<QAbstractScrollArea*>()) {
            area->setAccessibleName(chart->title());
            area->viewport()->setAccessibleName(chart->title());
        }
    connect(shiftDock_, &QDockWidget::visibilityChanged, this, &MainWindow::showCharts);
    connect(workingSetDock_, &QDockWidget::visibilityChanged, this, &MainWindow::showCharts);
}

void MainWindow::showParameterCaption() {
    const auto* chart = static_cast<ThroughputChart*>(parameterStack_->currentWidget());
    shiftDock_->setHeading(chart->title());
    shiftDock_->setTabName(chart == ceilingChart_ ? tr("Throughput by ceiling") : tr("Throughput by shift"));
    shiftDock_->setAside(chart->contextChoices());
}

// Sweeps run for charts that can be seen, in a window that is not put away.
void MainWindow::showCharts() {
    if (!sweeps_) return;
    const bool seen = !isMinimized();
    sweeps_->setShown(SweepCharts::parameter, seen && shiftDock_->onScreen());
    sweeps_->setShown(SweepCharts::workingSet, seen && workingSetDock_->onScreen());
}

void MainWindow::fillChart(int slot) {
    const SweepCharts::Series& series = sweeps_->series(static_cast<SweepCharts::Slot>(slot));
    ThroughputChart* chart = workingSetChart_;
    if (slot == SweepCharts::parameter) {
        chart = series.spec.axis == SweepAxis::ceiling ? ceilingChart_ : shiftChart_;
        parameterStack_->setCurrentWidget(chart);
        chart->setNote(series.possible ? QString() : tr("this kernel has no such parameter"));
        showParameterCaption();
    }
    if (series.points.empty()) chart->clear();
    chart->setExpected(series.spec.values);
    std::vector<SweepPoint> points;
    for (const auto& [value, point] : series.points)
        points.push_back(point);
    if (!points.empty()) chart->setSeries(tr("records/s"), points);
    chart->setProgress(series.possible && series.id != 0 && series.progress < 1 ? series.progress : -1);
    markCurrent();
}

void MainWindow::markCurrent() {
    const bool shift = controls_->usesShift(), ceiling = controls_->usesCeiling();
    shiftChart_->setCurrent(shift ? std::optional(controls_->effectiveShift()) : std::nullopt);
    ceilingChart_->setCurrent(ceiling ? std::optional(controls_->effectiveCeiling()) : std::nullopt);
    workingSetChart_->setCurrent(controls_->scenario().working_set_pages);
}

} // namespace tlbscope
