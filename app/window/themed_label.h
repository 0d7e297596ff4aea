// A label whose font and colour follow the theme.
#pragma once

#include "views/theme/theme.h"

#include <QLabel>

namespace tlbscope {

enum class Tone : std::uint8_t { text, dim, faint, accent, warning };

class ThemedLabel : public QLabel {
    Q_OBJECT
public:
    ThemedLabel(const QString& text, FontRole role, Tone tone, QWidget* parent = nullptr);
    void setTone(Tone tone);

private:
    void restyle();

    FontRole role_;
    Tone tone_;
};

} // namespace tlbscope
