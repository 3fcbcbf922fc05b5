// The mismatch report: everything that was known at the first difference, as text.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gen/registers.h"
#include "tandem_checker_internal.h"

static void heading(FILE *to, const char *text) {
    fprintf(to, "\n== %s\n", text);
}

static void write_fields(const struct tandem_checker *self, FILE *to) {
    const struct trace_event *rtl = &self->rtl, *model = &self->model;
    bool both = self->verdict == VERDICT_DIFFERS;
    heading(to, both ? "the event, field by field (> differs; choice: taken from the RTL)"
                     : "the RTL's event (choice: taken from the RTL when legal)");
    fprintf(to, "  cycle %" PRIu64 " %s", rtl->cycle, trace_kind_name(rtl->kind));
    if (trace_kind_per_sm(rtl->kind)) fprintf(to, " sm %" PRIu32, rtl->sm);
    fprintf(to, "\n");
    int count = trace_field_count(rtl->kind);
    // The two numbers past the fields are kind and SM (gen/trace.h): shown only when they are what differs.
    for (int field = 0; field < count + 2; field++) {
        char a[1024], b[1024] = "";
        trace_field_print(rtl, field, a, sizeof a);
        if (both) trace_field_print(model, field, b, sizeof b);
        bool choice = trace_field_choice(rtl->kind, field);
        bool differs = both && !choice && strcmp(a, b) != 0;
        if (field >= count && !differs) continue;
        fprintf(to, "%c %-12s %s%s%s\n", differs ? '>' : ' ', trace_field_name(rtl->kind, field),
                differs ? "RTL   " : "", a, choice ? "  (choice)" : "");
        if (differs) fprintf(to, "  %-12s model %s\n", "", b);
    }
}

static void write_memory(const struct tandem_checker *self, FILE *to) {
    heading(to, "the memory that differs");
    fprintf(to, "  physical address 0x%" PRIx64 " on; the first difference is at 0x%" PRIx64 "\n", self->line_address,
            self->memory_address);
    uint8_t model[REPORT_BYTES] = {0};
    (void)ppu_mem_read(self->options.model, self->line_address, model, self->line_bytes);
    const uint8_t *sides[2] = {self->rtl_line, model};
    for (int side = 0; side < 2; side++) {
        fprintf(to, "  %-6s", side == 0 ? "RTL" : "model");
        for (size_t i = 0; i < self->line_bytes; i++)
            fprintf(to, " %02x", sides[side][i]);
        fprintf(to, "\n");
    }
}

// The warp that the event names, or -1.
static int event_warp(const struct trace_event *event) {
    switch (event->kind) {
        case TRACE_WARP_START: return (int)event->warp_start.warp;
        case TRACE_INSTR: return (int)event->instr.warp;
        case TRACE_WARP_STOP: return (int)event->warp_stop.warp;
        case TRACE_SV_MODE: return (int)event->sv_mode.warp;
        case TRACE_MEM_REQ: return (int)event->mem_req.warp;
        case TRACE_WB: return (int)event->wb.warp;
        case TRACE_PWB: return (int)event->pwb.warp;
        case TRACE_SWB: return (int)event->swb.warp;
        case TRACE_TOKEN: return (int)event->token.warp;
        case TRACE_WARP_FAULT: return (int)event->warp_fault.warp;
        case TRACE_WARP_END: return (int)event->warp_end.warp;
        default: return -1;
    }
}

static void write_model(const struct tandem_checker *self, FILE *to) {
    struct ppu *model = self->options.model;
    const struct ppu_config *config = ppu_get_config(model);
    static const size_t size = 32768;
    char *text = malloc(size);
    if (text == NULL) return;
    bool about_event = self->verdict == VERDICT_DIFFERS || self->verdict == VERDICT_ILLEGAL;
    int warp = about_event ? event_warp(&self->rtl) : -1;
    heading(to, "the model: warps");
    if (warp >= 0 && (uint32_t)warp < config->warps && self->rtl.sm < config->sms) {
        text[0] = '\0';
        ppu_describe_warp(model, self->rtl.sm, (unsigned)warp, text, size);
        fprintf(to, "[the event's warp: SM %u warp %d]\n%s\n", self->rtl.sm, warp, text);
    }
    for (unsigned sm = 0; sm < config->sms; sm++) {
        for (unsigned w = 0; w < config->warps; w++) {
            if ((int)w == warp && sm == self->rtl.sm) continue;
            text[0] = '\0';
            ppu_describe_warp(model, sm, w, text, size);
            fprintf(to, "[SM %u warp %u]\n%s\n", sm, w, text);
        }
    }
    heading(to, "the model: channels");
    for (unsigned channel = 0; channel < config->channels; channel++) {
        text[0] = '\0';
        ppu_describe_channel(model, channel, text, size);
        fprintf(to, "[channel %u]\n%s\n", channel, text);
    }
    free(text);
}

static void write_history(const struct tandem_checker *self, FILE *to) {
    heading(
        to,
        "the last events of the RTL, oldest first (the last one is the one above, if the verdict is about an event)");
    uint64_t first = self->seen > TANDEM_HISTORY ? self->seen - TANDEM_HISTORY : 0;
    for (uint64_t i = first; i < self->seen; i++) {
        char line[2048];
        trace_event_print(&self->history[i % TANDEM_HISTORY], line, sizeof line);
        fprintf(to, "%" PRIu64 ": %s\n", i, line);
    }
}

void tandem_report_write(struct tandem_checker *self, FILE *to) {
    const char *replay = self->replay != NULL ? self->replay : getenv("TANDEM_REPLAY");
    fprintf(to, "Tandem mismatch report\n");
    fprintf(to, "verdict    %s\n", tandem_verdict_name(self->verdict));
    fprintf(to, "what       %s\n", self->line);
    fprintf(to, "device     %s\n", self->device);
    fprintf(to, "config     %s\n", ppu_get_config(self->options.model)->name);
    fprintf(to, "seed       %" PRIu64 "\n", self->options.seed);
    fprintf(to, "cycle      %" PRIu64 "\n", self->cycle);
    fprintf(to, "event      number %" PRIu64 "; found equal before: %" PRIu64 "\n",
            self->seen == 0 ? 0 : self->seen - 1, tandem_checker_compared(self));
    if (replay != NULL && replay[0] != '\0') {
        fprintf(to, "replay     %s\n", replay);
    } else {
        fprintf(to, "replay     the same program on the device \"%s\" with seed=%" PRIu64 "\n", self->device,
                self->options.seed);
    }
    if (self->replay == NULL)
        fprintf(to,
                "next step  replay with wave=FILE.fst added to the device name and look at the cycles before %" PRIu64
                "\n",
                self->cycle);

    if (self->verdict == VERDICT_DIFFERS || self->verdict == VERDICT_ILLEGAL) write_fields(self, to);
    if (self->verdict == VERDICT_ILLEGAL || self->verdict == VERDICT_MISSING) {
        heading(to, "the model's reason");
        fprintf(to, "  %s\n", self->why);
    }
    if (self->verdict == VERDICT_MEMORY) write_memory(self, to);
    write_history(self, to);
    write_model(self, to);
    if (self->options.describe_rtl != NULL) {
        heading(to, "the RTL's debug registers (read after the difference: running warps have gone on a little)");
        self->options.describe_rtl(self->options.context, to);
    }
}
