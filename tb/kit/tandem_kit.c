// DPI functions of tandem_kit_pkg.sv, on libtandem-model alone. No header of a simulator is needed: a bit vector comes as
// words of 32 bits, the lowest first, as events have them.
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <tandem_model.h>

static int wrong(tandem_model_status status) {
    return status == TANDEM_MODEL_OK ? 0 : 1;
}

void *tandem_kit_device(const char *configuration, int mebibytes, int no_fetches) {
    const tandem_model_options options = {
        .size = sizeof options, .config = configuration, .memory_bytes = (uint64_t)(uint32_t)mebibytes << 20};
    const tandem_model_follow_options follow = {.size = sizeof follow, .no_fetches = no_fetches != 0};
    tandem_model *model;
    if (tandem_model_create(&options, &model, NULL, 0) != TANDEM_MODEL_OK) return NULL;
    if (tandem_model_follow_begin(model, &follow) == TANDEM_MODEL_OK) return model;
    tandem_model_destroy(model);
    return NULL;
}

void tandem_kit_device_end(void *device) {
    tandem_model_destroy(device);
}

int tandem_kit_property(void *device, const char *name) {
    uint64_t value;
    return tandem_model_property(device, name, &value) == TANDEM_MODEL_OK && value <= INT_MAX ? (int)value : -1;
}

int tandem_kit_write(void *device, long long address, int word) {
    const uint32_t value = (uint32_t)word;
    return wrong(tandem_model_memory_write(device, (uint64_t)address, &value, sizeof value));
}

int tandem_kit_memory(void *device, long long address, int word) {
    return wrong(tandem_model_follow_memory(device, (uint64_t)address, &word, sizeof word));
}

int tandem_kit_interrupt(void *device) {
    return tandem_model_interrupt(device);
}

int tandem_kit_event(void *device, int kind, int sm, long long cycle, const uint32_t *words) {
    tandem_model_event event = {.kind = (uint32_t)kind, .sm = (uint32_t)sm, .cycle = (uint64_t)cycle};
    memcpy(event.words, words, sizeof event.words);
    return wrong(tandem_model_follow(device, &event));
}

int tandem_kit_cycle(void *device, long long cycle) {
    return wrong(tandem_model_follow_cycle(device, (uint64_t)cycle));
}

int tandem_kit_told(void *device) {
    return wrong(tandem_model_follow_end(device));
}

const char *tandem_kit_message(void *device) {
    return tandem_model_message(device);
}

void *tandem_kit_deque(int threads, int entries) {
    tandem_model_deque *deque;
    return tandem_model_deque_create((uint32_t)threads, (uint32_t)entries, &deque) == TANDEM_MODEL_OK ? deque : NULL;
}

void tandem_kit_deque_end(void *deque) {
    tandem_model_deque_destroy(deque);
}

int tandem_kit_deque_front(void *deque, long long *low, long long *high) {
    uint64_t a, b;
    const int none = wrong(tandem_model_deque_front(deque, &a, &b));
    *low = (long long)a;
    *high = (long long)b;
    return none;
}

int tandem_kit_deque_do(void *deque, int op, int kind, long long mask, int address, int *full, int *moved_op,
                        long long *low, long long *high) {
    tandem_model_move move = {.size = sizeof move};
    const int impossible =
        wrong(tandem_model_deque_do(deque, (uint32_t)op, (uint32_t)kind, (uint64_t)mask, (uint32_t)address, &move));
    *full = (int)move.full;
    *moved_op = (int)move.op;
    *low = (long long)move.low;
    *high = (long long)move.high;
    return impossible;
}
