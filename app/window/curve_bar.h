// The line at the top of the curve page: what is drawn, how, and how far it is.
#pragma once

#include <QWidget>

namespace tlbscope {

struct Actions;
class SegmentedChoice;
class ThemedLabel;

class CurveBar : public QWidget {
    Q_OBJECT
public:
    CurveBar(const Actions& actions, QWidget* parent = nullptr);

    void setTitle(const QString& title, const QString& subtitle);
    SegmentedChoice* view() const { return view_; } // throughput, difference, both

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void restyle();
    void elide();

    ThemedLabel *title_, *subtitle_;
    QString titleText_, subtitleText_;
    SegmentedChoice* view_;
};

} // namespace tlbscope
