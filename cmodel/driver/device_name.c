// Device names: BACKEND:[CONFIG][,key=value]..., of boards uart:PORT[,baud=N] and etherbone:HOST[:PORT], of two that are compared
// tandem-board:NAME. systemc: has the platform's keys besides. Each key at most once; numbers are decimal, or hexadecimal behind 0x.
#include <stdio.h>
#include <string.h>

#include "backend/recorded.h"
#include "driver/deque.h"
#include "driver/device_name.h"
#include "driver/recompile.h"

static const struct backend_ops *const backends[] = {&backend_model,  &backend_rtl,       &backend_tandem,
                                                     &backend_uart,   &backend_etherbone, &backend_tandem_board,
                                                     &backend_systemc};

// What is being read, and where it says what is wrong.
struct name {
    const char *text;  // the whole name
    struct backend_options *options;
    uint32_t given;  // keys so far: bits
    char *message;
    size_t message_size;
};

#define FAIL(name, ...) (snprintf((name)->message, (name)->message_size, __VA_ARGS__), false)

enum key {
    SEED,
    MEM,
    SPACE,
    TOKENS,
    LATENCY,
    LINK,
    LINK_RATE,
    INJECT,
    INJECT_MODEL,
    NATIVE,
    BAUD,
    QUANTUM,
    LINK_ERRORS,
    LINK_CREDITS,
    LINK_TAGS,
    EVERY,
    NUMBERS,
    WAVE = NUMBERS,
    TRACE,
    TIMELINE,
    CHECKPOINT,
    BUS_ERROR,
    AGAIN,
    PUT,
    CORE
};
static const struct {
    const char *text;
    uint64_t least, most;  // of numbers
} keys[] = {
    [SEED] = {"seed", 0, UINT64_MAX},
    [MEM] = {"mem", 2, 4095},
    [SPACE] = {"space", 0, 4095},
    [TOKENS] = {"tokens", 1, 65536},
    [LATENCY] = {"latency", 0, 10000},
    [LINK] = {"link", 0, 1000000},
    [LINK_RATE] = {"link_rate", 2, 1000000},
    [INJECT] = {"inject", 0, 255},
    [INJECT_MODEL] = {"inject_model", 0, 255},
    [NATIVE] = {"native", 0, 1},
    [EVERY] = {"checkpoint_every", 1000, UINT64_MAX},
    [WAVE] = {"wave", 0, 0},
    [TRACE] = {"trace", 0, 0},
    [TIMELINE] = {"timeline", 0, 0},
    [CHECKPOINT] = {"checkpoint", 0, 0},
    [BUS_ERROR] = {"bus_error", 0, 0},
    [AGAIN] = {"again", 0, 0},
    [PUT] = {"put", 0, 0},
    [BAUD] = {"baud", 9600, 4000000},
    [QUANTUM] = {"quantum", 1, 1000000},
    [LINK_ERRORS] = {"link_errors", 0, 500000},
    [LINK_CREDITS] = {"link_credits", 1, 64},
    [LINK_TAGS] = {"link_tags", 1, 32},
    [CORE] = {"core", 0, 0},
};
#define KEYS (sizeof keys / sizeof keys[0])

// Digits and nothing else; a zero in front would be octal to some and decimal to others.
static bool parse_number(const char *text, uint64_t least, uint64_t most, uint64_t *value) {
    const bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const uint64_t base = hexadecimal ? 16 : 10;
    uint64_t number = 0;
    if (!hexadecimal && text[0] == '0' && text[1] != '\0') return false;
    if (hexadecimal) text += 2;
    if (*text == '\0') return false;
    for (; *text != '\0'; text++) {
        const uint64_t digit = *text >= '0' && *text <= '9'   ? (uint64_t)(*text - '0')
                               : *text >= 'a' && *text <= 'f' ? (uint64_t)(*text - 'a' + 10)
                               : *text >= 'A' && *text <= 'F' ? (uint64_t)(*text - 'A' + 10)
                                                              : 16;
        if (digit >= base || number > (UINT64_MAX - digit) / base) return false;
        number = number * base + digit;
    }
    *value = number;
    return number >= least && number <= most;
}

static bool parse_again(struct name *name, const char *value) {
    static const char *const words[] = {
        [TANDEM_RECOMPILE_AUTO] = "auto", [TANDEM_RECOMPILE_ALWAYS] = "always", [TANDEM_RECOMPILE_NEVER] = "never"};
    for (uint32_t k = 0; k < sizeof words / sizeof *words; k++) {
        if (strcmp(value, words[k]) != 0) continue;
        name->options->again = k;
        return true;
    }
    return FAIL(name, "device option again=%s: write auto, always or never", value);
}

// ADDRESS+BYTES
static bool parse_range(struct name *name, char *value) {
    char *plus = strchr(value, '+');
    if (plus != NULL) *plus = '\0';
    if (plus != NULL && parse_number(value, 0, UINT32_MAX, &name->options->error_base) &&
        parse_number(plus + 1, 1, UINT32_MAX, &name->options->error_size))
        return true;
    if (plus != NULL) *plus = '+';
    return FAIL(name, "device option bus_error=%s: write ADDRESS+BYTES, both of 32 bits, at least one byte", value);
}

static bool parse_text(struct name *name, const char *key, const char *value, char *to) {
    if (*value == '\0' || strlen(value) >= sizeof name->options->wave)
        return FAIL(name, "device option %s: needs a file name of at most %zu characters", key,
                    sizeof name->options->wave - 1);
    strcpy(to, value);
    return true;
}

static bool parse_put(struct name *name, const char *value) {
    name->options->put_software = strcmp(value, "software") == 0;
    if (name->options->put_software || strcmp(value, "hardware") == 0) return true;
    return FAIL(name, "device option put=%s: write hardware or software", value);
}

static bool parse_core(struct name *name, const char *value) {
    static const struct backend_ops *const cores[] = {&backend_model, &backend_rtl, &backend_tandem};
    for (size_t i = 0; i < sizeof cores / sizeof *cores; i++) {
        if (strcmp(value, cores[i]->name) != 0) continue;
        name->options->platform.core = cores[i];
        return true;
    }
    return FAIL(name, "device option core=%s: write model, rtl or tandem", value);
}

static bool parse_value(struct name *name, enum key key, char *value) {
    struct backend_options *options = name->options;
    uint64_t number = 0;
    if (key < NUMBERS && !parse_number(value, keys[key].least, keys[key].most, &number))
        return FAIL(name,
                    "device option %s=%s: not a number from %llu to %llu (decimal without zeros in front, or "
                    "hexadecimal behind 0x)",
                    keys[key].text, value, (unsigned long long)keys[key].least, (unsigned long long)keys[key].most);
    switch (key) {
        case SEED: options->seed = number; return true;
        case MEM: options->mem_bytes = (size_t)number << 20; return true;
        case SPACE: options->space_bytes = (size_t)number << 20; return true;
        case TOKENS: options->tokens = (uint32_t)number; return true;
        case LATENCY: options->latency = (uint32_t)number; return true;
        case LINK: options->link_ns = (uint32_t)number; return true;
        case LINK_RATE: options->link_rate = (uint32_t)number; return true;
        case INJECT: options->inject = (uint32_t)number; return true;
        case INJECT_MODEL: options->inject_model = (uint32_t)number; return true;
        case NATIVE: options->slow = number == 0; return true;
        case BAUD: options->baud = (uint32_t)number; return true;
        case EVERY: options->checkpoint_every = number; return true;
        case WAVE: return parse_text(name, "wave", value, options->wave);
        case TRACE: return parse_text(name, "trace", value, options->trace);
        case TIMELINE: return parse_text(name, "timeline", value, options->timeline);
        case CHECKPOINT: return parse_text(name, "checkpoint", value, options->checkpoint);
        case BUS_ERROR: return parse_range(name, value);
        case AGAIN: return parse_again(name, value);
        case PUT: return parse_put(name, value);
        case CORE: return parse_core(name, value);
        case QUANTUM: options->platform.quantum = (uint32_t)number; return true;
        case LINK_ERRORS: options->platform.link_errors = (uint32_t)number; return true;
        case LINK_CREDITS: options->platform.link_credits = (uint32_t)number; return true;
        case LINK_TAGS: options->platform.link_tags = (uint32_t)number; return true;
    }
    return false;
}

static bool parse_option(struct name *name, char *part) {
    char *equals = strchr(part, '=');
    if (equals == NULL)
        return FAIL(name, "device \"%s\": \"%s\" is no KEY=VALUE; one configuration may stand, before the options",
                    name->text, part);
    *equals = '\0';
    for (uint32_t key = 0; key < KEYS; key++) {
        if (strcmp(part, keys[key].text) != 0) continue;
        if ((name->given >> key & 1) != 0) return FAIL(name, "device \"%s\": %s stands there twice", name->text, part);
        name->given |= 1u << key;
        return parse_value(name, (enum key)key, equals + 1);
    }
    return FAIL(name,
                "device option \"%s\": unknown; known are seed, mem, space, tokens, latency, link, link_rate, wave, "
                "trace, timeline, checkpoint, checkpoint_every, "
                "bus_error, again, put, inject, inject_model, native, baud, core, "
                "quantum, link_errors, link_credits, link_tags",
                part);
}

// uart: takes a rate, and boards take little else: what they are is their own.
static bool parse_place(struct name *name, const char *backend, char *rest) {
    char *options = strchr(rest, ',');
    if (options != NULL) *options++ = '\0';
    if (*rest == '\0' || strlen(rest) >= sizeof name->options->place)
        return FAIL(name, "device \"%s\": write %s", name->text,
                    strcmp(backend, "uart") == 0 ? "uart:PORT, as in uart:/dev/ttyUSB0"
                                                 : "etherbone:HOST or etherbone:HOST:PORT");
    strcpy(name->options->place, rest);
    for (char *next; options != NULL; options = next) {
        next = strchr(options, ',');
        if (next != NULL) *next++ = '\0';
        if (!parse_option(name, options)) return false;
    }
    const uint32_t allowed = 1u << TOKENS | 1u << AGAIN | 1u << PUT | (strcmp(backend, "uart") == 0 ? 1u << BAUD : 0);
    for (uint32_t key = 0; key < KEYS; key++) {
        if ((name->given & ~allowed) >> key & 1)
            return FAIL(name, "device \"%s\": a device %s: has no option %s", name->text, backend, keys[key].text);
    }
    return true;
}

// What only a platform has, and what of it only the model takes.
static bool check_platform(struct name *name, bool platform) {
    const uint32_t keys_of = 1u << CORE | 1u << QUANTUM | 1u << LINK_ERRORS | 1u << LINK_CREDITS | 1u << LINK_TAGS;
    for (uint32_t key = 0; key < KEYS && !platform; key++) {
        if ((name->given & keys_of) >> key & 1)
            return FAIL(name, "device \"%s\": only systemc: has an option %s", name->text, keys[key].text);
    }
    if (platform && (name->given >> QUANTUM & 1) != 0 && name->options->platform.core != &backend_model)
        return FAIL(name, "device \"%s\": quantum is the model's; core=%s goes cycle by cycle", name->text,
                    name->options->platform.core->name);
    return true;
}

static bool parse_config(struct name *name, const char *part) {
    if (strlen(part) >= sizeof name->options->config_name)
        return FAIL(name, "device \"%s\": no configuration \"%s\"; known are " PPU_CONFIG_LIST, name->text, part);
    strcpy(name->options->config_name, part);
    return true;
}

// The kind that writes checkpoints, when a file for them is given.
static bool choose_recorded(struct name *name, const struct backend_ops **ops) {
    struct backend_options *options = name->options;
    if ((name->given >> EVERY & 1) != 0 && options->checkpoint[0] == '\0')
        return FAIL(name, "device \"%s\": checkpoint_every needs checkpoint=FILE", name->text);
    if (options->checkpoint[0] == '\0') return true;
    options->recorded = *ops;
    *ops = recorded_ops(*ops);
    if (*ops == NULL) return FAIL(name, "device \"%s\": only model:, rtl: and tandem: write checkpoints", name->text);
    return true;
}

// All behind the colon: a configuration or nothing, then options.
static bool parse_rest(struct name *name, char *rest) {
    bool first = true;
    for (char *part = rest, *next; part != NULL; part = next, first = false) {
        next = strchr(part, ',');
        if (next != NULL) *next++ = '\0';
        if (first && strchr(part, '=') == NULL) {
            if (*part != '\0' && !parse_config(name, part)) return false;
        } else if (!parse_option(name, part)) {
            return false;
        }
    }
    return true;
}

// tandem-board:NAME, where NAME is the device that is compared with the model.
static bool parse_leader(const char *text, const char *inner, const struct backend_ops **ops,
                         struct backend_options *options, char *message, size_t message_size) {
    if (!device_name_parse(inner, ops, options, message, message_size)) return false;
    if (options->recorded != NULL) {
        snprintf(message, message_size, "device \"%s\": only model:, rtl: and tandem: write checkpoints", text);
        return false;
    }
    if (*ops == &backend_tandem || *ops == &backend_tandem_board || *ops == &backend_systemc) {
        snprintf(message, message_size,
                 "device \"%s\": write uart:, etherbone:, rtl: or model: behind tandem-board:", text);
        return false;
    }
    options->leader = *ops;
    *ops = &backend_tandem_board;
    strcpy(options->replay, text);
    return true;
}

bool device_name_parse(const char *text, const struct backend_ops **ops, struct backend_options *options, char *message,
                       size_t message_size) {
    struct name name = {.text = text, .options = options, .message = message, .message_size = message_size};
    *options = (struct backend_options){
        .seed = 1,
        .link_rate = 2000,
        .mem_bytes = 64u << 20,
        .tokens = TOKENS_DEFAULT,
        .config_name = "small",
        .checkpoint_every = CHECKPOINT_EVERY,
        .platform = {.core = &backend_model, .quantum = 1000, .link_credits = 8, .link_tags = 8}};
    *ops = NULL;
    const size_t length = strlen(text);
    if (length >= sizeof options->replay)
        return FAIL(&name, "device name: longer than %zu characters", sizeof options->replay - 1);
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (c < 0x20 || c == 0x7F)
            return FAIL(&name, "device name: character %zu is the control character 0x%02x", i + 1, c);
    }
    const char *colon = strchr(text, ':');
    const size_t backend = colon != NULL ? (size_t)(colon - text) : length;
    for (size_t i = 0; i < sizeof backends / sizeof backends[0]; i++) {
        if (strlen(backends[i]->name) == backend && strncmp(text, backends[i]->name, backend) == 0) *ops = backends[i];
    }
    if (*ops == NULL || colon == NULL)
        return FAIL(&name,
                    "device \"%s\": no such kind of device; write model:, rtl:, tandem:, uart:, etherbone:, "
                    "tandem-board: or systemc:",
                    text);
    strcpy(options->replay, text);
    if (*ops == &backend_tandem_board) return parse_leader(text, colon + 1, ops, options, message, message_size);

    char rest[sizeof options->replay];
    strcpy(rest, colon + 1);
    if ((*ops)->place) return parse_place(&name, (*ops)->name, rest);
    if (!parse_rest(&name, rest)) return false;
    if (options->baud != 0) return FAIL(&name, "device \"%s\": only uart: has an option baud", text);
    if (!check_platform(&name, *ops == &backend_systemc)) return false;
    const struct backend_ops *core = *ops == &backend_systemc ? options->platform.core : *ops;
    if ((name.given >> NATIVE & 1) != 0 && core != &backend_model)
        return FAIL(&name, "device \"%s\": only the model alone has an option native", text);
    // A configuration built with the deliberate defects goes by the name of the one it is made from.
    char base[sizeof options->config_name];
    strcpy(base, options->config_name);
    char *suffix = strstr(base, "_inject");
    if (suffix != NULL && strcmp(suffix, "_inject") == 0) *suffix = '\0';
    options->config = ppu_config_find(base);
    if (options->config == NULL)
        return FAIL(&name, "device \"%s\": no configuration \"%s\"; known are " PPU_CONFIG_LIST, text,
                    options->config_name);
    if ((name.given >> SPACE & 1) == 0) options->space_bytes = options->mem_bytes;
    if (options->space_bytes > options->mem_bytes)
        return FAIL(&name, "device option space=%zu: more than the device's memory (mem=%zu)",
                    options->space_bytes >> 20, options->mem_bytes >> 20);
    if (options->error_base + options->error_size > options->mem_bytes)
        return FAIL(&name, "device option bus_error=%llu+%llu: ends past the device's %zu bytes of memory (mem=%zu)",
                    (unsigned long long)options->error_base, (unsigned long long)options->error_size,
                    options->mem_bytes, options->mem_bytes >> 20);
    return choose_recorded(&name, ops);
}
