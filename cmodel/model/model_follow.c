// A device that follows another implementation: the tandem check (tb/tandem_checker.h) for whoever has events.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "model/model_internal.h"

tandem_model_status tandem_model_follow_begin(tandem_model *model, const tandem_model_follow_options *options) {
    static const tandem_model_follow_options none = {.size = sizeof none};
    if (options == NULL) options = &none;
    if (!MODEL_HAS(options, no_fetches))
        return model_refuse(model, TANDEM_MODEL_INVALID, "size is not sizeof(tandem_model_follow_options)");
    if (model->checker != NULL) return model_refuse(model, TANDEM_MODEL_STATE, "the device follows already");
    const struct tandem_checker_options to = {.model = model->ppu,
                                              .device = options->name,
                                              .replay = options->replay,
                                              .seed = model->seed,
                                              .first_cycle = ppu_following(model->ppu) ? ppu_cycle(model->ppu) : 0,
                                              .quiet_cycles = options->quiet_cycles};
    model->checker = tandem_checker_create(&to);
    if (model->checker == NULL) return model_refuse(model, TANDEM_MODEL_NO_MEMORY, "out of memory");
    ppu_set_trace(model->ppu, NULL, NULL);
    if (!ppu_following(model->ppu)) ppu_follow_from_here(model->ppu);
    if (options->no_fetches != 0) ppu_follow_without_fetches(model->ppu);
    return TANDEM_MODEL_OK;
}

// After a question to the check: what it says.
static tandem_model_status answer(struct tandem_model *model, bool good) {
    const char *failed = tandem_checker_failed(model->checker);
    if (failed != NULL) return model_refuse(model, TANDEM_MODEL_DIFFERS, "%s", failed);
    return good ? TANDEM_MODEL_OK : model_refuse(model, TANDEM_MODEL_INVALID, "not all inside the memory");
}

static tandem_model_status not_following(struct tandem_model *model) {
    return model_refuse(model, TANDEM_MODEL_STATE, "the device does not follow (tandem_model_follow_begin)");
}

tandem_model_status tandem_model_follow(tandem_model *model, const tandem_model_event *event) {
    struct trace_event inside;
    char why[256];
    if (model->checker == NULL) return not_following(model);
    if (!model_event_in(event, &inside, why, sizeof why)) return model_refuse(model, TANDEM_MODEL_INVALID, "%s", why);
    return answer(model, tandem_checker_event(model->checker, &inside));
}

tandem_model_status tandem_model_follow_cycle(tandem_model *model, uint64_t cycle) {
    if (model->checker == NULL) return not_following(model);
    return answer(model, tandem_checker_cycle(model->checker, cycle));
}

tandem_model_status tandem_model_follow_end(tandem_model *model) {
    if (model->checker == NULL) return not_following(model);
    return answer(model, tandem_checker_idle(model->checker));
}

tandem_model_status tandem_model_follow_memory(tandem_model *model, uint64_t address, const void *theirs,
                                               size_t bytes) {
    if (model->checker == NULL) return not_following(model);
    return answer(model, tandem_checker_cpu_read(model->checker, address, theirs, bytes));
}

uint64_t tandem_model_followed(const tandem_model *model) {
    return model->checker != NULL ? tandem_checker_compared(model->checker) : 0;
}

tandem_model_status tandem_model_difference_of(const tandem_model *model, tandem_model_difference *difference) {
    struct tandem_difference inside;
    if (difference == NULL || !MODEL_HAS(difference, model)) return TANDEM_MODEL_INVALID;
    if (model->checker == NULL || tandem_checker_failed(model->checker) == NULL) return TANDEM_MODEL_STATE;
    difference->verdict = tandem_verdict_name(tandem_checker_verdict(model->checker));
    difference->about_event = tandem_checker_difference(model->checker, &inside) ? 1 : 0;
    difference->number = 0;
    difference->field = NULL;
    memset(&difference->theirs, 0, sizeof difference->theirs);
    memset(&difference->model, 0, sizeof difference->model);
    if (difference->about_event == 0) return TANDEM_MODEL_OK;
    difference->number = inside.number;
    model_event_out(&inside.rtl, &difference->theirs);
    if (inside.field < 0) return TANDEM_MODEL_OK;
    difference->field = trace_field_name(inside.rtl.kind, inside.field);
    model_event_out(&inside.model, &difference->model);
    return TANDEM_MODEL_OK;
}

tandem_model_status tandem_model_report(tandem_model *model, const char *path) {
    if (model->checker == NULL || tandem_checker_failed(model->checker) == NULL)
        return model_refuse(model, TANDEM_MODEL_STATE, "no difference has been found");
    FILE *to = fopen(path, "w");
    if (to == NULL) return model_refuse(model, TANDEM_MODEL_FILE, "%.400s: %s", path, strerror(errno));
    tandem_checker_write_report(model->checker, to);
    const bool written = ferror(to) == 0;
    return fclose(to) == 0 && written ? TANDEM_MODEL_OK
                                      : model_refuse(model, TANDEM_MODEL_FILE, "%.400s: cannot be written", path);
}
