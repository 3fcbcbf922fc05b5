// eviction: who of the task table is evicted, and when.
//
// Five reasons, of which the last three count for tasks that can step aside (save_i) alone:
//   - its channel is suspended (suspended_i),
//   - no slot is free and a task of a higher level is pending (pick_*; not when the levels take turns, round_robin_i),
//   - a CTA of a higher level has been offered for PATIENCE cycles or a little longer, and no SM has taken it (nor this with round_robin_i),
//   - every warp of it has rested for REST_CYCLES, or up to twice as many (it waits for children or stands at a barrier, one at least for
//     children), while no slot is free and a task is pending, or another task's CTA has been offered for PATIENCE cycles,
//   - CTAs of it have run for slice_i * 1024 cycles, or up to twice as many (slice_i 0: never), and a task of its level, with round_robin_i of
//     any, is pending while no slot is free, or has been offered a CTA of for PATIENCE cycles.
// A task can be evicted while it has CTAs that are not out (has_ctas_i); one that can step aside also while CTAs of it run. First those
// that can step aside, since they leave at once; of these, and of the others, the lowest level; of equals the lowest slot. Of those that
// can one leaves at a time; of the others one, and none while another task leaves. Suspended channels and what rests go first, slices last.
//
// evict_o: victim_o is evicted; not while hold_i. Latency of the first reason: none.
`default_nettype none
`include "coverage.svh"

module eviction #(
    parameter int SMS = 1,
    parameter int TASK_SLOTS = 2,
    parameter int PATIENCE_W = 6,  // PATIENCE is two to the power of it
    localparam int SLOT_W = (TASK_SLOTS > 1) ? $clog2(TASK_SLOTS) : 1
) (
    input  wire                      clk_i,
    input  wire                      rst_i,
    input  wire                      round_robin_i,
    input  wire  [7:0]               slice_i,
    input  wire                      pick_valid_i,
    input  wire  [5:0]               pick_level_i,

    // The slots.
    input  wire  [TASK_SLOTS-1:0]    begins_i,     // its first CTA goes out, or the first again after none of it ran
    input  wire  [TASK_SLOTS-1:0]    suspended_i,
    input  wire  [TASK_SLOTS-1:0]    busy_i,
    input  wire  [TASK_SLOTS-1:0]    kill_i,
    input  wire  [TASK_SLOTS-1:0]    save_i,
    input  wire  [TASK_SLOTS-1:0]    has_ctas_i,
    input  wire  [TASK_SLOTS-1:0]    resting_i,    // no CTA of it runs
    input  wire  [TASK_SLOTS-1:0]    evicted_i,
    input  wire  [TASK_SLOTS-1:0]    candidate_i,  // a CTA of it may go out
    input  wire  [TASK_SLOTS*6-1:0]  group_i,
    // Of SM s at s * TASK_SLOTS: no warp of the slot can go on; one waits for children.
    input  wire  [SMS*TASK_SLOTS-1:0] sm_slot_rests_i,
    input  wire  [SMS*TASK_SLOTS-1:0] sm_slot_waits_i,
    input  wire  [SMS*TASK_SLOTS-1:0] sm_slot_trapped_i,  // one is in a trap, or comes back: that time is no part of its slice

    // A CTA is offered, of a task of this level. fed: it has been taken, or there is none, or another one goes before it.
    input  wire                      offer_valid_i,
    input  wire  [SLOT_W-1:0]        offer_slot_i,
    input  wire  [5:0]               offer_group_i,
    input  wire                      fed_i,

    input  wire                      hold_i,
    output logic                     evict_o,
    output logic [SLOT_W-1:0]        victim_o
);
    localparam int REST_CYCLES = 64;
    localparam int REST_W = $clog2(REST_CYCLES);

    // ---- how long a CTA has been offered; the low bit goes on ----
    logic [PATIENCE_W:0] offered_q;
    logic                crowded, higher_cta;
    assign crowded = offered_q[PATIENCE_W];
    assign higher_cta = crowded && offered_q[0] && offer_valid_i && !round_robin_i && (save_i & busy_i) != '0;
    always_ff @(posedge clk_i) begin
        if (rst_i || fed_i) offered_q <= '0;
        else if (crowded) offered_q[0] <= !offered_q[0];
        else offered_q <= offered_q + (PATIENCE_W+1)'(1);
    end

    // ---- who has rested while others wait, all through a window of REST_CYCLES; asked for at its end, until it is evicted or goes on ----
    logic [TASK_SLOTS-1:0] all_rest, some_wait, others, rests, steady_q, goes;
    logic [REST_W-1:0]     window_q;
    logic                  full, rested;
    assign full = busy_i == {TASK_SLOTS{1'b1}};
    always_comb begin
        all_rest = {TASK_SLOTS{1'b1}};
        some_wait = '0;
        for (int s = 0; s < SMS; s++) begin
            all_rest = all_rest & sm_slot_rests_i[s*TASK_SLOTS +: TASK_SLOTS];
            some_wait = some_wait | sm_slot_waits_i[s*TASK_SLOTS +: TASK_SLOTS];
        end
        for (int k = 0; k < TASK_SLOTS; k++)
            others[k] = (full && pick_valid_i) || (crowded && (candidate_i & ~(TASK_SLOTS'(1) << k)) != '0);
        rests = busy_i & save_i & ~kill_i & ~evicted_i & ~resting_i & all_rest & some_wait & others;
    end
    assign goes = steady_q & rests;  // a slot may have become free since
    assign rested = window_q == '1 && goes != '0;
    always_ff @(posedge clk_i) begin
        if (rst_i) begin
            window_q <= '0;
            steady_q <= '0;
        end else begin
            if (!rested || evict_o) window_q <= window_q + REST_W'(1);
            steady_q <= window_q == '1 && (!rested || evict_o) ? rests : steady_q & rests;
        end
    end

    // ---- of whom CTAs have run through a whole slice: it has not begun between two ends of a slice ----
    logic [9:0]            part_q;   // of 1024 cycles
    logic [7:0]            parts_q;
    logic                  slice_ends;
    logic [TASK_SLOTS-1:0] young_q, over_q, trapped;
    always_comb begin
        trapped = '0;
        for (int s = 0; s < SMS; s++) trapped = trapped | sm_slot_trapped_i[s*TASK_SLOTS +: TASK_SLOTS];
    end
    assign slice_ends = part_q == '1 && parts_q >= slice_i;
    always_ff @(posedge clk_i) begin
        if (rst_i) begin
            part_q <= '0;
            parts_q <= 8'd1;
        end else begin
            part_q <= part_q + 10'd1;
            if (part_q == '1) parts_q <= slice_ends ? 8'd1 : parts_q + 8'd1;
        end
        for (int k = 0; k < TASK_SLOTS; k++) begin
            if (begins_i[k] || trapped[k]) {young_q[k], over_q[k]} <= 2'b10;
            else if (slice_ends) {young_q[k], over_q[k]} <= {1'b0, !young_q[k]};
        end
    end

    // ---- one choice for all ----
    logic                  higher_pending, saving_leaves, valid;
    logic [TASK_SLOTS-1:0] can, urgent, lower, sliced, choice;
    logic [5:0]            limit, group;
    logic [6:0]            order;
    assign higher_pending = full && pick_valid_i && !round_robin_i;
    assign saving_leaves = (evicted_i & save_i) != '0;
    assign limit = higher_cta ? offer_group_i : pick_level_i;
    always_comb begin
        for (int k = 0; k < TASK_SLOTS; k++) begin
            group = group_i[6*k +: 6];
            can[k] = busy_i[k] && !kill_i[k] && !evicted_i[k] && (save_i[k] ? !saving_leaves : evicted_i == '0) &&
                     (has_ctas_i[k] || (save_i[k] && !resting_i[k]));
            urgent[k] = can[k] && (suspended_i[k] || (rested && goes[k]));
            lower[k] = can[k] && group < limit && (higher_cta ? save_i[k] && !resting_i[k] : higher_pending);
            sliced[k] = can[k] && slice_i != 8'd0 && over_q[k] && save_i[k] && !resting_i[k] &&
                        ((full && pick_valid_i && (round_robin_i || pick_level_i == group)) ||
                         (crowded && offer_valid_i && offer_slot_i != SLOT_W'(k) && (round_robin_i || offer_group_i == group)));
        end
        choice = urgent != '0 ? urgent : lower != '0 ? lower : sliced;
        valid = 1'b0;
        victim_o = '0;
        order = '0;
        for (int k = TASK_SLOTS - 1; k >= 0; k--) begin
            if (choice[k] && (!valid || {!save_i[k], group_i[6*k +: 6]} <= order)) begin
                valid = 1'b1;
                victim_o = SLOT_W'(k);
                order = {!save_i[k], group_i[6*k +: 6]};
            end
        end
    end
    assign evict_o = valid && !hold_i;

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) if (!rst_i) begin
        `COVER(higher_pending, evict_o && urgent == '0 && lower != '0 && !higher_cta && !save_i[victim_o])
        `COVER(higher_pending_saving, evict_o && urgent == '0 && lower != '0 && !higher_cta && save_i[victim_o])
        `COVER(higher_cta, evict_o && urgent == '0 && lower != '0 && higher_cta)
        `COVER(rested_pending, evict_o && rested && !suspended_i[victim_o] && full && pick_valid_i)
        `COVER(rested_crowded, evict_o && rested && !suspended_i[victim_o] && !(full && pick_valid_i))
        `COVER(suspended, evict_o && suspended_i[victim_o] && !save_i[victim_o])
        `COVER(suspended_saving, evict_o && suspended_i[victim_o] && save_i[victim_o])
        `COVER(sliced_pending, evict_o && urgent == '0 && lower == '0 && full && pick_valid_i)
        `COVER(sliced_crowded, evict_o && urgent == '0 && lower == '0 && !(full && pick_valid_i))
        `COVER(beside_another, evict_o && evicted_i != '0)
    end
`endif
endmodule
`default_nettype wire
