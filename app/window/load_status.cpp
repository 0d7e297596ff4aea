#include "app/window/load_status.h"

#include "app/window/themed_label.h"
#include "views/format/format.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>

namespace tlbscope {

LoadStatus::LoadStatus(QWidget* parent)
    : QWidget(parent), text_(new ThemedLabel({}, FontRole::small, Tone::text, this)),
      bar_(new QProgressBar(this)), cancel_(new QPushButton(tr("Cancel"), this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(text_);
    row->addWidget(bar_);
    row->addWidget(cancel_);
    bar_->setTextVisible(false);
    bar_->setFixedSize(Theme::current().px(160), Theme::current().px(8));
    bar_->setAccessibleName(tr("Share of the recording that has been read"));
    connect(cancel_, &QPushButton::clicked, this, &LoadStatus::cancelled);
    hide();
}

void LoadStatus::show(const LoadProgress& progress) {
    setVisible(progress.active);
    if (!progress.active) return;
    const QString name = QFileInfo(QString::fromStdString(progress.path)).fileName();
    if (progress.bytes_total == 0) {
        bar_->setRange(0, 0);
        text_->setText(tr("Reading %1 …").arg(name));
        return;
    }
    bar_->setRange(0, 1000);
    bar_->setValue(static_cast<int>(1000.0 * static_cast<double>(progress.bytes_done) /
                                    static_cast<double>(progress.bytes_total)));
    text_->setText(progress.bytes_done >= progress.bytes_total
                       ? tr("Sorting %1 …").arg(name)
                       : tr("Reading %1: %2 of %3")
                             .arg(name, bytesText(progress.bytes_done), bytesText(progress.bytes_total)));
}

} // namespace tlbscope
