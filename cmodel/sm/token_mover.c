#include "sm/token_mover.h"

#include <string.h>

#include "sm_internal.h"

static uint32_t places(const struct sm *sm) {
    return (sm->config->deque_entries / 2) << sm->wires.settings->deque_size;
}

static uint32_t port(const struct sm *sm) {
    return MEM_PORT_SM + 2 * sm->config->sms + sm->number;
}

void token_mover_size(const struct sm *sm, struct token_deque *deque) {
    token_deque_resize(deque, places(sm), sm->config->deque_entries / 2);
}

// Where a place of the warp's queue is. False: past the end of all addresses.
static bool address_of(const struct sm *sm, uint32_t warp, uint32_t place, uint32_t *address) {
    uint32_t warps = 1;
    while (warps < sm->config->warps)
        warps *= 2;
    const uint64_t queue = (uint64_t)sm->number * warps + warp;
    const uint64_t at = sm->wires.settings->deque_base + (queue * places(sm) + place) * (sm->config->threads / 4);
    *address = (uint32_t)at;
    return at <= UINT32_MAX;
}

// The token of a place as what has been shown leaves it: merges of the instruction under way count when they are shown.
static struct token token_now(const struct warp *warp, uint32_t place) {
    struct token token = token_deque_at(&warp->divergence.token_deque, place);
    for (uint32_t i = warp->due.tokens; i > warp->due.token; i--) {
        const struct token_move *move = &warp->divergence.moves[i - 1];
        if (move->op == TOKEN_MERGE && move->place == place) token.mask = move->before;
    }
    return token;
}

static void event_token_move(const struct sm *sm, uint32_t number, enum token_move_value way, uint32_t place,
                             struct trace_event *event) {
    const struct token token = token_now(&sm->warps[number], place);
    event->kind = TRACE_TOKEN_MOVE;
    event->token_move = (struct trace_token_move){.warp = number, .way = way, .place = place};
    token_pack_memory(sm->config->threads, &token, &event->token_move.token_lo, &event->token_move.token_hi);
}

// The write of a place's token. False: there is no such memory, and the warp's tokens are lost.
static bool write_of(struct sm *sm, uint32_t number, uint32_t place, struct mem_request *request) {
    struct warp *warp = &sm->warps[number];
    const struct token token = token_now(warp, place);
    const uint32_t bytes = sm->config->threads / 4;
    uint64_t words[2];
    uint32_t address;
    if (!address_of(sm, number, place, &address)) {
        warp->divergence.token_deque.failed = true;
        return false;
    }
    const uint32_t offset = address % LINE_BYTES;
    token_pack_memory(sm->config->threads, &token, &words[0], &words[1]);
    *request = (struct mem_request){.op = MEM_WRITE,
                                    .channel = MEM_PHYSICAL,
                                    .addr = address - offset,
                                    .wstrb = ((UINT32_C(1) << bytes) - 1) << offset};
    memcpy(&request->wdata[offset], words, bytes);
    return true;
}

// ---- alone
static bool perform(struct sm *sm, uint32_t number, const struct mem_request *request) {
    struct mem_response response;
    if (RUN_TRACING(sm->run)) {
        struct trace_event event = {.sm = sm->number, .cycle = sm->run->cycles};
        mem_perform_event(sm->mem, port(sm), request, &response, &event);
        mem_emit(sm->mem, &event);
    } else {
        mem_perform(sm->mem, request, &response);
    }
    if (response.fault != ANSWER_GOOD) sm->warps[number].divergence.token_deque.failed = true;
    return response.fault == ANSWER_GOOD;
}

static bool read_line(struct sm *sm, uint32_t number, uint32_t place) {
    struct mem_request request = {.op = MEM_READ, .channel = MEM_PHYSICAL};
    if (!address_of(sm, number, place, &request.addr)) return false;
    request.addr -= request.addr % LINE_BYTES;
    return perform(sm, number, &request);
}

static bool move_one(struct sm *sm, uint32_t number, enum token_move_value way) {
    struct token_deque *deque = &sm->warps[number].divergence.token_deque;
    struct mem_request request;
    uint32_t place;
    if (!token_deque_show_move(deque, way, &place)) return false;
    if (RUN_TRACING(sm->run)) {
        struct trace_event event = {.sm = sm->number, .cycle = sm->run->cycles};
        event_token_move(sm, number, way, place, &event);
        sm_emit(sm, &event);
    }
    if (way == TOKEN_MOVE_IN) return true;
    return write_of(sm, number, place, &request) && perform(sm, number, &request);
}

// The front of what is in memory comes in, a line at a time, as long as it need not go out again.
static bool move_in(struct sm *sm, uint32_t number) {
    const struct token_deque *deque = &sm->warps[number].divergence.token_deque;
    const uint32_t of_line = LINE_BYTES / (sm->config->threads / 4);
    if (!read_line(sm, number, token_deque_first_away(deque))) return false;
    do {
        if (!move_one(sm, number, TOKEN_MOVE_IN)) return false;
    } while (token_deque_first_away(deque) % of_line != 0 && token_deque_away(deque) != 0 &&
             deque->kept.fronts < 3 * deque->half / 4);
    return true;
}

// Ahead of need, as the RTL does. False: memory has failed.
static bool settle(struct sm *sm, uint32_t number) {
    struct token_deque *deque = &sm->warps[number].divergence.token_deque;
    const uint32_t high = 3 * deque->half / 4, low = deque->half / 2;
    while (!deque->failed && deque->places != deque->half) {
        if (deque->kept.fronts > high) {
            (void)move_one(sm, number, TOKEN_MOVE_OUT_FRONT);
        } else if (deque->kept.backs > high) {
            (void)move_one(sm, number, TOKEN_MOVE_OUT_BACK);
        } else if (token_deque_away(deque) != 0 && deque->kept.fronts < low) {
            (void)move_in(sm, number);
        } else {
            break;
        }
    }
    return !deque->failed;
}

static bool stands_away(const struct token_deque *deque, uint32_t place) {
    return place - token_deque_first_away(deque) < token_deque_away(deque);
}

// A yield token is looked for in memory, from the last one there towards the front: until it is found, or the token in
// front of them all, or in this line. False: memory has failed.
static bool search(struct sm *sm, uint32_t number, const struct token_move *move) {
    const struct token_deque *deque = &sm->warps[number].divergence.token_deque;
    const uint32_t first = token_deque_first_away(deque), away = token_deque_away(deque);
    const uint32_t of_line = LINE_BYTES / (sm->config->threads / 4);
    const bool there = move->op == TOKEN_MERGE && stands_away(deque, move->place);
    if (away == 0 || (move->op != TOKEN_PUSH_BACK && !there)) return true;
    for (uint32_t place = first + away - 1;; place--) {
        if (token_deque_at(deque, place).kind != KIND_YIELD && place == first + away - 1) return true;
        if ((place == first + away - 1 || place % of_line == of_line - 1) && !read_line(sm, number, place))
            return false;
        if ((there && place == move->place) || place == first || token_deque_at(deque, place).kind != KIND_YIELD)
            return true;
    }
}

void token_mover_run(struct sm *sm, uint32_t number) {
    struct warp *warp = &sm->warps[number];
    struct token_deque *deque = &warp->divergence.token_deque;
    bool good = true;
    while (good && warp->due.token != warp->due.tokens) {
        const struct token_move *move = &warp->divergence.moves[warp->due.token];
        struct trace_event event = {.sm = sm->number, .cycle = sm->run->cycles};
        struct mem_request request;
        if (!search(sm, number, move)) break;
        (void)token_deque_show(deque, move);
        event_token(sm, number, &event);
        if (RUN_TRACING(sm->run)) sm_emit(sm, &event);
        if (move->op == TOKEN_MERGE && stands_away(deque, move->place) && write_of(sm, number, move->place, &request))
            (void)perform(sm, number, &request);
        good = settle(sm, number);
    }
    if (warp->due.token == warp->due.tokens) return;
    warp->due.token = warp->due.tokens = 0;
    warp->due.end = warp->due.hold = false;
    warp->due.fault = true;
    warp->due.fault_code = FAULT_DEQUE_MEMORY;
    warp->due.fault_info = number;
}

// ---- in tandem
static bool expect_write(struct sm *sm, uint32_t number, uint32_t place, struct why why) {
    struct token_mover *mover = &sm->token_mover;
    if (mover->writes == TOKEN_WRITES_MAX)
        return why_refuse(why, "tokens of SM %u: %u writes are already to be performed", sm->number, mover->writes);
    mover->write[mover->writes].warp = number;
    if (write_of(sm, number, place, &mover->write[mover->writes].request)) mover->writes++;
    return true;
}

bool token_mover_show(struct sm *sm, uint32_t number, struct why why) {
    struct warp *warp = &sm->warps[number];
    struct token_deque *deque = &warp->divergence.token_deque;
    const struct token_move *move = &warp->divergence.moves[warp->due.token];
    if (!token_deque_show(deque, move))
        return why_refuse(
            why, "TOKEN op %u of warp %u: %u tokens at its front, %u at its back are in the SM, %u in memory",
            (unsigned)move->op, number, deque->kept.fronts + 1, deque->kept.backs, token_deque_away(deque));
    if (move->op != TOKEN_MERGE || !stands_away(deque, move->place)) return true;
    // The token as it is after this event, which the caller crosses off.
    warp->due.token++;
    const bool good = expect_write(sm, number, move->place, why);
    warp->due.token--;
    return good;
}

// Also of a warp that has ended: what was begun for it goes on.
bool token_mover_follow(struct sm *sm, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    const struct trace_token_move *e = &rtl->token_move;
    uint32_t place;
    if (e->warp >= sm->config->warps)
        return why_refuse(why, "TOKEN_MOVE names warp %u, there are %u", e->warp, sm->config->warps);
    struct warp *warp = &sm->warps[e->warp];
    struct token_deque *deque = &warp->divergence.token_deque;
    if (warp->running && warp->held)
        return why_refuse(why, "TOKEN_MOVE of warp %u, whose tokens software moves", e->warp);
    if (!token_deque_show_move(deque, (enum token_move_value)e->way, &place))
        return why_refuse(
            why, "TOKEN_MOVE way %u of warp %u: %u tokens behind its front, %u at its back are in the SM, %u in memory",
            e->way, e->warp, deque->kept.fronts, deque->kept.backs, token_deque_away(deque));
    event_token_move(sm, e->warp, (enum token_move_value)e->way, place, model);
    return e->way == TOKEN_MOVE_IN || expect_write(sm, e->warp, place, why);
}

// A line that the RTL may read now: one in which a token of a warp is. The warp in *number.
static bool line_legal(const struct sm *sm, uint32_t line, uint32_t *number) {
    for (uint32_t w = 0; w < sm->config->warps; w++) {
        const struct token_deque *deque = &sm->warps[w].divergence.token_deque;
        const uint32_t away = token_deque_away(deque), place = token_deque_first_away(deque);
        uint32_t first, last;
        if (away == 0 || !address_of(sm, w, place, &first) || !address_of(sm, w, place + away - 1, &last)) continue;
        *number = w;
        if (line >= first - first % LINE_BYTES && line <= last - last % LINE_BYTES) return true;
    }
    return false;
}

bool token_mover_perform(struct sm *sm, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    struct token_mover *mover = &sm->token_mover;
    struct mem_request request = {.op = MEM_READ, .channel = MEM_PHYSICAL, .addr = rtl->perform.addr};
    struct mem_response response;
    uint32_t number;
    if (rtl->perform.op == MEM_READ) {
        if (!line_legal(sm, rtl->perform.addr, &number))
            return why_refuse(why, "PERFORM on port %u: no token is in line 0x%x", rtl->perform.port,
                              rtl->perform.addr);
    } else {
        if (mover->writes == 0)
            return why_refuse(why, "PERFORM on port %u: no token goes to memory", rtl->perform.port);
        number = mover->write[0].warp;
        request = mover->write[0].request;
        mover->writes--;
        memmove(&mover->write[0], &mover->write[1], mover->writes * sizeof mover->write[0]);
    }
    mem_perform_event(sm->mem, rtl->perform.port, &request, &response, model);
    mem_note(sm->mem, rtl->perform.port, &(struct mem_note){.number = number});
    // An error of the memory is known when it is told (sm_token_error).
    if (response.fault == ANSWER_OUTSIDE) sm->warps[number].divergence.token_deque.failed = true;
    return true;
}

void token_mover_fault(struct sm *sm, uint32_t number, const struct trace_warp_fault *rtl) {
    struct warp *warp = &sm->warps[number];
    const struct due *due = &warp->due;
    const bool needs = due->token != due->tokens || due->hold || (due->fault && due->fault_code == FAULT_DEQUE_FULL);
    if (rtl->code == FAULT_DEQUE_MEMORY && rtl->pc == warp->instr_pc && warp->divergence.token_deque.failed && needs)
        warp->due = (struct due){.fault = true, .fault_code = FAULT_DEQUE_MEMORY, .fault_info = number};
}

void sm_token_error(struct sm *sm, const struct mem_record *record) {
    sm->warps[record->note.number].divergence.token_deque.failed = true;
}
