// A combo box in the window's look: flat, with a drawn arrow.
#pragma once

#include <QComboBox>

namespace tlbscope {

class ChoiceBox : public QComboBox {
    Q_OBJECT
public:
    // `name`: for screen readers.
    ChoiceBox(const QString& name, QWidget* parent);

protected:
    void paintEvent(QPaintEvent* event) override;
    // A panel is scrolled with the wheel; a choice changes only where one meant it.
    void wheelEvent(QWheelEvent* event) override;
};

} // namespace tlbscope
