// The shape that stands for a CPU state, so that colour is never the only cue.
#pragma once

#include "engine/session/snapshot.h"
#include "views/theme/theme.h"

class QPainter;
class QRectF;

namespace tlbscope {

// Inside `box` (square), in the state's colour; `hole` is the surface behind it.
void paintStateGlyph(QPainter& painter, const QRectF& box, CpuState state, const Theme& theme,
                     const QColor& hole);

} // namespace tlbscope
