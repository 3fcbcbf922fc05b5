// The warps of the SM: which are live, where they stand, what they wait for; and how they end.
//
// A live warp is in exactly one of these sets (a bit a warp): ready (it may be picked, or waits only for a unit or a value),
// fetching (on its way through the front end), executing (an instruction that the warp does not go on beside: control, R2S, LAUNCH), barrier, held
// (its token deque stands at a bound: software moves the tokens, resumes it, and it executes the instruction again), or none of them once it
// has faulted; a faulted warp (faulted) may still be fetching, what comes of that is thrown away by the issue stage.
// Beside that it has up to 15 instructions in flight, of lanes and memory: they are counted (inflight), so that who must wait for all of
// them can (drained_o); what single values wait for is the scoreboard's.
// A ready warp that found a unit busy remembers which (waits_fetch, waits_memory, waits_shared, waits_launch,
// waits_control) and is not picked until that is free and it may have it (turn_i, launch_turn_i: turns.sv).
// One that has to wait for something in flight (waits_score) is picked again when anything of it is done, or at once if something was done in the
// last cycles and is still to be written (settles); it may then have to wait again.
// A warp in the front end may be picked for the instruction behind that one too, and for the one behind that (may_ahead_o, ahead_i): when the first is
// handed over the warp stays in `fetching`, when it is sent back the others are dropped (drop_o). A stop, a kill, a fault let no further one go.
// A warp that is to be stopped (stops_i) is not picked to be fetched, and waits for no unit. When it is ready and nothing of it is in flight it may
// enter a trap (stop_ask_o); it does, in the place of being fetched, when it is picked while stop_open_i, and goes on at pc 0. One at a
// barrier becomes ready in front of its BAR, unless the barrier opens in that cycle.
// Warps of a killed task slot are not picked; one that is ready, at a barrier or faulted ends when nothing of it is in flight, one a cycle.
// All inputs are pulses of one cycle. Everything takes effect at the clock edge.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/registers.svh"
`include "gen/trace.svh"

module warp_table #(
    parameter int WARPS = 4,
    parameter int TASK_SLOTS = 4,
    parameter int REG_W = 8,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1,
    localparam int SLOT_W = (TASK_SLOTS > 1) ? $clog2(TASK_SLOTS) : 1
) (
    input  wire                     clk_i,
    input  wire                     rst_i,
    input  wire  [TASK_SLOTS-1:0]   slot_kill_i,
    input  wire                     start_i,          // a warp starts
    `WARP_PLACE_IN(start),
    // to be stopped; some may enter a trap; they can now
    input  wire  [WARPS-1:0]        stops_i,
    output logic                    stop_ask_o,
    input  wire                     stop_open_i,
    // picked by the scheduler: fetched, or one that is to be stopped enters a trap
    output logic [WARPS-1:0]        eligible_o,
    input  wire                     pick_i,
    input  wire                     enter_i,
    input  wire  [WARP_W-1:0]       pick_warp_i,
    // picked for the instruction behind one that is still on its way
    output logic [WARPS-1:0]        may_ahead_o,
    input  wire                     ahead_i,
    input  wire  [WARP_W-1:0]       ahead_warp_i,
    output logic                    drop_o,           // what is behind it is to be dropped: it has not been handed over
    `FETCH_NEWS_IN(fetch),
    `ISSUE_IN(issue),
    input  wire                     memory_free_i,
    input  wire                     shared_free_i,
    input  wire                     launch_free_i,
    input  wire                     control_free_i,
    input  wire  [WARPS-1:0]        turn_i,           // may have load_store, shared_memory, divergence_unit
    input  wire  [WARPS-1:0]        launch_turn_i,    // .. child_launch
    input  wire  [WARPS-1:0]        sleeps_i,         // is not picked: waits for the end of another warp's trap, backs off
    // instructions end
    `LANES_DONE_IN(lanes_done),
    `DONE_IN(memory_done),
    `DONE_IN(launch_done),         // LAUNCH: the warp waits for it
    // a register or predicate has been written whole
    input  wire                     row_cleared_i,
    input  wire  [WARP_W-1:0]       row_warp_i,
    input  wire                     loaded_cleared_i,
    input  wire  [WARP_W-1:0]       loaded_warp_i,
    input  wire                     pred_cleared_i,
    input  wire  [WARP_W-1:0]       pred_warp_i,
    input  wire                     control_done_i,   // next pc is known; ended: no thread is left
    input  wire                     control_stays_i,  // the warp still executes (CAL writes its register)
    `CONTROL_NEXT_IN(control_done),
    input  wire  [WARPS-1:0]        barrier_release_i,
    input  wire                     hold_i,
    input  wire  [WARP_W-1:0]       hold_warp_i,
    input  wire                     resume_i,         // nothing unless the warp is held
    input  wire  [WARP_W-1:0]       resume_warp_i,
    input  wire                     fault_i,
    input  wire  [WARP_W-1:0]       fault_warp_i,
    input  wire                     fault_memory_i,   // a memory instruction ends with a fault, told (fault_i) or not
    // what others need to know
    output logic [WARPS-1:0]        live_o,
    output logic [WARPS-1:0]        at_barrier_o,     // at a barrier
    output logic [WARPS-1:0]        held_o,
    output logic [WARPS-1:0]        faulted_o,
    output logic [WARPS-1:0]        lands_o,          // in at most 2 cycles all of it can be read
    output logic [WARPS-1:0]        rests_o,          // in at most 2 cycles all of it is written
    output logic [WARPS-1:0]        drained_o,
    output logic [WARPS-1:0]        full_o,
    output logic                    waits_line_o,     // some warp waits for a line of its program
    output logic                    waits_memory_o,   // some warp waits for memory, or one of its units
    output logic                    waits_score_o,    // some warp waits for something in flight
    output logic [WARPS*22-1:0]     pc_o,             // next instruction
    output logic [WARPS*22-1:0]     instr_pc_o,       // instruction in flight, or the last one
    output logic [WARPS*SLOT_W-1:0] slot_o,
    output logic [WARPS*WARP_W-1:0] cta_o,
    output logic [WARPS*WARP_W-1:0] index_o,
    output logic [WARPS*REG_W-1:0]  base_o,
    output logic [WARPS*2-1:0]      fetch_fault_o,
    output logic                    end_valid_o,
    output logic [WARP_W-1:0]       end_cta_o,
    // debug registers
    input  wire  [WARP_W-1:0]       look_warp_i,
    output logic [31:0]             look_pc_o,
    output logic [15:0]             look_state_o,
    `TRACE_WARP_END_PORTS
);

    logic [WARPS-1:0] live_q, ready_q, fetching_q, executing_q, barrier_q, held_q, faulted_q;
    logic [WARPS-1:0] waits_score_q, waits_fetch_q, waits_memory_q, waits_shared_q, waits_launch_q, waits_control_q;
    logic [WARPS-1:0] ahead_q, further_q;  // one, two instructions behind that on its way
    // Warps of which an instruction may still have writes in the pipeline: they are not ended yet.
    logic [WARPS-1:0] settle_q [5];
    localparam int FLIGHT_W = 4;
    logic [FLIGHT_W-1:0] inflight_q [WARPS];
    logic [FLIGHT_W-1:0] inflight [WARPS];
    logic [FLIGHT_W-1:0] memory_q [WARPS];   // of them in memory
    logic [WARPS-1:0]    in_memory;
    logic [WARPS-1:0]    flies;  // after this cycle

    logic [WARPS*22-1:0]     pc_q, instr_pc_q;
    logic [WARPS*SLOT_W-1:0] slot_q;
    logic [WARPS*WARP_W-1:0] cta_q, index_q;
    logic [WARPS*REG_W-1:0]  base_q;
    logic [WARPS*2-1:0]      fetch_fault_q;

    wire [WARPS-1:0] owed = fetch_owed_i ? WARPS'(1) << fetch_owed_warp_i : '0;
    wire [WARPS-1:0] waits = sleeps_i | waits_score_q |
                             (waits_fetch_q & {WARPS{fetch_busy_i || fetch_owed_i}} & ~owed) | (waits_memory_q & {WARPS{!memory_free_i}}) |
                             (waits_shared_q & {WARPS{!shared_free_i}}) | (waits_control_q & {WARPS{!control_free_i}}) |
                             ((waits_memory_q | waits_shared_q | waits_control_q) & ~turn_i) | (waits_launch_q & ~(launch_turn_i & {WARPS{launch_free_i}}));

    logic [WARPS-1:0] killed;
    always_comb begin
        killed = '0;
        if (slot_kill_i != '0)
            for (int w = 0; w < WARPS; w++) killed[w] = live_q[w] && slot_kill_i[slot_q[w*SLOT_W +: SLOT_W]];
    end

    // The line that a warp has asked for may still be refused.
    wire [WARPS-1:0] asks_line = fetch_busy_i ? WARPS'(1) << fetch_owed_warp_i : '0;
    wire [WARPS-1:0] may_stop = ready_q & stops_i & drained_o & ~killed & ~asks_line;
    assign stop_ask_o = may_stop != '0;
    assign eligible_o = (ready_q & ~waits & ~killed & ~stops_i) | (may_stop & {WARPS{stop_open_i}});
    assign fetch_owed_keep_o = |(owed & (eligible_o | fetching_q));

    // Sets of at most one warp.
    wire [WARPS-1:0] one = WARPS'(1);
    wire [WARPS-1:0] issue_warp = one << issue_warp_i;

    logic [WARPS-1:0] busy;
    always_comb
        for (int w = 0; w < WARPS; w++) begin
            busy[w] = inflight_q[w] != '0;
            in_memory[w] = memory_q[w] != '0;
            full_o[w] = inflight_q[w] == '1;
        end
    assign waits_line_o = (ready_q & waits_fetch_q) != '0;
    wire [WARPS-1:0] waits_here = issue_stays_i ? issue_warp : '0;
    wire [WARPS-1:0] waits_value = (ready_q & waits_score_q) | waits_here;
    assign waits_memory_o = (waits_value & in_memory) != '0 || (ready_q & (waits_memory_q | waits_shared_q)) != '0;
    assign waits_score_o = waits_value != '0;
    // The last write of what has been done is at most 4 cycles away.
    wire [WARPS-1:0] settles = settle_q[0] | settle_q[1] | settle_q[2] | settle_q[3];
    assign lands_o = ~busy & (settle_q[0] | settle_q[1]);
    assign rests_o = ~busy & (settle_q[2] | settle_q[3]) & ~(settle_q[0] | settle_q[1]);
    assign drained_o = ~busy & ~settles;

    // The lowest warp that can be ended for its slot's sake, unless one ends by itself in this cycle.
    wire [WARPS-1:0] endable = killed & (ready_q | barrier_q | held_q | faulted_q) & ~fetching_q & ~executing_q & ~busy &
                               ~(waits_fetch_q & {WARPS{fetch_busy_i}}) &
                               ~(settles | settle_q[4]) & ~barrier_release_i;
    wire             end_self = control_done_ended_i;
    logic [WARP_W-1:0] endable_warp, end_warp;
    always_comb begin
        endable_warp = '0;
        if (endable != '0)
            for (int w = WARPS - 1; w >= 0; w--) if (endable[w]) endable_warp = WARP_W'(w);
        end_warp = end_self ? control_done_warp_i : endable_warp;
    end

    assign end_valid_o = end_self || endable != '0;
    assign end_cta_o = cta_q[32'(end_warp)*WARP_W +: WARP_W];

    wire [WARPS-1:0] start_set = start_i ? one << start_warp_i : '0;
    wire [WARPS-1:0] pick_set = pick_i ? one << pick_warp_i : '0;
    wire [WARPS-1:0] ahead_set = ahead_i ? one << ahead_warp_i : '0;
    wire [WARPS-1:0] enter_set = enter_i ? one << pick_warp_i : '0;
    wire [WARPS-1:0] leaves = pick_set | enter_set | start_set;  // what it waited for
    wire [WARPS-1:0] miss_set = fetch_miss_i ? one << fetch_miss_warp_i : '0;
    wire [WARPS-1:0] retry_set = issue_retry_i ? issue_warp : '0;
    wire [WARPS-1:0] go_set = issue_go_i ? issue_warp : '0;
    wire [21:0]      issue_pc_next = issue_pc_i + 22'd1;
    wire [WARPS-1:0] waited_done_set = (lanes_done_waited_i ? one << lanes_done_warp_i : '0) | (launch_done_valid_i ? one << launch_done_warp_i : '0);
    wire [WARPS-1:0] counted_done_set = lanes_done_counted_i ? one << lanes_done_warp_i : '0;
    wire [WARPS-1:0] memory_done_set = memory_done_valid_i ? one << memory_done_warp_i : '0;
    wire [WARPS-1:0] memory_fault_set = fault_memory_i ? one << fault_warp_i : '0;
    wire [WARPS-1:0] counted_set = issue_counted_i ? issue_warp : '0;
    wire [WARPS-1:0] wakes = counted_done_set | memory_done_set | memory_fault_set | (row_cleared_i ? one << row_warp_i : '0) |
                             (loaded_cleared_i ? one << loaded_warp_i : '0) |
                             (pred_cleared_i ? one << pred_warp_i : '0);
    always_comb
        for (int w = 0; w < WARPS; w++) begin
            inflight[w] = inflight_q[w] + FLIGHT_W'(counted_set[w]) - FLIGHT_W'(counted_done_set[w]) - FLIGHT_W'(memory_done_set[w]) -
                          FLIGHT_W'(memory_fault_set[w]);
            flies[w] = inflight[w] != '0;
        end
    wire [WARPS-1:0] control_done_set = (control_done_i && !control_done_ended_i && !control_stays_i) ? one << control_done_warp_i : '0;
    wire [WARPS-1:0] fault_set = fault_i ? one << fault_warp_i : '0;
    wire [WARPS-1:0] stop_set = fault_memory_i ? '0 : fault_set;  // the instruction at which the warp stands
    wire [WARPS-1:0] hold_set = hold_i ? one << hold_warp_i : '0;
    wire [WARPS-1:0] end_set = end_valid_o ? one << end_warp : '0;

    wire [WARPS-1:0] resume_set = resume_i ? (one << resume_warp_i) & held_q & ~end_set : '0;
    wire [WARPS-1:0] step_back_set = barrier_q & stops_i & ~barrier_release_i & ~end_set;
    wire [WARPS-1:0] drop_set = retry_set & ahead_q;
    assign drop_o = drop_set != '0;
    assign may_ahead_o = fetching_q & ~further_q & ~killed & ~stops_i & ~faulted_q;
    wire [WARPS-1:0] to_next = (issue_waits_for_i == `UNIT_NONE) ? go_set & ~ahead_q : '0;
    wire [WARPS-1:0] to_barrier = (issue_waits_for_i == `UNIT_BARRIER) ? go_set : '0;
    wire             stays = issue_waits_for_i == `UNIT_LANES || issue_waits_for_i == `UNIT_MEMORY || issue_waits_for_i == `UNIT_CONTROL;
    wire [WARPS-1:0] to_executing = stays ? go_set : '0;
    wire [WARPS-1:0] becomes_ready = start_set | miss_set | retry_set | to_next | waited_done_set | control_done_set |
                                     barrier_release_i | step_back_set | resume_set | enter_set;

    always_ff @(posedge clk_i) begin
        live_q <= (live_q | start_set) & ~end_set;
        ready_q <= ((ready_q & ~pick_set & ~end_set) | becomes_ready) & ~(faulted_q | fault_set);
        fetching_q <= (fetching_q | pick_set) & ~(miss_set | retry_set | ((go_set | stop_set) & ~ahead_q));
        ahead_q <= ((ahead_q & ~(go_set | stop_set)) | further_q | ahead_set) & ~(retry_set | miss_set);
        further_q <= (further_q | (ahead_q & ahead_set)) & ~(go_set | stop_set | retry_set | miss_set);
        executing_q <= (executing_q | to_executing) & ~(waited_done_set | control_done_set | hold_set | stop_set | end_set);
        for (int w = 0; w < WARPS; w++) begin
            inflight_q[w] <= inflight[w];
            memory_q[w] <= memory_q[w] + FLIGHT_W'(counted_set[w] && issue_counted_memory_i) - FLIGHT_W'(memory_done_set[w]) - FLIGHT_W'(memory_fault_set[w]);
        end
        // What will be written before the warp can be back wakes it no more.
        waits_score_q <= (waits_score_q | (issue_retry_score_i ? retry_set & flies & (~settles | in_memory) : '0)) & ~(wakes | start_set);
        barrier_q <= (barrier_q | to_barrier) & ~(barrier_release_i | step_back_set | end_set);
        held_q <= (held_q | hold_set) & ~(resume_set | end_set);
        faulted_q <= (faulted_q | fault_set) & ~end_set;
        waits_fetch_q <= (waits_fetch_q & ~leaves) | miss_set;
        waits_memory_q <= (waits_memory_q & ~leaves) | (issue_retry_memory_i && !issue_retry_score_i ? retry_set : '0);
        waits_shared_q <= (waits_shared_q & ~leaves) | (issue_retry_shared_i && !issue_retry_score_i ? retry_set : '0);
        waits_launch_q <= (waits_launch_q & ~leaves) | (issue_retry_launch_i && !issue_retry_score_i ? retry_set : '0);
        waits_control_q <= (waits_control_q & ~leaves) |
                           ((issue_retry_memory_i || issue_retry_shared_i || issue_retry_launch_i || issue_retry_score_i) ? '0 : retry_set);
        settle_q[0] <= waited_done_set | counted_done_set | memory_done_set | memory_fault_set | fault_set;
        for (int i = 1; i < 5; i++) settle_q[i] <= settle_q[i-1];

        for (int w = 0; w < WARPS; w++) begin
            if (start_set[w]) begin
                slot_q[w*SLOT_W +: SLOT_W] <= start_slot_i;
                cta_q[w*WARP_W +: WARP_W] <= start_cta_i;
                index_q[w*WARP_W +: WARP_W] <= start_index_i;
                base_q[w*REG_W +: REG_W] <= start_base_i;
                pc_q[w*22 +: 22] <= start_pc_i;
                fetch_fault_q[w*2 +: 2] <= `ANSWER_GOOD;
            end
            if (go_set[w]) begin
                pc_q[w*22 +: 22] <= issue_pc_next;
                instr_pc_q[w*22 +: 22] <= issue_pc_i;
            end
            if (control_done_i && control_done_warp_i == WARP_W'(w)) pc_q[w*22 +: 22] <= control_done_pc_i;
            if (hold_set[w] || step_back_set[w]) pc_q[w*22 +: 22] <= instr_pc_q[w*22 +: 22];
            if (fetch_refused_i && fetch_refused_warp_i == WARP_W'(w)) fetch_fault_q[w*2 +: 2] <= fetch_refused_fault_i;
            if (enter_set[w]) begin
                pc_q[w*22 +: 22] <= '0;
                fetch_fault_q[w*2 +: 2] <= `ANSWER_GOOD;  // it asks again when it is back
            end
        end

        if (rst_i) begin
            live_q <= '0;
            ready_q <= '0;
            fetching_q <= '0;
            ahead_q <= '0;
            further_q <= '0;
            executing_q <= '0;
            waits_score_q <= '0;
            for (int w = 0; w < WARPS; w++) begin
                inflight_q[w] <= '0;
                memory_q[w] <= '0;
            end
            barrier_q <= '0;
            held_q <= '0;
            faulted_q <= '0;
            waits_fetch_q <= '0;
            waits_memory_q <= '0;
            waits_shared_q <= '0;
            waits_launch_q <= '0;
            waits_control_q <= '0;
            for (int i = 0; i < 5; i++) settle_q[i] <= '0;
        end
    end

    assign live_o = live_q;
    assign at_barrier_o = barrier_q;
    assign held_o = held_q;
    assign faulted_o = faulted_q;
    assign pc_o = pc_q;
    assign instr_pc_o = instr_pc_q;
    assign slot_o = slot_q;
    assign cta_o = cta_q;
    assign index_o = index_q;
    assign base_o = base_q;
    assign fetch_fault_o = fetch_fault_q;

    // Registers WARP_PC and WARP_STATE.
    logic [3:0] look_state;
    always_comb begin
        look_state = `REG_WARP_STATE_STATE_IDLE;
        if (faulted_q[look_warp_i]) look_state = `REG_WARP_STATE_STATE_FAULTED;
        else if (held_q[look_warp_i]) look_state = `REG_WARP_STATE_STATE_HELD;
        else if (barrier_q[look_warp_i]) look_state = `REG_WARP_STATE_STATE_AT_A_BARRIER;
        else if (waits_score_q[look_warp_i] || waits_here[look_warp_i]) look_state = `REG_WARP_STATE_STATE_WAITING_FOR_MEMORY;
        else if (executing_q[look_warp_i]) look_state = `REG_WARP_STATE_STATE_EXECUTING;
        else if (fetching_q[look_warp_i] || (ready_q[look_warp_i] && waits_fetch_q[look_warp_i]))
            look_state = `REG_WARP_STATE_STATE_FETCHING;
        else if (ready_q[look_warp_i]) look_state = `REG_WARP_STATE_STATE_READY;
    end
    always_comb begin
        look_pc_o = '0;
        for (int w = 0; w < WARPS; w++)
            if (look_warp_i == WARP_W'(w)) look_pc_o = {10'd0, ready_q[w] || fetching_q[w] ? pc_q[w*22 +: 22] : instr_pc_q[w*22 +: 22]};
    end
    assign look_state_o = {8'(slot_q[32'(look_warp_i)*SLOT_W +: SLOT_W]), 4'd0, look_state};

    assign trace_warp_end_valid_o = end_valid_o;
    assign trace_warp_end_warp_o = 8'(end_warp);
    assign trace_warp_end_killed_o = !end_self;

`ifndef SYNTHESIS
    always_ff @(posedge clk_i)
        if (!rst_i) begin
            if (pick_i) assert (!enter_i && !stops_i[pick_warp_i]);
            if (enter_i) assert (stop_open_i && may_stop[pick_warp_i]);
            // One set each.
            assert ((ready_q & (fetching_q | executing_q | barrier_q | held_q | faulted_q)) == '0 && (fetching_q & (executing_q | barrier_q | held_q)) == '0);
            assert ((executing_q & (barrier_q | held_q)) == '0 && (faulted_q & (barrier_q | held_q)) == '0);
            assert (((ready_q | fetching_q | executing_q | barrier_q | held_q | faulted_q) ^ live_q) == '0);
            for (int w = 0; w < WARPS; w++) begin
                if (counted_set[w]) assert (!full_o[w] && !faulted_q[w]);
                if (inflight_q[w] == '0) assert (!counted_done_set[w] && !memory_done_set[w] && !memory_fault_set[w]);
            end
            if (end_valid_o) assert (inflight_q[end_warp] == '0);
            assert ((further_q & ~ahead_q) == '0 && (ahead_q & ~fetching_q) == '0);
            if (pick_i) assert (eligible_o[pick_warp_i]);
            if (start_i) assert (!live_q[start_warp_i]);
            if (lanes_done_waited_i) assert (executing_q[lanes_done_warp_i]);
            if (launch_done_valid_i) assert (executing_q[launch_done_warp_i]);
            if (control_done_i) assert (executing_q[control_done_warp_i] || control_stays_i);
        end
`endif

endmodule
`default_nettype wire
