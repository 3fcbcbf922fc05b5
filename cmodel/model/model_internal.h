// State of a device of the library, shared by the files of this folder.
#ifndef TANDEM_MODEL_INTERNAL_H
#define TANDEM_MODEL_INTERNAL_H

#include "model/tandem_model.h"
#include "ppu.h"
#include "tandem_checker.h"

struct tandem_model {
    struct ppu *ppu;
    struct tandem_checker *checker;  // NULL: it does not follow
    uint64_t seed, steps;
    tandem_model_listener *listener;
    void *listener_context;
    uint32_t wanted;  // kind that run_until_event waits for
    tandem_model_event found;
    bool has_found;
    bool has_followed;  // it comes from a checkpoint of a device that did
    char message[1024];
};

#define MODEL_MEMORY_DEFAULT (UINT64_C(64) << 20)
#define MODEL_MEMORY_MOST ((UINT64_C(1) << 32) - 4096)

// One line into the device's message; returns status.
tandem_model_status model_refuse(struct tandem_model *model, tandem_model_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Between the words outside and the struct inside. False: no such kind or SM, or a field has bits beyond its width.
bool model_event_in(const tandem_model_event *from, struct trace_event *to, char *why, size_t why_size);
void model_event_out(const struct trace_event *from, tandem_model_event *to);
// Has the caller's struct a member? Those of programs built against an older release are shorter.
#define MODEL_HAS(options, member) \
    ((options)->size >= offsetof(__typeof__(*(options)), member) + sizeof((options)->member))

#endif
