// A button of the transport with a drawn symbol.
#pragma once

#include <QToolButton>

namespace tlbscope {

class TransportButton : public QToolButton {
    Q_OBJECT
public:
    enum class Symbol : std::uint8_t {
        start,
        shootdownBack,
        eventBack,
        play,
        pause,
        event,
        shootdown,
        flush
    };
    // Follows the action: enabled, tool tip, click. `primary`: filled in the accent colour.
    TransportButton(Symbol symbol, QAction* action, bool primary, QWidget* parent);
    void setSymbol(Symbol symbol);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    Symbol symbol_;
    bool primary_;
};

} // namespace tlbscope
