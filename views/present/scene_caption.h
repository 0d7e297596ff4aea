// What is said at one step of a scripted scene, in type for a hall.
#pragma once

#include "views/panels/panel.h"

#include <QRect>

namespace tlbscope {

struct SceneCaptionText {
    int step = 0, steps = 0; // 1 … steps; 0: no number
    QString headline, body, source;

    bool operator==(const SceneCaptionText&) const = default;
};

// GUI thread only. The owner places it; place() says where.
class SceneCaption : public Panel {
    Q_OBJECT
public:
    explicit SceneCaption(QWidget* parent = nullptr);

    void setText(const SceneCaptionText& text);
    const SceneCaptionText& text() const { return text_; }
    void setHint(const QString& hint); // the keys, dim; empty: none
    // The height at which nothing is cut off.
    int heightFor(int width) const;
    // Where it covers as little of `target` as can be, in `window`, with `margin` around it: below, above, at
    // the right, at the left, in this order, where it covers nothing; else where it covers least. A null
    // target: below. Never higher than half of the window.
    QRect place(const QRect& window, const QRect& target, int margin) const;
    // 1 … 0.6: how much smaller the type had to become in its present size; below 0.6 the text is cut.
    double shrink() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return heightFor(width); }

protected:
    void paintContent(QPainter& painter, const QRect& box) override;
    void themeChanged() override;

private:
    struct Fonts {
        QFont headline, body, source, number;
    };
    struct Blocks {
        QRect number, dots, headline, body, source, hint;
        int height = 0;
    };
    static Fonts fonts(double shrink);
    Blocks layOut(const QRect& box, const Fonts& fonts) const;
    int padding() const;
    void paintDots(QPainter& painter, const QRect& box) const;

    SceneCaptionText text_;
    QString hint_;
    mutable double shrink_ = 0; // 0: to be worked out
    mutable QSize shrunkFor_;
};

} // namespace tlbscope
