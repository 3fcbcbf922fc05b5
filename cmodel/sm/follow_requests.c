// The SM in tandem: requests to memory, from MEM_REQ to the event that performs them.
#include <string.h>

#include "sm_internal.h"

// Bytes that no strobe and no operation uses may hold anything.
static void copy_unused(const struct mem_request *request, const uint8_t *rtl, uint8_t *model) {
    for (unsigned i = 0; i < LINE_BYTES; i++) {
        const bool operand = request->op == MEM_ATOMIC && (i < 4 || (i < 8 && request->atom == ATOM_CAS));
        if (((request->wstrb >> i) & 1u) == 0 && !operand) model[i] = rtl[i];
    }
}

static bool request(struct sm *sm, const struct trace_mem_req *e, struct trace_event *model, struct why why) {
    struct warp *warp = &sm->warps[e->warp];
    if (warp->access.pending == 0) return why_refuse(why, "MEM_REQ of warp %u: no thread has an access left", e->warp);
    if (e->threads == 0 || (e->threads & ~warp->access.pending) != 0)
        return why_refuse(why, "MEM_REQ of warp %u for threads 0x%llx, left are 0x%llx", e->warp,
                          (unsigned long long)e->threads, (unsigned long long)warp->access.pending);
    if (sm->flight_count == sm->flight_room)
        return why_refuse(why, "MEM_REQ of warp %u: %u requests are already in flight", e->warp, sm->flight_count);
    const unsigned first = (unsigned)__builtin_ctzll(e->threads);
    if ((e->threads & ~portion_mask(sm, first / sm->config->lanes)) != 0)
        return why_refuse(why, "MEM_REQ of warp %u for threads 0x%llx of several portions", e->warp,
                          (unsigned long long)e->threads);
    if (warp->access.decoded.atomic && (e->threads & (e->threads - 1)) != 0)
        return why_refuse(why, "MEM_REQ of warp %u: an atomic for several threads 0x%llx", e->warp,
                          (unsigned long long)e->threads);
    for (uint64_t left = e->threads; left != 0; left &= left - 1) {
        const unsigned t = (unsigned)__builtin_ctzll(left);
        if (load_store_line(warp, t) != load_store_line(warp, first))
            return why_refuse(why, "MEM_REQ of warp %u: thread %u is at line 0x%x, thread %u at 0x%x", e->warp, t,
                              load_store_line(warp, t), first, load_store_line(warp, first));
    }
    struct flight *flight = &sm->flights[sm->flight_count++];
    *flight = (struct flight){.note = {.number = e->warp,
                                       .serial = warp->serial,
                                       .pc = warp->instr_pc,
                                       .threads = e->threads,
                                       .order = ++sm->requests},
                              .counted = warp->access.region != SUBVECTOR_NONE};
    load_store_request(sm, warp, e->threads, &flight->request);
    if (flight->request.op == MEM_READ && warp->access.region != SUBVECTOR_NONE &&
        !subvector_read(&sm->subvector, warp->access.region))
        return why_refuse(why, "MEM_REQ of warp %u: due is SV_WINDOW of region %u", e->warp, warp->access.region);
    event_mem_req(e->warp, e->threads, &flight->request, model);
    copy_unused(&flight->request, e->wdata, model->mem_req.wdata);
    return true;
}

static bool wants_request(const struct in_flight *older, const void *what) {
    (void)what;
    return older->access.pending != 0;
}

// The requests of a warp's instructions come in the order of the instructions.
bool follow_mem_req(struct sm *sm, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    if (!follow_running_warp(sm, rtl->mem_req.warp, "MEM_REQ", why)) return false;
    struct warp *warp = &sm->warps[rtl->mem_req.warp];
    struct in_flight *older = in_flight_find(warp, wants_request, NULL);
    in_flight_exchange(warp, older);
    const bool good = request(sm, &rtl->mem_req, model, why);
    in_flight_return(warp, older);
    return good;
}

static bool has_serial(const struct in_flight *older, const void *what) {
    return older->serial == *(const uint32_t *)what;
}

// A request is answered: its instruction need not be the warp's last one.
static void answer(const struct sm *sm, const struct flight *flight, struct mem_response *response) {
    struct warp *warp = &sm->warps[flight->note.number];
    struct in_flight *older = in_flight_find(warp, has_serial, &flight->note.serial);
    response->order = flight->note.order;
    in_flight_exchange(warp, older);
    load_store_answer(sm, warp, flight->note.threads, &flight->request, response, sm->run->inject);
    in_flight_return(warp, older);
}

// A read that does not go to memory itself sees the line as it is now. One that has joined the read `with` has its answer
// (0: none).
static void perform_hit(struct sm *sm, const struct flight *flight, uint64_t with) {
    struct mem_response response;
    if (with != 0)
        sm->joined[sm->joined_next++ % JOINED] =
            (struct joined){.with = with, .addr = flight->request.addr, .note = flight->note};
    mem_perform(sm->mem, &flight->request, &response);
    answer(sm, flight, &response);
}

static bool follow_fetch(struct sm *sm, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    uint32_t channel = rtl->perform.channel;
    uint64_t physical;
    if (rtl->perform.op != MEM_READ) return why_refuse(why, "PERFORM on the fetch port is no read");
    if (!fetch_line_legal(sm, rtl->perform.addr, &channel))
        return why_refuse(why, "PERFORM on the fetch port: line 0x%x is in no running program", rtl->perform.addr);
    const struct mem_request request = {.op = MEM_READ, .channel = channel, .addr = rtl->perform.addr};
    const bool inside = address_space_translate(sm->mem, channel, rtl->perform.addr, LINE_BYTES, &physical);
    event_fetch(rtl->perform.port, &request, inside ? 0 : 1, model);
    mem_record_read(sm->mem, rtl->perform.port, &request, inside, physical);
    fetch_fill(&sm->fetch_cache, sm->mem, channel, rtl->perform.addr);
    return true;
}

bool follow_perform(struct sm *sm, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    if (rtl->perform.port == MEM_PORT_SM + 2 * sm->number) return follow_fetch(sm, rtl, model, why);
    if (rtl->perform.port >= MEM_PORT_SM + 2 * sm->config->sms) return token_mover_perform(sm, rtl, model, why);
    if (sm->flight_count == 0) return why_refuse(why, "PERFORM on port %u: no request is in flight", rtl->perform.port);
    const struct flight flight = sm->flights[0];
    struct mem_response response;
    mem_perform_event(sm->mem, rtl->perform.port, &flight.request, &response, model);
    if (flight.request.op == MEM_ATOMIC) copy_unused(&flight.request, rtl->perform.wdata, model->perform.wdata);
    mem_note(sm->mem, rtl->perform.port, &flight.note);
    answer(sm, &flight, &response);
    // And with it the reads that have joined it.
    const uint32_t count = sm->flight_count;
    sm->flight_count = 0;
    for (uint32_t f = 1; f < count; f++) {
        const struct flight other = sm->flights[f];
        if (other.with == flight.note.order)
            perform_hit(sm, &other, other.with);
        else
            sm->flights[sm->flight_count++] = other;
    }
    return true;
}

// Of the requests handed over before the last one the youngest of its line that is not performed; NULL: there is none.
static const struct flight *last_of_line(const struct sm *sm, uint64_t line) {
    for (uint32_t f = sm->flight_count - 1; f-- > 0;) {
        const struct flight *earlier = &sm->flights[f];
        uint64_t other;
        if (earlier->with == 0 &&
            address_space_translate(sm->mem, earlier->request.channel, earlier->request.addr, 4, &other) &&
            other / LINE_BYTES == line / LINE_BYTES)
            return earlier;
    }
    return NULL;
}

// The request handed over last does not go to memory. A read of its line that is not performed yet takes it with it;
// else it is performed now, as a hit or with the answer of a read that is performed: which of the two is a matter of time.
// Earlier requests of other lines may still be on their way, but no write of that line.
bool follow_l1_hit(struct sm *sm, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    if (sm->flight_count == 0) return why_refuse(why, "L1_HIT: no request is in flight");
    struct flight *flight = &sm->flights[sm->flight_count - 1];
    const uint32_t warp = flight->note.number, addr = flight->request.addr;
    const bool joined = rtl->l1_hit.joined != 0;
    if (flight->request.op != MEM_READ)
        return why_refuse(why, "L1_HIT: the last request, of warp %u, is no read", warp);
    if (rtl->l1_hit.warp != warp)
        return why_refuse(why, "L1_HIT of warp %u: the last request is that of warp %u", rtl->l1_hit.warp, warp);
    if (flight->with != 0) return why_refuse(why, "L1_HIT of warp %u: its last request has had one", warp);
    uint64_t line;
    if (!address_space_translate(sm->mem, flight->request.channel, addr, LINE_BYTES, &line))
        return why_refuse(why, "L1_HIT of line 0x%x, which is outside the space", addr);
    const struct flight *earlier = last_of_line(sm, line);
    if (earlier != NULL && earlier->request.op != MEM_READ)
        return why_refuse(why, "L1_HIT of line 0x%x: an earlier write of it, by warp %u, is not performed", addr,
                          earlier->note.number);
    if (earlier != NULL && !joined)
        return why_refuse(why,
                          "L1_HIT of line 0x%x: an earlier read of it, by warp %u, is not performed, and not joined",
                          addr, earlier->note.number);
    const struct mem_note *read = mem_last_read(sm->mem, MEM_PORT_SM + 2 * sm->number + 1, line);
    if (earlier == NULL && joined && read == NULL)
        return why_refuse(why, "L1_HIT of line 0x%x: no read of it is on its way to be joined", addr);
    if (flight->counted && !joined) subvector_hit(&sm->subvector);
    model->kind = TRACE_L1_HIT;
    model->l1_hit = (struct trace_l1_hit){.warp = warp, .addr = addr, .joined = joined};
    if (earlier != NULL) {
        flight->with = earlier->note.order;
    } else {
        sm->flight_count--;
        perform_hit(sm, flight, joined ? read->order : 0);
    }
    return true;
}
