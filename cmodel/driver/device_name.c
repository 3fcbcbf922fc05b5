// Device names: BACKEND:[CONFIG][,key=value]...
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/device_name.h"

static const struct backend_ops *const backends[] = {&backend_model, &backend_rtl, &backend_tandem};

static bool parse_number(const char *text, uint64_t most, uint64_t *value) {
    char *end = NULL;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 0);
    if (*text == '\0' || *text == '-' || *end != '\0' || errno != 0 || number > most) return false;
    *value = number;
    return true;
}

// ADDRESS+BYTES
static bool parse_range(const char *key, char *value, struct backend_options *options, char *message,
                        size_t message_size) {
    char *plus = strchr(value, '+');
    if (plus != NULL) *plus = '\0';
    if (plus != NULL && parse_number(value, UINT32_MAX, &options->error_base) &&
        parse_number(plus + 1, UINT32_MAX, &options->error_size))
        return true;
    if (plus != NULL) *plus = '+';
    snprintf(message, message_size, "device option %s=%s: write ADDRESS+BYTES, both of 32 bits", key, value);
    return false;
}

static bool parse_option(const char *key, char *value, struct backend_options *options, char *message,
                         size_t message_size) {
    const struct {
        const char *key;
        uint64_t most;
    } numbers[] = {
        {"seed", UINT64_MAX},  {"mem", 4095},     {"latency", 10000},     {"inject", 255},
        {"inject_model", 255}, {"link", 1000000}, {"link_rate", 1000000},
    };
    const struct {
        const char *key;
        char *to;
    } texts[] = {{"wave", options->wave}, {"trace", options->trace}, {"timeline", options->timeline}};

    if (strcmp(key, "bus_error") == 0) return parse_range(key, value, options, message, message_size);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (strcmp(key, texts[i].key) != 0) continue;
        if (*value == '\0' || strlen(value) >= sizeof options->wave) {
            snprintf(message, message_size, "device option %s: needs a file name of at most %zu characters", key,
                     sizeof options->wave - 1);
            return false;
        }
        strcpy(texts[i].to, value);
        return true;
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (strcmp(key, numbers[i].key) != 0) continue;
        uint64_t number = 0;
        if (!parse_number(value, numbers[i].most, &number) || ((i == 1 || i == 6) && number < 2)) {
            snprintf(message, message_size, "device option %s=%s: not a number from %d to %llu", key, value,
                     i == 1 || i == 6 ? 2 : 0, (unsigned long long)numbers[i].most);
            return false;
        }
        switch (i) {
            case 0: options->seed = number; break;
            case 1: options->mem_bytes = (size_t)number << 20; break;
            case 2: options->latency = (uint32_t)number; break;
            case 3: options->inject = (uint32_t)number; break;
            case 4: options->inject_model = (uint32_t)number; break;
            case 5: options->link_ns = (uint32_t)number; break;
            default: options->link_rate = (uint32_t)number; break;
        }
        return true;
    }
    snprintf(message, message_size,
             "device option %s: unknown; known are seed, mem, latency, link, link_rate, wave, trace, timeline, "
             "bus_error, inject, inject_model",
             key);
    return false;
}

bool device_name_parse(const char *name, const struct backend_ops **ops, struct backend_options *options, char *message,
                       size_t message_size) {
    *options = (struct backend_options){.seed = 1, .link_rate = 2000, .mem_bytes = 64u << 20, .config_name = "small"};
    *ops = NULL;
    const char *colon = strchr(name, ':');
    size_t length = colon != NULL ? (size_t)(colon - name) : strlen(name);
    for (size_t i = 0; i < sizeof backends / sizeof backends[0]; i++) {
        if (strlen(backends[i]->name) == length && strncmp(name, backends[i]->name, length) == 0) *ops = backends[i];
    }
    if (*ops == NULL || colon == NULL) {
        snprintf(message, message_size, "device \"%s\": no such kind of device; write model:, rtl: or tandem:", name);
        return false;
    }
    if (strlen(name) >= sizeof options->replay) {
        snprintf(message, message_size, "device name: longer than %zu characters", sizeof options->replay - 1);
        return false;
    }
    strcpy(options->replay, name);

    char rest[sizeof options->replay];
    strcpy(rest, colon + 1);
    char *save = NULL;
    for (char *part = strtok_r(rest, ",", &save); part != NULL; part = strtok_r(NULL, ",", &save)) {
        char *equals = strchr(part, '=');
        if (equals != NULL) {
            *equals = '\0';
            if (!parse_option(part, equals + 1, options, message, message_size)) return false;
        } else if (strlen(part) < sizeof options->config_name) {
            strcpy(options->config_name, part);
        } else {
            snprintf(message, message_size, "device \"%s\": no configuration \"%s\"", name, part);
            return false;
        }
    }
    // A configuration built with the deliberate defects goes by the name of the one it is made from.
    char base[sizeof options->config_name];
    strcpy(base, options->config_name);
    char *suffix = strstr(base, "_inject");
    if (suffix != NULL) *suffix = '\0';
    options->config = ppu_config_find(base);
    if (options->config == NULL) {
        snprintf(message, message_size, "device \"%s\": no configuration \"%s\"; known are nano, small, full", name,
                 options->config_name);
        return false;
    }
    return true;
}
