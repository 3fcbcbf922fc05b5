// Where a device differs from the model.
#include "backend/signature_search.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/bundles.h"
#include "gen/registers.h"
#include "isa/disassembler.h"
#include "sm/signature.h"

#define NOWHERE SIZE_MAX

bool signature_ask(struct signed_device *device, const struct journal *journal, size_t begin, size_t end,
                   const struct signed_choice *choice, struct reference_log *log, struct signatures *to) {
    if (device->backend != NULL) (void)signed_device_close(device);
    if (!signed_device_open(device)) return false;
    if (begin == 0) signed_device_choose(device, choice);
    if (!signed_device_play(device, journal, 0, begin)) return false;
    if (begin != 0) signed_device_choose(device, choice);
    if (log != NULL) log->listening = true;
    if (!signed_device_play(device, journal, begin, end)) return false;
    signed_device_read(device, choice, to);
    return true;
}

// ---- questions
struct asker {
    struct signature_search *search;
    struct signed_choice of_model;  // the last question, and what the model has said to it
    bool lost;                      // a run has failed
};

static bool ask_model(struct asker *asker, const struct signed_choice *choice, struct reference_log *log,
                      struct signatures *to) {
    struct signed_device model;
    reference_make(&model, asker->search->model, log);
    const bool good =
        signature_ask(&model, asker->search->journal, asker->search->begin, asker->search->end, choice, log, to);
    if (!good) snprintf(asker->search->line, sizeof asker->search->line, "the model: %.300s", model.why);
    (void)signed_device_close(&model);
    asker->lost |= !good;
    return good;
}

static bool ask_device(struct asker *asker, const struct signed_choice *choice, struct signatures *to) {
    struct signature_search *search = asker->search;
    search->runs++;
    const bool good = signature_ask(search->device, search->journal, search->begin, search->end, choice, NULL, to);
    if (!good) snprintf(search->line, sizeof search->line, "the device, run again: %.300s", search->device->why);
    asker->lost |= !good;
    return good;
}

static bool differs(struct asker *asker, const struct signed_choice *choice) {
    struct signatures device, model;
    if (asker->lost || !ask_model(asker, choice, NULL, &model) || !ask_device(asker, choice, &device)) return false;
    return device.sum != model.sum || device.count != model.count;
}

// ---- the warp: the first that differs, in the order in which the model has started them
static size_t find_warp(struct asker *asker, const size_t *warps, size_t count, uint32_t name, uint32_t mask,
                        const struct reference_log *log) {
    if (asker->lost || count == 0) return NOWHERE;
    uint32_t bit = 0;
    for (uint32_t b = 0; b < 32 && bit == 0; b++) {
        for (size_t i = 1; i < count && bit == 0; i++) {
            if (((log->warps[warps[i]].name ^ log->warps[warps[0]].name) >> b & 1u) != 0) bit = 1u << b;
        }
    }
    if (bit == 0) return warps[0];  // one name
    size_t *half[2], halves[2] = {0, 0};
    half[0] = calloc(2 * count, sizeof *half[0]);
    if (half[0] == NULL) return warps[0];
    half[1] = half[0] + count;
    const uint32_t first = log->warps[warps[0]].name & bit;
    for (size_t i = 0; i < count; i++) {
        const int side = (log->warps[warps[i]].name & bit) != first;
        half[side][halves[side]++] = warps[i];
    }
    struct signed_choice choice = signed_everything;
    size_t found = NOWHERE;
    for (unsigned side = 0; side < 2; side++) {
        // Of the second half only what comes before what has been found is asked for.
        if (found != NOWHERE && half[1][0] > found) break;
        choice.name_mask = mask | bit;
        choice.name = name | (side == 0 ? first : first ^ bit);
        if (!differs(asker, &choice)) continue;
        const size_t here = find_warp(asker, half[side], halves[side], choice.name, choice.name_mask, log);
        if (here < found) found = here;
    }
    free(half[0]);
    return found;
}

// ---- the instruction
struct warp_search {
    struct asker *asker;
    const struct reference_log *log;
    const struct reference_warp *warp;
    uint32_t lanes;
    size_t *instr;  // of each event, the number of its instruction in the warp
    size_t instrs;
};

// An event, as the last of those that a choice counts.
struct found {
    size_t instr;  // number of its instruction; NOWHERE: nothing differs
    struct signed_choice choice;
    uint32_t before, with;  // how many count before the instruction, and with it
};

static struct signed_choice choice_of(const struct warp_search *self, uint32_t kinds, uint32_t place) {
    return (struct signed_choice){
        .kinds = kinds, .name = self->warp->name, .name_mask = UINT32_MAX, .place = place, .limit = UINT32_MAX};
}

// Does the event count, and with which word?
static bool counts(const struct warp_search *self, const struct signed_choice *choice, const struct trace_event *event,
                   uint32_t *word) {
    struct signature signature;
    signature_init(&signature, self->lanes);
    signature.kinds = choice->kinds;
    signature.place = choice->place;
    return signature_word(&signature, event, self->warp->name, word);
}

// How many events count of the instructions before number `instr`.
static uint32_t counted(const struct warp_search *self, const struct signed_choice *choice, size_t instr) {
    uint32_t count = 0, word;
    for (size_t i = 0; i < self->log->event_count; i++)
        count += self->instr[i] < instr && counts(self, choice, &self->log->events[i], &word);
    return count;
}

static bool prefix_differs(const struct warp_search *self, const struct signed_choice *choice, size_t instr) {
    struct signed_choice limited = *choice;
    limited.limit = counted(self, choice, instr);
    return limited.limit != 0 && differs(self->asker, &limited);
}

// The first instruction below `bound` with which the events of the choice differ; found->instr stays where there is none. Where all that both sides
// have in common is alike, and one has more, it is the one behind.
static void find_instr(const struct warp_search *self, struct signed_choice choice, size_t bound, struct found *found) {
    size_t low = 0, high = bound < self->instrs ? bound : self->instrs;
    if (!prefix_differs(self, &choice, high)) {
        if (bound <= self->instrs || !differs(self->asker, &choice)) return;
        *found = (struct found){.instr = self->instrs, .choice = choice};
        return;
    }
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (prefix_differs(self, &choice, middle))
            high = middle;
        else
            low = middle;
    }
    if (self->asker->lost) return;
    *found = (struct found){.instr = high - 1,
                            .choice = choice,
                            .before = counted(self, &choice, high - 1),
                            .with = counted(self, &choice, high)};
}

static const uint32_t instr_kinds = REG_SIGNATURE_KINDS_INSTR(1u) | REG_SIGNATURE_KINDS_PC(1u) |
                                    REG_SIGNATURE_KINDS_ACTIVE(1u) | REG_SIGNATURE_KINDS_EXEC(1u);

static void find_event(const struct warp_search *self, struct found *found) {
    bool seen[256] = {false};
    found->instr = NOWHERE;
    find_instr(self, choice_of(self, instr_kinds, 0), self->instrs + 1, found);
    // Of each register only what comes before what has been found is asked for.
    for (size_t i = 0; i < self->log->event_count; i++) {
        const struct trace_event *event = &self->log->events[i];
        if (event->kind != TRACE_WB || seen[event->wb.rd & 0xFF]) continue;
        seen[event->wb.rd & 0xFF] = true;
        const uint32_t place = REG_SIGNATURE_PLACE_REGISTER(event->wb.rd) | REG_SIGNATURE_PLACE_REGISTER_MASK(0xFFu);
        find_instr(self, choice_of(self, REG_SIGNATURE_KINDS_RESULT(1u), place), found->instr, found);
    }
    find_instr(self, choice_of(self, REG_SIGNATURE_KINDS_STORE(1u), 0), found->instr, found);
}

// ---- what it is
__attribute__((format(printf, 3, 4))) static void say(char *to, size_t size, const char *format, ...) {
    const size_t used = strlen(to);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(to + used, size - used, format, arguments);
    va_end(arguments);
}

static uint32_t turned_right(uint32_t x, unsigned by) {
    by %= 32;
    return by == 0 ? x : x >> by | x << (32 - by);
}

// The word that the device has for the events of the choice between `before` and `with`, which is one; keys included. False: it has none, or more.
static bool device_word(const struct warp_search *self, struct signed_choice choice, uint32_t *word) {
    struct signatures before = {0}, with;
    const uint32_t kinds = choice.kinds | REG_SIGNATURE_KINDS_RAW(1u);
    choice.kinds = kinds;
    choice.limit--;
    if (choice.limit != 0 && !ask_device(self->asker, &choice, &before)) return false;
    choice.limit++;
    if (!ask_device(self->asker, &choice, &with) || with.count != before.count + 1) return false;
    *word = with.sum - before.sum;
    return true;
}

// Which thread of the instruction's, and both values.
static void describe_result(const struct warp_search *self, const struct found *found) {
    struct signature_search *search = self->asker->search;
    uint32_t place = found->choice.place;
    // Bit by bit, the threads that differ.
    for (uint32_t bit = 0x20; bit != 0; bit >>= 1) {
        struct signed_choice choice = found->choice;
        choice.place = place | REG_SIGNATURE_PLACE_THREAD_MASK(bit);
        choice.limit = counted(self, &choice, found->instr + 1);
        const bool low = choice.limit != 0 && differs(self->asker, &choice);
        place |= REG_SIGNATURE_PLACE_THREAD_MASK(bit) | REG_SIGNATURE_PLACE_THREAD(low ? 0u : bit);
    }
    const uint32_t thread = REG_SIGNATURE_PLACE_THREAD_OF(place), rd = REG_SIGNATURE_PLACE_REGISTER_OF(place);
    struct signed_choice one = found->choice;
    one.place = place;
    one.limit = counted(self, &one, found->instr + 1);
    for (size_t i = 0; i < self->log->event_count; i++) {
        const struct trace_event *event = &self->log->events[i];
        uint32_t model, device;
        if (self->instr[i] != found->instr || !counts(self, &one, event, &model)) continue;
        const uint32_t lane = thread % self->lanes, value = event->wb.data[lane];
        if (device_word(self, one, &device)) {
            const uint32_t has = turned_right(device ^ model, 5 * lane) ^ value;
            say(search->line, sizeof search->line, "R%u of thread %u is 0x%08x, model 0x%08x", rd, thread, has, value);
        } else {
            say(search->line, sizeof search->line, "R%u of thread %u differs, model 0x%08x", rd, thread, value);
        }
        return;
    }
    say(search->line, sizeof search->line, "R%u is written for other threads", rd);
}

static void describe_instr(const struct warp_search *self, const struct found *found, const struct trace_instr *e) {
    struct signature_search *search = self->asker->search;
    static const struct {
        const char *name;
        uint32_t kind, turned;
    } parts[] = {{"pc", REG_SIGNATURE_KINDS_PC(1u), 0},
                 {"active", REG_SIGNATURE_KINDS_ACTIVE(1u), 9},
                 {"exec", REG_SIGNATURE_KINDS_EXEC(1u), 19}};
    const uint64_t values[] = {e->pc, e->active, e->exec};
    bool any = false;
    for (unsigned p = 0; p < 3; p++) {
        struct signed_choice choice = found->choice;
        uint32_t device, model;
        const struct trace_event event = {.kind = TRACE_INSTR, .instr = *e};
        choice.kinds = REG_SIGNATURE_KINDS_INSTR(1u) | parts[p].kind;
        choice.limit = found->with;
        (void)counts(self, &choice, &event, &model);
        if (!device_word(self, choice, &device) || device == model) continue;
        say(search->line, sizeof search->line, "%s%s is 0x%" PRIx64 ", model 0x%" PRIx64, any ? ", " : "",
            parts[p].name, (values[p] & 0xFFFFFFFFu) ^ turned_right(device ^ model, parts[p].turned), values[p]);
        any = true;
    }
    if (!any) say(search->line, sizeof search->line, "it is issued with another pc or mask");
}

static const struct trace_instr *instruction(const struct warp_search *self, size_t number) {
    for (size_t i = 0; i < self->log->event_count; i++) {
        if (self->log->events[i].kind == TRACE_INSTR && self->instr[i] == number) return &self->log->events[i].instr;
    }
    return NULL;
}

static void describe(const struct warp_search *self, const struct found *found) {
    struct signature_search *search = self->asker->search;
    const struct reference_warp *w = self->warp;
    const bool past = found->instr >= self->instrs;
    const struct trace_instr *e = instruction(self, past ? self->instrs - 1 : found->instr);
    char text[DISASSEMBLY_MAX];
    disassemble_instruction(e->word, text);
    snprintf(search->line, sizeof search->line, "SM %u warp %u pc 0x%x %s: ", w->sm, w->warp, e->pc, text);
    if (past)
        say(search->line, sizeof search->line, "the device goes on after the warp's last instruction");
    else if ((found->choice.kinds & REG_SIGNATURE_KINDS_INSTR(1u)) != 0)
        describe_instr(self, found, e);
    else if ((found->choice.kinds & REG_SIGNATURE_KINDS_RESULT(1u)) != 0)
        describe_result(self, found);
    else
        say(search->line, sizeof search->line, "the request differs in line, bytes or data");
    snprintf(
        search->text, sizeof search->text,
        "  task    TMD 0x%08x\n  CTA     %u, %u, %u\n  warp    %u of the CTA; on the model SM %u warp %u (a device may "
        "choose others)\n  number  %zu of the %zu instructions of the warp\n  pc      0x%x\n  word    0x%016" PRIx64
        "  %s\n  active  0x%016" PRIx64 "\n  exec    0x%016" PRIx64 "\n",
        w->tmd, w->cta[0], w->cta[1], w->cta[2], w->index, w->sm, w->warp, found->instr, self->instrs, e->pc, e->word,
        text, e->active, e->exec);
}

static bool search_warp(struct asker *asker, struct reference_log *log, const struct reference_warp *warp) {
    struct signatures unused;
    struct warp_search self = {.asker = asker, .log = log, .warp = warp, .lanes = asker->search->model->config->lanes};
    struct found found;
    log->wants = true;
    log->wanted = warp->name;
    log->warp_count = 0;
    if (!ask_model(asker, &signed_everything, log, &unused)) return false;
    self.instr = calloc(log->event_count + 1, sizeof *self.instr);
    if (self.instr == NULL || log->failed || log->event_count == 0) {
        snprintf(asker->search->line, sizeof asker->search->line,
                 self.instr == NULL || log->failed ? "the host has no memory for what the warp does"
                                                   : "a warp has issued instructions that on the model issues none");
        free(self.instr);
        return false;
    }
    for (size_t i = 0; i < log->event_count; i++) {
        self.instrs += log->events[i].kind == TRACE_INSTR;
        self.instr[i] = self.instrs - 1;
    }
    find_event(&self, &found);
    const bool good = found.instr != NOWHERE && !asker->lost;
    if (good) describe(&self, &found);
    free(self.instr);
    return good && !asker->lost;
}

bool signature_search(struct signature_search *search) {
    struct asker asker = {.search = search};
    struct reference_log log = {0};
    struct signatures unused;
    bool good = ask_model(&asker, &signed_everything, &log, &unused);
    size_t *warps = good ? calloc(log.warp_count + 1, sizeof *warps) : NULL;
    if (good && (warps == NULL || log.failed)) {
        snprintf(search->line, sizeof search->line, "the host has no memory for the list of warps");
        good = false;
    }
    if (good) {
        size_t found = NOWHERE;
        for (size_t i = 0; i < log.warp_count; i++)
            warps[i] = i;
        if (log.warp_count != 0) found = find_warp(&asker, warps, log.warp_count, 0, 0, &log);
        if (found != NOWHERE) {
            const struct reference_warp warp = log.warps[found];
            good = search_warp(&asker, &log, &warp);
        } else {
            good = false;
        }
        if (!good && search->line[0] == '\0')
            snprintf(search->line, sizeof search->line,
                     found == NOWHERE ? "the device has run warps that the model has not"
                                      : "run again, the device is like the model: it does not do the same each time");
    }
    free(warps);
    reference_log_free(&log);
    return good;
}
