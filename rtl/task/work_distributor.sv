// work_distributor: the task table. Hands CTAs of running tasks to SMs, sees tasks end, writes their releases.
//
// A task that is started takes the lowest free slot. CTAs go out one at a time, x fastest, then y, then z: of the slots that have CTAs
// left, one of the highest priority (QMD_GROUP_ID), round robin among equals, and of a task with SEQUENTIALLY_RUN_CTAS only when none of it
// runs. Of a task that can step aside those that have left come back first (cta_resume_o). The offer (cta_valid_o, slot and place) stays until
// the SM takes it, unless the slot is killed, its channel suspended, a task of higher priority has CTAs, or, with several SMs, OFFER_CYCLES
// have passed: then the next SM is asked.
//
// A task that is evicted (eviction says who): no more of its CTAs go out (the offer of one is withdrawn), those that run are asked to leave if
// they can (slot_stop_o), and when none runs any more it is handed to task_management (evicted_*: held until evicted_done_i, when its slot is
// free). One that has no CTA left, not even one that would come back, ends instead, as does one that is killed before it is handed over.
//
// A slot is killed by a fault of one of its warps or by a fault of its channel (channel_halt_i): no more of its CTAs go out,
// slot_kill_o tells the SMs to end those that run. When no CTA is left running the task ends: killed, or after RELEASE0, then RELEASE1 have been
// acknowledged by the memory (4 words {payload, 0, time in nanoseconds}, one word, or a reduction). A release that fails faults the channel
// in the cycle of the task's end, which then counts as killed.
// Behind the releases, for DEPENDENT_QMD0, then DEPENDENT_QMD1: the DEPENDENCE_COUNTER of the TMD named there goes down by one, an atomic
// of the task's own channel. One that was 1 is handed to the launch queue (freed_*, event TASK_FREED) before the task counts as ended; one that was
// 0 is a fault (TMD_DEPENDENCE_COUNTER), told as that of a release. A killed task frees nobody any more. The second word of an
// operand, which no reduction looks at, is the slot + 1, of a release 256 more: who follows the trace knows whose it is.
// Likewise then for its parent, if that can step aside and is in no slot: it has left, and its counter is that of its children that have not ended.
// While it is about to leave the end of its child waits.
//
// Of a task of kind queue the number of the first entry is x of a CTA and of its entries y; when its CTAs may go out and when it is at its
// end queue_feeder says (queue_*). One with bad counters is killed; the fault is told when it ends.
//
// Throughput: a CTA every two cycles; one CTA_END and one TASK_END a cycle, others wait.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/isa.svh"
`include "gen/registers.svh"
`include "gen/tmd.svh"
`include "gen/trace.svh"
`include "coverage.svh"

module work_distributor #(
    parameter int THREADS = 32,
    parameter int SMS = 1,
    parameter int WARPS = 2,
    parameter int CHANNELS = 2,
    parameter int TASK_SLOTS = 2,
    parameter int CONST_BANKS = 2,
    parameter int NS_PER_CYCLE = 40,
    parameter int INJECT = 0,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1,
    localparam int SLOT_W = (TASK_SLOTS > 1) ? $clog2(TASK_SLOTS) : 1
) (
    input  wire                   clk_i,
    input  wire                   rst_i,
    input  wire  [7:0]            inject_i,
    input  wire  [CHANNELS-1:0]   channel_halt_i,

    input  wire                   round_robin_i,
    input  wire  [7:0]            slice_i,
    input  wire  [CHANNELS-1:0]   suspend_i,   // no CTA of the channel goes out, its tasks leave
    output logic [CHANNELS-1:0]   in_slots_o,  // the channel has a task in a slot
    input  wire                   pick_valid_i,
    input  wire  [5:0]            pick_level_i,
    `EVICTED_OUT(evicted),

    output logic                  slot_free_o,
    input  wire                   start_valid_i,
    `TASK_IN(task),

    `SLOT_OUTS(slot, TASK_SLOTS),
    output logic [TASK_SLOTS-1:0] slot_kill_o,
    output logic [TASK_SLOTS-1:0] slot_stop_o,

    `CTA_OUTS(cta, SMS),
    `CTA_DONE_INS(cta_done, SMS),
    // To and from queue_feeder.
    `FILL_OUT(fill),
    `FEED_OUTS(feed, TASK_SLOTS),
    `QUEUE_INS(queue, TASK_SLOTS),
    input  wire                   queue_busy_i,
    // Slots in which a warp has faulted in this cycle.
    input  wire  [TASK_SLOTS-1:0] slot_faulted_i,

    // Releases. want_o until the last answer is there; nothing is asked before granted_i.
    output logic                  want_o,
    input  wire                   granted_i,
    `REQUEST_OUT(req),
    `ANSWER_IN(rsp),
    // A release that failed; waits while fault_hold_i.
    `UNIT_FAULT_OUT(fault),
    input  wire                   fault_hold_i,

    `ENDED_OUT(ended),
    // Held until it is taken.
    `FREED_OUT(freed),

    // SMs on which a warp waits for its children; on which no warp can go on. Somebody else is at work.
    input  wire  [SMS-1:0]        sm_waiting_i,
    input  wire  [SMS-1:0]        sm_stuck_i,
    input  wire                   busy_i,
    // Of SM s at s * TASK_SLOTS: no warp of the slot can go on; one of it waits for children.
    input  wire  [SMS*TASK_SLOTS-1:0] sm_slot_rests_i,
    input  wire  [SMS*TASK_SLOTS-1:0] sm_slot_waits_i,
    input  wire  [SMS*TASK_SLOTS-1:0] sm_slot_trapped_i,  // one is in a trap, or comes back
    // A child of the slot goes into the launch queue, for which a warp waits. Can the slot's CTAs step aside?
    input  wire  [TASK_SLOTS-1:0] child_i,
    output logic [TASK_SLOTS-1:0] slot_save_o,

    `TRACE_TASK_EVICT_PORTS,
    `TRACE_TASK_START_PORTS,
    `TRACE_CTA_LAUNCH_PORTS,
    `TRACE_CTA_END_PORTS,
    `TRACE_TASK_STUCK_PORTS,
    `TRACE_TASK_FREED_PORTS,
    `TRACE_TASK_END_PORTS
);
    localparam int SM_W = SMS > 1 ? $clog2(SMS) : 1;
    localparam int OFFER_CYCLES = 2 * WARPS + 8;  // an SM looks for a place among the registers, then in shared memory: WARPS + 1 cycles each
    localparam int AGE_W = $clog2(OFFER_CYCLES);
    localparam int CTAS_W = $clog2(SMS * WARPS + 1);  // CTAs that are on SMs; as many may have left
    localparam int RUNNING_W = CTAS_W + 1;            // and as many may have ended that have not been told
    localparam int CHILDREN_W = $clog2(SMS * WARPS * THREADS + 1);
    localparam logic [31:0] PARENT_MASK = 32'hC0FFFFFF | (((32'd1 << ($clog2(SMS) + $clog2(WARPS))) - 32'd1) << 24);  // bits of it that are used

    // ---- the task table ----
    logic [TASK_SLOTS-1:0]           busy_q, kill_q, launched_q, sequential_q;  // launched: all CTAs are out
    logic [TASK_SLOTS-1:0]           launched, settled;  // of queues too; settled: nothing of a queue is on its way to or from memory
    logic [TASK_SLOTS*6-1:0]         group_q;
    logic [TASK_SLOTS-1:0]           save_q, some_saved, has_ctas, resting, suspended;  // has_ctas: that are not out; resting: none runs
    logic [TASK_SLOTS*32-1:0]        parent_q;
    logic [TASK_SLOTS*CTAS_W-1:0]    saved_q;    // CTAs that have left and come back
    logic [TASK_SLOTS*32-1:0]        next_x_q;
    logic [TASK_SLOTS*16-1:0]        next_y_q, next_z_q;
    logic [TASK_SLOTS*RUNNING_W-1:0] running_q;  // CTAs that are out and have not ended
    // What is done at a task's end: RELEASE0 and 1, then the counters of DEPENDENT_QMD0 and 1, each as what is asked of the memory.
    localparam int ROW_W = 6 + 32 + 32;
    (* no_rw_check, ram_style = "block" *) logic [ROW_W-1:0] release_mem_q [TASK_SLOTS*4];
    logic [ROW_W-1:0]                release_read_q, release_row_q;  // known a cycle after release_left_q, and one more: block RAM answers late in a cycle
    logic [TASK_SLOTS*2-1:0]         release_enable_q, frees_q;

    logic [SLOT_W-1:0] free_slot;
    logic [TASK_SLOTS-1:0] fill, launch_to, end_of, task_ends;

    always_comb begin
        slot_free_o = busy_q != {TASK_SLOTS{1'b1}};
        free_slot = '0;
        for (int k = TASK_SLOTS - 1; k >= 0; k--) begin
            if (!busy_q[k]) free_slot = SLOT_W'(k);
        end
        for (int k = 0; k < TASK_SLOTS; k++) fill[k] = start_valid_i && free_slot == SLOT_W'(k);
        in_slots_o = '0;
        for (int k = 0; k < TASK_SLOTS; k++) if (busy_q[k]) in_slots_o[slot_channel_o[CHANNEL_W*k +: CHANNEL_W]] = 1'b1;
    end

    logic [TASK_SLOTS-1:0] evict_q, leaving_q;  // no more CTAs go out; task_management has it
    assign launched = (queue_here_i & queue_last_i) | (~queue_here_i & launched_q);
    assign settled = ~queue_here_i | (queue_synced_i & ~queue_hold_i);
    assign feed_fill_o = fill;
    assign `FILL_PACK_O(fill) = {task_queue_i, task_open_i, task_put_i, task_next_x_i[30:0], task_period_i};
    assign feed_live_o = busy_q & ~kill_q & ~leaving_q;
    assign feed_evicted_o = evict_q;
    assign feed_launch_o = launch_to;
    assign feed_next_o = next_x_q;
    assign feed_resting_o = resting;
    assign has_ctas = ~launched | some_saved;
    for (genvar k = 0; k < TASK_SLOTS; k++) begin : g_resting
        assign suspended[k] = suspend_i[slot_channel_o[CHANNEL_W*k +: CHANNEL_W]];
        assign resting[k] = running_q[RUNNING_W*k +: RUNNING_W] == '0;
        assign some_saved[k] = saved_q[CTAS_W*k +: CTAS_W] != '0;
    end

    // ---- CTAs out ----
    logic [TASK_SLOTS-1:0] candidate;
    logic                  best_valid, offer_valid_q, offer, withdrawn, accepted, crowd_fed;
    logic [SLOT_W-1:0]     best, offer_slot_q, last_slot_q;
    logic [5:0]            best_group, offer_group;
    logic [SM_W-1:0]       offer_sm_q;
    logic [AGE_W-1:0]      offer_age_q;
    // The place of the CTA offered, and the one behind it.
    logic [31:0]           x, after_x;
    logic [15:0]           y, z, after_y, after_z;
    logic                  last_x, last_y, last_z, offer_queue, offer_resume;

    always_comb begin
        for (int k = 0; k < TASK_SLOTS; k++) begin
            candidate[k] = busy_q[k] && !kill_q[k] && has_ctas[k] && !evict_q[k] && !suspended[k] && (!queue_here_i[k] || queue_ready_i[k]) &&
                           (!sequential_q[k] || resting[k]);
        end
        best_valid = candidate != '0;
        best_group = '0;
        for (int k = 0; k < TASK_SLOTS; k++) begin
            if (candidate[k] && group_q[6*k +: 6] > best_group) best_group = group_q[6*k +: 6];
        end
        // Round robin among the best: the lowest one behind the slot served last, else the lowest.
        best = '0;
        for (int k = TASK_SLOTS - 1; k >= 0; k--) begin
            if (candidate[k] && group_q[6*k +: 6] == best_group) best = SLOT_W'(k);
        end
        for (int k = TASK_SLOTS - 1; k >= 0; k--) begin
            if (candidate[k] && group_q[6*k +: 6] == best_group && SLOT_W'(k) > last_slot_q) best = SLOT_W'(k);
        end
    end

    always_comb begin
        offer = offer_valid_q && !kill_q[offer_slot_q] && !evict_q[offer_slot_q] && !suspended[offer_slot_q] && !queue_hold_i[offer_slot_q];
        for (int s = 0; s < SMS; s++) begin
            cta_valid_o[s] = offer && offer_sm_q == SM_W'(s);
            cta_slot_o[SLOT_W*s +: SLOT_W] = offer_slot_q;
            cta_x_o[32*s +: 32] = offer_resume ? 32'd0 : x;
            cta_y_o[16*s +: 16] = offer_resume ? 16'd0 : offer_queue ? queue_count_i[16*offer_slot_q +: 16] : y;
            cta_z_o[16*s +: 16] = offer_resume ? 16'd0 : z;
            cta_resume_o[s] = offer_resume;
        end
        accepted = offer && cta_ready_i[offer_sm_q];
        offer_group = '0;
        for (int k = 0; k < TASK_SLOTS; k++) if (offer_slot_q == SLOT_W'(k)) offer_group = group_q[6*k +: 6];
        withdrawn = offer_valid_q && (!offer || best_group > offer_group ||
                                      (SMS > 1 && offer_age_q == AGE_W'(OFFER_CYCLES - 1)));
        crowd_fed = accepted || !(offer_valid_q || best_valid) || (offer_valid_q && best_group > offer_group);
        for (int k = 0; k < TASK_SLOTS; k++) launch_to[k] = accepted && offer_slot_q == SLOT_W'(k);
    end

    always_ff @(posedge clk_i) begin
        if (rst_i) begin
            offer_valid_q <= 1'b0;
            offer_slot_q <= '0;
            offer_sm_q <= '0;
            offer_age_q <= '0;
            last_slot_q <= '0;
        end else if (offer_valid_q) begin
            offer_age_q <= offer_age_q + AGE_W'(1);
            if (accepted || withdrawn) offer_valid_q <= 1'b0;
            if (accepted) last_slot_q <= offer_slot_q;
        end else if (best_valid) begin
            offer_valid_q <= 1'b1;
            offer_slot_q <= best;
            offer_age_q <= '0;
            offer_sm_q <= offer_sm_q == SM_W'(SMS - 1) ? '0 : offer_sm_q + SM_W'(1);
        end
    end

    // ---- CTAs that end ----
    logic              end_valid, end_left;
    logic [SM_W-1:0]   end_sm;
    logic [SLOT_W-1:0] end_slot;

    cta_ends #(.SMS(SMS), .TASK_SLOTS(TASK_SLOTS), .COUNT_W(RUNNING_W)) u_cta_ends (
        .clk_i, .rst_i, `CTA_DONE_PASS_IN(cta_done, cta_done), .end_valid_o(end_valid), .end_sm_o(end_sm), .end_slot_o(end_slot), .end_left_o(end_left)
    );
    always_comb begin
        for (int k = 0; k < TASK_SLOTS; k++) end_of[k] = end_valid && end_slot == SLOT_W'(k);
    end

    // ---- tasks that end ----
    typedef enum logic [2:0] {IDLE, NEXT, ASK, ANSWER, FAIL, END, FREE, READ} state_t;

    state_t                ending_q;
    logic [SLOT_W-1:0]     ending_slot_q, finished;
    logic                  finished_valid;
    logic [TASK_SLOTS-1:0] stays, halted;  // halted: its channel stands faulted
    logic [4:0]            release_left_q;   // the parent, DEPENDENT_QMD1 and 0, RELEASE1 and 0
    logic                  second, frees, to_parent;  // RELEASE1 or DEPENDENT_QMD1; no release; the parent
    logic                  old_0_q, old_1_q; // what its counter was
    logic [1:0]            release_fault_q;
    logic [63:0]           time_q, release_time_q;
    logic                  r_red, r_signed, r_one_word, queue_bad;
    logic [2:0]            r_op;
    logic [31:0]           r_addr, r_payload;

    // What has been evicted and has come to rest can be handed over in the cycle after that, but for a read of its queue that was chosen then. It does
    // not end in that cycle.
    logic [TASK_SLOTS-1:0] rested_q;
    wire  [TASK_SLOTS-1:0] leaves = rested_q & evict_q & busy_q & ~kill_q & ~(queue_here_i & queue_hold_i);
    always_ff @(posedge clk_i) rested_q <= evict_q & busy_q & ~kill_q & has_ctas & settled & resting;
`ifndef SYNTHESIS
    always_ff @(posedge clk_i) if (!rst_i) assert ((leaves & ~leaving_q & ~resting) == '0);
`endif

    always_comb begin
        finished_valid = 1'b0;
        finished = '0;
        // A killed parent that can step aside is there until its children are killed too: they would take it for one that has left.
        stays = kill_q & save_q & some_children & ~halted;
        for (int k = TASK_SLOTS - 1; k >= 0; k--) begin
            // Defect 44: a slot counts as finished while one of its CTAs still runs.
            if (busy_q[k] && !leaving_q[k] && !leaves[k] && !stays[k] && ((!has_ctas[k] && settled[k]) || (kill_q[k] && !queue_hold_i[k])) && (resting[k] ||
                (INJECT != 0 && inject_i == 8'd44 && running_q[RUNNING_W*k +: RUNNING_W] == RUNNING_W'(1)))) begin
                finished_valid = 1'b1;
                finished = SLOT_W'(k);
            end
        end
    end

    // ---- children and parents ----
    logic [TASK_SLOTS-1:0]            parent_here, some_children;
    logic [TASK_SLOTS*CHILDREN_W-1:0] children;
    logic [31:0]                      ended_parent;  // of the task that ends
    logic                             has_parent, failed;
    assign failed = ending_q == FAIL && !fault_hold_i;

    parents #(.THREADS(THREADS), .WARPS(WARPS), .SMS(SMS), .CHANNELS(CHANNELS), .TASK_SLOTS(TASK_SLOTS)) u_parents (
        .clk_i, .fill_i(fill), .busy_i(busy_q), .save_i(save_q), .slot_channel_i(slot_channel_o), .slot_tmd_i(slot_tmd_o), .child_i,
        .ended_i(ended_valid_o), .channel_i(ended_channel_o), .parent_i(ended_parent), .here_o(parent_here), .children_o(children),
        .some_o(some_children)
    );
    always_comb begin
        ended_parent = '0;
        for (int k = 0; k < TASK_SLOTS; k++) if (ending_slot_q == SLOT_W'(k)) ended_parent = parent_q[32*k +: 32];
    end
    assign has_parent = ended_parent[31] && ended_parent[30];
    assign ended_channel_o = slot_channel_o[CHANNEL_W*ending_slot_q +: CHANNEL_W];
    assign ended_valid_o = ending_q == END || failed;
    // No warp that is asked to leave waits any more.
    assign ended_parent_o = {ended_parent[31] && (!has_parent || (parent_here & ~(evict_q & save_q)) != '0), ended_parent[30:0]};

    // ---- who is evicted ----
    logic                  evict;
    logic [SLOT_W-1:0]     victim, evicted;
    logic [TASK_SLOTS-1:0] parent_going;  // it can be handed over, or is: its children must not end now

    eviction #(.SMS(SMS), .TASK_SLOTS(TASK_SLOTS), .PATIENCE_W($clog2(4 * SMS * OFFER_CYCLES))) u_eviction (
        .clk_i, .rst_i, .round_robin_i, .slice_i, .pick_valid_i, .pick_level_i, .begins_i(launch_to & resting), .busy_i(busy_q), .kill_i(kill_q),
        .suspended_i(suspended), .save_i(save_q), .has_ctas_i(has_ctas), .resting_i(resting), .evicted_i(evict_q), .candidate_i(candidate),
        .group_i(group_q), .sm_slot_rests_i, .sm_slot_waits_i, .sm_slot_trapped_i,
        .offer_valid_i(offer_valid_q), .offer_slot_i(offer_slot_q), .offer_group_i(offer_group),
        .fed_i(crowd_fed), .hold_i(accepted || queue_busy_i), .evict_o(evict), .victim_o(victim)
    );

    always_comb begin
        parent_going = (leaves & save_q) | leaving_q;
        evicted = '0;
        for (int k = TASK_SLOTS - 1; k >= 0; k--) if (leaves[k]) evicted = SLOT_W'(k);
        for (int k = TASK_SLOTS - 1; k >= 0; k--) if (leaving_q[k]) evicted = SLOT_W'(k);
        evicted_valid_o = 1'b0;
        evicted_level_o = group_q[5:0];
        evicted_parent_o = parent_q[31:0];
        evicted_saved_o = 6'(saved_q[CTAS_W-1:0]);
        evicted_children_o = 16'(children[CHILDREN_W-1:0]);
        for (int k = 0; k < TASK_SLOTS; k++)
            if (evicted == SLOT_W'(k)) begin
                // Not in the cycle in which a child of it ends.
                evicted_valid_o = leaves[k] && leaving_q == '0 && !(has_parent && parent_here[k] && (ending_q == END || ending_q == FAIL));
                evicted_level_o = group_q[6*k +: 6];
                evicted_parent_o = parent_q[32*k +: 32];
                evicted_saved_o = 6'(saved_q[CTAS_W*k +: CTAS_W]);
                evicted_children_o = 16'(children[CHILDREN_W*k +: CHILDREN_W]);
            end
        evicted_slot_o = 8'(evicted);
        evicted_channel_o = slot_channel_o[CHANNEL_W*evicted +: CHANNEL_W];
        evicted_tmd_o = slot_tmd_o[32*evicted +: 32];
        evicted_region_o = slot_region_o[32*evicted +: 32];
        evicted_local_o = slot_local_base_o[32*evicted +: 32];
        evicted_place_o = {next_z_q[16*evicted +: 16], next_y_q[16*evicted +: 16], next_x_q[32*evicted +: 32]};
        slot_stop_o = evict_q & save_q & ~kill_q;
        slot_save_o = save_q;
    end

    // ---- nothing can go on ----
    logic              stuck_told, goes_on_q;  // a CTA started or a task ended in the cycle before: both are known late, and for 4096 cycles none may
    logic [SLOT_W-1:0] holder;
    always_ff @(posedge clk_i) goes_on_q <= accepted || finished_valid;
`ifndef SYNTHESIS
    always_ff @(posedge clk_i) if (!rst_i) assert (!(stuck_told && accepted));
`endif

    stuck #(.SMS(SMS), .TASK_SLOTS(TASK_SLOTS)) u_stuck (
        .clk_i, .rst_i, .sm_waiting_i, .sm_stuck_i, .hold_i(ending_q == FAIL || fault_hold_i), .running_i(busy_q & ~kill_q & ~resting),
        .quiet_i((busy_q & queue_here_i & ~kill_q) == '0 && slot_stop_o == '0 && suspend_i == '0 && !busy_i && !end_valid && !goes_on_q &&
                 ending_q == IDLE),
        .group_i(group_q), .told_o(stuck_told), .holder_o(holder)
    );

    // ---- releases, who is freed, and the end ----
    always_comb begin
        frees = release_left_q[1:0] == 2'd0;
        to_parent = release_left_q[3:0] == 4'd0;
        second = frees ? !release_left_q[2] : !release_left_q[0];
        {r_red, r_signed, r_one_word, r_op, r_addr, r_payload} = release_row_q;
        if (to_parent) r_addr[31:8] = ended_parent[23:0];
        freed_tmd_o = r_addr[31:8];

        want_o = ending_q == ASK || ending_q == ANSWER;
        req_valid_o = ending_q == ASK && granted_i;
        req_op_o = r_red ? `REQUEST_ATOMIC : `REQUEST_WRITE;
        req_channel_o = ended_channel_o;
        req_addr_o = r_red ? r_addr : {r_addr[31:5], 5'd0};
        req_wstrb_o = 32'd0;
        if (!r_red) begin
            for (int w = 0; w < 8; w++)
                if (r_one_word ? r_addr[4:2] == 3'(w) : r_addr[4] == (w >= 4)) req_wstrb_o[4*w +: 4] = 4'hF;
        end
        // The same in both halves of the line; the strobes choose. Of a reduction the word behind the operand says whose it is.
        req_wdata_o = {2{r_one_word ? {2{r_payload}} : release_time_q,
                         r_red ? {23'd0, !frees, 8'(ending_slot_q) + 8'd1} : r_one_word ? r_payload : 32'd0, r_payload}};
        case (r_op)
            `TMD_RELEASE_RED_OP_ADD: req_atom_o = `ATOM_ADD;
            `TMD_RELEASE_RED_OP_MIN: req_atom_o = r_signed ? `ATOM_MIN : `ATOM_UMIN;
            `TMD_RELEASE_RED_OP_MAX: req_atom_o = r_signed ? `ATOM_MAX : `ATOM_UMAX;
            `TMD_RELEASE_RED_OP_INC: req_atom_o = `ATOM_INC;
            `TMD_RELEASE_RED_OP_DEC: req_atom_o = `ATOM_DEC;
            `TMD_RELEASE_RED_OP_AND: req_atom_o = `ATOM_AND;
            `TMD_RELEASE_RED_OP_OR:  req_atom_o = `ATOM_OR;
            default:                 req_atom_o = `ATOM_XOR;
        endcase

        queue_bad = queue_here_i[ending_slot_q] && queue_bad_i[ending_slot_q];
        fault_valid_o = failed || stuck_told;
        fault_channel_o = stuck_told ? slot_channel_o[CHANNEL_W*holder +: CHANNEL_W] : req_channel_o;
        fault_code_o = stuck_told ? `FAULT_CHILD_DEADLOCK : queue_bad ? queue_code_i[8*ending_slot_q +: 8] :
                      release_fault_q == `ANSWER_GOOD ? `FAULT_TMD_DEPENDENCE_COUNTER :
                      release_fault_q != `ANSWER_OUTSIDE ? `FAULT_BUS_ERROR : frees ? `FAULT_TMD_DEPENDENT_QMD : `FAULT_SEMAPHORE_ADDRESS;
        fault_info_o = stuck_told ? slot_tmd_o[32*holder +: 32] : queue_bad ? slot_tmd_o[32*ending_slot_q +: 32] :
                       frees ? {freed_tmd_o, 8'd0} : r_addr;
        freed_valid_o = ending_q == FREE;
        freed_channel_o = req_channel_o;
        for (int k = 0; k < TASK_SLOTS; k++) task_ends[k] = ended_valid_o && ending_slot_q == SLOT_W'(k);
    end

    always_ff @(posedge clk_i) begin
        if (rst_i) begin
            ending_q <= IDLE;
            ending_slot_q <= '0;
            release_left_q <= '0;
            time_q <= '0;
        end else begin
            time_q <= time_q + 64'(NS_PER_CYCLE);
            case (ending_q)
                IDLE: if (finished_valid) begin
                    ending_q <= NEXT;
                    ending_slot_q <= finished;
                    release_left_q <= {&parent_q[32*finished+30 +: 2], frees_q[2*finished +: 2], release_enable_q[2*finished +: 2]};
                    {old_0_q, old_1_q} <= '0;
                end
                NEXT: begin
                    release_time_q <= time_q;
                    // A counter that was 1 or 0: release_left_q still says whose.
                    ending_q <= old_0_q || queue_bad ? FAIL : old_1_q ? FREE : kill_q[ending_slot_q] || release_left_q == 5'd0 ? END :
                                !to_parent || parent_here == '0 ? READ : (parent_here & parent_going) != '0 ? NEXT : END;
                end
                READ: ending_q <= ASK;
                ASK: if (req_valid_o && req_ready_i) ending_q <= ANSWER;
                ANSWER: if (rsp_valid_i) begin
                    release_fault_q <= rsp_fault_i;
                    ending_q <= rsp_fault_i != `ANSWER_GOOD ? FAIL : NEXT;
                    if (rsp_fault_i == `ANSWER_GOOD) begin
                        old_0_q <= frees && rsp_data_i[31:0] == 32'd0;
                        old_1_q <= frees && rsp_data_i[31:0] == 32'd1;
                        if (!frees || rsp_data_i[31:1] != 31'd0) release_left_q <= release_left_q & (release_left_q - 5'd1);
                    end
                end
                FREE: if (freed_ready_i) begin
                    ending_q <= NEXT;
                    old_1_q <= 1'b0;
                    release_left_q <= release_left_q & (release_left_q - 5'd1);
                end
                FAIL: if (!fault_hold_i) ending_q <= IDLE;  // ends here, killed
                END: ending_q <= IDLE;
                default: ending_q <= IDLE;
            endcase
        end
    end

    always_ff @(posedge clk_i) begin
        release_read_q <= release_mem_q[{ending_slot_q, frees, second}];
        release_row_q <= release_read_q;
        if (start_valid_i) begin
            for (int r = 0; r < 2; r++) begin
                release_mem_q[{free_slot, 1'b0, 1'(r)}] <= {task_release_red_i[r], task_release_signed_i[r], task_release_one_word_i[r],
                                                          task_release_op_i[3*r +: 3], task_release_addr_i[32*r +: 32], task_release_payload_i[32*r +: 32]};
                release_mem_q[{free_slot, 1'b1, 1'(r)}] <= {3'b101, `TMD_RELEASE_RED_OP_ADD, task_frees_tmd_i[24*r +: 24], `TMD_DEPENDENCE_COUNTER_BYTE,
                                                          32'hFFFFFFFF};
            end
        end
    end

    // ---- the slots' lives ----
    always_comb begin
        x = next_x_q[32*offer_slot_q +: 32];
        y = next_y_q[16*offer_slot_q +: 16];
        z = next_z_q[16*offer_slot_q +: 16];
        offer_queue = queue_here_i[offer_slot_q];
        after_x = x + (offer_queue ? {16'd0, queue_count_i[16*offer_slot_q +: 16]} : 32'd1);
        after_y = y + 16'd1;
        after_z = z + 16'd1;
        last_x = after_x == slot_grid_x_o[32*offer_slot_q +: 32];
        last_y = after_y == slot_grid_y_o[16*offer_slot_q +: 16];
        last_z = after_z == slot_grid_z_o[16*offer_slot_q +: 16];
        offer_resume = some_saved[offer_slot_q];
        // The entries of a queue are counted modulo 2^31.
        if (offer_queue) after_x[31] = 1'b0;
        else if (last_x) after_x = 32'd0;
        // Defect 40: y does not go up when x wraps.
        if (offer_queue || !last_x || (INJECT != 0 && inject_i == 8'd40 && !last_y)) begin
            after_y = y;
            after_z = z;
        end else if (last_y) after_y = 16'd0;
        else after_z = z;
    end

    for (genvar k = 0; k < TASK_SLOTS; k++) begin : g_slot
        assign halted[k] = channel_halt_i[slot_channel_o[CHANNEL_W*k +: CHANNEL_W]];
        always_ff @(posedge clk_i) begin
            if (rst_i) begin
                busy_q[k] <= 1'b0;
                kill_q[k] <= 1'b0;
                launched_q[k] <= 1'b0;
                evict_q[k] <= 1'b0;
                leaving_q[k] <= 1'b0;
                running_q[RUNNING_W*k +: RUNNING_W] <= '0;
                saved_q[CTAS_W*k +: CTAS_W] <= '0;
            end else if (fill[k]) begin
                busy_q[k] <= 1'b1;
                kill_q[k] <= 1'b0;
                launched_q[k] <= task_launched_i;
                saved_q[CTAS_W*k +: CTAS_W] <= task_saved_i[CTAS_W-1:0];
                next_x_q[32*k +: 32] <= task_next_x_i;
                next_y_q[16*k +: 16] <= task_next_y_i;
                next_z_q[16*k +: 16] <= task_next_z_i;
                running_q[RUNNING_W*k +: RUNNING_W] <= '0;
            end else begin
                if (evict && victim == SLOT_W'(k)) evict_q[k] <= 1'b1;
                if (evicted_taken_i && evicted == SLOT_W'(k)) leaving_q[k] <= 1'b1;
                if (task_ends[k] || (evicted_done_i && leaving_q[k])) begin
                    busy_q[k] <= 1'b0;
                    kill_q[k] <= 1'b0;
                    evict_q[k] <= 1'b0;
                    leaving_q[k] <= 1'b0;
                end else if (busy_q[k] && (slot_faulted_i[k] || (queue_here_i[k] && queue_bad_i[k]) || halted[k])) kill_q[k] <= 1'b1;
                running_q[RUNNING_W*k +: RUNNING_W] <=
                    running_q[RUNNING_W*k +: RUNNING_W] + RUNNING_W'(launch_to[k]) - RUNNING_W'(end_of[k]);
                saved_q[CTAS_W*k +: CTAS_W] <=
                    saved_q[CTAS_W*k +: CTAS_W] + CTAS_W'(end_of[k] && end_left) - CTAS_W'(launch_to[k] && some_saved[k]);
                if (launch_to[k] && !some_saved[k]) begin
                    next_x_q[32*k +: 32] <= after_x;
                    next_y_q[16*k +: 16] <= after_y;
                    next_z_q[16*k +: 16] <= after_z;
                    if (last_x && last_y && last_z) launched_q[k] <= 1'b1;
                end
            end
        end

        always_ff @(posedge clk_i) begin
            if (fill[k]) begin
                group_q[6*k +: 6] <= task_group_i;
                parent_q[32*k +: 32] <= task_parent_i & PARENT_MASK;
                save_q[k] <= task_save_i;
                sequential_q[k] <= task_sequential_i;
                `SLOT_PICK_O(slot, k) <= `SLOT_PACK_I(task);
                release_enable_q[2*k +: 2] <= task_release_enable_i;
                frees_q[2*k +: 2] <= task_frees_i;
            end
        end
    end
    assign slot_kill_o = kill_q;

    // ---- trace ----
    logic [31:0] start_offset;
    always_comb begin
        start_offset = task_code_base_i - task_region_i;
        trace_task_start_valid_o = start_valid_i && !rst_i;
        trace_task_start_slot_o = 8'(free_slot);
        trace_task_start_channel_o = 8'(task_channel_i);
        trace_task_start_tmd_o = task_tmd_i;
        trace_task_start_pc_o = {3'd0, start_offset[31:3]};

        trace_task_evict_valid_o = evict && !rst_i;
        trace_task_evict_slot_o = 8'(victim);
        trace_task_evict_channel_o = 8'(slot_channel_o[CHANNEL_W*victim +: CHANNEL_W]);
        trace_task_evict_tmd_o = slot_tmd_o[32*victim +: 32];

        trace_cta_launch_valid_o = accepted && !rst_i;
        trace_cta_launch_slot_o = 8'(offer_slot_q);
        trace_cta_launch_sm_o = 8'(offer_sm_q);
        trace_cta_launch_x_o = cta_x_o[31:0];
        trace_cta_launch_y_o = cta_y_o[15:0];
        trace_cta_launch_z_o = cta_z_o[15:0];
        trace_cta_launch_resumed_o = offer_resume;
        trace_cta_end_valid_o = end_valid && !rst_i;
        trace_cta_end_sm_o = 8'(end_sm);
        trace_cta_end_slot_o = 8'(end_slot);
        trace_cta_end_left_o = end_left;
        trace_task_stuck_valid_o = stuck_told && !rst_i;
        trace_task_stuck_slot_o = 8'(holder);
        trace_task_stuck_channel_o = 8'(fault_channel_o);
        trace_task_stuck_tmd_o = fault_info_o;
        trace_task_freed_valid_o = freed_valid_o && freed_ready_i && !rst_i;
        trace_task_freed_slot_o = 8'(ending_slot_q);
        trace_task_freed_channel_o = 8'(freed_channel_o);
        trace_task_freed_tmd_o = {freed_tmd_o, 8'd0};
        trace_task_end_valid_o = ended_valid_o && !rst_i;
        trace_task_end_slot_o = 8'(ending_slot_q);
        trace_task_end_channel_o = 8'(ended_channel_o);
        trace_task_end_tmd_o = slot_tmd_o[32*ending_slot_q +: 32];
        trace_task_end_killed_o = kill_q[ending_slot_q] || ending_q == FAIL;
    end

    wire unused = &{1'b0, rsp_data_i[255:32], task_saved_i};

`ifndef SYNTHESIS
    initial if (TASK_SLOTS < 2 || CHANNELS < 2) $error("TASK_SLOTS and CHANNELS must be at least 2");
    always_ff @(posedge clk_i) begin
        if (!rst_i) begin
            if (start_valid_i) assert (slot_free_o && start_offset[2:0] == 3'd0);
            // Every CTA that ends was launched.
            for (int k = 0; k < TASK_SLOTS; k++) begin
                if (end_of[k] && INJECT == 0) assert (running_q[RUNNING_W*k +: RUNNING_W] != '0);
            end
            if (rsp_valid_i && granted_i) assert (ending_q == ANSWER);
            if (freed_valid_o) assert (frees && release_left_q != 5'd0 && running_q[RUNNING_W*ending_slot_q +: RUNNING_W] == '0);
        end
    end
    always_ff @(posedge clk_i) if (!rst_i) begin
        `COVER(freed, freed_valid_o && freed_ready_i)
        `COVER(freed_waits, freed_valid_o && !freed_ready_i)
        `COVER(freed_second, freed_valid_o && freed_ready_i && second)
        `COVER(freed_killed, freed_valid_o && kill_q[ending_slot_q])
        `COVER(freed_too_often, ending_q == FAIL && old_0_q)
    end
`endif
endmodule
`default_nettype wire
