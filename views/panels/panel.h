// A titled surface: rounded card, title at the left, one line of context at the right. What the docks hold.
#pragma once

#include "views/theme/theme.h"

#include <QWidget>

class QPainter;

namespace tlbscope {

// Subclasses paint their content below the title. GUI thread only; does nothing while hidden.
class Panel : public QWidget {
    Q_OBJECT
public:
    explicit Panel(const QString& title, QWidget* parent = nullptr);

    const QString& title() const { return title_; }
    // Off where a dock's own title bar says it; the context at the right stays.
    void setTitleShown(bool shown);
    // Off where the dock paints the card, the title and the context itself: only the content is left.
    void setFramed(bool framed);
    QString context() const { return context_.isEmpty() ? QString() : context_.front(); }
    const QStringList& contextChoices() const { return context_; } // the longest first
    int frames() const { return frames_; }                         // painted so far

Q_SIGNALS:
    void captionChanged(); // title or context

protected:
    void setTitle(const QString& title);
    // The longest alternative that fits is shown; give the longest first.
    void setContextChoices(const QStringList& alternatives);
    void setContext(const QString& context) {
        setContextChoices(context.isEmpty() ? QStringList() : QStringList{context});
    }
    // Inside the padding and below the title line.
    QRect contentRect() const;
    int titleHeight() const;
    // Called only while visible; `box` is contentRect().
    virtual void paintContent(QPainter& painter, const QRect& box) = 0;
    virtual void themeChanged() {}
    virtual void shown() {} // has become visible
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    // Update only where somebody can see it.
    void refresh() {
        if (isVisible()) update();
    }

private:
    QString title_;
    QStringList context_;
    bool titleShown_ = true, framed_ = true;
    int frames_ = 0;
};

// Text helpers the panels share: one line, elided at the right.
void drawLine(QPainter& painter, const QRect& box, FontRole role, const QColor& color, const QString& text,
              Qt::Alignment align = Qt::AlignLeft);
// A thin bar at the lower edge of a panel of this height; nothing for less than 0, or 1 and more.
void paintProgressLine(QPainter& painter, const QRect& content, int height, double share);
int lineHeight(FontRole role);
int textWidth(FontRole role, const QString& text);

} // namespace tlbscope
