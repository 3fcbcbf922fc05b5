// l1_cache: random reads, writes and atomics of several channels whose spaces overlap, with a memory that performs and
// answers late and that others write at the worst moments. There is no C twin: what a read must give is what the
// bench's memory holds when the read is performed, in the cache (hit_o) or in memory. One that joins another (joins_o) is
// performed with that one, or now, and has its answer.
// Compiled with -DCHANNELS= -DLSU_DEPTH= as the unit was verilated.
#include <verilated.h>

#include <deque>

#include "Vl1_cache.h"
#include "bench.h"
#include "port_bits.h"
#include "tick.h"

namespace {

const uint32_t LINES = 256, PAGE = 4096;  // of memory: two pages

struct request {
    bool read;
    uint32_t channel, addr, slot, line;  // line: physical
    bool outside;
};
struct answer {
    uint32_t slot, data[8], fault;
    bool read;
};
struct slot {
    bool used, read, known;  // known: it has been performed
    uint32_t data[8], fault;
    uint64_t since;
    uint32_t line, place;  // place: the slot whose answer it gets
};

struct world {
    struct bench bench;
    Vl1_cache unit;
    uint32_t memory[LINES][8];
    uint32_t base[CHANNELS], size[CHANNELS];
    slot slots[LSU_DEPTH];
    std::deque<request> waiting;  // handed to memory, not performed
    std::deque<answer> answers;   // performed, not answered
    uint64_t cycle, hits, joins, reads;
    bool asking;
    request asked;
    uint32_t hot;
};

void change(world &w, uint32_t line) {
    w.memory[line][bench_below(&w.bench, 8)] = static_cast<uint32_t>(bench_random(&w.bench));
}

// Few lines, so that they meet; in all sets now and then.
uint32_t pick_line(world &w) {
    if (bench_chance(&w.bench, 1, 400)) w.hot = bench_below(&w.bench, LINES);
    return (w.hot + (bench_chance(&w.bench, 1, 8) ? bench_below(&w.bench, LINES) : bench_below(&w.bench, 12))) % LINES;
}

void ask(world &w) {
    const uint32_t next = bench_below(&w.bench, LSU_DEPTH);
    if (w.asking || w.slots[next].used || bench_chance(&w.bench, 1, 3)) return;
    request &r = w.asked;
    r.read = bench_chance(&w.bench, 7, 8);
    r.channel = bench_below(&w.bench, CHANNELS);
    if (!bench_chance(&w.bench, 1, 3)) r.line = pick_line(w);  // else the one that was asked for last
    const uint32_t physical = r.line * 32;
    r.addr = physical - w.base[r.channel] + (r.read ? 0 : 4 * bench_below(&w.bench, 8));  // not a read: perhaps a word
    r.outside = r.addr >= w.size[r.channel];
    r.slot = next;
    w.slots[r.slot] = {true, r.read, false, {0}, 0, w.cycle, r.line, next};
    w.asking = true;
}

// What memory performs in this cycle, told by the snoop; the change itself comes after the cycle's hit.
struct performed {
    bool own, others;
    uint32_t line;
};

performed choose(world &w) {
    performed p = {false, false, 0};
    Vl1_cache &u = w.unit;
    u.snoop_valid_i = 0;
    u.snoop_addr_i = static_cast<uint32_t>(bench_random(&w.bench));
    if (!w.waiting.empty() && bench_chance(&w.bench, 1, 2)) {
        p.own = true;
        p.line = w.waiting.front().line;
        u.snoop_valid_i = !w.waiting.front().read && !w.waiting.front().outside;
    } else if (bench_chance(&w.bench, 1, 12)) {
        p.others = true;
        p.line = pick_line(w);
        // Preferably a line that is on its way.
        if (!w.answers.empty() && bench_chance(&w.bench, 1, 2) && !w.waiting.empty()) p.line = w.waiting.back().line;
        u.snoop_valid_i = 1;
    }
    if (u.snoop_valid_i) u.snoop_addr_i = p.line * 32;
    return p;
}

void perform(world &w, const performed &p) {
    if (p.others) change(w, p.line);
    if (!p.own) return;
    const request r = w.waiting.front();
    w.waiting.pop_front();
    answer a = {r.slot, {0}, 0, r.read};
    if (r.outside) {
        a.fault = 1;
    } else if (!r.read) {
        change(w, r.line);
    } else {
        memcpy(a.data, w.memory[r.line], 32);
    }
    if (!r.outside && bench_chance(&w.bench, 1, 60)) a.fault = 2;
    for (uint32_t i = 0; i < 8 && (a.fault != 0 || !r.read); i++)
        a.data[i] = static_cast<uint32_t>(bench_random(&w.bench));
    for (slot &s : w.slots) {
        if (!s.used || s.place != r.slot) continue;
        memcpy(s.data, a.data, 32);
        s.fault = a.fault;
        s.known = true;
    }
    w.answers.push_back(a);
}

// The request joins a read of its line: that one is still to be answered, no write is between the two, and memory holds
// what it has seen.
void look_at_join(world &w) {
    const request &r = w.asked;
    slot &own = w.slots[r.slot];
    const slot &other = w.slots[w.unit.join_place_o];
    if (&own == &other || !other.used || !other.read || other.line != r.line || other.place != w.unit.join_place_o)
        bench_fail(&w.bench, "line 0x%x joins slot %u, which has not asked for it", r.line * 32, w.unit.join_place_o);
    for (size_t i = w.waiting.size(); i-- > 0;) {
        const request &before = w.waiting[i];
        if (before.slot == w.unit.join_place_o) break;
        if (!before.read && !before.outside && before.line == r.line)
            bench_fail(&w.bench, "line 0x%x joins a read from before a write of it", r.line * 32);
    }
    if (other.known && other.fault == 0 && memcmp(other.data, w.memory[r.line], 32) != 0)
        bench_fail(&w.bench, "line 0x%x joins a read that has seen what is there no more", r.line * 32);
    if (w.unit.rsp_valid_i && w.unit.rsp_fault_i != 0)
        bench_fail(&w.bench, "line 0x%x joins while an answer is a fault", r.line * 32);
    own.place = w.unit.join_place_o;
    own.known = other.known;
    own.fault = other.fault;
    memcpy(own.data, other.data, 32);
    w.joins++;
}

void look_at_request(world &w) {
    Vl1_cache &u = w.unit;
    const request &r = w.asked;
    if (u.hit_o) {
        if (!w.asking || !u.in_ready_o || u.out_valid_o) bench_fail(&w.bench, "hit_o without a request taken");
        if (!r.read || r.outside || !u.enable_i || u.changed_i) bench_fail(&w.bench, "a hit that must not be");
        w.hits++;
        if (u.joins_o) {
            look_at_join(w);
        } else {
            for (const request &other : w.waiting)
                if (!other.outside && other.line == r.line)
                    bench_fail(&w.bench, "line 0x%x hits before an earlier request of it", r.line * 32);
            memcpy(w.slots[r.slot].data, w.memory[r.line], 32);
            w.slots[r.slot].known = true;
        }
    } else if (u.out_valid_o && u.out_ready_i) {
        if (!w.asking || !u.in_ready_o) bench_fail(&w.bench, "out_valid_o without a request taken");
        w.waiting.push_back(r);
    } else if (w.asking && u.in_ready_o) {
        bench_fail(&w.bench, "a request taken that neither hits nor goes on");
    }
    if (w.asking && u.in_ready_o) {
        w.asking = false;
        w.reads += r.read;
    }
}

void look_at_answer(world &w) {
    Vl1_cache &u = w.unit;
    if (u.rsp_valid_i && !u.ans_valid_o) bench_fail(&w.bench, "an answer of memory is held up");
    if (!u.ans_valid_o) return;
    const uint32_t place = u.ans_place_o;
    if (!w.slots[place].used || w.slots[place].place != place)
        bench_fail(&w.bench, "an answer for slot %u, which waits for none", place);
    for (slot &s : w.slots) {
        if (!s.used || s.place != place) continue;
        if (!s.known) bench_fail(&w.bench, "an answer for slot %u, which is not performed", place);
        if (u.ans_fault_o != s.fault) bench_fail(&w.bench, "fault %u, not %u", u.ans_fault_o, s.fault);
        for (uint32_t i = 0; i < 8; i++)
            if (s.read && s.fault == 0 && u.ans_data_o[i] != s.data[i])
                bench_fail(&w.bench, "slot %u word %u is %08x, memory held %08x when it was performed", place, i,
                           u.ans_data_o[i], s.data[i]);
        s.used = false;
    }
}

void step(world &w) {
    Vl1_cache &u = w.unit;
    u.changed_i = bench_chance(&w.bench, 1, 150);
    if (u.changed_i)
        for (uint32_t i = 0; i < 20; i++)
            change(w, pick_line(w));
    if (bench_chance(&w.bench, 1, 3000)) u.enable_i = !u.enable_i;
    if (!u.enable_i && bench_chance(&w.bench, 1, 100)) u.enable_i = 1;
    ask(w);
    u.in_valid_i = w.asking;
    if (w.asking) {
        u.in_read_i = w.asked.read;
        u.in_channel_i = static_cast<uint8_t>(w.asked.channel);
        u.in_addr_i = w.asked.addr;
        u.in_place_i = static_cast<uint8_t>(w.asked.slot);
    }
    u.out_ready_i = bench_chance(&w.bench, 2, 3);
    u.rsp_valid_i = !w.answers.empty() && bench_chance(&w.bench, 1, 3);
    for (uint32_t i = 0; i < 8; i++)
        u.rsp_data_i[i] = u.rsp_valid_i ? w.answers.front().data[i] : static_cast<uint32_t>(bench_random(&w.bench));
    u.rsp_fault_i = static_cast<uint8_t>(u.rsp_valid_i ? w.answers.front().fault : 0);
    if (u.rsp_valid_i) w.answers.pop_front();
    const performed p = choose(w);
    u.eval();
    look_at_request(w);
    look_at_answer(w);
    perform(w, p);
    tick(u);
    w.cycle++;
    if (u.all_hits_o != static_cast<uint32_t>(w.hits) || u.all_misses_o != static_cast<uint32_t>(w.reads - w.hits))
        bench_fail(&w.bench, "%u hits, %u misses, not %lu of %lu", u.all_hits_o, u.all_misses_o,
                   static_cast<unsigned long>(w.hits), static_cast<unsigned long>(w.reads));
    for (const slot &s : w.slots)
        if (s.used && w.cycle - s.since > 10000) bench_fail(&w.bench, "a request is not answered in 10000 cycles");
}

}  // namespace

int main(int argc, char **argv) {
    static world w;
    bench_begin(&w.bench, argc, argv, 1000000);
    for (uint32_t l = 0; l < LINES; l++)
        for (uint32_t i = 0; i < 8; i++)
            w.memory[l][i] = static_cast<uint32_t>(bench_random(&w.bench));
    for (uint32_t c = 0; c < CHANNELS; c++) {
        w.base[c] = c % 2 ? PAGE : 0;
        w.size[c] = c % 2 || c == 2 ? PAGE : 2 * PAGE;
        set_bits(w.unit.space_base_i, 32 * c, 32, w.base[c]);
        set_bits(w.unit.space_size_i, 32 * c, 32, w.size[c]);
    }
    w.unit.enable_i = 1;
    w.unit.in_valid_i = w.unit.rsp_valid_i = w.unit.changed_i = w.unit.snoop_valid_i = 0;
    w.unit.inject_i = 0;
    reset(w.unit);
    while (bench_more(&w.bench))
        step(w);
    printf("%lu reads, %lu of them hits, %lu of these join another read\n", static_cast<unsigned long>(w.reads),
           static_cast<unsigned long>(w.hits), static_cast<unsigned long>(w.joins));
    if (w.bench.ops >= 100000 && (w.hits - w.joins) * 10 < w.reads) bench_fail(&w.bench, "hardly anything hits");
    if (w.bench.ops >= 100000 && w.joins * 20 < w.reads) bench_fail(&w.bench, "hardly anything joins");
    w.unit.final();
    return bench_end(&w.bench);
}
