// Events as the library's callers see them: words, fields by name.
#include <stdio.h>
#include <string.h>

#include "model/model_internal.h"
#include "trace/trace_file.h"

_Static_assert(TRACE_WORDS_MAX <= TANDEM_MODEL_EVENT_WORDS, "tandem_model_event has room for every event");

uint32_t tandem_model_kind(const char *name) {
    const enum trace_kind kind = name != NULL ? trace_kind_find(name) : TRACE_KIND_COUNT;
    return kind != TRACE_KIND_COUNT ? (uint32_t)kind : TANDEM_MODEL_NO_KIND;
}

const char *tandem_model_kind_name(uint32_t kind) {
    return kind < TRACE_KIND_COUNT ? trace_kind_name((enum trace_kind)kind) : NULL;
}

unsigned tandem_model_field_count(uint32_t kind) {
    return (unsigned)trace_field_count((enum trace_kind)kind);
}

tandem_model_status tandem_model_field_of(uint32_t kind, unsigned number, tandem_model_field *field) {
    if (number >= tandem_model_field_count(kind) || field == NULL || !MODEL_HAS(field, choice))
        return TANDEM_MODEL_INVALID;
    const enum trace_kind of = (enum trace_kind)kind;
    field->name = trace_field_name(of, (int)number);
    field->word = trace_field_word(of, (int)number);
    field->bits = trace_field_width(of, (int)number);
    field->choice = trace_field_choice(of, (int)number) ? 1 : 0;
    return TANDEM_MODEL_OK;
}

// Where a field of at most 64 bits begins, and its bits; 0: there is none.
static unsigned find(const tandem_model_event *event, const char *name, unsigned *word) {
    const enum trace_kind kind = (enum trace_kind)event->kind;
    const int field = name != NULL ? trace_field_find(kind, name) : -1;
    const unsigned bits = trace_field_width(kind, field);
    *word = trace_field_word(kind, field);
    return bits <= 64 ? bits : 0;
}

tandem_model_status tandem_model_event_get(const tandem_model_event *event, const char *field, uint64_t *value) {
    unsigned word;
    const unsigned bits = find(event, field, &word);
    if (bits == 0) return TANDEM_MODEL_INVALID;
    *value = event->words[word] | (bits > 32 ? (uint64_t)event->words[word + 1] << 32 : 0);
    return TANDEM_MODEL_OK;
}

tandem_model_status tandem_model_event_set(tandem_model_event *event, const char *field, uint64_t value) {
    unsigned word;
    const unsigned bits = find(event, field, &word);
    if (bits == 0 || (bits < 64 && value >> bits != 0)) return TANDEM_MODEL_INVALID;
    event->words[word] = (uint32_t)value;
    if (bits > 32) event->words[word + 1] = (uint32_t)(value >> 32);
    return TANDEM_MODEL_OK;
}

bool model_event_in(const tandem_model_event *from, struct trace_event *to, char *why, size_t why_size) {
    if (from->kind >= TRACE_KIND_COUNT) {
        (void)snprintf(why, why_size, "there is no event %u", from->kind);
        return false;
    }
    memset(to, 0, sizeof *to);
    to->kind = (enum trace_kind)from->kind;
    to->sm = from->sm;
    to->cycle = from->cycle;
    if (!trace_kind_per_sm(to->kind) && from->sm != 0) {
        (void)snprintf(why, why_size, "%s is no event of an SM", trace_kind_name(to->kind));
        return false;
    }
    const int wrong = trace_event_unpack(to, from->words);
    if (wrong < 0) return true;
    (void)snprintf(why, why_size, "%s.%s has more than %u bits", trace_kind_name(to->kind),
                   trace_field_name(to->kind, wrong), trace_field_width(to->kind, wrong));
    return false;
}

void model_event_out(const struct trace_event *from, tandem_model_event *to) {
    memset(to, 0, sizeof *to);
    to->kind = (uint32_t)from->kind;
    to->sm = from->sm;
    to->cycle = from->cycle;
    trace_event_pack(from, to->words);
}

size_t tandem_model_event_print(const tandem_model_event *event, char *to, size_t bytes) {
    struct trace_event inside;
    char why[128];
    if (model_event_in(event, &inside, why, sizeof why)) return trace_event_print(&inside, to, bytes);
    const int length = snprintf(to, bytes, "no event: %s", why);
    return length > 0 ? (size_t)length : 0;
}

tandem_model_status tandem_model_event_parse(const char *line, tandem_model_event *event, char *message,
                                             size_t message_size) {
    struct trace_event inside;
    char why[256];
    if (message != NULL && message_size != 0) message[0] = '\0';
    if (!trace_event_parse(line, &inside, why, sizeof why)) {
        if (message != NULL) (void)snprintf(message, message_size, "%s", why);
        return TANDEM_MODEL_INVALID;
    }
    model_event_out(&inside, event);
    return TANDEM_MODEL_OK;
}
