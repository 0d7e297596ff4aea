// A line below the transport that says what went wrong. Stays until it is closed or replaced.
#pragma once

#include <QWidget>

namespace tlbscope {

class ThemedLabel;

class Notice : public QWidget {
    Q_OBJECT
public:
    explicit Notice(QWidget* parent = nullptr);
    void showError(const QString& text);
    QString text() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ThemedLabel* label_;
};

} // namespace tlbscope
