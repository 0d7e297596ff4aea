// Dims everything but a rectangle of its parent, so that a hall looks there. Lets mouse and keys through.
#pragma once

#include <QRect>
#include <QWidget>

namespace tlbscope {

// GUI thread only. Lies over its parent and follows its size; hidden without a target. What has to stay
// bright beside the target (a caption) is raised above it by the owner.
class Spotlight : public QWidget {
    Q_OBJECT
public:
    explicit Spotlight(QWidget* parent); // parent must not be null
    // In the parent's coordinates; a null or empty rectangle hides it.
    void setTarget(const QRect& target);
    const QRect& target() const { return target_; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QRect target_;
};

} // namespace tlbscope
