// Devices that write checkpoints of themselves into a file, and record there what is done to them afterwards.
#ifndef TANDEM_BACKEND_RECORDED_H
#define TANDEM_BACKEND_RECORDED_H

#include "backend/backend.h"

#define CHECKPOINT_EVERY 1000000u  // cycles, unless something else is said

// Such a device of this kind: struct backend_options names the kind in `recorded`, the file in `checkpoint`. NULL: kinds other than model, rtl and
// tandem have no checkpoints. It cannot be watched.
const struct backend_ops *recorded_ops(const struct backend_ops *ops);

#endif
