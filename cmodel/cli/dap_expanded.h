// Variables of the source for an editor: what can be expanded has a reference, which names an expression, a warp and a
// thread until the program goes on.
#ifndef TANDEM_CLI_DAP_EXPANDED_H
#define TANDEM_CLI_DAP_EXPANDED_H

#include "debug.h"
#include "json.h"

struct dap_expanded {  // zero-initialized: empty
    struct dap_expression {
        int64_t frame;
        unsigned thread;
        char *text;
    } * list;
    size_t count, capacity;
};

void dap_expanded_forget(struct dap_expanded *expanded);
// The frame of a reference, or 0: it is none of these.
int64_t dap_expanded_frame(const struct dap_expanded *expanded, int64_t reference);
// The parts of what the reference names, each an object of the list that is open.
void dap_expanded_add_parts(struct dap_expanded *expanded, struct debug_program *program, struct json_writer *to,
                            int64_t reference);
// The variables, or the arguments, in scope where the chosen thread stands.
void dap_expanded_add_scope(struct dap_expanded *expanded, struct debug_program *program, struct json_writer *to,
                            int64_t frame, bool arguments);
// A reference for what the expression gives, 0: it has no parts.
int64_t dap_expanded_of(struct dap_expanded *expanded, struct debug_program *program, int64_t frame,
                        const char *expression);

#endif
