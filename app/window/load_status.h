// What the status line says about a recording that is being read, and the button that stops it.
#pragma once

#include "engine/session/session.h"

#include <QWidget>

class QProgressBar;
class QPushButton;

namespace tlbscope {

class ThemedLabel;

class LoadStatus : public QWidget {
    Q_OBJECT
public:
    explicit LoadStatus(QWidget* parent = nullptr);
    // Hidden unless something is being read.
    void show(const LoadProgress& progress);

Q_SIGNALS:
    void cancelled();

private:
    ThemedLabel* text_;
    QProgressBar* bar_;
    QPushButton* cancel_;
};

} // namespace tlbscope
