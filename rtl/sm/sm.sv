// A multiprocessor: joins its units. What they do is said in README.md, the order of events in instructions.md beside this file.
//
// Control instructions and the divergence unit: the issue stage hands over directly; those that take targets from a register pass through
// execute first, the unit stays reserved for them. A fault of the unit (token deque full) is kept here until warp_faults takes it. A held
// warp is told (event WARP_HELD, warp_held_o) in the cycle after.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/isa.svh"
`include "gen/registers.svh"
`include "gen/trace.svh"
`include "sm.svh"
`include "token.svh"

module sm #(
    parameter int THREADS = 32,
    parameter int LANES = 8,
    parameter int WARPS = 4,
    parameter int CHANNELS = 4,
    parameter int TASK_SLOTS = 4,
    parameter int DEQUE_ENTRIES = 256,
    parameter int VGPR_ROWS = 1024,
    parameter int SHARED_BYTES = 16384,
    parameter int CONST_BANKS = 2,
    parameter int ICACHE_LINES = 64,
    parameter int L1_LINES = 32,
    parameter int L1_WAYS = 2,
    parameter int LSU_DEPTH = 8,
    parameter int INJECT = 0,
    localparam int SLOT_W = (TASK_SLOTS > 1) ? $clog2(TASK_SLOTS) : 1,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1
) (
    input  wire                                  clk_i,
    input  wire                                  rst_i,
    input  wire  [7:0]                           inject_i,
    input  wire  [7:0]                           sm_index_i,       // no parameter: all SMs are one module, simulated by one copy of its code
    input  wire  [63:0]                          cycle_i,
    input  wire                                  icache_invalidate_i,
    // work distributor
    input  wire                                  cta_valid_i,
    output logic                                 cta_ready_o,
    input  wire  [SLOT_W-1:0]                    cta_slot_i,
    input  wire  [31:0]                          cta_x_i,
    input  wire  [15:0]                          cta_y_i,
    input  wire  [15:0]                          cta_z_i,
    output logic                                 cta_done_valid_o,
    output logic [SLOT_W-1:0]                    cta_done_slot_o,
    output logic                                 sm_fault_valid_o,
    output logic [SLOT_W-1:0]                    sm_fault_slot_o,
    output logic [7:0]                           sm_fault_code_o,
    output logic [31:0]                          sm_fault_info_o,
    output logic [31:0]                          sm_fault_pc_o,
    input  wire  [TASK_SLOTS-1:0]                slot_kill_i,
    // task table
    input  wire  [TASK_SLOTS*CHANNEL_W-1:0]      slot_channel_i,
    input  wire  [TASK_SLOTS*32-1:0]             slot_region_i,
    input  wire  [TASK_SLOTS*32-1:0]             slot_code_base_i,
    input  wire  [TASK_SLOTS*32-1:0]             slot_code_size_i,
    input  wire  [TASK_SLOTS*16-1:0]             slot_ntid_x_i,
    input  wire  [TASK_SLOTS*16-1:0]             slot_ntid_y_i,
    input  wire  [TASK_SLOTS*16-1:0]             slot_ntid_z_i,
    input  wire  [TASK_SLOTS*32-1:0]             slot_grid_x_i,
    input  wire  [TASK_SLOTS*16-1:0]             slot_grid_y_i,
    input  wire  [TASK_SLOTS*16-1:0]             slot_grid_z_i,
    input  wire  [TASK_SLOTS*16-1:0]             slot_threads_i,
    input  wire  [TASK_SLOTS*8-1:0]              slot_registers_i,
    input  wire  [TASK_SLOTS*8-1:0]              slot_shared_rows_i,
    input  wire  [TASK_SLOTS*18-1:0]             slot_shared_i,
    input  wire  [TASK_SLOTS*32-1:0]             slot_local_base_i,
    input  wire  [TASK_SLOTS*24-1:0]             slot_local_bytes_i,
    input  wire  [TASK_SLOTS*32-1:0]             slot_tmd_i,
    input  wire  [TASK_SLOTS*CONST_BANKS-1:0]    slot_const_valid_i,
    input  wire  [TASK_SLOTS*CONST_BANKS*32-1:0] slot_const_addr_i,
    input  wire  [TASK_SLOTS*CONST_BANKS*17-1:0] slot_const_size_i,
    // memory unit: instruction fetch
    `REQUEST_OUT(if_req),
    `ANSWER_IN(if_rsp),
    // memory unit: loads and stores
    `REQUEST_OUT(ls_req),
    `ANSWER_IN(ls_rsp),
    // level 1 cache; memory was changed behind the PPU's back; what is performed; address spaces
    input  wire                                  l1_enable_i,
    input  wire                                  changed_i,
    input  wire                                  snoop_valid_i,
    input  wire  [31:0]                          snoop_addr_i,
    input  wire  [CHANNELS*32-1:0]               space_base_i,
    input  wire  [CHANNELS*32-1:0]               space_size_i,
    output logic [31:0]                          l1_hits_o,
    output logic [31:0]                          l1_misses_o,
    output logic [31:0]                          shared_passes_o,
    output logic [31:0]                          shared_conflicts_o,
    // child tasks
    output logic                                 child_valid_o,
    input  wire                                  child_ready_i,
    output logic [SLOT_W-1:0]                    child_slot_o,     // of the parent
    output logic [31:0]                          child_tmd_o,      // address / 256
    output logic                                 child_wait_o,
    output logic [7:0]                           child_warp_o,
    input  wire                                  child_ended_valid_i,
    input  wire  [7:0]                           child_ended_warp_i,
    input  wire  [CHANNEL_W-1:0]                 child_ended_channel_i,
    output logic                                 waiting_o,        // a warp waits for its children
    output logic                                 stuck_o,          // every warp does, or stands at a barrier
    // software moves tokens: an operation on the warp that warp_select_i names
    input  wire                                  deque_serve_i,
    input  wire  [31:0]                          yield_seed_i,
    output logic [WARPS-1:0]                     live_o,
    input  wire  [1:0]                           sv_order_i,
    input  wire  [16:0]                          sv_threshold_i,
    output logic                                 warp_held_o,      // pulse: a warp is held from the next cycle on
    output logic [WARPS-1:0]                     held_o,
    input  wire                                  deque_valid_i,
    output logic                                 deque_ready_o,
    input  wire  [1:0]                           deque_op_i,       // DEQUE_*
    input  wire  [15:0]                          deque_entry_i,
    output logic [31:0]                          deque_ends_o,
    output logic [127:0]                         deque_token_o,
    // scheduling
    input  wire  [1:0]                           policy_i,
    output logic [127:0]                         issue_counters_o, // ISSUED, IDLE_MEMORY, IDLE_SCORE, IDLE_NONE
    // debug registers: the warp that is looked at
    input  wire  [7:0]                           warp_select_i,
    output logic [31:0]                          warp_pc_o,
    output logic [63:0]                          warp_mask_o,
    output logic [15:0]                          warp_state_o,
    `TRACE_WARP_START_PORTS,
    `TRACE_INSTR_PORTS,
    `TRACE_SV_MODE_PORTS,
    `TRACE_CHILD_LAUNCH_PORTS,
    `TRACE_MEM_REQ_PORTS,
    `TRACE_L1_HIT_PORTS,
    `TRACE_WB_PORTS,
    `TRACE_PWB_PORTS,
    `TRACE_SWB_PORTS,
    `TRACE_TOKEN_PORTS,
    `TRACE_BARRIER_PORTS,
    `TRACE_WARP_HELD_PORTS,
    `TRACE_WARP_FAULT_PORTS,
    `TRACE_WARP_END_PORTS
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
    logic [WARPS-1:0]         live, waiting, barrier_release, eligible;
    logic                     start_valid, start_ready, clear_valid, clear_ready, pred_clear_ready, divergence_start_ready, tid_write;
    logic [WARP_W-1:0]        start_warp, start_cta, start_index, tid_warp;
    logic [THREADS-1:0]       start_mask;
    logic [SLOT_W-1:0]        start_slot;
    logic [REG_W-1:0]         start_base, clear_reg;
    logic [21:0]              start_pc;
    logic [31:0]              start_salt;
    logic [PORTION_W-1:0]     tid_portion;
    logic [LANES*3*TID_W-1:0] tid_data;
    logic                     shared_clear_valid, shared_clear_ready;
    logic [SHARED_W-1:0]      shared_clear_row, look_shared;
    logic [WARPS*COUNT_W-1:0] alive;
    logic                     end_valid;
    logic [WARP_W-1:0]        end_cta, look_cta;
    logic [31:0]              look_x;
    logic [15:0]              look_y, look_z;

    // A warp starts in the divergence unit, the predicate file and the warp table at once.
    assign start_ready = divergence_start_ready && pred_clear_ready;
    wire start_go = start_valid && start_ready;

    cta_launcher #(
        .THREADS(THREADS), .LANES(LANES), .WARPS(WARPS), .TASK_SLOTS(TASK_SLOTS), .VGPR_ROWS(VGPR_ROWS), .SHARED_BYTES(SHARED_BYTES),
        .INJECT(INJECT)
    ) u_cta_launcher (
        .clk_i, .rst_i, .inject_i, .cta_valid_i, .cta_ready_o, .cta_slot_i, .cta_x_i, .cta_y_i, .cta_z_i, .cta_done_valid_o, .cta_done_slot_o,
        .slot_region_i, .slot_code_base_i, .slot_ntid_x_i, .slot_ntid_y_i, .slot_ntid_z_i, .slot_threads_i, .slot_registers_i, .slot_shared_rows_i, .slot_shared_i,
        .warp_live_i(live), .start_valid_o(start_valid), .start_ready_i(start_ready), .start_warp_o(start_warp), .start_mask_o(start_mask),
        .start_slot_o(start_slot), .start_cta_o(start_cta), .start_index_o(start_index), .start_base_o(start_base), .start_pc_o(start_pc), .start_salt_o(start_salt),
        .end_valid_i(end_valid), .end_cta_i(end_cta),
        .clear_valid_o(clear_valid), .clear_ready_i(clear_ready), .clear_reg_o(clear_reg),
        .shared_clear_valid_o(shared_clear_valid), .shared_clear_ready_i(shared_clear_ready), .shared_clear_row_o(shared_clear_row),
        .tid_write_o(tid_write), .tid_warp_o(tid_warp), .tid_portion_o(tid_portion), .tid_data_o(tid_data),
        .alive_o(alive), .look_cta_i(look_cta), .look_x_o(look_x), .look_y_o(look_y), .look_z_o(look_z), .look_shared_o(look_shared),
        `TRACE_WARP_START_CONNECT
    );

    // ---- warps ----
    logic                      owed, owed_keep;
    logic [WARP_W-1:0]         owed_warp;
    logic                      pick_valid, pick_ready, miss, miss_busy, refused, retry, retry_memory, retry_shared, issued;
    logic                      mem_free, shared_free, control_free, retry_score, counted, lanes_done, fault_memory, row_cleared, pred_cleared;
    logic [WARPS-1:0]          faulted, drained, full;
    logic                      waits_memory, waits_score, instr, seq_valid, seq_ready, counted_memory;
    logic [WARP_W-1:0]         row_warp, pred_write_warp;
    logic [WARP_W-1:0]         pick_warp, miss_warp, refused_warp, issue_warp, alu_done_warp, mem_done_warp, shared_warp, fault_warp, done_warp;
    logic [1:0]                refused_code;
    logic [2:0]                waits_for;
    logic [21:0]               issue_pc, done_pc;
    logic                      alu_done, mem_done, shared_done, fault_valid, done_valid, done_ended, control_stays;
    logic [7:0]                done_fault;
    logic [WARPS*22-1:0]       warp_pc, instr_pc;
    logic [WARPS*SLOT_W-1:0]   warp_slot;
    logic [WARPS*WARP_W-1:0]   warp_cta, warp_index;
    logic [WARPS*REG_W-1:0]    warp_base;
    logic [WARPS*2-1:0]        warp_fetch_fault;
    logic                      done_held, hold_q;
    logic [WARP_W-1:0]         hold_warp_q;
    assign live_o = live;
    wire                       done_good = done_valid && done_fault == `FAULT_NONE && !done_held;
    wire                       resume = deque_valid_i && deque_op_i == `DEQUE_RESUME;
    wire                       pick_go = pick_valid && pick_ready;
    wire  [WARP_W-1:0]         look_warp = WARP_W'(warp_select_i);
    wire                       look_exists = 32'(warp_select_i) < WARPS;
    logic [31:0]               look_pc;
    logic [15:0]               look_state;
    assign warp_pc_o = look_exists ? look_pc : 32'd0;
    assign warp_state_o = look_exists ? look_state : 16'd0;

    warp_table #(.WARPS(WARPS), .TASK_SLOTS(TASK_SLOTS), .REG_W(REG_W)) u_warp_table (
        .clk_i, .rst_i, .slot_kill_i, .start_i(start_go), .start_warp_i(start_warp), .start_slot_i(start_slot), .start_cta_i(start_cta),
        .start_index_i(start_index), .start_base_i(start_base), .start_pc_i(start_pc), .eligible_o(eligible), .pick_i(pick_go),
        .pick_warp_i(pick_warp), .miss_i(miss), .miss_warp_i(miss_warp), .miss_busy_i(miss_busy), .owed_i(owed),
        .owed_warp_i(owed_warp), .owed_keep_o(owed_keep), .fetch_fault_i(refused),
        .fetch_fault_warp_i(refused_warp), .fetch_fault_code_i(refused_code), .retry_i(retry), .retry_memory_i(retry_memory),
        .retry_shared_i(retry_shared), .retry_score_i(retry_score), .counted_i(counted), .counted_memory_i(counted_memory), .waits_memory_o(waits_memory), .waits_score_o(waits_score), .issued_i(issued), .waits_for_i(waits_for), .issue_warp_i(issue_warp), .issue_pc_i(issue_pc),
        .memory_free_i(mem_free), .shared_free_i(shared_free), .control_free_i(control_free), .alu_done_i(alu_done), .lanes_done_i(lanes_done),
        .alu_done_warp_i(alu_done_warp), .memory_done_i(mem_done || shared_done),
        .memory_done_warp_i(mem_done ? mem_done_warp : shared_warp), .launch_done_i(launch_done), .launch_done_warp_i(launch_done_warp),
        .row_cleared_i(row_cleared), .row_warp_i(row_warp), .pred_cleared_i(pred_cleared), .pred_warp_i(pred_write_warp),
        .control_done_i(done_good), .control_stays_i(control_stays),
        .control_ended_i(done_ended),
        .control_done_warp_i(done_warp), .control_done_pc_i(done_pc), .barrier_release_i(barrier_release),
        .hold_i(hold_q), .hold_warp_i(hold_warp_q), .resume_i(resume), .resume_warp_i(look_warp), .held_o(held_o), .faulted_o(faulted), .drained_o(drained), .full_o(full),
        .fault_i(fault_valid), .fault_memory_i(fault_memory),
        .fault_warp_i(fault_warp), .live_o(live), .waiting_o(waiting), .pc_o(warp_pc), .instr_pc_o(instr_pc), .slot_o(warp_slot),
        .cta_o(warp_cta), .index_o(warp_index), .base_o(warp_base), .fetch_fault_o(warp_fetch_fault), .end_valid_o(end_valid),
        .end_cta_o(end_cta), .look_warp_i(look_warp), .look_pc_o(look_pc), .look_state_o(look_state),
        `TRACE_WARP_END_CONNECT
    );

    warp_scheduler #(.WARPS(WARPS)) u_warp_scheduler (
        .clk_i, .rst_i, .policy_i, .start_i(start_go), .start_warp_i(start_warp), .ready_i(eligible), .grant_valid_o(pick_valid), .grant_warp_o(pick_warp), .grant_taken_i(pick_go)
    );

    issue_counters u_issue_counters (
        .clk_i, .rst_i, .issued_i(instr), .idle_i(seq_ready && !seq_valid), .memory_i(waits_memory), .score_i(waits_score),
        .issued_o(issue_counters_o[31:0]), .idle_memory_o(issue_counters_o[63:32]), .idle_score_o(issue_counters_o[95:64]),
        .idle_none_o(issue_counters_o[127:96])
    );

    barrier #(.WARPS(WARPS), .INJECT(INJECT)) u_barrier (
        .clk_i, .rst_i, .inject_i, .waiting_i(waiting), .cta_i(warp_cta), .alive_i(alive), .release_o(barrier_release), `TRACE_BARRIER_CONNECT
    );

    logic              launch_free, launch_start, launch_intake, launch_done;
    logic [WARP_W-1:0] launch_warp, launch_done_warp;
    logic [WARPS-1:0]  launch_waiting;

    // ---- fetch ----
    logic              word_valid, word_ready, word_outside;
    logic [WARP_W-1:0] word_warp;
    logic [21:0]       word_pc;
    logic [SLOT_W-1:0] word_slot;
    logic [63:0]       word;
    logic [1:0]        word_fault;
    logic [31:0]       word_addr;

    fetch #(.WARPS(WARPS), .CHANNELS(CHANNELS), .TASK_SLOTS(TASK_SLOTS), .ICACHE_LINES(ICACHE_LINES)) u_fetch (
        .clk_i, .rst_i, .invalidate_i(icache_invalidate_i), .pick_valid_i(pick_valid), .pick_ready_o(pick_ready), .pick_warp_i(pick_warp),
        .pick_pc_i(warp_pc[32'(pick_warp)*22 +: 22]), .pick_slot_i(warp_slot[32'(pick_warp)*SLOT_W +: SLOT_W]),
        .pick_fault_i(warp_fetch_fault[32'(pick_warp)*2 +: 2]), .slot_channel_i, .slot_region_i, .slot_code_base_i, .slot_code_size_i,
        .miss_o(miss), .miss_warp_o(miss_warp), .miss_busy_o(miss_busy), .owed_o(owed), .owed_warp_o(owed_warp),
        .owed_keep_i(owed_keep), .refused_o(refused), .refused_warp_o(refused_warp),
        .refused_code_o(refused_code), .out_valid_o(word_valid), .out_ready_i(word_ready), .out_warp_o(word_warp), .out_pc_o(word_pc),
        .out_slot_o(word_slot), .out_word_o(word), .out_outside_o(word_outside), .out_fault_o(word_fault), .out_addr_o(word_addr),
        `REQUEST_PASS_OUT(req, if_req), `ANSWER_PASS_IN(rsp, if_rsp)
    );

    // ---- issue ----
    logic                 pred_read, active_used, issue_fault, issue_fault_taken, mem_start, shared_start;
    logic [WARP_W-1:0]    pred_warp, active_warp, live_warp;
    logic [7*THREADS-1:0] preds, op_preds;
    logic [THREADS-1:0]   active, insiders, live_threads, start_exec, op_p1, op_p2;
    logic [7:0]           special_number, issue_fault_code, op_rd, control_op;
    logic [SLOT_W-1:0]    special_slot;
    logic [31:0]          special_value, issue_fault_info, op_imm, mem_bank_addr;
    logic [6:0]           op;
    logic [3:0]           op_mod;
    logic [2:0]           op_zero, op_pred, op_pass;
    logic                 op_b_imm, op_writes_reg, op_writes_pred, op_last_pass, op_preds_to_b, op_thread_id, op_memory, op_gather;
    logic [1:0]           op_thread_id_of;
    logic [REF_W-1:0]     op_reg_a, op_reg_b, op_reg_c, op_reg_d;
    logic                 mem_write, mem_atomic, mem_constant, mem_local, mem_bank_valid;
    logic [CHANNEL_W-1:0] mem_channel;
    logic [16:0]          mem_bank_size;
    logic                 control_valid, control_reserve;
    logic [3:0]           op_names;
    logic [1:0]           op_more;
    logic [6:0]           preds_pending, score_preds;
    logic [P-1:0]         score_portions;
    logic                 score_wait, score_set, op_shared, op_counted;
    logic [21:0]          control_target;
    logic [THREADS-1:0]   control_group, scalar_active, scalar_exec, scalar_wanted;
    logic [7:0]           scalar_op;
    logic [31:0]          scalar_imm, scalar_value, scalar_write_data;
    logic                 scalar_taken, scalar_free, scalar_go, scalar_write, op_shuffle, op_to_scalar;
    logic [WARP_W-1:0]    scalar_write_warp;
    logic [3:0]           scalar_write_rd;

    issue #(
        .THREADS(THREADS), .LANES(LANES), .WARPS(WARPS), .CHANNELS(CHANNELS), .TASK_SLOTS(TASK_SLOTS), .CONST_BANKS(CONST_BANKS),
        .REG_W(REG_W), .INJECT(INJECT)
    ) u_issue (
        .clk_i, .rst_i, .inject_i, .in_valid_i(word_valid), .in_ready_o(word_ready), .in_warp_i(word_warp), .in_pc_i(word_pc),
        .in_slot_i(word_slot), .in_word_i(word), .in_outside_i(word_outside), .in_fault_i(word_fault), .in_addr_i(word_addr),
        .pred_read_o(pred_read), .pred_warp_o(pred_warp), .pred_i(preds), .pred_pending_i(preds_pending), .active_warp_o(active_warp), .active_used_o(active_used),
        .active_i(active), .inside_i(insiders), .live_warp_o(live_warp), .live_i(live_threads), .slot_registers_i, .slot_shared_rows_i, .slot_channel_i, .slot_const_valid_i,
        .slot_const_addr_i, .slot_const_size_i, .warp_base_i(warp_base), .retry_o(retry), .retry_memory_o(retry_memory), .retry_shared_o(retry_shared), .retry_score_o(retry_score),
        .names_o(op_names), .more_o(op_more), .wait_i(score_wait), .set_o(score_set), .set_portions_o(score_portions), .set_preds_o(score_preds),
        .drained_i(drained), .full_i(full), .faulted_i(faulted), .counted_o(counted), .issued_o(issued), .instr_o(instr),
        .waits_for_o(waits_for), .warp_o(issue_warp), .pc_o(issue_pc), .special_number_o(special_number), .special_slot_o(special_slot),
        .special_value_i(special_value), .fault_valid_o(issue_fault), .fault_taken_i(issue_fault_taken), .fault_code_o(issue_fault_code),
        .fault_info_o(issue_fault_info), .start_valid_o(seq_valid), .start_ready_i(seq_ready), .start_exec_o(start_exec), .op_o(op),
        .op_mod_o(op_mod), .op_imm_o(op_imm), .op_b_imm_o(op_b_imm), .op_zero_o(op_zero), .op_reg_a_o(op_reg_a), .op_reg_b_o(op_reg_b),
        .op_reg_c_o(op_reg_c), .op_reg_d_o(op_reg_d), .op_rd_o(op_rd), .op_writes_reg_o(op_writes_reg), .op_writes_pred_o(op_writes_pred),
        .op_pred_o(op_pred), .op_pass_o(op_pass), .op_last_pass_o(op_last_pass), .op_p1_o(op_p1), .op_p2_o(op_p2),
        .op_preds_to_b_o(op_preds_to_b), .op_preds_o(op_preds), .op_thread_id_o(op_thread_id), .op_thread_id_of_o(op_thread_id_of),
        .op_shuffle_o(op_shuffle), .op_to_scalar_o(op_to_scalar),
        .op_memory_o(op_memory), .op_shared_o(op_shared), .op_counted_o(op_counted), .op_gather_o(op_gather), .mem_free_i(mem_free), .mem_start_o(mem_start), .shared_free_i(shared_free),
        .shared_start_o(shared_start), .launch_free_i(launch_free), .launch_start_o(launch_start), .mem_write_o(mem_write),
        .mem_atomic_o(mem_atomic), .mem_constant_o(mem_constant), .mem_local_o(mem_local), .mem_channel_o(mem_channel), .mem_bank_valid_o(mem_bank_valid),
        .mem_bank_addr_o(mem_bank_addr), .mem_bank_size_o(mem_bank_size), .control_free_i(control_free), .control_valid_o(control_valid),
        .control_reserve_o(control_reserve), .control_op_o(control_op), .control_target_o(control_target),
        .control_group_o(control_group), .control_stays_o(control_stays),
        .control_done_i(done_valid), .control_fault_i(done_fault != `FAULT_NONE || done_held), .gather_group_i(gather_group), .scalar_op_o(scalar_op), .scalar_imm_o(scalar_imm),
        .scalar_active_o(scalar_active), .scalar_exec_o(scalar_exec), .scalar_value_i(scalar_value), .scalar_wanted_i(scalar_wanted),
        .scalar_taken_i(scalar_taken), .scalar_free_i(scalar_free), .scalar_go_o(scalar_go), `TRACE_INSTR_CONNECT
    );

    scalar_unit #(.THREADS(THREADS), .WARPS(WARPS)) u_scalar_unit (
        .clk_i, .rst_i, .warp_i(issue_warp), .op_i(scalar_op), .rd_i(op_rd), .imm_i(scalar_imm), .active_i(scalar_active),
        .exec_i(scalar_exec), .value_o(scalar_value), .wanted_o(scalar_wanted), .taken_o(scalar_taken), .free_o(scalar_free),
        .go_i(scalar_go), .write_i(scalar_write), .write_warp_i(scalar_write_warp), .write_rd_i(scalar_write_rd),
        .write_data_i(scalar_write_data), .clear_i(start_go), .clear_warp_i(start_warp), `TRACE_SWB_CONNECT
    );

    assign counted_memory = counted && op_memory;
    assign look_cta = warp_cta[32'(issue_warp)*WARP_W +: WARP_W];

    special #(.TASK_SLOTS(TASK_SLOTS), .INJECT(INJECT)) u_special (
        .inject_i, .sm_index_i, .number_i(special_number), .slot_i(special_slot), .index_i(8'(warp_index[32'(issue_warp)*WARP_W +: WARP_W])),
        .cta_x_i(look_x), .cta_y_i(look_y), .cta_z_i(look_z), .cycle_i, .slot_ntid_x_i, .slot_ntid_y_i, .slot_ntid_z_i, .slot_grid_x_i,
        .slot_grid_y_i, .slot_grid_z_i, .slot_tmd_i, .value_o(special_value)
    );

    // ---- lanes ----
    logic                 row_write, mem_shared;
    logic [REF_W-1:0]     row_reg;
    logic [PORTION_W-1:0] row_portion;
    logic                 pred_write, gather_done, mem_valid, mem_last, wb_valid, wb_ready;
    logic [WARP_W-1:0]    wb_warp, mem_warp;
    logic [2:0]           pred_write_pred, mem_pass;
    logic [PORTION_W-1:0] pred_write_portion, mem_portion, wb_portion;
    logic [LANES-1:0]     pred_write_mask, pred_write_data, mem_lanes, wb_mask;
    logic [21:0]          gather_target;
    logic [THREADS-1:0]   gather_group;
    logic [LANES*32-1:0]  mem_a, mem_b, mem_c, wb_data;
    logic [7:0]           wb_rd;
    logic [REF_W-1:0]     wb_reg;

    execute #(.THREADS(THREADS), .LANES(LANES), .WARPS(WARPS), .VGPR_ROWS(VGPR_ROWS), .INJECT(INJECT)) u_execute (
        .clk_i, .rst_i, .inject_i, .start_valid_i(seq_valid), .start_ready_o(seq_ready), .start_exec_i(start_exec), .op_warp_i(issue_warp),
        .op_i(op), .op_mod_i(op_mod), .op_imm_i(op_imm), .op_b_imm_i(op_b_imm), .op_zero_i(op_zero), .op_reg_a_i(op_reg_a),
        .op_reg_b_i(op_reg_b), .op_reg_c_i(op_reg_c), .op_reg_d_i(op_reg_d), .op_rd_i(op_rd), .op_writes_reg_i(op_writes_reg),
        .op_writes_pred_i(op_writes_pred), .op_pred_i(op_pred), .op_pass_i(op_pass), .op_last_pass_i(op_last_pass), .op_p1_i(op_p1),
        .op_p2_i(op_p2), .op_preds_to_b_i(op_preds_to_b), .op_preds_i(op_preds), .op_thread_id_i(op_thread_id),
        .op_thread_id_of_i(op_thread_id_of), .op_shuffle_i(op_shuffle), .op_to_scalar_i(op_to_scalar), .scalar_write_o(scalar_write),
        .scalar_warp_o(scalar_write_warp), .scalar_rd_o(scalar_write_rd), .scalar_data_o(scalar_write_data), .op_memory_i(op_memory), .op_shared_i(op_shared), .op_counted_i(op_counted), .op_gather_i(op_gather),
        .done_o(alu_done), .done_counted_o(lanes_done), .done_warp_o(alu_done_warp),
        .gather_done_o(gather_done), .gather_target_o(gather_target), .gather_group_o(gather_group), .mem_valid_o(mem_valid),
        .mem_shared_o(mem_shared), .row_write_o(row_write), .row_warp_o(row_warp), .row_reg_o(row_reg), .row_portion_o(row_portion), .mem_warp_o(mem_warp), .mem_portion_o(mem_portion), .mem_lanes_o(mem_lanes), .mem_pass_o(mem_pass), .mem_last_o(mem_last), .mem_a_o(mem_a), .mem_b_o(mem_b),
        .mem_c_o(mem_c), .wb_valid_i(wb_valid), .wb_ready_o(wb_ready), .wb_warp_i(wb_warp), .wb_rd_i(wb_rd), .wb_reg_i(wb_reg),
        .wb_portion_i(wb_portion), .wb_mask_i(wb_mask), .wb_data_i(wb_data), .pred_write_o(pred_write), .pred_warp_o(pred_write_warp),
        .pred_o(pred_write_pred), .pred_portion_o(pred_write_portion), .pred_mask_o(pred_write_mask), .pred_data_o(pred_write_data),
        .clear_valid_i(clear_valid), .clear_ready_o(clear_ready), .clear_reg_i(clear_reg), .tid_write_i(tid_write), .tid_warp_i(tid_warp),
        .tid_portion_i(tid_portion), .tid_data_i(tid_data), `TRACE_WB_CONNECT, `TRACE_PWB_CONNECT
    );

    predicate_file #(.THREADS(THREADS), .LANES(LANES), .WARPS(WARPS)) u_predicate_file (
        .clk_i, .read_i(pred_read), .read_warp_i(pred_warp), .read_o(preds), .write_i(pred_write), .write_warp_i(pred_write_warp),
        .write_pred_i(pred_write_pred), .write_portion_i(pred_write_portion), .write_mask_i(pred_write_mask), .write_data_i(pred_write_data),
        .clear_i(start_go), .clear_warp_i(start_warp), .clear_ready_o(pred_clear_ready)
    );

    // ---- what is still to be written ----
    scoreboard #(.THREADS(THREADS), .LANES(LANES), .WARPS(WARPS), .VGPR_ROWS(VGPR_ROWS), .INJECT(INJECT)) u_scoreboard (
        .clk_i, .inject_i, .names_i(op_names), .reg_a_i(op_reg_a), .reg_b_i(op_reg_b), .reg_c_i(op_reg_c), .reg_d_i(op_reg_d), .more_i(op_more),
        .wait_o(score_wait), .set_i(score_set), .set_portions_i(score_portions), .set_warp_i(issue_warp), .set_preds_i(score_preds),
        .row_write_i(row_write), .row_reg_i(row_reg), .row_portion_i(row_portion), .row_cleared_o(row_cleared), .pred_write_i(pred_write),
        .pred_write_warp_i(pred_write_warp), .pred_write_pred_i(pred_write_pred), .pred_write_portion_i(pred_write_portion),
        .pred_cleared_o(pred_cleared), .pred_warp_i(pred_warp), .preds_o(preds_pending), .clear_i(clear_valid && clear_ready),
        .clear_reg_i(clear_reg), .start_i(start_go), .start_warp_i(start_warp)
    );

    // ---- memory ----
    logic              check_fault, check_fault_taken, answer_fault, answer_fault_taken;
    logic [WARP_W-1:0] check_fault_warp, answer_fault_warp;
    logic [7:0]        check_fault_code, answer_fault_code;
    logic [31:0]       check_fault_info, answer_fault_info;
    logic [21:0]       check_fault_pc, answer_fault_pc;

    // A row of shared memory goes first: its unit makes at most one every few cycles.
    logic                 ls_wb_valid, shared_wb_valid;
    logic [WARP_W-1:0]    ls_wb_warp, shared_wb_warp;
    logic [7:0]           ls_wb_rd, shared_wb_rd;
    logic [REF_W-1:0]     ls_wb_reg, shared_wb_reg;
    logic [PORTION_W-1:0] ls_wb_portion, shared_wb_portion;
    logic [LANES-1:0]     ls_wb_mask, shared_wb_mask;
    logic [LANES*32-1:0]  ls_wb_data, shared_wb_data;
    assign wb_valid = ls_wb_valid || shared_wb_valid;
    assign wb_warp = shared_wb_valid ? shared_wb_warp : ls_wb_warp;
    assign wb_rd = shared_wb_valid ? shared_wb_rd : ls_wb_rd;
    assign wb_reg = shared_wb_valid ? shared_wb_reg : ls_wb_reg;
    assign wb_portion = shared_wb_valid ? shared_wb_portion : ls_wb_portion;
    assign wb_mask = shared_wb_valid ? shared_wb_mask : ls_wb_mask;
    assign wb_data = shared_wb_valid ? shared_wb_data : ls_wb_data;

    // A warp that launches has nothing else in flight.
    wire mem_to_launch = launch_intake && mem_warp == launch_warp;

    wire [SLOT_W-1:0] issue_slot = warp_slot[32'(issue_warp)*SLOT_W +: SLOT_W];

    logic [WARPS*16-1:0] l1_accesses, l1_misses;  // of each warp since it started

    load_store #(
        .THREADS(THREADS), .LANES(LANES), .WARPS(WARPS), .CHANNELS(CHANNELS), .L1_LINES(L1_LINES), .L1_WAYS(L1_WAYS), .LSU_DEPTH(LSU_DEPTH), .REG_W(REF_W), .INJECT(INJECT)
    ) u_load_store (
        .clk_i, .rst_i, .inject_i, .sm_index_i, .free_o(mem_free), .start_i(mem_start), .start_warp_i(issue_warp), .start_pc_i(issue_pc),
        .start_exec_i(start_exec), .start_channel_i(mem_channel), .start_write_i(mem_write), .start_atomic_i(mem_atomic),
        .start_constant_i(mem_constant), .start_mod_i(op_mod), .start_offset_i(op_imm), .start_rd_i(op_rd), .start_reg_i(op_reg_d),
        .start_bank_valid_i(mem_bank_valid), .start_bank_addr_i(mem_bank_addr), .start_bank_size_i(mem_bank_size),
        .start_local_i(mem_local), .start_local_base_i(slot_local_base_i[32'(issue_slot)*32 +: 32]),
        .start_local_bytes_i(slot_local_bytes_i[32'(issue_slot)*24 +: 24]), .in_valid_i(mem_valid && !mem_shared && !mem_to_launch),
        .in_portion_i(mem_portion), .in_lanes_i(mem_lanes), .in_pass_i(mem_pass), .in_last_i(mem_last), .in_a_i(mem_a), .in_b_i(mem_b),
        .in_c_i(mem_c), .check_fault_o(check_fault), .check_fault_taken_i(check_fault_taken), .check_fault_warp_o(check_fault_warp),
        .check_fault_code_o(check_fault_code), .check_fault_info_o(check_fault_info), .check_fault_pc_o(check_fault_pc),
        .answer_fault_o(answer_fault), .answer_fault_taken_i(answer_fault_taken), .answer_fault_warp_o(answer_fault_warp),
        .answer_fault_code_o(answer_fault_code), .answer_fault_info_o(answer_fault_info), .answer_fault_pc_o(answer_fault_pc),
        .done_o(mem_done), .done_warp_o(mem_done_warp), .wb_valid_o(ls_wb_valid), .wb_ready_i(wb_ready && !shared_wb_valid),
        .wb_warp_o(ls_wb_warp), .wb_rd_o(ls_wb_rd), .wb_reg_o(ls_wb_reg), .wb_portion_o(ls_wb_portion), .wb_mask_o(ls_wb_mask),
        .wb_data_o(ls_wb_data),
        `REQUEST_PASS_OUT(req, ls_req), `ANSWER_PASS_IN(rsp, ls_rsp),
        .l1_enable_i, .changed_i, .snoop_valid_i, .snoop_addr_i, .space_base_i,
        .space_size_i, .clear_i(start_go), .clear_warp_i(start_warp), .l1_accesses_o(l1_accesses), .l1_misses_o(l1_misses), .l1_hits_o,
        .l1_all_misses_o(l1_misses_o),
        `TRACE_MEM_REQ_CONNECT, `TRACE_L1_HIT_CONNECT
    );

    logic              shared_fault, shared_fault_taken;
    logic [7:0]        shared_fault_code;
    logic [31:0]       shared_fault_info;
    logic [21:0]       shared_pc;

    shared_memory #(
        .THREADS(THREADS), .LANES(LANES), .WARPS(WARPS), .SHARED_BYTES(SHARED_BYTES), .REG_W(REF_W), .INJECT(INJECT)
    ) u_shared_memory (
        .clk_i, .rst_i, .inject_i, .free_o(shared_free), .start_i(shared_start), .start_warp_i(issue_warp), .start_pc_i(issue_pc),
        .start_exec_i(start_exec), .start_write_i(mem_write), .start_atomic_i(mem_atomic), .start_mod_i(op_mod), .start_offset_i(op_imm),
        .start_rd_i(op_rd), .start_reg_i(op_reg_d), .start_base_i(look_shared), .start_bytes_i(slot_shared_i[32'(issue_slot)*18 +: 18]),
        .in_valid_i(mem_valid && mem_shared), .in_portion_i(mem_portion), .in_lanes_i(mem_lanes),
        .in_pass_i(mem_pass), .in_last_i(mem_last), .in_a_i(mem_a), .in_b_i(mem_b), .in_c_i(mem_c), .fault_o(shared_fault),
        .fault_taken_i(shared_fault_taken), .fault_code_o(shared_fault_code), .fault_info_o(shared_fault_info), .warp_o(shared_warp),
        .pc_o(shared_pc), .done_o(shared_done), .done_taken_i(!mem_done), .wb_valid_o(shared_wb_valid), .wb_ready_i(wb_ready),
        .wb_warp_o(shared_wb_warp), .wb_rd_o(shared_wb_rd), .wb_reg_o(shared_wb_reg), .wb_portion_o(shared_wb_portion),
        .wb_mask_o(shared_wb_mask), .wb_data_o(shared_wb_data), .clear_valid_i(shared_clear_valid), .clear_ready_o(shared_clear_ready),
        .clear_row_i(shared_clear_row), .passes_o(shared_passes_o), .conflicts_o(shared_conflicts_o)
    );

    // ---- order of sub-vector sequences ----
    logic second;
    subvector #(.WARPS(WARPS), .TASK_SLOTS(TASK_SLOTS)) u_subvector (
        .go_i(issued && control_valid && control_op == `OP_SVSTART && start_exec != '0), .warp_i(issue_warp), .slot_i(issue_slot),
        .mod_i(op_mod), .setting_i(sv_order_i), .threshold_i(sv_threshold_i), .slot_shared_rows_i, .l1_accesses_i(l1_accesses), .l1_misses_i(l1_misses),
        .second_o(second), `TRACE_SV_MODE_CONNECT
    );

    // ---- child tasks ----
    child_launch #(.THREADS(THREADS), .LANES(LANES), .WARPS(WARPS), .CHANNELS(CHANNELS), .TASK_SLOTS(TASK_SLOTS)) u_child_launch (
        .clk_i, .rst_i, .slot_kill_i, .slot_channel_i, .warp_slot_i(warp_slot), .free_o(launch_free), .start_i(launch_start),
        .start_warp_i(issue_warp), .start_wait_i(op_mod[0]), .start_exec_i(start_exec), .intake_o(launch_intake), .warp_o(launch_warp),
        .in_valid_i(mem_valid && mem_to_launch), .in_portion_i(mem_portion), .in_last_i(mem_last), .in_a_i(mem_a),
        .child_valid_o, .child_ready_i, .child_slot_o, .child_tmd_o, .child_wait_o, .ended_valid_i(child_ended_valid_i),
        .ended_warp_i(WARP_W'(child_ended_warp_i)), .ended_channel_i(child_ended_channel_i), .done_o(launch_done),
        .done_taken_i(1'b1), .done_warp_o(launch_done_warp), .waiting_o(launch_waiting), `TRACE_CHILD_LAUNCH_CONNECT
    );
    wire unused_child = &{1'b0, child_ended_warp_i};  // more bits than this configuration has warps
    assign child_warp_o = 8'(launch_warp);
    assign waiting_o = launch_waiting != '0;
    assign stuck_o = (live & ~(launch_waiting | waiting)) == '0;

    // ---- divergence ----
    logic               req_ready, soft_ready;
    assign deque_ready_o = resume || soft_ready;
    logic               ret_reserved_q, ret_ready_q;  // targets from a register: on their way; gathered
    logic [7:0]         ret_op_q;
    logic [21:0]        ret_base_q;
    logic [WARP_W-1:0]  ret_warp_q;
    logic [21:0]        ret_pc_q;
    logic [THREADS-1:0] ret_exec_q;
    logic               control_fault_q, control_fault_taken;
    logic [WARP_W-1:0]  control_fault_warp_q;
    logic [7:0]         control_fault_code_q;

    assign control_free = req_ready && !ret_reserved_q && !control_fault_q;

    always_ff @(posedge clk_i) begin
        if (control_reserve) begin
            ret_reserved_q <= 1'b1;
            ret_warp_q <= issue_warp;
            ret_op_q <= control_op;
            ret_base_q <= control_target;
            ret_pc_q <= issue_pc;
            ret_exec_q <= start_exec;
        end
        if (gather_done) ret_ready_q <= 1'b1;
        if (ret_ready_q && req_ready) begin
            ret_ready_q <= 1'b0;
            ret_reserved_q <= 1'b0;
        end
        if (control_fault_taken) control_fault_q <= 1'b0;
        if (done_valid && done_fault != `FAULT_NONE) begin
            control_fault_q <= 1'b1;
            control_fault_warp_q <= done_warp;
            control_fault_code_q <= done_fault;
        end
        hold_q <= done_valid && done_held;
        if (done_held) hold_warp_q <= done_warp;
        if (rst_i) begin
            ret_reserved_q <= 1'b0;
            ret_ready_q <= 1'b0;
            control_fault_q <= 1'b0;
            hold_q <= 1'b0;
        end
    end
    assign warp_held_o = hold_q;
    assign trace_warp_held_valid_o = hold_q;
    assign trace_warp_held_warp_o = 8'(hold_warp_q);

    // The debug registers read the active mask when the issue stage does not need the port.
    logic [63:0] look_mask_q;
    always_ff @(posedge clk_i) if (!active_used) look_mask_q <= 64'(active);
    assign warp_mask_o = look_exists ? look_mask_q : 64'd0;

    divergence_unit #(.THREADS(THREADS), .LANES(LANES), .WARPS(WARPS), .DEQUE_ENTRIES(DEQUE_ENTRIES)) u_divergence_unit (
        .clk_i, .rst_i, .start_valid_i(start_valid && pred_clear_ready), .start_ready_o(divergence_start_ready), .start_warp_i(start_warp),
        .start_mask_i(start_mask), .start_seed_i(yield_seed_i ^ start_salt), .req_valid_i(control_valid || ret_ready_q), .req_ready_o(req_ready),
        .req_warp_i(ret_ready_q ? ret_warp_q : issue_warp), .req_op_i(ret_ready_q ? ret_op_q : control_op),
        .req_pc_i(ret_ready_q ? ret_pc_q : issue_pc), .req_exec_i(ret_ready_q ? ret_exec_q : start_exec),
        .req_target_i(ret_ready_q ? gather_target + ret_base_q : control_target), .req_group_i(ret_ready_q ? gather_group : control_group),
        .req_mod_i(op_mod[1:0]), .req_second_i(second),
        .done_valid_o(done_valid), .done_warp_o(done_warp), .done_pc_o(done_pc), .done_ended_o(done_ended), .done_fault_o(done_fault),
        .done_held_o(done_held), .serve_i(deque_serve_i), .soft_valid_i(deque_valid_i && !resume), .soft_ready_o(soft_ready),
        .soft_op_i(deque_op_i == `DEQUE_LOAD ? `TOKEN_LOAD : deque_op_i == `DEQUE_STORE ? `TOKEN_STORE : `TOKEN_MOVE), .soft_warp_i(look_warp),
        .soft_entry_i(22'(deque_entry_i)), .soft_ends_o(deque_ends_o), .soft_token_o(deque_token_o),
        .sel_warp_i(active_used ? active_warp : look_warp), .sel_active_o(active), .sel_inside_o(insiders), .live_warp_i(live_warp), .live_o(live_threads),
        `TRACE_TOKEN_CONNECT
    );

    // ---- faults ----
    wire [WARP_W-1:0] issue_fault_warp = issue_warp;
    wire [21:0]       control_fault_pc = instr_pc[32'(control_fault_warp_q)*22 +: 22];

    warp_faults #(.SOURCES(5), .WARPS(WARPS), .SLOT_W(SLOT_W)) u_warp_faults (
        .valid_i({shared_fault, issue_fault, answer_fault, check_fault, control_fault_q}),
        .taken_o({shared_fault_taken, issue_fault_taken, answer_fault_taken, check_fault_taken, control_fault_taken}),
        .warp_i({shared_warp, issue_fault_warp, answer_fault_warp, check_fault_warp, control_fault_warp_q}),
        .code_i({shared_fault_code, issue_fault_code, answer_fault_code, check_fault_code, control_fault_code_q}),
        .info_i({shared_fault_info, issue_fault_info, answer_fault_info, check_fault_info, 32'(control_fault_warp_q)}),
        .pc_i({shared_pc, issue_pc, answer_fault_pc, check_fault_pc, control_fault_pc}),
        .slot_i(warp_slot), .faulted_i(faulted), .fault_valid_o(fault_valid), .fault_warp_o(fault_warp), .fault_slot_o(sm_fault_slot_o),
        .fault_code_o(sm_fault_code_o), .fault_info_o(sm_fault_info_o), .fault_pc_o(sm_fault_pc_o), `TRACE_WARP_FAULT_CONNECT
    );
    assign sm_fault_valid_o = fault_valid;
    assign fault_memory = shared_fault_taken || answer_fault_taken || check_fault_taken;

endmodule
`default_nettype wire
