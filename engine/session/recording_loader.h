// Opens recordings of real kernels for a session.
#pragma once

#include "engine/session/session.h"

namespace tlbscope {

RecordingLoader recording_loader();

} // namespace tlbscope
