// The stream of the Debug Adapter Protocol: messages in and out, and what else would have been printed.
#ifndef TANDEM_CLI_DAP_STREAM_H
#define TANDEM_CLI_DAP_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "debugger/debugger.h"
#include "json.h"

struct dap_stream;

// From now on standard output is the protocol's; what is printed there and on standard error is kept until
// dap_printed() takes it. NULL after a complaint.
struct dap_stream *dap_stream_open(void);
void dap_stream_close(struct dap_stream *stream);  // standard output and error are what they were

// The next message; NULL: there are no more (why: "", or what is wrong with the stream), or none is there and wait is
// false. A message that is no JSON is passed over after an answer that says so. The caller owns it.
struct json *dap_take(struct dap_stream *stream, bool wait, char *why, size_t why_size);
bool dap_ended(struct dap_stream *stream);  // there are no more
// Each message that comes interrupts it; NULL: nothing.
void dap_interrupts(struct dap_stream *stream, struct debugger *debugger);

// What has been printed since the last call, malloc'ed; NULL: nothing. errors: on standard error.
char *dap_printed(struct dap_stream *stream, bool errors);

// A message: its head is written, the caller adds the body between dap_begin() and dap_send().
struct json_writer *dap_event(struct dap_stream *stream, const char *event);
// why: NULL, or what is wrong with the request.
struct json_writer *dap_response(struct dap_stream *stream, const struct json *request, const char *why);
void dap_send(struct dap_stream *stream, struct json_writer *message);

#endif
