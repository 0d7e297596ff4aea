#include "app/window/place.h"

#include <QRegularExpression>

#include <cmath>

namespace tlbscope {
namespace {

constexpr int kMaxDigits = 19;

// digits.fraction * 10^exponent nanoseconds as an integer; nothing when it does not fit.
std::optional<std::int64_t> nanoseconds(const QString& whole, QString fraction, int exponent) {
    fraction = fraction.leftJustified(exponent, u'0', true);
    const QString digits = (whole.isEmpty() ? QStringLiteral("0") : whole) + fraction;
    if (digits.size() > kMaxDigits) return {};
    bool fits = false;
    const qlonglong value = digits.toLongLong(&fits);
    return fits ? std::optional<std::int64_t>(value) : std::nullopt;
}

int exponentOf(const QString& unit) {
    if (unit == u"ms") return 6;
    if (unit == u"us" || unit == u"µs" || unit == u"μs") return 3;
    return unit == u"ns" ? 0 : 9;
}

} // namespace

std::optional<Place> parsePlace(const QString& text, double ticksPerSecond, bool recorded,
                                std::int64_t origin) {
    QString t = text;
    t.remove(QRegularExpression(QStringLiteral("[\\s\\x{202f}\\x{00a0}]")));
    static const QRegularExpression event(QStringLiteral("^#(\\d{1,18})$"));
    if (const auto m = event.match(t); m.hasMatch()) return Place{true, m.captured(1).toLongLong()};

    static const QRegularExpression time(
        QStringLiteral("^(\\+?)(\\d*)(?:[.,](\\d*))?(s|ms|us|µs|μs|ns|cycles|cycle|ticks|tick|)$"));
    const auto m = time.match(t);
    if (!m.hasMatch() || (m.captured(2).isEmpty() && m.captured(3).isEmpty())) return {};
    QString unit = m.captured(4);
    if (unit.isEmpty())
        unit = ticksPerSecond <= 0 ? QStringLiteral("ticks")
               : recorded          ? QStringLiteral("s")
                                   : QStringLiteral("ms");
    std::int64_t ticks = 0;
    if (unit.startsWith(u"cycle") || unit.startsWith(u"tick")) {
        if (m.captured(2).size() >= kMaxDigits) return {};
        ticks = m.captured(2).toLongLong();
    } else {
        if (ticksPerSecond <= 0) return {};
        const auto ns = nanoseconds(m.captured(2), m.captured(3), exponentOf(unit));
        if (!ns) return {};
        ticks =
            recorded && ticksPerSecond == 1e9
                ? *ns
                : static_cast<std::int64_t>(std::llround(static_cast<double>(*ns) * 1e-9 * ticksPerSecond));
    }
    return Place{false, m.captured(1).isEmpty() ? ticks : origin + ticks};
}

} // namespace tlbscope
