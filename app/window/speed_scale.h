// The speed slider: from slow motion to as fast as possible, on a log scale with dense steps.
#pragma once

#include <QString>

namespace tlbscope {

// Simulated seconds per host second.
class SpeedScale {
public:
    static constexpr int kPerDecade = 10;
    // Slider positions 0 … last(); the last is "as fast as possible" (infinity).
    static int last();
    static double speedAt(int position);
    static int positionOf(double speed); // nearest
    // "1 : 2 000", "as fast as possible".
    static QString text(double speed);
    // One at which single shootdowns can be followed with the eye.
    static double defaultSpeed();
};

} // namespace tlbscope
