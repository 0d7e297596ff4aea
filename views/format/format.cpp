#include "views/format/format.h"

#include <array>
#include <cmath>

namespace tlbscope {

namespace {

QString group(QString digits) {
    for (qsizetype at = digits.size() - 3; at > 0; at -= 3)
        digits.insert(at, QChar(kThinSpace));
    return digits;
}

// Three significant digits, never in exponent form.
QString threeDigits(double value) {
    const double size = std::abs(value);
    const int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
    return QString::number(value, 'f', decimals);
}

} // namespace

QString grouped(std::uint64_t value) {
    return group(QString::number(value));
}

QString grouped(std::int64_t value) {
    if (value >= 0) return grouped(static_cast<std::uint64_t>(value));
    return QChar(u'\u2212') + grouped(std::uint64_t{0} - static_cast<std::uint64_t>(value));
}

QString groupedDecimals(double value, int decimals) {
    const QString plain = QString::number(std::abs(value), 'f', decimals);
    const qsizetype point = plain.indexOf(u'.');
    const QString whole = group(point < 0 ? plain : plain.left(point));
    QString out = value < 0 ? QString(QChar(u'\u2212')) : QString();
    out += whole;
    if (point < 0) return out;
    out += u'.';
    for (qsizetype i = point + 1; i < plain.size(); ++i) {
        if (i > point + 1 && (i - point - 1) % 3 == 0) out += QChar(kThinSpace);
        out += plain[i];
    }
    return out;
}

QString cyclesText(std::int64_t cycles) {
    return grouped(cycles) + (cycles == 1 ? QStringLiteral(" cycle") : QStringLiteral(" cycles"));
}

QString pagesText(std::int64_t pages) {
    if (pages < 0) return QStringLiteral("all");
    return grouped(pages) + (pages == 1 ? QStringLiteral(" page") : QStringLiteral(" pages"));
}

QString durationText(double ticks, double ticksPerSecond) {
    if (!(ticksPerSecond > 0))
        return grouped(static_cast<std::int64_t>(std::llround(ticks))) + QStringLiteral(" ticks");
    const double ns = ticks / ticksPerSecond * 1e9;
    const double size = std::abs(ns);
    if (size < 999.5) {
        const bool whole = size >= 9.995 || std::abs(ns - std::round(ns)) < 0.005;
        return (whole ? QString::number(std::llround(ns)) : QString::number(ns, 'f', 1)) +
               QStringLiteral(" ns");
    }
    if (size < 999.5e3) return threeDigits(ns / 1e3) + QStringLiteral(" µs");
    if (size < 999.5e6) return threeDigits(ns / 1e6) + QStringLiteral(" ms");
    const double s = ns / 1e9;
    return (std::abs(s) < 999.5 ? threeDigits(s) : groupedDecimals(s, 0)) + QStringLiteral(" s");
}

QString clockText(std::int64_t ticks, double ticksPerSecond) {
    if (!(ticksPerSecond > 0)) return grouped(ticks);
    const double seconds = static_cast<double>(ticks) / ticksPerSecond;
    if (std::abs(seconds) < 1) return groupedDecimals(seconds * 1e3, 6) + QStringLiteral(" ms");
    return groupedDecimals(seconds, 6) + QStringLiteral(" s");
}

QString bytesText(std::uint64_t bytes) {
    static constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    std::size_t unit = 0;
    double value = static_cast<double>(bytes);
    while (unit + 1 < units.size() && value >= 1024) {
        value /= 1024;
        ++unit;
    }
    const bool whole = value == std::floor(value);
    return (whole ? QString::number(value, 'f', 0) : threeDigits(value)) + u' ' + QLatin1String(units[unit]);
}

QString workingSetText(double bytes) {
    static constexpr std::array units = {"", "k", "M", "G", "T"};
    if (!std::isfinite(bytes)) return QStringLiteral("–");
    std::size_t unit = 0;
    while (unit + 1 < units.size() && std::abs(bytes) >= 1023.5) {
        bytes /= 1024;
        ++unit;
    }
    const bool whole = std::abs(bytes) >= 99.5 || std::abs(bytes - std::round(bytes)) < 0.05;
    return QString::number(bytes, 'f', whole ? 0 : 1) + QLatin1String(units[unit]);
}

QString signedPercentText(double share, int decimals) {
    if (!std::isfinite(share)) return QStringLiteral("–");
    const double percent = std::abs(share) * 100;
    const int wanted = percent < 0.995 ? 2 : percent < 9.95 ? 1 : 0;
    const QString number = QString::number(percent, 'f', std::min(wanted, decimals));
    const bool zero = number.toDouble() == 0;
    return (zero ? QString() : QString(share < 0 ? QChar(u'\u2212') : QChar(u'+'))) +
           (zero ? QStringLiteral("0") : number) + QStringLiteral(" %");
}

QString unbroken(QString text) {
    return text.replace(u' ', QChar(QChar::Nbsp));
}

QString siText(double value) {
    static constexpr std::array prefixes = {"", " k", " M", " G", " T"};
    if (!std::isfinite(value)) return QStringLiteral("–");
    std::size_t unit = 0;
    double scaled = value;
    while (unit + 1 < prefixes.size() && std::abs(scaled) >= 999.5) {
        scaled /= 1000;
        ++unit;
    }
    const bool whole = unit == 0 && scaled == std::floor(scaled);
    return (whole ? QString::number(scaled, 'f', 0) : threeDigits(scaled)) + QLatin1String(prefixes[unit]);
}

QString rateText(double perSecond, const char* what) {
    const QString number = siText(perSecond);

    return number + u' ' + QLatin1String(what) + QStringLiteral("/s");
}

QString percentText(double share) {
    if (!std::isfinite(share)) return QStringLiteral("–");
    const double percent = share * 100;
    if (percent == 0) return QStringLiteral("0 %");
    if (percent < 0.1) return QStringLiteral("< 0.1 %");
    return (percent < 9.95 ? QString::number(percent, 'f', 1) : QString::number(percent, 'f', 0)) +
           QStringLiteral(" %");
}

} // namespace tlbscope
