// A multiprocessor: joins its units. What they do is said in README.md, the order of events in instructions.md beside this file, what
// travels between them in ../bundles.tbl.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/isa.svh"
`include "gen/registers.svh"
`include "gen/trace.svh"
`include "token.svh"

module sm #(
    parameter int THREADS = 32,
    parameter int LANES = 8,
    parameter int WARPS = 4,
    parameter int CHANNELS = 4,
    parameter int TASK_SLOTS = 4,
    parameter int DEQUE_ENTRIES = 16,
    parameter int DEQUE_MOST = 32768,
    parameter int VGPR_ROWS = 1024,
    parameter int SHARED_BYTES = 16384,
    parameter int CONST_BANKS = 2,
    parameter int ICACHE_LINES = 64,
    parameter int L1_LINES = 32,
    parameter int L1_WAYS = 2,
    parameter int SV_REGIONS = 4,
    parameter int SPECIALS = 8,
    parameter int SHARED_ATOMICS = 8,
    parameter int SHARED_WORDS = 4,
    parameter int SHARED_DEPTH = 4,
    parameter int STORE_LANES = 8,
    parameter int LOAD_WORDS = 4,
    parameter int LOAD_LANES = 8,
    parameter int LSU_INTAKE = 4,
    parameter int LSU_DEPTH = 8,
    parameter int REQUEST_CYCLES = 2,
    parameter int INJECT = 0,
    localparam int SLOT_W = (TASK_SLOTS > 1) ? $clog2(TASK_SLOTS) : 1,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1
) (
    input  wire                   clk_i,
    input  wire                   rst_i,
    input  wire  [7:0]            inject_i,
    input  wire  [7:0]            sm_index_i,   // no parameter: all SMs are one module, simulated by one copy of its code
    input  wire  [63:0]           cycle_i,
    input  wire                   icache_invalidate_i,
    // work distributor
    `CTA_IN(cta),
    `CTA_DONE_OUT(cta_done),
    `WARP_FAULT_OUT(sm_fault),
    input  wire  [TASK_SLOTS-1:0] slot_kill_i,
    input  wire  [TASK_SLOTS-1:0] slot_stop_i,  // all its warps have to leave; until none is there, or it is killed
    output logic [TASK_SLOTS-1:0] slot_rests_o, // none of its warps here can go on
    output logic [TASK_SLOTS-1:0] slot_waits_o, // one of them waits for its children
    output logic [TASK_SLOTS-1:0] slot_trapped_o, // one is in a trap, or comes back
    // task table
    `SLOT_INS(slot, TASK_SLOTS),
    // memory unit: instruction fetch
    `REQUEST_OUT(if_req),
    `ANSWER_IN(if_rsp),
    // memory unit: loads and stores
    `REQUEST_OUT(ls_req),
    `ANSWER_IN(ls_rsp),
    // memory unit: tokens of the warps' queues, which begin at token_memory_i
    `REQUEST_OUT(token_req),
    `ANSWER_IN(token_rsp),
    input  wire  [32:12]          token_memory_i,
    // level 1 cache; memory was changed behind the PPU's back; what is performed; address spaces
    `SETTINGS_IN(settings),
    input  wire                   changed_i,
    `SNOOP_IN(snoop),
    `SPACE_INS(space, CHANNELS),
    `COUNTS_OUT(count),
    `SIGNING_IN(signing),
    // child tasks
    `CHILD_OUT(child),
    `CHILD_ENDED_IN(child_ended),
    output logic                  waiting_o,    // a warp waits for its children
    output logic                  stuck_o,      // every warp does, or stands at a barrier
    // software has moved tokens: an operation on the warp that warp_select_i names
    output logic [WARPS-1:0]      live_o,
    output logic                  warp_held_o,  // pulse: a warp is held from the next cycle on
    output logic [WARPS-1:0]      held_o,
    `DEQUE_IN(deque),
    // debug registers: the warp that is looked at
    input  wire  [7:0]            warp_select_i,
    `WARP_OUT(warp),
    `TRACE_SM_PORTS
);

    localparam int P = THREADS / LANES;
    localparam int PORTION_W = (P > 1) ? $clog2(P) : 1;
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1;
    localparam int COUNT_W = $clog2(WARPS + 1);
    localparam int REG_W = $clog2(VGPR_ROWS / P);
    localparam int REF_W = REG_W + $clog2(P) + 1;  // how the register file's ports name a register
    localparam int TID_W = $clog2(WARPS * THREADS);
    localparam int SHARED_W = $clog2(SHARED_BYTES / (4 * LANES));

    // ---- launching ----
    `WARP_START_WIRE(start);
    `CLEAR_WIRE(clear);
    `CLEAR_SHARED_WIRE(shared_clear);
    `TID_WRITE_WIRE(tid);
    logic [WARPS-1:0]         live;
    logic                     prefetching, start_soon, pred_clear_ready, divergence_start_ready, end_valid;
    logic [WARPS*COUNT_W-1:0] alive;
    logic [WARP_W-1:0]        end_cta, look_cta;
    logic [1:0]               look_word;
    logic [31:0]              look_cta_word;
    logic [COUNT_W-1:0]       look_alive;
    logic                     launching, end_left;
    logic [WARPS-1:0]         stops;  // warps that are to enter a trap, and execute nothing before
    logic [SHARED_W-1:0]      look_shared;
    logic                     first, first_known;  // sub-vector regions of the offered CTA's kernel are in the first order
    assign live_o = live;

    // No CTA comes in while it is not known in which order its kernel's regions are.
    `CTA_WIRE(offer);
    assign offer_valid = cta_valid_i && first_known;
    assign cta_ready_o = offer_ready && first_known;
    assign `CTA_PACK(offer) = `CTA_PACK_I(cta);

    // A warp starts in the divergence unit, the predicate file and the warp table at once.
    // A line of a program that may have ended is on its way: no warp starts before it is there.
    assign start_ready = divergence_start_ready && pred_clear_ready && !prefetching;
    wire start_go = start_valid && start_ready;

    cta_launcher #(
        .THREADS(THREADS), .LANES(LANES), .WARPS(WARPS), .TASK_SLOTS(TASK_SLOTS), .VGPR_ROWS(VGPR_ROWS), .SHARED_BYTES(SHARED_BYTES),
        .INJECT(INJECT)
    ) u_cta_launcher (
        .clk_i, .rst_i, .inject_i,
        `CTA_TO(cta, offer), `CTA_DONE_PASS_OUT(cta_done, cta_done), `SLOT_CTA_PASS_IN(slot, slot),
        .first_i(first), .warp_live_i(live), `WARP_START_FROM(start, start), .start_soon_o(start_soon),
        .end_valid_i(end_valid), .end_cta_i(end_cta), .end_left_i(end_left),
        `CLEAR_FROM(clear, clear), `CLEAR_SHARED_FROM(shared_clear, shared_clear), `TID_WRITE_FROM(tid, tid),
        .alive_o(alive), .launching_o(launching), `SCALAR_WRITE_TO(write, scalar_write), .write_cta_i(warp_cta[32'(trap_warp)*WARP_W +: WARP_W]),
        .look_cta_i(look_cta), .look_word_i(look_word), .look_o(look_cta_word), .look_alive_o(look_alive), .look_shared_o(look_shared),
        `TRACE_WARP_START_CONNECT
    );

    // ---- warps ----
    `PICK_WIRE(pick);
    `FETCH_NEWS_WIRE(fetch);
    `ISSUE_WIRE(issue);
    `CONTROL_DONE_WIRE(done);
    `LANES_DONE_WIRE(lanes_done);
    `DONE_WIRE(ls_done);
    `DONE_WIRE(shared_done);
    `DONE_WIRE(memory_done);  // of either
    `DONE_WIRE(launch_done);
    logic [WARPS-1:0]        trap_sleeps, backs_off;
    logic [WARPS-1:0]        eligible, at_barrier, barrier_release, faulted, lands, rests, drained, full, turn, launch_turn;
    logic [WARPS*22-1:0]     warp_pc, instr_pc;
    logic [WARPS*SLOT_W-1:0] warp_slot;
    logic [WARPS*WARP_W-1:0] warp_cta, warp_index;
    logic [WARPS*REG_W-1:0]  warp_base;
    logic [WARPS*2-1:0]      warp_fault;
    logic                    mem_free, shared_free, shared_generic_done, launch_free, stop_ask, stop_open;
    logic [WARPS-1:0]        partly, launch_waiting;
    logic                    control_good, control_stays;
    logic                    row_cleared, loaded_cleared, pred_cleared, hold, fault_memory, waits_memory, waits_score;
    logic [WARP_W-1:0]       row_warp, loaded_warp, hold_warp, fault_warp;
    `WRITTEN_PLACE_WIRE(row);
    `WRITTEN_PLACE_WIRE(loaded);
    `PRED_WRITE_WIRE(pred_write);
    `CONTROL_WIRE(control);

    // The warp that software looks at.
    wire [WARP_W-1:0] look_warp = WARP_W'(warp_select_i);
    wire              look_exists = 32'(warp_select_i) < WARPS;
    logic [31:0]      look_pc;
    logic [15:0]      look_state;
    assign warp_pc_o = look_exists ? look_pc : 32'd0;
    assign warp_state_o = look_exists ? look_state : 16'd0;
    wire resume = deque_valid_i && deque_op_i == `DEQUE_RESUME;

    logic [WARP_W-1:0] active_warp;
    // When nobody else is to be picked: what comes behind an instruction that is on its way.
    logic              ahead, ahead_drop, fetched_comes, fetched_runs, fetched_hold, fetched_before, coming_valid, waits_line;
    logic [WARPS-1:0]  may_ahead;
    logic [WARP_W-1:0] ahead_warp, coming_warp;
    logic [21:0]       ahead_pc;
    wire               ahead_valid = ahead && !pick_valid;
    wire [SLOT_W-1:0]  ahead_slot = warp_slot[32'(ahead_warp)*SLOT_W +: SLOT_W];
    wire pick_stops = stops[pick_warp];  // it is not fetched, but enters a trap
    wire pick_go = pick_valid && !pick_stops && pick_ready;
    wire stop_go = pick_valid && pick_stops;
    assign pick_pc = warp_pc[32'(pick_warp)*22 +: 22];
    assign pick_slot = warp_slot[32'(pick_warp)*SLOT_W +: SLOT_W];
    assign pick_fault = warp_fault[32'(pick_warp)*2 +: 2];

    warp_table #(.WARPS(WARPS), .TASK_SLOTS(TASK_SLOTS), .REG_W(REG_W)) u_warp_table (
        .clk_i, .rst_i, .slot_kill_i, .start_i(start_go), `WARP_PLACE_TO(start, start),
        .stops_i(stops), .stop_ask_o(stop_ask), .stop_open_i(stop_open),
        .eligible_o(eligible), .pick_i(pick_go), .enter_i(stop_go), .pick_warp_i(pick_warp),
        .may_ahead_o(may_ahead), .ahead_i(ahead_valid && pick_ready), .ahead_warp_i(ahead_warp), .drop_o(ahead_drop),
        `FETCH_NEWS_TO(fetch, fetch), `ISSUE_TO(issue, issue),
        .memory_free_i(mem_free), .shared_free_i(shared_free), .launch_free_i(launch_free), .control_free_i(control_ready),
        .turn_i(turn), .launch_turn_i(launch_turn), .sleeps_i(trap_sleeps | backs_off),
        `LANES_DONE_TO(lanes_done, lanes_done), `DONE_TO(memory_done, memory_done), `DONE_TO(launch_done, launch_done),
        .row_cleared_i(row_cleared), .row_warp_i(row_warp), .loaded_cleared_i(loaded_cleared), .loaded_warp_i(loaded_warp),
        .pred_cleared_i(pred_cleared), .pred_warp_i(pred_write_warp),
        .control_done_i(control_good), .control_stays_i(control_stays), `CONTROL_NEXT_TO(control_done, done),
        .barrier_release_i(barrier_release), .hold_i(hold), .hold_warp_i(hold_warp), .resume_i(resume), .resume_warp_i(look_warp),
        .fault_i(sm_fault_valid_o), .fault_warp_i(fault_warp), .fault_memory_i(fault_memory),
        .live_o(live), .at_barrier_o(at_barrier), .held_o(held_o), .faulted_o(faulted), .lands_o(lands),
        .rests_o(rests), .drained_o(drained), .full_o(full), .waits_line_o(waits_line), .waits_memory_o(waits_memory), .waits_score_o(waits_score),
        .pc_o(warp_pc), .instr_pc_o(instr_pc), .slot_o(warp_slot), .cta_o(warp_cta), .index_o(warp_index), .base_o(warp_base), .fetch_fault_o(warp_fault),
        .end_valid_o(end_valid), .end_cta_o(end_cta), .look_warp_i(look_warp), .look_pc_o(look_pc), .look_state_o(look_state),
        `TRACE_WARP_END_CONNECT
    );

    warp_scheduler #(.WARPS(WARPS)) u_warp_scheduler (
        .clk_i, .rst_i, .policy_i(settings_policy_i), .start_i(start_go), .start_warp_i(start_warp), .ready_i(eligible), .grant_valid_o(pick_valid),
        .grant_warp_o(pick_warp), .grant_taken_i(pick_go || stop_go)
    );

    warp_stop #(.WARPS(WARPS), .TASK_SLOTS(TASK_SLOTS)) u_warp_stop (
        .clk_i, .rst_i, .slot_stop_i, .start_i(start_go), .start_warp_i(start_warp), .start_resume_i(start_resume),
        .stop_i(stop_go), .stop_warp_i(pick_warp), .partly_i(partly), .trap_busy_i(trap_inside), .trap_warp_i(trap_warp), .stops_o(stops),
        .live_i(live), .slot_i(warp_slot), .at_barrier_i(at_barrier), .waiting_i(launch_waiting),
        .launching_i(launching), .launch_slot_i(start_slot), .rests_o(slot_rests_o), .waits_o(slot_waits_o),
        .trapped_o(slot_trapped_o)
    );

    barrier #(.WARPS(WARPS), .INJECT(INJECT)) u_barrier (
        .clk_i, .rst_i, .inject_i, .waiting_i(at_barrier), .cta_i(warp_cta), .alive_i(alive), .release_o(barrier_release),
        `TRACE_BARRIER_CONNECT
    );

    // ---- fetch ----
    `FETCHED_WIRE(fetched);

    fetch #(.WARPS(WARPS), .CHANNELS(CHANNELS), .TASK_SLOTS(TASK_SLOTS), .ICACHE_LINES(ICACHE_LINES)) u_fetch (
        .clk_i, .rst_i, .invalidate_i(icache_invalidate_i),
        .pick_valid_i((pick_valid && !pick_stops) || ahead_valid), .pick_ready_o(pick_ready), .pick_warp_i(ahead_valid ? ahead_warp : pick_warp),
        .pick_pc_i(ahead_valid ? ahead_pc : pick_pc), .pick_slot_i(ahead_valid ? ahead_slot : pick_slot),
        .pick_fault_i(ahead_valid ? `ANSWER_GOOD : pick_fault), .pick_ahead_i(ahead_valid), .hold_i(fetched_hold), .before_i(fetched_before),
        .drop_i(ahead_drop), .drop_warp_i(issue_warp), .coming_valid_o(coming_valid), .coming_warp_o(coming_warp), .trap_on_i(trap_on), .trap_warp_i(trap_warp),
        `SLOT_CODE_PASS_IN(slot, slot), `FETCH_NEWS_FROM(fetch, fetch), `FETCHED_FROM(fetched, fetched), .comes_o(fetched_comes), .runs_o(fetched_runs),
        .waits_line_i(waits_line), .start_soon_i(start_soon), .prefetching_o(prefetching),
        `REQUEST_PASS_OUT(req, if_req), `ANSWER_PASS_IN(rsp, if_rsp)
    );

    // ---- issue ----
    `SCORE_WIRE(score);
    `OPERATION_WIRE(run);
    `ACCESS_WIRE(access);
    `ACCESS_SPACE_WIRE(access);
    `SCALAR_WIRE(scalar);
    `SCALAR_WRITE_WIRE(scalar_write);
    `FAULT_FOUND_WIRES(faults, 5);  // of the divergence unit, load_store (checks, answers), the issue stage, shared_memory
    logic                 instr, mem_start, shared_start, launch_start, control_goes, control_reserve, gather_done;
    logic [WARP_W-1:0]    pred_warp, live_warp;
    logic [2:0]           guard_number, p1_number, p2_number;
    logic [THREADS-1:0]   guard, p1, p2;
    logic [WARP_W-1:0]    preds_warp;
    logic [PORTION_W-1:0] preds_portion;
    logic [7*LANES-1:0]   preds;
    logic [6:0]           preds_pending;
    logic [THREADS-1:0]   active, insiders, look_active, gather_group, live_plane;
    logic [7:0]           count_bound;
    logic [21:0]          gather_target;
    logic [7:0]           special_number;
    logic [SLOT_W-1:0]    special_slot;
    logic [31:0]          special_value, issue_address;
    logic                 trap_busy, trap_on, trap_inside, trap_saved;  // a warp is in a trap
    logic                 trap_waits;  // the warp in the issue stage waits for the end of it, and for no unit
    logic [WARP_W-1:0]    trap_warp;
    logic [21:0]          trap_pc, next_pc, popped_addr;
    logic [31:0]          trap_value;
    logic [3:0]           popped_kind;
    logic [THREADS-1:0]   popped_mask, stop_active;
    logic                 live_rest;

    issue #(
        .THREADS(THREADS), .LANES(LANES), .WARPS(WARPS), .CHANNELS(CHANNELS), .TASK_SLOTS(TASK_SLOTS), .CONST_BANKS(CONST_BANKS),
        .REG_W(REG_W), .INJECT(INJECT)
    ) u_issue (
        .clk_i, .rst_i, .inject_i, `FETCHED_TO(fetched, fetched), .fetched_comes_i(fetched_comes), .fetched_runs_i(fetched_runs),
        .fetched_hold_o(fetched_hold), .fetched_before_o(fetched_before), .coming_valid_i(coming_valid), .coming_warp_i(coming_warp), .pick_valid_i(pick_valid),
        .may_ahead_i(may_ahead), .ahead_o(ahead), .ahead_warp_o(ahead_warp), .ahead_pc_o(ahead_pc), `SLOT_ACCESS_PASS_IN(slot, slot),
        .pred_warp_o(pred_warp), .pred_pending_i(preds_pending),
        .pred_cleared_i(pred_cleared), .pred_cleared_warp_i(pred_write_warp), .pred_cleared_number_i(pred_write_pred),
        .pred_guard_o(guard_number), .pred_p1_o(p1_number), .pred_p2_o(p2_number),
        .pred_guard_i(guard), .pred_p1_i(p1), .pred_p2_i(p2),
        .active_warp_o(active_warp), .active_i(active), .inside_i(insiders), .count_bound_i(count_bound),
        .trap_busy_i(trap_busy), .trap_on_i(trap_on), .trap_warp_i(trap_warp), .trap_pc_i(trap_pc), .trap_waits_o(trap_waits),
        .next_pc_o(next_pc), .address_o(issue_address), .live_warp_o(live_warp), .live_rest_i(live_rest),
        .warp_base_i(warp_base), .shares_i(shares_q), .lands_i(lands), .rests_i(rests),
        .drained_i(drained), .full_i(full), .faulted_i(faulted), .turn_i(turn), .launch_turn_i(launch_turn),
        `ISSUE_FROM(issue, issue), .instr_o(instr), `SCORE_FROM(score, score), `FAULT_FOUND_FROM_AT(fault, faults, 3),
        .special_number_o(special_number), .special_slot_o(special_slot), .special_value_i(special_value),
        `OPERATION_FROM(run, run), `ACCESS_FROM(access, access), `ACCESS_SPACE_FROM(access, access),
        .mem_free_i(mem_free), .mem_start_o(mem_start), .shared_free_i(shared_free), .shared_generic_done_i(shared_generic_done), .shared_start_o(shared_start),
        .launch_free_i(launch_free), .launch_start_o(launch_start),
        `CONTROL_FROM(control, control), .control_goes_o(control_goes), .control_reserve_o(control_reserve), .control_stays_o(control_stays),
        .control_done_i(done_valid), .control_fault_i(!control_good), .gather_group_i(gather_group),
        `SCALAR_FROM(scalar, scalar), `TRACE_INSTR_CONNECT
    );

    // Whose turn it is, if warps that were sent back have waited for long. child_launch may wait until other warps go on, so it has turns of its own.
    wire sent_back = issue_retry && !issue_retry_score;
    turns #(.WARPS(WARPS)) u_turns (
        .clk_i, .rst_i, .warp_i(issue_warp), .sent_back_i(sent_back && !issue_retry_launch), .go_i(issue_go),
        .takes_i(mem_start || shared_start || control_valid || control_reserve), 
        .lost_i(~live | faulted | stops | trap_sleeps | (trap_waits ? WARPS'(1) << issue_warp : '0)), .turn_o(turn)
    );
    turns #(.WARPS(WARPS)) u_launch_turns (
        .clk_i, .rst_i, .warp_i(issue_warp), .sent_back_i(sent_back && issue_retry_launch), .go_i(issue_go), .takes_i(launch_start),
        .lost_i(~live | faulted | stops | trap_sleeps), .turn_o(launch_turn)
    );

    // Warps that wait for others for long try again one after the other.
    backoff #(.WARPS(WARPS), .EVERY(2 * THREADS)) u_backoff (
        .clk_i, .rst_i, .warp_i(issue_warp), .go_i(issue_go),
        .yields_i(control_goes && control_opcode == `OP_YIELD && run_mod == 4'(`YIELD_ALWAYS)),
        .writes_i(issue_counted && issue_counted_memory && !score_set), .lost_i(~live), .waits_o(backs_off)
    );

    issue_counters u_issue_counters (
        .clk_i, .rst_i, .issued_i(instr), .idle_i(run_ready && !run_valid), .memory_i(waits_memory), .score_i(waits_score),
        .issued_o(count_issued_o), .idle_memory_o(count_idle_memory_o), .idle_score_o(count_idle_score_o),
        .idle_none_o(count_idle_none_o)
    );

    scalar_unit #(.THREADS(THREADS), .WARPS(WARPS)) u_scalar_unit (
        .clk_i, .rst_i, `SCALAR_TO(scalar, scalar), `SCALAR_WRITE_TO(write, scalar_write), .trap_value_i(trap_value),
        .clear_i(start_go), .clear_warp_i(start_warp),
        `TRACE_SWB_CONNECT
    );

    assign look_cta = warp_cta[32'(issue_warp)*WARP_W +: WARP_W];

    special #(.TASK_SLOTS(TASK_SLOTS), .INJECT(INJECT)) u_special (
        .inject_i, .sm_index_i, .number_i(special_number), .slot_i(special_slot), .index_i(8'(warp_index[32'(issue_warp)*WARP_W +: WARP_W])),
        .cta_word_o(look_word), .cta_i(look_cta_word), .cycle_i, `SLOT_IDS_PASS_IN(slot, slot), .value_o(special_value)
    );

    // ---- lanes ----
    `OPERANDS_WIRE(mem);
    `ROW_WIRE(wb);
    logic              mem_valid, mem_shared, mem_generic, refuse;
    logic [P-1:0]      shared_left;
    logic [WARP_W-1:0] mem_warp;

    execute #(.THREADS(THREADS), .LANES(LANES), .WARPS(WARPS), .VGPR_ROWS(VGPR_ROWS), .SPECIALS(SPECIALS), .INJECT(INJECT)) u_execute (
        .clk_i, .rst_i, .inject_i, `OPERATION_TO(run, run),
        .preds_warp_o(preds_warp), .preds_portion_o(preds_portion), .preds_i(preds),
        `LANES_DONE_FROM(lanes_done, lanes_done),
        .gather_done_o(gather_done), .gather_target_o(gather_target), .gather_group_o(gather_group),
        `SCALAR_WRITE_FROM(scalar, scalar_write), .mem_valid_o(mem_valid), .mem_warp_o(mem_warp), .mem_shared_o(mem_shared), .mem_generic_o(mem_generic),
        `OPERANDS_FROM(mem, mem), `ROW_TO(wb, wb), `WRITTEN_FROM(row, row), `WRITTEN_FROM(loaded, loaded), `PRED_WRITE_FROM(pred_write, pred_write),
        `CLEAR_TO(clear, clear), `TID_WRITE_TO(tid, tid), `TRACE_WB_CONNECT, `TRACE_PWB_CONNECT
    );

    predicate_file #(.THREADS(THREADS), .LANES(LANES), .WARPS(WARPS)) u_predicate_file (
        .clk_i, .read_warp_i(active_warp), .guard_i(guard_number), .p1_i(p1_number), .p2_i(p2_number), .guard_o(guard), .p1_o(p1), .p2_o(p2),
        .look_warp_i(preds_warp), .look_portion_i(preds_portion), .look_o(preds), `PRED_WRITE_TO(write, pred_write),
        .clear_i(start_soon), .clear_warp_i(start_warp), .clear_ready_o(pred_clear_ready)
    );

    // ---- what is still to be written ----
    scoreboard #(.THREADS(THREADS), .LANES(LANES), .WARPS(WARPS), .VGPR_ROWS(VGPR_ROWS), .INJECT(INJECT)) u_scoreboard (
        .clk_i, .inject_i, `SCORE_TO(score, score), `WRITTEN_PLACE_TO(row, row), `WRITTEN_PLACE_TO(loaded, loaded),
        .row_cleared_o(row_cleared), .loaded_cleared_o(loaded_cleared),
        `PRED_WRITTEN_TO(pred_write, pred_write), .pred_cleared_o(pred_cleared), .pred_warp_i(pred_warp), .preds_o(preds_pending),
        .clear_i(clear_valid && clear_ready), .clear_group_i(clear_group), .clear_which_i(clear_which), .start_i(start_go), .start_warp_i(start_warp)
    );

    // ---- memory ----
    // Rows of the two units take turns; the end of an instruction of shared memory waits.
    `ROW_WIRE(ls_wb);
    `ROW_WIRE(shared_wb);
    assign wb_valid = ls_wb_valid || shared_wb_valid;
    logic shared_turn_q;
    wire  shared_row = shared_wb_valid && (shared_turn_q || !ls_wb_valid);
    assign `ROW_PACK(wb) = shared_row ? `ROW_PACK(shared_wb) : `ROW_PACK(ls_wb);
    assign ls_wb_ready = wb_ready && !shared_row;
    assign shared_wb_ready = wb_ready && shared_row;
    always_ff @(posedge clk_i) begin
        if (wb_valid && wb_ready) shared_turn_q <= !shared_row;
        if (rst_i) shared_turn_q <= 1'b0;
    end

    assign memory_done_valid = ls_done_valid || shared_done_valid;
    assign memory_done_warp = ls_done_valid ? ls_done_warp : shared_done_warp;

    // A warp that launches has nothing else in flight.
    logic              launch_intake;
    logic [WARP_W-1:0] launch_warp;
    wire mem_to_launch = launch_intake && mem_warp == launch_warp;

    wire [SLOT_W-1:0] issue_slot = warp_slot[32'(issue_warp)*SLOT_W +: SLOT_W];
    logic [2:0] region;  // sub-vector region of the instruction in the issue stage
    logic       region_offered, region_read, region_hit;
    logic [1:0] read_region;

    load_store #(
        .THREADS(THREADS), .LANES(LANES), .WARPS(WARPS), .CHANNELS(CHANNELS), .L1_LINES(L1_LINES), .L1_WAYS(L1_WAYS),
        .STORE_LANES(STORE_LANES), .LOAD_WORDS(LOAD_WORDS), .LOAD_LANES(LOAD_LANES), .LSU_INTAKE(LSU_INTAKE), .LSU_DEPTH(LSU_DEPTH),
        .REQUEST_CYCLES(REQUEST_CYCLES), .REF_W(REF_W), .INJECT(INJECT)
    ) u_load_store (
        .clk_i, .rst_i, .inject_i, .sm_index_i, .free_o(mem_free), .start_i(mem_start),
        `ACCESS_TO(access, access), `ACCESS_SPACE_TO(access, access),
        .shared_bytes_i(slot_shared_i[32'(issue_slot)*18 +: 18]), .shared_done_i(shared_generic_done), .shared_left_i(shared_left), .refuse_o(refuse),
        .in_valid_i(mem_valid && !mem_shared && !mem_to_launch),
        `OPERANDS_TO(in, mem), `FAULT_FOUND_FROM_AT(check_fault, faults, 1), `FAULT_FOUND_FROM_AT(answer_fault, faults, 2),
        `DONE_FROM(done, ls_done), `ROW_FROM(wb, ls_wb),
        .l1_enable_i(settings_l1_enable_i), .changed_i,
        `SNOOP_PASS_IN(snoop, snoop), `SPACE_PASS_IN(space, space),
        .l1_hits_o(count_l1_hits_o), .l1_misses_o(count_l1_misses_o),
        .region_i(region), .read_offered_o(region_offered), .read_o(region_read), .read_region_o(read_region), .read_hit_o(region_hit),
        `REQUEST_PASS_OUT(req, ls_req), `ANSWER_PASS_IN(rsp, ls_rsp),
        `TRACE_MEM_REQ_CONNECT, `TRACE_L1_HIT_CONNECT
    );

    shared_memory #(
        .THREADS(THREADS), .LANES(LANES), .WARPS(WARPS), .SHARED_BYTES(SHARED_BYTES), .SHARED_ATOMICS(SHARED_ATOMICS),
        .SHARED_WORDS(SHARED_WORDS), .SHARED_DEPTH(SHARED_DEPTH), .REF_W(REF_W), .INJECT(INJECT)
    ) u_shared_memory (
        .clk_i, .rst_i, .inject_i, .free_o(shared_free), .generic_done_o(shared_generic_done), .start_i(shared_start),
        `ACCESS_KEPT_TO(access, access), .base_i(look_shared),
        .bytes_i(slot_shared_i[32'(issue_slot)*18 +: 18]), .refuse_i(refuse), .left_o(shared_left),
        .in_valid_i(mem_valid && (mem_shared || mem_generic)),
        `OPERANDS_TO(in, mem),
        `FAULT_FOUND_FROM_AT(fault, faults, 4), `DONE_FROM(done, shared_done), .done_taken_i(!ls_done_valid),
        `ROW_FROM(wb, shared_wb), `CLEAR_SHARED_TO(clear, shared_clear), .passes_o(count_shared_passes_o), .conflicts_o(count_shared_conflicts_o)
    );

    // ---- child tasks ----
    child_launch #(.THREADS(THREADS), .LANES(LANES), .WARPS(WARPS), .CHANNELS(CHANNELS), .TASK_SLOTS(TASK_SLOTS)) u_child_launch (
        .clk_i, .rst_i, .slot_kill_i, .slot_channel_i, .warp_slot_i(warp_slot), .stops_i(stops), .free_o(launch_free), .start_i(launch_start),
        .start_warp_i(access_warp), .start_wait_i(access_mod[0]), .start_exec_i(access_exec), .intake_o(launch_intake), .warp_o(launch_warp),
        .in_valid_i(mem_valid && mem_to_launch), `OPERAND_A_TO(in, mem),
        `CHILD_PASS_OUT(child, child), `CHILD_ENDED_PASS_IN(ended, child_ended),
        `DONE_FROM(done, launch_done),
        .done_taken_i(1'b1), .waiting_o(launch_waiting), `TRACE_CHILD_LAUNCH_CONNECT
    );
    assign waiting_o = launch_waiting != '0;
    assign stuck_o = (live & ~(launch_waiting | at_barrier)) == '0;

    // ---- divergence ----
    `CONTROL_WIRE(req);
    logic second, watch, leaves, live_split, soft_ready;
    logic [WARP_W-1:0] leaves_warp;
    assign deque_ready_o = resume || soft_ready;

    wire control_starts = control_opcode == `OP_SVSTART;

    // Whether its warps have shared rows, which a CTA gets as its kernel's regions are at the moment.
    logic [WARPS-1:0] shares_q;
    always_ff @(posedge clk_i) if (start_go) shares_q[start_warp] <= start_shares;

    subvector #(.WARPS(WARPS), .CHANNELS(CHANNELS), .L1_LINES(L1_LINES), .SV_REGIONS(SV_REGIONS)) u_subvector (
        .clk_i, .rst_i, .start_i(control_starts), .start_go_i(control_goes && control_starts),
        .turn_go_i(control_goes && control_opcode == `OP_BRA && run_mod == `BRA_TURN), .split_i(live_split), .warp_i(issue_warp),
        .channel_i(slot_channel_i[32'(issue_slot)*CHANNEL_W +: CHANNEL_W]),
        .address_i(issue_address), .mod_i(run_mod),
        .shares_i(shares_q[issue_warp]), .setting_i(settings_sv_order_i), .threshold_i(settings_sv_threshold_i),
        .second_o(second), .watch_o(watch), .live_i(live), .leave_i(leaves), .leave_warp_i(leaves_warp), .region_o(region), .read_offered_i(region_offered),
        .read_i(region_read), .read_region_i(read_region), .read_hit_i(region_hit), .look_channel_i(slot_channel_i[32'(cta_slot_i)*CHANNEL_W +: CHANNEL_W]),
        .look_base_i(slot_code_base_i[32'(cta_slot_i)*32 +: 32]), .look_size_i(slot_code_size_i[32'(cta_slot_i)*32 +: 32]),
        .look_known_o(first_known), .look_first_o(first), `TRACE_SV_MODE_CONNECT, `TRACE_SV_WINDOW_CONNECT
    );

    control_gate #(.THREADS(THREADS), .WARPS(WARPS)) u_control_gate (
        .clk_i, .rst_i, `CONTROL_TO(control, control), .control_reserve_i(control_reserve), .gather_done_i(gather_done),
        .gather_target_i(gather_target), .gather_group_i(gather_group), `CONTROL_FROM(req, req), `CONTROL_DONE_TO(done, done),
        .good_o(control_good), .hold_o(hold), .hold_warp_o(hold_warp), .instr_pc_i(instr_pc), `FAULT_FOUND_FROM_AT(fault, faults, 0),
        `TRACE_WARP_HELD_CONNECT
    );
    assign warp_held_o = hold;

    divergence_unit #(
        .THREADS(THREADS), .LANES(LANES), .WARPS(WARPS), .CHANNELS(CHANNELS), .DEQUE_ENTRIES(DEQUE_ENTRIES), .DEQUE_MOST(DEQUE_MOST)
    ) u_divergence_unit (
        .clk_i, .rst_i, .start_valid_i(start_valid && pred_clear_ready && !prefetching), .start_ready_o(divergence_start_ready), .start_comes_i(start_valid),
        .start_warp_i(start_warp),
        .start_mask_i(start_mask), .start_seed_i(settings_yield_seed_i ^ start_salt), `CONTROL_TO(req, req), .req_mod_i(run_mod),
        .req_second_i(second), .req_watch_i(watch && control_valid), .left_o(leaves), .left_warp_o(leaves_warp),
        `CONTROL_DONE_FROM(done, done), .serve_i(settings_deque_serve_i),
        .soft_valid_i(deque_valid_i && !resume), .soft_ready_o(soft_ready), .soft_warp_i(look_warp), .soft_places_i(deque_places_i),
        .soft_ends_o(deque_ends_o), .soft_kept_o(deque_kept_o), .memory_i(token_memory_i), .memory_size_i(settings_deque_size_i),
        .trap_on_i(trap_on), .trap_warp_i(trap_warp), .popped_kind_o(popped_kind), .popped_mask_o(popped_mask), .popped_addr_o(popped_addr),
        .sel_warp_i(active_warp), .sel_active_o(active), .stop_warp_i(pick_warp), .trace_stop_active_o(stop_active), .partly_o(partly),
        .sel_inside_o(insiders), .sel_count_bound_o(count_bound), .live_warp_i(live_warp), .live_rest_o(live_rest), .live_split_o(live_split),
        .live_plane_i(scalar_imm[2:1]), .live_plane_o(live_plane), .look_warp_i(look_warp), .look_active_o(look_active),
        `REQUEST_PASS_OUT(req_memory, token_req), `ANSWER_PASS_IN(rsp_memory, token_rsp), `TRACE_TOKEN_MOVE_CONNECT, `TRACE_TOKEN_CONNECT
    );

    trap #(.THREADS(THREADS), .WARPS(WARPS)) u_trap (
        .clk_i, .rst_i, .go_i(control_goes), .opcode_i(control_opcode), .warp_i(control_warp), .next_pc_i(next_pc),
        .done_valid_i(done_valid), .done_warp_i(done_warp), .live_i(live),
        .wait_i(trap_waits), .issue_go_i(issue_go), .issue_warp_i(issue_warp), .sleeps_o(trap_sleeps),
        .ask_i(stop_ask), .open_o(stop_open), .stop_i(stop_go), .stop_warp_i(pick_warp), .stop_pc_i(pick_pc), .stop_active_i(stop_active),
        `SCALAR_WRITE_TO(write, scalar_write),
        .busy_o(trap_busy), .inside_o(trap_inside), .on_o(trap_on), .saved_o(trap_saved), .trap_warp_o(trap_warp), .pc_o(trap_pc),
        .number_i(scalar_imm[7:0]), .plane_i(live_plane),
        .token_kind_i(popped_kind), .token_mask_i(popped_mask), .token_addr_i(popped_addr), .record_i(look_cta_word), .alive_i(look_alive),
        .value_o(trap_value), `TRACE_WARP_STOP_CONNECT
    );
    assign end_left = done_ended && trap_saved;

    assign warp_mask_o = look_exists ? 64'(look_active) : 64'd0;

    // ---- what all of it was ----
    // A warp's name: its CTA, its number in it, and, from the middle down, where its task's TMD is.
    logic [31:0] tmd_turned;
    always_comb for (int b = 0; b < 32; b++) tmd_turned[b] = slot_tmd_i[32*32'(start_slot) + 31 - b];

    signature #(.THREADS(THREADS), .LANES(LANES), .WARPS(WARPS)) u_signature (
        .clk_i, .rst_i, `SIGNING_PASS_IN(signing, signing), .start_i(start_go), .start_warp_i(start_warp), .start_name_i(start_salt ^ tmd_turned),
        .instr_i(trace_instr_valid_o), .instr_warp_i(WARP_W'(trace_instr_warp_o)), .instr_pc_i(trace_instr_pc_o),
        .instr_active_i(trace_instr_active_o), .instr_exec_i(trace_instr_exec_o),
        .result_i(trace_wb_valid_o), .result_warp_i({WARP_W'(trace_wb_warp_o[15:8]), WARP_W'(trace_wb_warp_o[7:0])}),
        .result_rd_i(trace_wb_rd_o), .result_portion_i(trace_wb_portion_o),
        .result_mask_i(trace_wb_mask_o), .result_data_i(trace_wb_data_o),
        .store_i(trace_mem_req_valid_o && trace_mem_req_op_o != `REQUEST_READ), .store_warp_i(WARP_W'(trace_mem_req_warp_o)),
        .store_addr_i(trace_mem_req_addr_o), .store_strb_i(trace_mem_req_wstrb_o),
        .sum_o(count_signature_o), .left_o(count_signature_limit_o)
    );

    // ---- faults ----
    logic [4:0] fault_source;
    warp_faults #(.SOURCES(5), .WARPS(WARPS), .SLOT_W(SLOT_W)) u_warp_faults (
        .clk_i, .rst_i, `FAULT_FOUND_TO(source, faults), .slot_i(warp_slot), .faulted_i(faulted), `WARP_FAULT_PASS_OUT(fault, sm_fault),
        .fault_warp_o(fault_warp), .fault_source_o(fault_source),
        `TRACE_WARP_FAULT_CONNECT
    );
    assign fault_memory = (fault_source & 5'b10110) != '0;  // of load_store, shared_memory

`ifndef SYNTHESIS
    always_ff @(posedge clk_i)
        if (!rst_i) begin
            if (control_valid) assert (issue_go);
            if (trap_saved) assert (trap_on);
            if (end_left) assert (done_warp == trap_warp);
        end
`endif

endmodule
`default_nettype wire
