// What the colours and marks of cells and CPU states mean.
#pragma once

#include "views/panels/panel.h"

namespace tlbscope {

class LegendPanel : public Panel {
    Q_OBJECT
public:
    explicit LegendPanel(QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintContent(QPainter& painter, const QRect& box) override;
};

} // namespace tlbscope
