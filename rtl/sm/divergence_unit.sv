// Executes the control instructions of the warps: which threads go on, and from where. Keeps every warp's threads (active, or off with
// a reason) and, in the token deque inside, the tokens of those that are off. The program counter is the caller's.
//
// start: a new warp, taken when start_valid_i and start_ready_o are high: the threads of the mask are active, the others ABSENT, the deque empty.
// req: one control instruction, taken when req_valid_i and req_ready_o are high. req_target_i: where it goes (the label; for RET ra of
// the lowest thread of exec); req_group_i: the threads of exec whose target that is (all of exec, except for RET, BRX, JMX, JCALX with
// differing targets). req_mod_i: mod of YIELD (req_target_i its N or threshold), BRA, TPUSH and TREASON.
// done: a pulse with the result, without ready: fault (`FAULT_NONE, _ILLEGAL_INSTRUCTION, _DEQUE_FULL, _DEQUE_MEMORY), else held, else ended, else the next pc.
// held: a token needs room past a bound and software serves that (serve_i): what the instruction has done so far stands, and executed
// again it does the rest. Without serve_i, and when there is no room at the other end either, the warp faults with DEQUE_FULL.
// soft: software has moved the tokens of a held warp (MOVE of token_deque), done when soft_valid_i and soft_ready_o are high; nothing new is
// begun while it waits.
// sel_*, live_*, look_*: threads of a warp, read combinationally; a change is seen in the cycle after done or start.
//
// What is done (active: the warp's active mask; "off with R": switched off with reason R; next: pc + 1):
//   exec zero                     on to next.
//   SSY PBRK PCONT PEXIT PLONGJMP CAL JCAL JCALX BRA JMP BRX JMX EXIT LONGJMP SYNC BRK CONT RET YIELD: as divergence.md says. Threads of a JCALX
//                                 come back to it group by group (resumed_q: the first group has pushed the call token).
//   SVSTART                       no active thread: on to target. Faults unless exec == active, and for threads in a sequence already. req_second_i low:
//                                 and req_watch_i low: on to next. Else push {SVEND, active, target}, and if req_second_i is high and others than
//                                 those of the lowest portion that has active threads are active: push {PORTION, others, next}, others off with
//                                 PORTION; on to next. All of them are in a sequence from now on, until the SVEND token leaves the deque (left_o).
//   BRA.TURN                      in a watched sequence (req_watch_i), when exec == active. Second order: threads of others than the lowest
//                                 portion are off with PORTION, push {PORTION, those, target}. First order, and the front token is
//                                 {PORTION, some that wait, target}: it leaves, and they go on too. Either way on to target.
//   SVEND                         threads of exec that are in a sequence off with SVEND (none: on to next); if some thread is active on to next, else pop.
//   SMOV VOTE SVLOOP_BEGIN SVLOOP_END, those that write EXEC: the group is the active mask that is asked for: active threads outside it
//                                 off with HELD, HELD threads in it active; on to target. scalar_unit says what both are.
//   TLEAVE TEXIT                  the warp has ended. Faults unless exec == active.
//   TRAP TRET                     on to target (of TRET: TPC). Faults unless exec == active. Between them, while trap_on_i, all threads of
//                                 trap_warp_i count as active, and the next three come:
//   TPOP                          the front token, if there is one, leaves and is shown (popped_*); nobody becomes active.
//   TPUSH                         push {mod, exec, target}; of kind YIELD merge or push back. Of kind SVEND: exec is in a sequence again.
//   TREASON                       exec off with the reason mod; NONE: active.
// Pop: the front token's threads that are off with its kind as the reason become active at its address; if there are none it is thrown away
// and the next one is looked at. Of a PORTION token's threads only those of the lowest portion become active; it leaves with the last
// portion, or with all of them at once when a watched sequence has gone to the first order. Deque empty: the warp has ended, unless threads
// are HELD: then it goes on to next without an active thread, until the program switches them on.
//
// Latency: the request is registered, then a step for each token that is pushed, thrown away or popped (merges: see token_deque), done in
// the last of them; one step where no token moves. A step is two cycles: what the threads and the front token are is found in the first
// (seen_q), what follows from it is done in the second. The next request is taken in the cycle after done, or in that of done
// if no token moves and no start waits: an instruction every two or three cycles. After a start and a YIELD.NTH counts are written, a
// portion a cycle, while the YIELD's token moves on; only then comes the next start, and after a YIELD.NTH the next request.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/isa.svh"
`include "gen/registers.svh"
`include "gen/trace.svh"
`include "coverage.svh"
`include "token.svh"

module divergence_unit #(
    parameter int THREADS = 32,
    parameter int LANES = 4,
    parameter int WARPS = 2,
    parameter int CHANNELS = 2,
    parameter int DEQUE_ENTRIES = 16,
    parameter int DEQUE_MOST = 8192,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1
) (
    input  wire                      clk_i,
    input  wire                      rst_i,
    input  wire                      start_valid_i,
    output logic                     start_ready_o,
    input  wire                      start_comes_i,  // it may come in this cycle, which is known early: start_warp_i is looked at
    input  wire  [WARP_W-1:0]        start_warp_i,
    input  wire  [THREADS-1:0]       start_mask_i,
    input  wire  [31:0]              start_seed_i,  // of its generator; 0 counts as 1
    `CONTROL_IN(req),
    input  wire  [3:0]               req_mod_i,
    input  wire                      req_second_i,  // in sub-vector order: SVSTART, and what comes later if the order is watched
    input  wire                      req_watch_i,   // the order of the sequence may change in it
    output logic                     left_o,        // left_warp_o leaves a sequence: its SVEND token leaves the deque
    output logic [WARP_W-1:0]        left_warp_o,
    `CONTROL_DONE_OUT(done),
    input  wire                      serve_i,
    input  wire                      soft_valid_i,
    output logic                     soft_ready_o,
    input  wire  [WARP_W-1:0]        soft_warp_i,
    input  wire  [15:0]              soft_places_i,
    output logic [31:0]              soft_ends_o,   // of soft_warp_i: look_ends_o, look_kept_o of token_deque
    output logic [31:0]              soft_kept_o,
    input  wire  [32:12]             memory_i,      // where the queue of warp 0 is, and how long: as token_deque has it
    input  wire  [3:0]               memory_size_i,
    input  wire  [WARP_W-1:0]        sel_warp_i,
    output logic [THREADS-1:0]       sel_active_o,
    input  wire  [WARP_W-1:0]        stop_warp_i,
    output logic [THREADS-1:0]       trace_stop_active_o,
    output logic [WARPS-1:0]         partly_o,      // the warp's JCALX or SVSTART has pushed the first of its tokens
    input  wire                      trap_on_i,     // all threads of trap_warp_i count as active
    input  wire  [WARP_W-1:0]        trap_warp_i,
    output logic [3:0]               popped_kind_o, // what the last TPOP took, or would have but for lost tokens; none: kind NONE, the others stay
    output logic [THREADS-1:0]       popped_mask_o,
    output logic [`TOKEN_ADDR_W-1:0] popped_addr_o,
    output logic [THREADS-1:0]       sel_inside_o,  // threads in a sub-vector sequence
    output logic [7:0]               sel_count_bound_o,  // no thread's count for YIELD.NTH is higher
    input  wire  [WARP_W-1:0]        live_warp_i,
    output logic                     live_rest_o,   // some of its threads are off, but have not ended and are not absent
    output logic                     live_split_o,  // portions of the warp wait for their turn in a sequence
    input  wire  [1:0]               live_plane_i,
    output logic [THREADS-1:0]       live_plane_o,  // this bit of every thread's reason
    input  wire  [WARP_W-1:0]        look_warp_i,
    output logic [THREADS-1:0]       look_active_o,
    `REQUEST_OUT(req_memory),
    `ANSWER_IN(rsp_memory),
    `TRACE_TOKEN_MOVE_PORTS,
    `TRACE_TOKEN_PORTS
);
    localparam int REASON_W = 4 * THREADS;

    // Bits 0 to THREADS - 1: bit 0 of every thread's reason, then bit 1 of every thread's, and so on. Reason NONE: the thread is active.
    logic [REASON_W-1:0] reason_q [WARPS];

    function automatic [THREADS-1:0] threads_with(input [REASON_W-1:0] reasons, input [3:0] reason);
        threads_with = (reasons[0*THREADS +: THREADS] ^ {THREADS{!reason[0]}}) & (reasons[1*THREADS +: THREADS] ^ {THREADS{!reason[1]}}) &
                       (reasons[2*THREADS +: THREADS] ^ {THREADS{!reason[2]}}) & (reasons[3*THREADS +: THREADS] ^ {THREADS{!reason[3]}});
    endfunction

    localparam int P = THREADS / LANES;

    logic step, start, take;

    // The instruction under way.
    logic                     busy_q, popping_q, second_q, watch_q;
    logic                     seen_q;  // the step's second cycle: what has been found is in the registers of "what is found"
    wire                      acts = seen_q;
    logic [3:0]               mod_q;
    logic [WARP_W-1:0]        warp_q;
    logic [7:0]               opcode_q;
    logic [`TOKEN_ADDR_W-1:0] next_q, target_q, pc;
    logic [THREADS-1:0]       exec_q, group_q;

    logic [REASON_W-1:0] reasons;
    logic [WARPS-1:0]    rest_q, split_q;  // what live_* show of a warp
    logic [THREADS-1:0]  active, others;
    logic                uniform, nothing;

    assign pc = next_q - `TOKEN_ADDR_W'(1);
    assign reasons = reason_q[warp_q];
    logic [THREADS-1:0] active_of [WARPS];
    for (genvar w = 0; w < WARPS; w++) begin : g_active
        assign active_of[w] = threads_with(reason_q[w], `KIND_NONE);
    end
    assign active = active_of[warp_q] | {THREADS{trap_on_i && trap_warp_i == warp_q}};
    assign others = exec_q & ~group_q;
    assign uniform = exec_q == active;
    assign nothing = exec_q == '0;

    assign sel_active_o = active_of[sel_warp_i] | {THREADS{trap_on_i && trap_warp_i == sel_warp_i}};
    assign look_active_o = active_of[look_warp_i];
    assign trace_stop_active_o = active_of[stop_warp_i];
    assign partly_o = resumed_q;
    always_comb begin  // one comparison for each plane and warp, two of them to a LUT
        live_plane_o = '0;
        for (int w = 0; w < WARPS; w++)
            for (int b = 0; b < 4; b++)
                live_plane_o = live_plane_o | (reason_q[w][b*THREADS +: THREADS] & {THREADS{live_warp_i == WARP_W'(w) && live_plane_i == 2'(b)}});
    end
    assign live_split_o = split_q[live_warp_i];
    assign live_rest_o = rest_q[live_warp_i];

    // What the instruction is.
    logic       is_push, is_call, is_branch, is_off, is_yield, is_callx, is_exec, is_start, is_end, is_hop, is_pop, is_put, is_set;
    logic [3:0] kind;  // of its token, or of the token that its threads wait for

    always_comb begin
        {is_push, is_call, is_branch, is_off, is_yield, is_exec, is_start, is_end, is_hop, is_pop, is_put, is_set} = '0;
        is_callx = opcode_q == `OP_JCALX;
        kind = `KIND_NONE;
        case (opcode_q)
            `OP_SSY: begin is_push = 1'b1; kind = `KIND_SYNC; end
            `OP_PBRK: begin is_push = 1'b1; kind = `KIND_BRK; end
            `OP_PCONT: begin is_push = 1'b1; kind = `KIND_CONT; end
            `OP_PEXIT: begin is_push = 1'b1; kind = `KIND_EXIT; end
            `OP_PLONGJMP: begin is_push = 1'b1; kind = `KIND_LONGJMP; end
            `OP_CAL, `OP_JCAL, `OP_JCALX: begin is_call = 1'b1; kind = `KIND_RET; end
            `OP_BRA, `OP_JMP, `OP_BRX, `OP_JMX: begin is_branch = 1'b1; kind = `KIND_DIV; end
            `OP_SYNC: begin is_off = 1'b1; kind = `KIND_SYNC; end
            `OP_BRK: begin is_off = 1'b1; kind = `KIND_BRK; end
            `OP_CONT: begin is_off = 1'b1; kind = `KIND_CONT; end
            `OP_RET: begin is_off = 1'b1; kind = `KIND_RET; end
            `OP_EXIT: begin is_off = 1'b1; kind = `KIND_EXIT; end
            `OP_LONGJMP: begin is_off = 1'b1; kind = `KIND_LONGJMP; end
            `OP_YIELD: begin is_yield = 1'b1; kind = `KIND_YIELD; end
            `OP_SMOV, `OP_SMOV_I, `OP_VOTE, `OP_SVLOOP_BEGIN, `OP_SVLOOP_END: begin is_exec = 1'b1; kind = `KIND_HELD; end
            `OP_SVSTART: begin is_start = 1'b1; kind = `KIND_SVEND; end
            `OP_SVEND: begin is_end = 1'b1; kind = `KIND_SVEND; end
            `OP_TRAP, `OP_TRET, `OP_TLEAVE, `OP_TEXIT: is_hop = 1'b1;
            `OP_TPOP: is_pop = 1'b1;
            `OP_TPUSH: begin is_put = 1'b1; kind = mod_q; end
            `OP_TREASON: begin is_set = 1'b1; kind = mod_q; end
            default: ;
        endcase
    end

    logic soft_go;                 // software's operation is done in this cycle
    assign soft_go = soft_valid_i && soft_ready_o;

    // The deque.
    logic                     deque_valid, deque_ready, deque_still, deque_full, deque_really_full, deque_failed, deque_empty;
    logic                     refused;  // the operation is not done: no room, or tokens are lost
    logic [3:0]               deque_op;
    logic [WARP_W-1:0]        deque_warp;
    logic [3:0]               deque_kind, front_kind;
    logic [THREADS-1:0]       deque_mask, front_mask;
    logic [`TOKEN_ADDR_W-1:0] deque_addr, front_addr;
    logic [15:0]              holds;
    logic [3:0]               unused_front_flags;
    logic                     front_yield, awaited;
    logic                     meets_q;       // the front token is a yield token with the address of that which the step pushes or merges
    logic                     awake_itself;  // SYNC, BRK, CONT, RET whose threads no token will wake

    token_deque #(
        .THREADS(THREADS), .WARPS(WARPS), .CHANNELS(CHANNELS), .DEQUE_ENTRIES(DEQUE_ENTRIES), .DEQUE_MOST(DEQUE_MOST)
    ) u_token_deque (
        .clk_i(clk_i), .rst_i(rst_i), .memory_i, .size_i(memory_size_i), .look_i(busy_q || start_comes_i || soft_valid_i),
        .op_valid_i(deque_valid), .op_ready_o(deque_ready), .still_o(deque_still), .op_i(deque_op), .warp_i(deque_warp), .kind_i(deque_kind),
        .mask_i(deque_mask), .addr_i(deque_addr), .meets_i(meets_q), .places_i(soft_places_i),
        .full_o(deque_full), .really_full_o(deque_really_full), .failed_o(deque_failed),
        .empty_o(deque_empty), .front_kind_o(front_kind), .front_mask_o(front_mask), .front_addr_o(front_addr),
        .front_flags_o(unused_front_flags), .holds_o(holds),
        .look_warp_i(soft_warp_i), .look_ends_o(soft_ends_o), .look_kept_o(soft_kept_o),
        `REQUEST_PASS_OUT(req, req_memory), `ANSWER_PASS_IN(rsp, rsp_memory), `TRACE_TOKEN_MOVE_CONNECT, `TRACE_TOKEN_CONNECT
    );
    assign refused = deque_full || deque_failed;

    logic [THREADS-1:0] waiting;  // threads that the front token can wake
    logic               together; // the sequence has gone to the first order
    assign waiting = front_mask & threads_with(reasons, front_kind);
    assign together = watch_q && !second_q;
    assign awaited = |waiting;
    assign front_yield = front_kind == `KIND_YIELD;
    assign awake_itself = kind != `KIND_EXIT && kind != `KIND_LONGJMP && !holds[kind];

    logic [WARPS-1:0]   resumed_q;         // the warp's JCALX or SVSTART has pushed the first of its tokens
    logic [THREADS-1:0] inside_q [WARPS];  // threads in a sub-vector sequence: their SVEND token stands
    logic [THREADS-1:0] insiders;
    assign insiders = inside_q[warp_q];
    assign sel_inside_o = inside_q[sel_warp_i];
    // A loop's turn that all active threads take, in a watched sequence: they go on portion by portion, or with the portions that wait there.
    logic turns, divides, joins;
    assign turns = opcode_q == `OP_BRA && mod_q == `BRA_TURN && uniform;  // a branch's group is all that execute it
    assign divides = turns && watch_q && second_q && parted;
    assign joins = turns && together && !deque_empty && front_kind == `KIND_PORTION && front_addr == target_q && awaited;

    // When a YIELD counts, or rolls the dice.
    logic       counting, uncounted;
    logic       fires_q, yields_now;  // the YIELD switches its threads off; and this step is it
    yield_counts #(.THREADS(THREADS), .LANES(LANES), .WARPS(WARPS)) u_yield_counts (
        .clk_i, .rst_i, .start_i(start), .start_warp_i, .start_seed_i, .warp_i(warp_q), .exec_i(exec_q), .mod_i(mod_q), .target_i(target_q),
        .done_i(step && !refused && yields_now), .fires_o(fires_q), .counting_o(counting), .uncounted_o(uncounted),
        .sel_warp_i, .bound_o(sel_count_bound_o)
    );

    // The threads that a step moves: those of a token that is pushed or merged, those whose reason changes. A step is never about two such sets.
    logic [THREADS-1:0] choice, chosen, chosen_q;
    logic [THREADS-1:0] settable;  // active or HELD: those that a write of EXEC says something about
    logic [P-1:0]       in_portion, behind, kept;
    logic               wakes, waits_behind;
    logic               parted;    // they are in several portions: the token wakes one of them, or the others wait
    assign wakes = popping_q || (turns && together);
    assign waits_behind = (turns && watch_q && second_q) || (is_start && resumes);  // those that are not in the lowest portion
    assign choice = wakes ? waiting : exec_q;
    always_comb begin
        for (int p = 0; p < P; p++) in_portion[p] = choice[p*LANES +: LANES] != '0;
        behind = '0;  // portions behind the lowest one
        for (int p = 1; p < P; p++) if (in_portion[p-1]) behind |= {P{1'b1}} << p;
        for (int p = 0; p < P; p++)
            kept[p] = popping_q ? front_kind != `KIND_PORTION || together || !behind[p] : !waits_behind || behind[p];
    end
    assign parted = (in_portion & behind) != '0;
    always_comb begin
        chosen = choice;
        if (!popping_q) begin
            if (is_branch && !turns) chosen = choice & group_q;
            if ((is_callx && resumes) || (is_off && awake_itself && others != '0)) chosen = choice & ~group_q;
            if (is_end) chosen = choice & insiders;
        end
        for (int p = 0; p < P; p++) if (!kept[p]) chosen[p*LANES +: LANES] = '0;
        if (is_exec) chosen = settable;
    end
    assign settable = ~reasons[1*THREADS +: THREADS] & ~reasons[2*THREADS +: THREADS] & ~(reasons[3*THREADS +: THREADS] ^ reasons[0*THREADS +: THREADS]);

    // What is found. Nothing of it changes before the step is done: an operation that the deque is at leaves its front as it was.
    logic nothing_q, uniform_q, several_q, ends_some_q, ends_all_q, parted_q, divides_q, joins_q, holds_some_q;
    logic is_push_q, is_call_q, is_branch_q, is_off_q, is_yield_q, is_callx_q, is_exec_q, is_start_q, is_end_q, is_hop_q, is_pop_q, is_put_q, is_set_q;
    logic [3:0] kind_q;
    logic empty_q, awaited_q, stays_q, awake_itself_q, front_yield_q, front_callx_q, front_svend_q;
    logic               resumes, resumes_q;  // resumed_q of the warp
    logic               aside, aside_q;      // a token is that of the threads in `others`, who come to the instruction itself again
    logic [`TOKEN_ADDR_W-1:0] token_addr, token_addr_q;  // of a token that is pushed or merged
    logic [`TOKEN_ADDR_W-1:0] after_q;       // where the warp goes on if it does after this step
    assign resumes = resumed_q[warp_q];
    // next, target, pc, the token's address: a choice of two LUTs a bit, as it is written.
    logic [1:0]               after;
    logic [`TOKEN_ADDR_W-1:0] after_low;
    always_comb begin
        if (popping_q) after = {2{!deque_empty}};
        else if (is_branch && others != '0) after = 2'd2;
        else after = 2'(is_exec || (nothing ? is_start && uniform : is_call || ((is_branch || is_off || is_hop) && uniform)));
        after_low = after[1] ? {`TOKEN_ADDR_W{after[0]}} : after[0] ? target_q : next_q;
    end
    assign aside = (is_callx && resumes) || (is_off && others != '0);
    assign token_addr = aside ? pc : is_call || is_yield || (is_start && resumes) ? next_q : target_q;
    always_ff @(posedge clk_i) begin
        {is_push_q, is_call_q, is_branch_q, is_off_q, is_yield_q, is_callx_q, is_exec_q, is_start_q, is_end_q, is_hop_q, is_pop_q, is_put_q, is_set_q} <=
            {is_push, is_call, is_branch, is_off, is_yield, is_callx, is_exec, is_start, is_end, is_hop, is_pop, is_put, is_set};
        kind_q <= kind;
        nothing_q <= nothing;
        uniform_q <= uniform;
        several_q <= others != '0;
        ends_some_q <= (exec_q & insiders) != '0;
        ends_all_q <= uniform && (exec_q & ~insiders) == '0;
        parted_q <= parted;
        divides_q <= divides;
        joins_q <= joins;
        holds_some_q <= settable != '0;  // looked at when none is active
        empty_q <= deque_empty;
        awaited_q <= awaited;
        stays_q <= front_kind == `KIND_PORTION && !together && parted;
        awake_itself_q <= awake_itself;
        front_yield_q <= front_yield;
        front_callx_q <= front_kind == `KIND_CALLX;
        front_svend_q <= front_kind == `KIND_SVEND;
        chosen_q <= chosen;
        if (rst_i || !busy_q || done_valid_o) chosen_q <= '1;  // all of a warp that starts
        resumes_q <= resumes;
        aside_q <= aside;
        after_q <= !after[1] ? after_low : (after_low & front_addr) | (~after_low & pc);
        token_addr_q <= token_addr;
        meets_q <= !deque_empty && front_yield && front_addr == token_addr;
        seen_q <= busy_q && !rst_i && !step && !(counting && is_yield && !popping_q);  // a count is not looked at while counts are written
    end

    // What the step asks of the deque, apart from what else it does (below) and flat: what the deque says to that comes last in the cycle.
    // Where a step moves no token, all but token_op may be anything.
    logic token_op;  // the step is a deque operation
    logic moving, portion;
    assign moving = is_put_q || (is_push_q && uniform_q) || (is_yield_q && uniform_q && fires_q) || (is_pop_q && !empty_q) ||
                    (is_start_q && uniform_q && !ends_some_q && (second_q || watch_q || resumes_q)) ||
                    (is_call_q && uniform_q && (!is_callx_q || !resumes_q || several_q)) ||
                    (is_branch_q && (divides_q || joins_q || !uniform_q || several_q)) ||
                    (is_off_q && awake_itself_q && (several_q || !uniform_q || !(empty_q || front_yield_q)));
    assign token_op = acts && (popping_q ? !empty_q && !stays_q : moving && !nothing_q);
    assign portion = divides_q || (is_start_q && resumes_q);  // the token is that of threads that wait for the turn of theirs
    assign deque_kind = portion ? `KIND_PORTION : aside_q ? `KIND_CALLX : kind_q;
    assign deque_mask = chosen_q;
    assign deque_addr = token_addr_q;
    always_comb begin
        deque_op = `TOKEN_PUSH_FRONT;
        if (is_yield_q || is_off_q || (is_put_q && kind_q == `KIND_YIELD)) deque_op = `TOKEN_MERGE;
        if (is_pop_q || (is_off_q && !several_q && uniform_q && !awaited_q)) deque_op = `TOKEN_POP_THROWN;
        if (joins_q) deque_op = `TOKEN_POP_USED;
        if (popping_q) deque_op = awaited_q ? `TOKEN_POP_USED : `TOKEN_POP_THROWN;
        if (!acts) deque_op = soft_valid_i ? `TOKEN_MOVE : `TOKEN_RESET;
    end

    // One step: at most one deque operation, at most one change of reasons.
    logic                     change;      // the reason of the chosen threads becomes change_reason
    logic [3:0]               change_reason;  // EXEC is written: of those outside the group; the others are active
    logic                     finish, to_pop, narrow, illegal, ended, called, entered;

    always_comb begin
        change = 1'b0;
        change_reason = kind_q;
        finish = 1'b0;             // the instruction is done, the warp goes on at after_q
        to_pop = 1'b0;             // on to popping
        narrow = 1'b0;             // on without the threads outside the group
        illegal = 1'b0;
        ended = 1'b0;
        called = 1'b0;             // the first token of JCALX or SVSTART is pushed
        entered = 1'b0;            // the active threads are in a sequence from now on
        yields_now = 1'b0;
        if (popping_q) begin
            change_reason = `KIND_NONE;
            if (empty_q) begin
                finish = 1'b1;
                ended = !holds_some_q;
            end else begin
                change = 1'b1;
                finish = awaited_q;
            end
        end else if (is_exec_q) begin
            change = 1'b1;
            finish = 1'b1;
        end else if (nothing_q) begin
            finish = 1'b1;
        end else if (is_start_q && (!uniform_q || ends_some_q)) begin
            finish = 1'b1;
            illegal = 1'b1;
        end else if (is_start_q && !second_q && !watch_q && !resumes_q) begin
            finish = 1'b1;
        end else if (is_start_q && !resumes_q) begin
            finish = !parted_q || !second_q;
            called = !finish;
            entered = finish;
        end else if (is_start_q) begin
            change = 1'b1;
            change_reason = `KIND_PORTION;
            finish = 1'b1;
            entered = 1'b1;
        end else if (is_end_q) begin
            change = 1'b1;
            finish = !ends_all_q || !ends_some_q;
            to_pop = !finish;
        end else if ((is_push_q || is_call_q || is_yield_q) && !uniform_q) begin
            finish = 1'b1;
            illegal = 1'b1;
        end else if (is_push_q) begin
            finish = 1'b1;
        end else if (is_call_q && !(is_callx_q && resumes_q)) begin
            called = is_callx_q && several_q;
            finish = !called;
        end else if (is_call_q && several_q) begin
            change = 1'b1;
            change_reason = `KIND_CALLX;
            finish = 1'b1;
        end else if (divides_q) begin
            change = 1'b1;
            change_reason = `KIND_PORTION;
            finish = 1'b1;
        end else if (joins_q) begin
            change = 1'b1;
            change_reason = `KIND_NONE;
            finish = 1'b1;
        end else if (is_pop_q) begin
            finish = 1'b1;
        end else if (is_put_q) begin
            finish = 1'b1;
            entered = kind_q == `KIND_SVEND;
        end else if (is_set_q) begin
            change = 1'b1;
            finish = 1'b1;
        end else if (is_call_q || ((is_branch_q || is_hop_q) && uniform_q && !several_q)) begin
            finish = 1'b1;
            ended = opcode_q == `OP_TLEAVE || opcode_q == `OP_TEXIT;
        end else if (is_branch_q) begin
            change = 1'b1;
            finish = 1'b1;
        end else if (is_off_q && !awake_itself_q) begin
            change = 1'b1;
            finish = !uniform_q;
            to_pop = uniform_q;
        end else if (is_off_q && several_q) begin
            change = 1'b1;
            change_reason = `KIND_YIELD;
            narrow = 1'b1;
        end else if (is_off_q && uniform_q && (empty_q || front_yield_q)) begin
            finish = 1'b1;
        end else if (is_off_q && uniform_q && !awaited_q) begin
            finish = 1'b0;         // the front token is thrown away, and the next one is looked at
        end else if (is_off_q) begin
            change = 1'b1;
            change_reason = `KIND_YIELD;
            finish = !uniform_q;
            to_pop = uniform_q;
        end else if (is_yield_q && !fires_q) begin
            yields_now = 1'b1;
            finish = 1'b1;
        end else if (is_yield_q) begin
            yields_now = 1'b1;
            change = 1'b1;
            to_pop = 1'b1;
        end else begin
            finish = 1'b1;
            illegal = 1'b1;
        end
    end

    // The deque is ready for a MOVE or RESET when it is still, which is known before what it says of a token.
    assign soft_ready_o = !busy_q && !rst_i && deque_still;
    assign start_ready_o = !busy_q && !rst_i && !soft_valid_i && !counting && deque_still;
    assign start = start_valid_i && start_ready_o;
    assign deque_valid = token_op || start || soft_go;
    assign deque_warp = busy_q ? warp_q : soft_valid_i ? soft_warp_i : start_warp_i;
    assign step = acts && !rst_i && (!token_op || deque_ready);

    assign left_o = step && token_op && front_svend_q && (deque_op == `TOKEN_POP_USED || deque_op == `TOKEN_POP_THROWN);
    assign left_warp_o = warp_q;

    assign done_valid_o = step && (finish || refused);
    assign done_warp_o = warp_q;
    assign done_pc_o = after_q;
    assign done_ended_o = acts && !rst_i && ended;  // a step that ends the warp moves no token: the deque is not asked
    assign done_fault_o = illegal ? `FAULT_ILLEGAL_INSTRUCTION : deque_failed ? `FAULT_DEQUE_MEMORY :
                          (deque_full && !done_held_o) ? `FAULT_DEQUE_FULL : `FAULT_NONE;
    assign done_held_o = deque_full && serve_i && !deque_really_full;

    // What moves no token is sure to end; that a token finds room is known too late in the cycle. A start is not kept waiting for ever.
    wire alone = uniform_q && !several_q;
    logic brief;  // the step ends the instruction and moves no token
    always_comb begin
        brief = is_exec_q || nothing_q || is_set_q || (is_pop_q && empty_q) || (is_callx_q && resumes_q && alone) ||
                ((is_branch_q || is_hop_q) && alone && !divides_q && !joins_q) || (is_end_q && !(ends_all_q && ends_some_q)) ||
                (is_start_q && uniform_q && !ends_some_q && !second_q && !watch_q && !resumes_q) ||
                (is_off_q && (awake_itself_q ? alone && (empty_q || front_yield_q) : !uniform_q));
        if (popping_q) brief = empty_q || (awaited_q && stays_q);
    end
    assign req_ready_o = !rst_i && !soft_valid_i && !(counting && !uncounted) && (!busy_q || (acts && brief && !start_valid_i));
    assign take = req_valid_i && req_ready_o;

    always_ff @(posedge clk_i) begin
        if (step && is_pop_q && !nothing_q) begin
            popped_kind_o <= empty_q ? `KIND_NONE : front_kind;
            if (!empty_q) popped_mask_o <= front_mask;
            if (!empty_q) popped_addr_o <= front_addr;
        end
        if (rst_i) begin
            popped_kind_o <= `KIND_NONE;
            popped_mask_o <= '0;
            popped_addr_o <= '0;
        end
    end

    always_ff @(posedge clk_i) for (int w = 0; w < WARPS; w++) begin
        if (start && start_warp_i == WARP_W'(w)) inside_q[w] <= '0;
        else if (step && !refused && (entered || left_o) && warp_q == WARP_W'(w)) inside_q[w] <= entered ? insiders | exec_q : insiders & ~front_mask;
    end

    // Reasons: the chosen threads get one, but for those that become active; of a warp that starts all are chosen.
    logic [REASON_W-1:0] reasons_d;
    logic [THREADS-1:0]  on;
    always_comb begin
        on = busy_q ? group_q & {THREADS{is_exec_q}} : start_mask_i;
        for (int b = 0; b < 4; b++)
            reasons_d[b*THREADS +: THREADS] = (~chosen_q & reasons[b*THREADS +: THREADS]) |
                                              (chosen_q & ~on & {THREADS{!busy_q || change_reason[b]}});  // `KIND_ABSENT has all bits
    end
    logic [THREADS-1:0] rest_d;
    assign rest_d = ~threads_with(reasons_d, `KIND_NONE) & ~threads_with(reasons_d, `KIND_EXIT) & ~threads_with(reasons_d, `KIND_ABSENT);
    always_ff @(posedge clk_i) for (int w = 0; w < WARPS; w++)
        if (busy_q ? step && !refused && change && warp_q == WARP_W'(w) : start && start_warp_i == WARP_W'(w)) begin
            reason_q[w] <= reasons_d;
            rest_q[w] <= rest_d != '0;
            split_q[w] <= threads_with(reasons_d, `KIND_PORTION) != '0;
        end

    always_ff @(posedge clk_i) begin
        if (start) begin
            resumed_q[start_warp_i] <= 1'b0;
        end else if (step && !refused) begin
            if (called || (popping_q && awaited_q && !empty_q && front_callx_q)) resumed_q[warp_q] <= 1'b1;
            else if (finish && !popping_q && (is_callx_q || is_start_q)) resumed_q[warp_q] <= 1'b0;
        end
    end

    always_ff @(posedge clk_i) begin
        if (rst_i) busy_q <= 1'b0;
        else if (take) busy_q <= 1'b1;
        else if (done_valid_o) busy_q <= 1'b0;

        if (take) popping_q <= 1'b0;
        else if (step && to_pop) popping_q <= 1'b1;

        if (take) begin
            warp_q <= req_warp_i;
            opcode_q <= req_opcode_i;
            next_q <= req_next_i;
            exec_q <= req_exec_i;
            target_q <= req_target_i;
            group_q <= req_group_i;
            mod_q <= req_mod_i;
            second_q <= req_second_i;
            watch_q <= req_watch_i;
        end else if (step && narrow) begin
            exec_q <= group_q;
        end
    end

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
        if (!rst_i && busy_q && !popping_q) begin
            assert ((exec_q & ~active) == '0);
            assert (is_exec || (group_q & ~exec_q) == '0);
            if (!nothing && !is_exec) assert (group_q != '0);
        end
        if (!rst_i && busy_q && popping_q) assert (active == '0);
        if (!rst_i && busy_q && (is_pop || is_put || is_set)) assert (trap_on_i && trap_warp_i == warp_q);
        if (start_valid_i && !rst_i) assert (start_comes_i);
        if (start) assert (start_mask_i != '0 && !busy_q && chosen_q == '1);
        if (!rst_i && acts && brief) assert (finish && !token_op && !yields_now);
        if (done_ended_o) assert (done_valid_o && done_fault_o == `FAULT_NONE && !done_held_o);
    end
    always_ff @(posedge clk_i) if (!rst_i) begin
        `COVER(skip_nothing, step && !popping_q && nothing_q && !is_exec)
        `COVER(exec_written_off, step && is_exec && (active & ~group_q) != '0)
        `COVER(exec_written_on, step && is_exec && (settable & ~active & group_q) != '0)
        `COVER(illegal, done_valid_o && illegal)
        `COVER(full, done_valid_o && deque_full && !done_held_o)
        `COVER(held, done_held_o && done_valid_o)
        `COVER(failed, done_valid_o && deque_failed)
        `COVER(awake_narrow, step && narrow)
        `COVER(awake_on, step && is_off && !popping_q && awake_itself_q && uniform_q && finish && !token_op)
        `COVER(awake_throws, step && is_off && !popping_q && token_op && deque_op == `TOKEN_POP_THROWN)
        `COVER(awake_yields, step && is_off && !popping_q && awake_itself_q && token_op && deque_op == `TOKEN_MERGE && !narrow)
        `COVER(callx_pushes_others, step && deque_kind == `KIND_CALLX && token_op && !popping_q)
        `COVER(callx_resumed, step && is_callx && !popping_q && resumed_q[warp_q])
        `COVER(group_of_several, step && is_branch && !popping_q && several_q)
        `COVER(sequence_of_one_portion, step && is_start && !popping_q && entered && !resumed_q[warp_q])
        `COVER(sequence_not_asked, step && is_start && !popping_q && !nothing_q && !illegal && !second_q)
        `COVER(portion_of_several, step && popping_q && !empty_q && stays_q)
        `COVER(end_of_nothing, step && is_end && !popping_q && !nothing_q && !ends_some_q)
        `COVER(held_threads_go_on, step && popping_q && empty_q && !ended)
        `COVER(divided, step && !popping_q && divides_q)
        `COVER(joined, step && !popping_q && joins_q)
        `COVER(woken_together, step && popping_q && !empty_q && front_kind == `KIND_PORTION && together && awaited_q)
        `COVER(token_taken, step && is_pop_q && !popping_q && token_op)
        `COVER(token_none, step && is_pop_q && !popping_q && !token_op)
        `COVER(token_put, step && is_put_q && !popping_q)
        `COVER(token_put_back, step && is_put_q && !popping_q && token_op && deque_op == `TOKEN_MERGE)
        `COVER(reason_set, step && is_set_q && !popping_q)
        `COVER(ended, done_ended_o)
        `COVER(left_by_request, done_valid_o && is_hop_q && !popping_q && ended)
        `COVER(start_waits_for_software, start_valid_i && soft_valid_i)
    end
`endif
endmodule
`default_nettype wire
