// scoreboard: random instructions, on private registers and on shared ones (rows), that are asked about on their way from
// stage D to stage I, issued there when nothing that they name is pending, beside the question for another warp's, and
// written portion by portion in any order, beside both; registers cleared, warps started. Every answer against the C twin. Compiled with -DTHREADS= -DLANES= -DWARPS= -DVGPR_ROWS= as the unit was verilated.
#include <verilated.h>

#include <vector>

#include "Vscoreboard.h"
#include "bench.h"
#include "tick.h"

extern "C" {
#include "sm/scoreboard.h"
}

static const uint32_t P = THREADS / LANES, REGS = VGPR_ROWS / P;

// The name of a register for the RTL: {shared, row} or {private, number}.
static uint32_t ref(uint32_t reg) {
    return (reg & SCOREBOARD_SHARED) != 0 ? (reg & ~SCOREBOARD_SHARED) | VGPR_ROWS : reg;
}

// `next` names something of what the instruction before it writes.
static bool follows(const struct scoreboard_request &next, const struct scoreboard_request &before) {
    const auto overlap = [&](uint32_t first, uint32_t more) {
        return first <= before.reg_d + before.more && before.reg_d <= first + more;
    };
    return ((next.names & SCOREBOARD_RA) != 0 && overlap(next.reg_a, 0)) ||
           ((next.names & SCOREBOARD_RB) != 0 && overlap(next.reg_b, 0)) ||
           ((next.names & SCOREBOARD_RC) != 0 && overlap(next.reg_c, 0)) ||
           ((next.names & SCOREBOARD_RD) != 0 && overlap(next.reg_d, next.more));
}

// Something from rd on is pending that the instruction names.
static bool named_from_rd(const struct scoreboard *model, struct scoreboard_request request) {
    uint32_t reg = 0;
    request.names &= SCOREBOARD_RD;
    return scoreboard_wait(model, &request, &reg);
}

// The half of the register file that has this portion of a register.
static uint32_t half_of(uint32_t reg, uint32_t portion) {
    const uint32_t row = (reg & SCOREBOARD_SHARED) != 0 ? reg & ~SCOREBOARD_SHARED : reg * P + portion;
    return (row ^ row / P) & 1;
}

struct pending {
    bool pred;
    uint32_t warp, number, portion;
};

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 1000000);
    registers_at_random(bench.seed);
    Vscoreboard rtl;
    struct scoreboard model;
    if (!scoreboard_init(&model, REGS, P, WARPS)) return 1;
    // How large it is: what an image of it goes by.
    if (model.registers != REGS || model.portions != P || model.warps != WARPS)
        bench_fail(&bench, "the model is of another size");
    std::vector<pending> due;
    uint64_t went_free = 0, waited = 0, issued = 0, wide = 0, cleared = 0, shared = 0, both = 0;
    pending written = {};                  // by a row in this cycle
    struct scoreboard_request taken = {};  // that in stage I
    bool in_stage = false;                 // there is one
    bool comes_now = false, wide_waits = false, waited_before = false;
    rtl.inject_i = 0;
    // After power-up nothing is known of any bit: launching clears what it gives out.
    rtl.clear_i = rtl.start_i = rtl.score_set_i = rtl.row_valid_i = rtl.loaded_valid_i = rtl.pred_write_valid_i = 0;
    rtl.score_set_preds_i = 0;
    rtl.score_names_i = rtl.score_take_i = 0;
    for (uint32_t r = 0; r < REGS || r < WARPS; r++) {
        rtl.clear_i = r < REGS;
        rtl.clear_group_i = r % REGS / 4;
        rtl.clear_which_i = 15;
        rtl.start_i = 1;
        rtl.start_warp_i = r % WARPS;
        tick(rtl);
    }
    while (bench_more(&bench)) {
        struct scoreboard_request request = {};
        uint32_t reg = 0;
        // What is in stage I stays there for a while, or is sent back because it has to wait.
        // A wide access that had to wait for what it names from rd on is told so as long as it is there.
        const bool named = in_stage && scoreboard_wait(&model, &taken, &reg);
        if (comes_now) wide_waits = named && taken.more != 0 && named_from_rd(&model, taken);
        comes_now = false;
        const bool waits = named || (in_stage && wide_waits);
        if (in_stage && rtl.score_wait_o != waits)
            bench_fail(&bench, "names %x ra %u rb %u rc %u rd %u more %u: wait %u, model %u (R%u)", taken.names,
                       taken.reg_a, taken.reg_b, taken.reg_c, taken.reg_d, taken.more, rtl.score_wait_o, waits, reg);
        if (in_stage && rtl.score_again_o != wide_waits) bench_fail(&bench, "again is %u", rtl.score_again_o);
        waited += waits;
        const bool take = !in_stage || bench_chance(&bench, waits ? 1 : 3, 4);
        went_free += waited_before && in_stage && !waits;
        waited_before = waits && !take;
        // Few registers, so that hazards are frequent; now and then the last ones.
        // Shared ones are rows of the registers behind the first eight, as a warp's are; a warp's begin with any register.
        const uint32_t base = bench_chance(&bench, 1, 2) ? 0 : REGS - 16, warp = bench_below(&bench, WARPS);
        const auto any = [&](uint32_t step) {
            if (bench_chance(&bench, 1, 4)) {
                const uint32_t begin = bench_below(&bench, 6);
                return SCOREBOARD_SHARED |
                       ((base + 8 + begin) * P + bench_below(&bench, (8 - begin) * P / step) * step);
            }
            return base + bench_below(&bench, 8 / step) * step;
        };
        request.names = bench_below(&bench, 16);
        request.reg_a = any(1);
        request.reg_b = any(1);
        request.reg_c = any(1);
        const uint32_t more = bench_below(&bench, 4);
        request.more = more == 2 ? 0 : more;
        request.reg_d = any(request.more + 1);
        rtl.score_names_i = request.names;
        rtl.score_reg_a_i = ref(request.reg_a);
        rtl.score_reg_b_i = ref(request.reg_b);
        rtl.score_reg_c_i = ref(request.reg_c);
        rtl.score_reg_d_i = ref(request.reg_d);
        rtl.score_more_i = request.more;
        rtl.score_take_i = take;
        rtl.pred_warp_i = warp;
        rtl.score_set_i = rtl.clear_i = rtl.start_i = rtl.row_valid_i = rtl.loaded_valid_i = rtl.pred_write_valid_i = 0;
        rtl.score_set_preds_i = 0;
        rtl.eval();
        const uint32_t preds = scoreboard_preds(&model, warp);
        if (rtl.preds_o != preds) bench_fail(&bench, "warp %u: predicates %x, model %x", warp, rtl.preds_o, preds);
        if (rtl.row_cleared_o || rtl.loaded_cleared_o || rtl.pred_cleared_o)
            bench_fail(&bench, "something is cleared without a write");
        // One row of the lanes, one of a memory unit and one write of a predicate may come beside an instruction that is issued.
        uint32_t predicates = 0;
        for (uint32_t tries = 0; tries < 3 && !due.empty() && bench_chance(&bench, 3, 4); tries++) {
            const size_t i = bench_below(&bench, (uint32_t)due.size());
            const pending d = due[i];
            // Rows of different halves; of one register both a load and the lanes have something to write never.
            if (d.pred ? predicates++ != 0 : rtl.row_valid_i && rtl.loaded_valid_i) continue;
            if (!d.pred && (rtl.row_valid_i || rtl.loaded_valid_i) &&
                (d.number == written.number ||
                 half_of(d.number, d.portion) == half_of(written.number, written.portion)))
                continue;
            due.erase(due.begin() + (long)i);
            const bool loads = !d.pred && (rtl.row_valid_i || (!rtl.loaded_valid_i && bench_chance(&bench, 1, 2)));
            bool last;
            if (d.pred) {
                rtl.pred_write_valid_i = 1;
                rtl.pred_write_warp_i = d.warp;
                rtl.pred_write_pred_i = d.number;
                rtl.pred_write_portion_i = d.portion;
                last = scoreboard_pred(&model, d.warp, d.number);
            } else {
                written = d;
                (loads ? rtl.loaded_valid_i : rtl.row_valid_i) = 1;
                (loads ? rtl.loaded_reg_d_i : rtl.row_reg_d_i) = ref(d.number);
                (loads ? rtl.loaded_portion_i : rtl.row_portion_i) = d.portion;
                last = scoreboard_row(&model, d.number, d.portion);
                both += rtl.row_valid_i && rtl.loaded_valid_i;
            }
            rtl.eval();
            const bool is = d.pred ? rtl.pred_cleared_o : loads ? rtl.loaded_cleared_o : rtl.row_cleared_o;
            if (is != last)
                bench_fail(&bench, "%s %u portion %u: cleared %u, model %u", d.pred ? "predicate" : "register",
                           d.number, d.portion, is, last);
            cleared += last;
        }
        const uint32_t left = scoreboard_preds(&model, warp);
        if (rtl.preds_o != left)
            bench_fail(&bench, "warp %u: predicates %x behind a write, model %x", warp, rtl.preds_o, left);
        bool stays = in_stage && !take;
        bool comes = take;
        if (in_stage && !waits && bench_chance(&bench, 3, 4)) {
            // Of an instruction whose guard holds for nobody: none.
            const uint32_t portions = bench_below(&bench, 1u << P);
            const uint32_t set_preds = bench_chance(&bench, 1, 2) ? bench_below(&bench, 128) & ~preds : 0;
            const bool writes = (taken.names & SCOREBOARD_RD) != 0 && bench_chance(&bench, 3, 4);
            rtl.score_set_i = writes;
            if (writes && follows(request, taken)) comes = false;  // that comes in some cycles later
            rtl.score_set_portions_i = portions;
            rtl.score_warp_i = warp;
            rtl.score_set_preds_i = set_preds;
            scoreboard_set(&model, &taken, writes, warp, set_preds, portions);
            const bool whole = (taken.reg_d & SCOREBOARD_SHARED) == 0;
            for (uint32_t r = 0; writes && !whole && portions != 0 && r <= taken.more; r++)
                due.push_back({false, warp, taken.reg_d + r, bench_below(&bench, P)});
            shared += writes && !whole;
            for (uint32_t p = 0; p < P; p++) {
                if ((portions >> p & 1) == 0) continue;
                for (uint32_t r = 0; writes && whole && r <= taken.more; r++)
                    due.push_back({false, warp, taken.reg_d + r, p});
                for (uint32_t n = 0; n < 7; n++)
                    if ((set_preds >> n & 1) != 0) due.push_back({true, warp, n, p});
            }
            stays = false;  // nobody asks about it any more, even if it takes some cycles yet
            issued++;
            wide += writes && taken.more != 0;
        } else if (bench_chance(&bench, 1,
                                64)) {  // killed warps leave things pending: what is given out again is cleared
            const uint32_t r = base + bench_below(&bench, 16);
            const auto word = [&](uint32_t reg) {
                return (reg & SCOREBOARD_SHARED) != 0 ? (reg & ~SCOREBOARD_SHARED) / P : reg;
            };
            if (!rtl.row_valid_i && !rtl.loaded_valid_i) {
                comes = false;  // an instruction that names them is not of a warp that starts
                stays = false;
                rtl.clear_i = 1;
                rtl.clear_group_i = r / 4;
                rtl.clear_which_i = (uint8_t)(bench_below(&bench, 16) | 1u << r % 4);
                const auto forgotten = [&](uint32_t reg) {
                    return reg / 4 == r / 4 && (rtl.clear_which_i >> reg % 4 & 1);
                };
                for (uint32_t k = r / 4 * 4; k < r / 4 * 4 + 4; k++)
                    if (forgotten(k)) scoreboard_clear(&model, k);
                for (size_t i = due.size(); i-- > 0;)
                    if (!due[i].pred && forgotten(word(due[i].number))) due.erase(due.begin() + (long)i);
            }
            if (!rtl.pred_write_valid_i) {
                rtl.start_i = 1;
                rtl.start_warp_i = warp;
                scoreboard_start(&model, warp);
                for (size_t i = due.size(); i-- > 0;)
                    if (due[i].pred && due[i].warp == warp) due.erase(due.begin() + (long)i);
            }
        }
        tick(rtl);
        if (take) taken = request;
        in_stage = comes || stays;
        comes_now = comes;
    }
    rtl.final();
    scoreboard_free(&model);
    if (went_free == 0 || issued == 0 || waited == 0 || wide == 0 || cleared == 0 || shared == 0 || both == 0)
        bench_fail(&bench,
                   "the stream has missed something: %llu issued, %llu waited, %llu wide, %llu cleared, %llu shared",
                   (unsigned long long)issued, (unsigned long long)waited, (unsigned long long)wide,
                   (unsigned long long)cleared, (unsigned long long)shared);
    return bench_end(&bench);
}
