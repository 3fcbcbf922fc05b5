// l1_cache: random reads, writes and atomics of several channels whose spaces overlap, with a memory that performs and
// answers late and that others write at the worst moments. There is no C twin: what a read must give is what the
// bench's memory holds when the read is performed, in the cache (hit_o) or in memory. One that joins another (joins_o) is
// performed with that one, or now, and has its answer. Which reads hit, join or go to memory is told by a second
// statement of the rules in the unit's head (struct cache). The unit comes up again and again, with registers at random
// and memory elsewhere, or as it was left.
// Compiled with -DCHANNELS= -DLSU_DEPTH= and so on, as the unit was verilated.
#include <verilated.h>

#include <deque>

#include "Vl1_cache.h"
#include "bench.h"
#include "port_bits.h"
#include "tick.h"

namespace {

const uint32_t LINES = 256, PAGE = 4096;  // of memory: two pages, whose addresses differ in one bit
const uint32_t WAYS = L1_WAYS, SETS = L1_LINES / L1_WAYS;
const uint64_t CYCLES = 20000;  // until it comes up again

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

// The rules said again, without data.
struct on_its_way {
    uint32_t line, place;
    bool fill, write;
};
struct cache {
    int64_t held[SETS][WAYS];  // physical line, or -1
    uint32_t victim[SETS];
    std::deque<on_its_way> asked;  // of memory, the oldest first
    bool hit_waits;                // to be answered
    uint32_t hit_place;
};
struct verdict {
    bool hit, joins, goes;  // hit: it is taken, and answered later; goes: to memory
    uint32_t place;         // of the one that it joins
};

struct world {
    struct bench bench;
    Vl1_cache *up;
    uint32_t pages[2];  // of physical memory
    cache rules;
    uint32_t memory[LINES][8];
    uint32_t base[CHANNELS], size[CHANNELS];
    slot slots[LSU_DEPTH];
    std::deque<request> waiting;              // handed to memory, not performed
    std::deque<answer> answers;               // performed, not answered
    uint64_t cycle, hits, joins, reads;       // since it came up
    uint64_t all_hits, all_joins, all_reads;  // before that
    bool asking;
    request asked;
    uint32_t hot;
};

// The number of a line in physical memory.
uint32_t physical(const world &w, uint32_t line) {
    return w.pages[line * 32 / PAGE] * (PAGE / 32) + line % (PAGE / 32);
}

void change(world &w, uint32_t line) {
    w.memory[line][bench_below(&w.bench, 8)] = static_cast<uint32_t>(bench_random(&w.bench));
}

// Few lines, so that they meet; in all sets now and then.
uint32_t pick_line(world &w) {
    if (bench_chance(&w.bench, 1, 400)) w.hot = bench_below(&w.bench, LINES);
    const uint32_t far = bench_chance(&w.bench, 1, 4) ? LINES / 2 : 0;  // as far as the pages are
    return (w.hot + far + (bench_chance(&w.bench, 1, 8) ? bench_below(&w.bench, LINES) : bench_below(&w.bench, 12))) %
           LINES;
}

void ask(world &w) {
    const uint32_t next = bench_below(&w.bench, LSU_DEPTH);
    if (w.asking || w.slots[next].used || bench_chance(&w.bench, 1, 3)) return;
    request &r = w.asked;
    r.read = bench_chance(&w.bench, 7, 8);
    r.channel = bench_below(&w.bench, CHANNELS);
    if (!bench_chance(&w.bench, 1, 3)) r.line = pick_line(w);         // else the one that was asked for last
    const uint32_t word = r.read ? 0 : 4 * bench_below(&w.bench, 8);  // not a read: perhaps a word
    r.addr = physical(w, r.line) * 32 - w.base[r.channel] + word;
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
    Vl1_cache &u = *w.up;
    u.snoop_valid_i = 0;
    u.snoop_addr_i =
        bench_chance(&w.bench, 1, 2) ? static_cast<uint32_t>(bench_random(&w.bench)) : physical(w, pick_line(w)) * 32;
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
    if (u.snoop_valid_i) u.snoop_addr_i = physical(w, p.line) * 32 + bench_below(&w.bench, 32);
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
    const slot &other = w.slots[w.up->join_place_o];
    if (&own == &other || !other.used || !other.read || other.line != r.line || other.place != w.up->join_place_o)
        bench_fail(&w.bench, "line 0x%x joins slot %u, which has not asked for it", r.line * 32, w.up->join_place_o);
    for (size_t i = w.waiting.size(); i-- > 0;) {
        const request &before = w.waiting[i];
        if (before.slot == w.up->join_place_o) break;
        if (!before.read && !before.outside && before.line == r.line)
            bench_fail(&w.bench, "line 0x%x joins a read from before a write of it", r.line * 32);
    }
    if (other.known && other.fault == 0 && memcmp(other.data, w.memory[r.line], 32) != 0)
        bench_fail(&w.bench, "line 0x%x joins a read that has seen what is there no more", r.line * 32);
    if (w.up->rsp_valid_i && w.up->rsp_fault_i != 0)
        bench_fail(&w.bench, "line 0x%x joins while an answer is a fault", r.line * 32);
    own.place = w.up->join_place_o;
    own.known = other.known;
    own.fault = other.fault;
    memcpy(own.data, other.data, 32);
    w.joins++;
}

// What becomes of the request of this cycle.
verdict judge(const world &w) {
    const Vl1_cache &u = *w.up;
    const cache &c = w.rules;
    verdict v = {false, false, false, 0};
    if (!w.asking) return v;
    const uint32_t line = physical(w, w.asked.line);
    bool there = false, behind_write = false, joinable = false;
    for (const int64_t held : c.held[line % SETS])
        if (held == line) there = true;
    for (const on_its_way &a : c.asked) {
        if (a.line != line) continue;
        if (a.write) behind_write = true;
        if (a.fill) joinable = true, v.place = a.place;
    }
    const bool may = w.asked.read && u.enable_i && !u.changed_i && !w.asked.outside;
    const bool found = may && there && !behind_write, may_join = may && joinable;
    v.joins = may_join && !(u.rsp_valid_i && u.rsp_fault_i != 0);
    v.hit = v.joins || (found && !(u.rsp_valid_i && (c.asked.front().fill || c.hit_waits)));
    v.goes = !found && !may_join;
    return v;
}

void look_at_verdict(world &w, const verdict &v) {
    const Vl1_cache &u = *w.up;
    if (u.hit_o != v.hit || u.joins_o != v.joins || u.out_valid_o != v.goes || (v.joins && u.join_place_o != v.place))
        bench_fail(&w.bench, "hits %u joins %u (place %u) goes %u, by the rules %u %u (%u) %u", u.hit_o, u.joins_o,
                   u.join_place_o, u.out_valid_o, v.hit, v.joins, v.place, v.goes);
    if (u.in_ready_o != (v.hit || (v.goes && u.out_ready_i))) bench_fail(&w.bench, "in_ready_o is %u", u.in_ready_o);
    if (u.ans_valid_o != (u.rsp_valid_i || w.rules.hit_waits))
        bench_fail(&w.bench, "ans_valid_o is %u, a hit waits: %u", u.ans_valid_o, w.rules.hit_waits);
    const uint32_t place = u.rsp_valid_i ? w.rules.asked.front().place : w.rules.hit_place;
    if (u.ans_valid_o && u.ans_place_o != place)
        bench_fail(&w.bench, "an answer for slot %u, not %u", u.ans_place_o, place);
    if (u.ans_valid_o && u.ans_hit_o != !u.rsp_valid_i) bench_fail(&w.bench, "an answer is a hit's: %u", u.ans_hit_o);
}

// What the lines are after this cycle.
void follow(world &w, const verdict &v) {
    const Vl1_cache &u = *w.up;
    cache &c = w.rules;
    const uint32_t line = physical(w, w.asked.line), written = u.snoop_addr_i / 32;
    const bool keeps = u.enable_i && !u.changed_i;
    if (u.snoop_valid_i)
        for (int64_t &held : c.held[written % SETS])
            if (held == written) held = -1;
    if (u.rsp_valid_i) {
        const on_its_way a = c.asked.front();
        c.asked.pop_front();
        if (a.fill && u.rsp_fault_i == 0 && keeps && !(u.snoop_valid_i && written == a.line)) {
            const uint32_t set = a.line % SETS;
            uint32_t way = WAYS > 1 ? c.victim[set] : 0;
            for (uint32_t k = 0; k < WAYS; k++)
                if (c.held[set][k] == a.line) way = k;
            c.held[set][way] = a.line;
            c.victim[set] ^= 1;
        }
    }
    for (on_its_way &a : c.asked)
        if ((u.snoop_valid_i && a.line == written) || (v.goes && !w.asked.read && a.line == line) || !keeps)
            a.fill = false;
    c.hit_waits = (v.hit && !v.joins) || (c.hit_waits && u.rsp_valid_i);
    if (v.hit && !v.joins) c.hit_place = w.asked.slot;
    if (v.goes && u.out_ready_i)
        c.asked.push_back(
            {line, w.asked.slot, w.asked.read && keeps && !w.asked.outside, !w.asked.read && !w.asked.outside});
    if (!keeps) memset(c.held, 0xFF, sizeof c.held);
}

void look_at_request(world &w) {
    Vl1_cache &u = *w.up;
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
    Vl1_cache &u = *w.up;
    if (u.rsp_valid_i && !u.ans_valid_o) bench_fail(&w.bench, "an answer of memory is held up");
    if (!u.ans_valid_o) return;
    const uint32_t place = u.ans_place_o;
    if (!w.slots[place].used || w.slots[place].place != place)
        bench_fail(&w.bench, "an answer for slot %u, which waits for none", place);
    for (slot &s : w.slots) {
        if (!s.used || s.place != place) continue;
        if (!s.known) bench_fail(&w.bench, "an answer for slot %u, which is not performed", place);
        if (u.ans_fault_o != s.fault) bench_fail(&w.bench, "fault %u, not %u", u.ans_fault_o, s.fault);
        for (uint32_t i = 0; i < 8; i++) {
            const uint32_t data = u.ans_hit_o ? u.ans_data_o[i] : u.rsp_data_i[i];
            if (s.read && s.fault == 0 && data != s.data[i])
                bench_fail(&w.bench, "slot %u word %u is %08x, memory held %08x when it was performed", place, i, data,
                           s.data[i]);
        }
        s.used = false;
    }
}

void step(world &w) {
    Vl1_cache &u = *w.up;
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
    } else {
        u.in_read_i = bench_below(&w.bench, 2);
        u.in_channel_i = static_cast<uint8_t>(bench_below(&w.bench, CHANNELS));
        u.in_addr_i = physical(w, pick_line(w)) * 32 - w.base[u.in_channel_i];
        u.in_place_i = static_cast<uint8_t>(bench_below(&w.bench, LSU_DEPTH));
    }
    u.out_ready_i = bench_chance(&w.bench, 2, 3);
    u.rsp_valid_i = !w.answers.empty() && bench_chance(&w.bench, 1, 3);
    for (uint32_t i = 0; i < 8; i++)
        u.rsp_data_i[i] = u.rsp_valid_i ? w.answers.front().data[i] : static_cast<uint32_t>(bench_random(&w.bench));
    u.rsp_fault_i = static_cast<uint8_t>(u.rsp_valid_i ? w.answers.front().fault : bench_below(&w.bench, 3));
    if (u.rsp_valid_i) w.answers.pop_front();
    const performed p = choose(w);
    u.eval();
    const verdict v = judge(w);
    look_at_verdict(w, v);
    follow(w, v);
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

// Memory lies anywhere. The first channel sees all of it; the others a page each, or none of it from below their base.
void place_memory(world &w) {
    struct bench *b = &w.bench;
    w.pages[0] = bench_below(b, 0xFFFFE);
    do
        w.pages[1] = w.pages[0] ^ 1u << (bench_chance(b, 1, 2) ? 19 : bench_below(b, 19));
    while (w.pages[1] >= 0xFFFFE);
    for (uint32_t c = 0; c < CHANNELS; c++) {
        w.base[c] = c == 0 ? 0 : w.pages[c % 2] * PAGE;
        w.size[c] = c == 0 ? 0xFFFFF000 : PAGE;
        set_bits(w.up->space_base_i, 32 * c, 32, w.base[c]);
        set_bits(w.up->space_size_i, 32 * c, 32, w.size[c]);
    }
}

// Registers come up at random, now and then all of them as ones; or as they were left, and then memory stays where it is.
void come_up(world &w) {
    if (w.up == NULL || bench_chance(&w.bench, 1, 2)) {
        delete w.up;
        registers_at_random(bench_random(&w.bench));
        if (bench_chance(&w.bench, 1, 4)) Verilated::randReset(1);
        w.up = new Vl1_cache();
        place_memory(w);
    }
    Vl1_cache &u = *w.up;
    u.enable_i = 1;
    u.in_valid_i = u.rsp_valid_i = u.changed_i = u.snoop_valid_i = 0;
    u.inject_i = 0;
    reset(u);
    memset(w.slots, 0, sizeof w.slots);
    w.waiting.clear();
    w.answers.clear();
    w.asking = false;
    w.rules = cache();
    memset(w.rules.held, 0xFF, sizeof w.rules.held);
    w.all_hits += w.hits, w.all_joins += w.joins, w.all_reads += w.reads;
    w.hits = w.joins = w.reads = 0;
}

}  // namespace

int main(int argc, char **argv) {
    static world w;
    bench_begin(&w.bench, argc, argv, 1000000);
    for (uint32_t l = 0; l < LINES; l++)
        for (uint32_t i = 0; i < 8; i++)
            w.memory[l][i] = static_cast<uint32_t>(bench_random(&w.bench));
    while (w.bench.op < w.bench.ops) {
        come_up(w);
        for (uint64_t k = 0; k < CYCLES && bench_more(&w.bench); k++)
            step(w);
    }
    w.up->final();
    delete w.up;
    const uint64_t reads = w.all_reads + w.reads, hits = w.all_hits + w.hits, joins = w.all_joins + w.joins;
    printf("%" PRIu64 " reads, %" PRIu64 " of them hits, %" PRIu64 " of these join another read\n", reads, hits, joins);
    if (w.bench.ops >= 100000 && (hits - joins) * 10 < reads) bench_fail(&w.bench, "hardly anything hits");
    if (w.bench.ops >= 100000 && joins * 20 < reads) bench_fail(&w.bench, "hardly anything joins");
    return bench_end(&w.bench);
}
