#include "systemc/link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_numbers.h"

#define OVERHEAD_BYTES 24u         // of a packet: header, sequence number, checksum, framing
#define FLIGHTS (2 * LINK_WINDOW)  // on the wire: the window, and what was behind a damaged one
#define CONTROLS 64u
#define MILLION 1000000u

struct numbered {
    struct link_packet packet;
    uint64_t number;  // at the sender: order of handing over; in the window: sequence number; at the receiver: arrival
};

struct waiting {
    struct numbered at[LINK_QUEUE];
    uint32_t count;
    uint64_t stalled;  // one more than the number of the last that was seen without a credit
};

struct flight {
    uint64_t arrival;
    bool damaged;
    struct numbered what;
};

// What the receiver tells the sender: everything before `expected` is there; so many packets of each kind may come in
// all.
struct control {
    uint64_t arrival;
    bool damaged, again;
    uint64_t expected, limit[LINK_KINDS];
};

struct held {
    struct numbered at[LINK_CREDITS_MAX];
    uint32_t first, count;
    uint64_t taken;
};

// One direction.
struct lane {
    // the sender
    struct waiting waiting[LINK_KINDS];
    uint64_t next_number, next_sequence;
    struct numbered window[LINK_WINDOW];
    uint32_t window_count;
    uint32_t again;  // place in the window from which packets are sent again; window_count: none
    uint64_t wire_free, timer;
    uint64_t limit[LINK_KINDS], spent[LINK_KINDS];
    // under way
    struct flight flight[FLIGHTS];
    uint32_t flight_first, flight_count;
    struct control control[CONTROLS];
    uint32_t control_first, control_count;
    // the receiver
    uint64_t expected, arrivals;
    bool asked_again;  // for what is missing; not a second time until it has come
    struct held held[LINK_KINDS];
    uint64_t refresh;  // when the receiver says where it stands without being asked: a message may have been damaged
};

struct link {
    struct link_options options;
    uint64_t random, now, timeout;
    struct lane lane[LINK_DIRECTIONS];
    struct link_figures figures;
    char error[160];
};

static bool damaged(struct link *link) {
    return link->options.errors != 0 && random_below(&link->random, MILLION) < link->options.errors;
}

static uint64_t wire_time(const struct link *link, const struct link_packet *packet) {
    const uint64_t bytes = OVERHEAD_BYTES + (packet->kind == LINK_READ ? 0 : packet->size);
    return (bytes * MILLION + link->options.rate - 1) / link->options.rate;
}

static bool at_rest(const struct lane *lane) {
    for (int kind = 0; kind < LINK_KINDS; kind++) {
        if (lane->waiting[kind].count != 0 || lane->held[kind].count != 0) return false;
    }
    return lane->window_count == 0 && lane->flight_count == 0;
}

// ---- the receiver ----
static void tell(struct link *link, struct lane *lane, bool again) {
    struct control control = {.arrival = link->now + link->options.latency,
                              .damaged = damaged(link),
                              .again = again,
                              .expected = lane->expected};
    for (int kind = 0; kind < LINK_KINDS; kind++)
        control.limit[kind] = lane->held[kind].taken + link->options.credits;
    lane->refresh = link->now + link->timeout;
    if (lane->control_count == CONTROLS) return;  // those under way and the next refresh say the same
    lane->control[(lane->control_first + lane->control_count++) % CONTROLS] = control;
}

static void ask_again(struct link *link, struct lane *lane) {
    if (lane->asked_again) return;
    lane->asked_again = true;
    tell(link, lane, true);
}

static void receive(struct link *link, struct lane *lane, const struct flight *flight) {
    if (flight->damaged) {
        link->figures.damaged++;
        ask_again(link, lane);
        return;
    }
    if (flight->what.number > lane->expected) {
        ask_again(link, lane);
        return;
    }
    if (flight->what.number < lane->expected) {
        link->figures.twice++;
        tell(link, lane, false);
        return;
    }
    struct held *held = &lane->held[flight->what.packet.kind];
    if (held->count == link->options.credits) {
        if (link->error[0] == '\0')
            snprintf(link->error, sizeof link->error, "link: a receiver with %u credits got one packet more",
                     link->options.credits);
        return;
    }
    struct numbered *place = &held->at[(held->first + held->count++) % LINK_CREDITS_MAX];
    place->packet = flight->what.packet;
    place->number = lane->arrivals++;
    lane->expected++;
    lane->asked_again = false;
    tell(link, lane, false);
}

const struct link_packet *link_received(const struct link *link, enum link_direction direction, enum link_kind kind) {
    const struct held *held = &link->lane[direction].held[kind], *posted = &link->lane[direction].held[LINK_POSTED];
    if (held->count == 0) return NULL;
    if (kind != LINK_POSTED && posted->count != 0 && posted->at[posted->first].number < held->at[held->first].number)
        return NULL;
    return &held->at[held->first].packet;
}

void link_take(struct link *link, enum link_direction direction, enum link_kind kind) {
    struct lane *lane = &link->lane[direction];
    struct held *held = &lane->held[kind];
    if (held->count == 0) return;
    held->first = (held->first + 1) % LINK_CREDITS_MAX;
    held->count--;
    held->taken++;
    tell(link, lane, false);
}

// ---- the sender ----
bool link_send(struct link *link, enum link_direction direction, const struct link_packet *packet) {
    struct lane *lane = &link->lane[direction];
    struct waiting *waiting = &lane->waiting[packet->kind];
    if (waiting->count == LINK_QUEUE) return false;
    waiting->at[waiting->count].packet = *packet;
    waiting->at[waiting->count++].number = lane->next_number++;
    return true;
}

uint32_t link_room(const struct link *link, enum link_direction direction, enum link_kind kind) {
    return LINK_QUEUE - link->lane[direction].waiting[kind].count;
}

// What may go now: nothing passes an older posted packet; posted ones keep their order, and so do the completions of
// one read; all else may overtake.
static bool may_go(const struct lane *lane, enum link_kind kind, uint32_t index) {
    const struct waiting *waiting = &lane->waiting[kind], *posted = &lane->waiting[LINK_POSTED];
    if (lane->spent[kind] >= lane->limit[kind]) return false;
    if (kind == LINK_POSTED) return index == 0;
    if (posted->count != 0 && posted->at[0].number < waiting->at[index].number) return false;
    for (uint32_t i = 0; i < index && kind == LINK_COMPLETION; i++) {
        if (waiting->at[i].packet.tag == waiting->at[index].packet.tag) return false;
    }
    return true;
}

static bool something_may_go(const struct lane *lane) {
    if (lane->flight_count == FLIGHTS) return false;
    if (lane->again < lane->window_count) return true;
    if (lane->window_count == LINK_WINDOW) return false;
    for (int kind = 0; kind < LINK_KINDS; kind++) {
        for (uint32_t i = 0; i < lane->waiting[kind].count; i++) {
            if (may_go(lane, (enum link_kind)kind, i)) return true;
        }
    }
    return false;
}

static void count_stalls(struct link *link, struct lane *lane) {
    for (int kind = 0; kind < LINK_KINDS; kind++) {
        struct waiting *waiting = &lane->waiting[kind];
        if (waiting->count == 0 || lane->spent[kind] < lane->limit[kind]) continue;
        if (waiting->stalled > waiting->at[0].number) continue;
        waiting->stalled = waiting->at[0].number + 1;
        link->figures.stalls++;
    }
}

// One of those that may go, at random, leaves its queue for the window.
static void choose(struct link *link, struct lane *lane) {
    struct waiting *chosen = NULL;
    uint32_t index = 0, seen = 0;
    for (int kind = 0; kind < LINK_KINDS; kind++) {
        for (uint32_t i = 0; i < lane->waiting[kind].count; i++) {
            if (!may_go(lane, (enum link_kind)kind, i) || random_below(&link->random, ++seen) != 0) continue;
            chosen = &lane->waiting[kind];
            index = i;
        }
    }
    if (chosen == NULL) return;
    const uint64_t number = chosen->at[index].number;
    for (int kind = 0; kind < LINK_KINDS; kind++) {
        if (lane->waiting[kind].count != 0 && lane->waiting[kind].at[0].number < number) {
            link->figures.overtaken++;
            break;
        }
    }
    struct numbered *place = &lane->window[lane->window_count++];
    place->packet = chosen->at[index].packet;
    place->number = lane->next_sequence++;
    chosen->count--;
    memmove(&chosen->at[index], &chosen->at[index + 1], (chosen->count - index) * sizeof chosen->at[0]);
    lane->spent[place->packet.kind]++;
    if (lane->window_count == 1) lane->timer = link->now + link->timeout;
}

static void put_on_wire(struct link *link, struct lane *lane) {
    if (lane->again == lane->window_count) {
        choose(link, lane);
    } else {
        link->figures.sent_again++;
    }
    const struct numbered *what = &lane->window[lane->again++];
    lane->wire_free = link->now + wire_time(link, &what->packet);
    struct flight *flight = &lane->flight[(lane->flight_first + lane->flight_count++) % FLIGHTS];
    flight->arrival = lane->wire_free + link->options.latency;
    flight->damaged = damaged(link);
    flight->what = *what;
    link->figures.sent++;
}

static void hear(struct link *link, struct lane *lane, const struct control *control) {
    if (control->damaged) return;
    uint32_t gone = 0;
    while (gone < lane->window_count && lane->window[gone].number < control->expected)
        gone++;
    if (gone != 0) {
        lane->window_count -= gone;
        memmove(lane->window, &lane->window[gone], lane->window_count * sizeof lane->window[0]);
        lane->again = lane->again > gone ? lane->again - gone : 0;
        lane->timer = link->now + link->timeout;
    }
    if (control->again) {
        lane->again = 0;
        lane->timer = link->now + link->timeout;
    }
    for (int kind = 0; kind < LINK_KINDS; kind++) {
        if (control->limit[kind] > lane->limit[kind]) lane->limit[kind] = control->limit[kind];
    }
}

// ---- time ----
static uint64_t lane_next(const struct link *link, const struct lane *lane) {
    uint64_t next = LINK_NEVER;
    const uint64_t candidates[] = {
        lane->flight_count != 0 ? lane->flight[lane->flight_first].arrival : LINK_NEVER,
        lane->control_count != 0 ? lane->control[lane->control_first].arrival : LINK_NEVER,
        lane->window_count != 0 ? lane->timer : LINK_NEVER,
        at_rest(lane) ? LINK_NEVER : lane->refresh,
        something_may_go(lane) ? lane->wire_free : LINK_NEVER,
    };
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        if (candidates[i] < next) next = candidates[i];
    }
    return next < link->now ? link->now : next;
}

uint64_t link_next(const struct link *link) {
    const uint64_t down = lane_next(link, &link->lane[LINK_DOWN]), up = lane_next(link, &link->lane[LINK_UP]);
    return down < up ? down : up;
}

static void lane_step(struct link *link, struct lane *lane) {
    while (lane->flight_count != 0 && lane->flight[lane->flight_first].arrival <= link->now) {
        receive(link, lane, &lane->flight[lane->flight_first]);
        lane->flight_first = (lane->flight_first + 1) % FLIGHTS;
        lane->flight_count--;
    }
    while (lane->control_count != 0 && lane->control[lane->control_first].arrival <= link->now) {
        hear(link, lane, &lane->control[lane->control_first]);
        lane->control_first = (lane->control_first + 1) % CONTROLS;
        lane->control_count--;
    }
    if (lane->window_count != 0 && lane->timer <= link->now) {
        link->figures.timeouts++;
        lane->again = 0;
        lane->timer = link->now + link->timeout;
    }
    if (!at_rest(lane) && lane->refresh <= link->now) tell(link, lane, false);
    count_stalls(link, lane);
    if (lane->wire_free <= link->now && something_may_go(lane)) put_on_wire(link, lane);
}

void link_advance(struct link *link, uint64_t now) {
    for (uint64_t next; (next = link_next(link)) <= now;) {
        link->now = next;
        for (int direction = 0; direction < LINK_DIRECTIONS; direction++)
            lane_step(link, &link->lane[direction]);
    }
    link->now = now;
}

bool link_idle(const struct link *link) {
    return at_rest(&link->lane[LINK_DOWN]) && at_rest(&link->lane[LINK_UP]);
}

const char *link_error(const struct link *link) {
    return link->error[0] != '\0' ? link->error : NULL;
}

void link_get_figures(const struct link *link, struct link_figures *to) {
    *to = link->figures;
}

struct link *link_create(const struct link_options *options) {
    if (options->rate == 0 || options->errors > MILLION / 2 || options->credits == 0 ||
        options->credits > LINK_CREDITS_MAX)
        return NULL;
    struct link *link = calloc(1, sizeof *link);
    if (link == NULL) return NULL;
    link->options = *options;
    link->random = options->seed;
    // A whole window, there and back, and some.
    const struct link_packet largest = {.kind = LINK_POSTED, .size = LINK_PAYLOAD};
    link->timeout = 2 * options->latency + 2 * LINK_WINDOW * wire_time(link, &largest);
    for (int direction = 0; direction < LINK_DIRECTIONS; direction++) {
        for (int kind = 0; kind < LINK_KINDS; kind++)
            link->lane[direction].limit[kind] = options->credits;
    }
    return link;
}

void link_destroy(struct link *link) {
    free(link);
}
