// Variables of the Debug Adapter Protocol: a warp as a tree of names and values.
#ifndef TANDEM_CLI_DAP_VARIABLES_H
#define TANDEM_CLI_DAP_VARIABLES_H

#include "dap_expanded.h"
#include "debug.h"
#include "json.h"

// Adds the scopes of a frame to the list that is open. frame: 1 and more, a warp each.
void dap_scopes(const struct debug_program *program, struct json_writer *to, int64_t frame);
// The frame that a reference belongs to; 0: it is none.
int64_t dap_frame_of(const struct dap_expanded *expanded, int64_t reference);
// Adds what a reference stands for, of the warp that the program means now.
void dap_variables(struct debug_program *program, struct dap_expanded *expanded, struct json_writer *to,
                   int64_t reference);

#endif
