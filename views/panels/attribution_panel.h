// Why one curve lies below another at a working set: the loss taken apart, as a waterfall that ends where the
// loss does.
#pragma once

#include "engine/experiment/attribution.h"
#include "views/panels/panel.h"

#include <optional>

namespace tlbscope {

// GUI thread only.
class AttributionPanel : public Panel {
    Q_OBJECT
public:
    explicit AttributionPanel(QWidget* parent = nullptr);

    // Names of the two kernels: "3:1", "4:4". `hz`: cycles a second, for times; 0: not known, no times.
    void setNames(const QString& a, const QString& b, double hz);
    void setBand(const AttributionBand& band); // empty seeds: nothing measured yet
    void clear();
    void setProgress(double share); // 0 … 1; negative or 1: no bar
    // Where the next attribution will be; shown while there is none.
    void setPlace(double bytes);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

    // The placement shown: the one whose loss is nearest to the median; its parts sum exactly.
    static std::size_t example(const AttributionBand& band);
    // "4:4 is 9.3 % slower than 3:1 at 500k: 9.0 points are data misses from placement, …".
    static QString sentence(const AttributionBand& band, const QString& a, const QString& b);
    // "= 31 000 000 cycles + …": that the parts sum, or by how much they do not.
    static QString sumLine(const AttributionBand& band);

    struct Row {
        AttributionPart part = AttributionPart::count_; // count_: the whole
        QString name{}, share{}, perWork{}, perTick{};
        double from = 0, to = 0;  // of the bar, share of time
        double low = 0, high = 0; // whisker of the bar's end
        bool zero = false;        // nothing in any placement
    };
    static std::vector<Row> rows(const AttributionBand& band, double hz);

protected:
    void paintContent(QPainter& painter, const QRect& box) override;
    bool event(QEvent* event) override;
    void shown() override { changed(); }

private:
    struct Columns {
        int name = 0, bar = 0, barEnd = 0, share = 0, work = 0, tick = 0;
    };

    void changed();
    FontRole nameRole() const;
    Columns columns(const QRect& box) const;
    int paintSentence(QPainter& painter, const QRect& box) const;
    void paintRow(QPainter& painter, const Row& row, const QRect& line, const Columns& at, double low,
                  double high) const;
    void paintEmpty(QPainter& painter, const QRect& box) const;

    QString a_, b_;
    double hz_ = 0, progress_ = -1;
    std::optional<double> place_;
    AttributionBand band_;
    std::vector<Row> rows_;
    std::vector<QRect> rowBoxes_;
};

} // namespace tlbscope
