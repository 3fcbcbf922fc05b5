// task_management: takes launches in at its own pace and decides which task is scheduled next.
//
//   launches -> launch queue (in order) ---> the 8 lines of the TMD are read -> tmd_check -> start_*
//        (of host and SMs,                                                       \-> parked: waits for others in memory
//         and what has waited)
//                pending lists in memory --^                                             \-> pending lists in memory
//                                         evicted tasks of the task table, with their place --^
//
// One task at a time. When a slot of the task table is free (slot_free_i) the next task of the pending lists (task_lists) is taken, read,
// checked and started (start_valid_o for one cycle, always taken); otherwise the first launch that waits is read and checked:
// it is started at once when a slot is free and nothing is pending (63 cycles later at most, where slots are all that is missing: it costs
// more to bring a task back from memory), else it goes into the pending list of its channel and priority level
// (QMD_GROUP_ID), at the tail or, with ADD_TO_HEAD, at the head. Lists are linked through the TMDs in memory, so only memory
// bounds them; PENDING_TASKS launches wait for their turn to be taken in.
//
// A launched task whose DEPENDENCE_COUNTER is not 0 waits for the ends of others. TANDEM_REGION, TANDEM_LOCAL and TANDEM_PARENT are
// written, then the counter goes down by one, in an atomic. Was it 1, the task goes on as any other; was it more, it is let go (event
// TASK_PARKED, parked_*): whoever brings the counter to 0 launches it once more (child_freed_i), with what the TMD says in those
// words. Was it 0 there were more ends than it says: TMD_DEPENDENCE_COUNTER.
//
// An evicted task whose CTAs have ended or left (evicted_*) goes to the head of its list, with slice_i to the tail, and gives up its
// slot (evicted_done_o). If some have left and
// its warps wait for children, it is parked instead: DEPENDENCE_COUNTER is the number of these, and the last one that ends launches it once more, to the
// head of its list.
//
// What the unit writes into a TMD: when it goes into a list TANDEM_REGION, TANDEM_LOCAL, TANDEM_PARENT and TANDEM_STATE
// ({epoch, level, 1}: it is pending, 2: evicted, 3: parked with children, which is in no list)
// and the link, of the task in front of it or its own, and of an evicted one CTA_RASTER_*_RESUME and, if CTAs have left, TANDEM_SAVED and
// DEPENDENCE_COUNTER; when it is started from a list, TANDEM_STATE 0, and when it was evicted CTA_RASTER_*_RESUME and TANDEM_SAVED 0.
// A list belongs to one channel, and its length is kept here: whatever threads do to the links, the unit follows them only inside the space of that
// channel, as often as tasks were put in, and a task that does not say that it is pending in this very list is a fault (TMD_LINK) of that
// channel. A launch of a task that is pending is a fault as well (TMD_ACTIVE). The epoch of a channel goes up when a list of it is dropped,
// so that what dropped tasks say means nothing later.
//
// A TMD that fails its check is refused: event TASK_REFUSED and, in the same cycle, the fault to the host. When a channel stands
// faulted (channel_halt_i) its launches are refused with code 0, without a new fault, when their turn comes or after the check;
// its lists are dropped whole, one a turn (TASK_DROP, dropped_*).
//
// Latency: launch to start about 55 cycles and a memory read; from a list, as much and a write. Throughput: a task every 60 to 90 cycles.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/isa.svh"
`include "gen/registers.svh"
`include "gen/tmd.svh"
`include "gen/trace.svh"
`include "coverage.svh"

module task_management #(
    parameter int THREADS = 32,
    parameter int LANES = 4,
    parameter int WARPS = 2,
    parameter int SMS = 1,
    parameter int CHANNELS = 2,
    parameter int PENDING_TASKS = 4,
    parameter int VGPR_ROWS = 512,
    parameter int SHARED_BYTES = 16384,
    parameter int CONST_BANKS = 2,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1
) (
    input  wire                    clk_i,
    input  wire                    rst_i,
    input  wire  [CHANNELS*32-1:0] space_size_i,
    input  wire  [CHANNELS-1:0]    channel_halt_i,

    `LAUNCH_IN(launch),

    // Child tasks; they and the host's launches take turns. tmd: address / 256. parent: as TANDEM_PARENT.
    // freed: no child, but a task that has waited for others; region, local and parent are in its TMD.
    input  wire                    child_valid_i,
    output logic                   child_ready_o,
    input  wire  [CHANNEL_W-1:0]   child_channel_i,
    input  wire  [31:0]            child_tmd_i,
    input  wire  [31:0]            child_region_i,
    input  wire  [31:0]            child_local_i,
    input  wire  [31:0]            child_parent_i,
    input  wire                    child_freed_i,
    output logic                   busy_o,         // a task is taken, or a launch waits

    input  wire                    round_robin_i,  // between levels, else the highest first
    input  wire  [7:0]             slice_i,        // not 0: what is evicted goes to the tail of its list
    input  wire  [CHANNELS-1:0]    suspend_i,      // nothing of the channel starts
    output logic [CHANNELS-1:0]    coming_o,       // a task of the channel may be taken

    // Reads and writes of TMD lines. want_o until the last answer is there; nothing is asked before granted_i.
    output logic                   want_o,
    input  wire                    granted_i,
    `REQUEST_OUT(req),
    `ANSWER_IN(rsp),

    // The next task to the work distributor.
    input  wire                    slot_free_i,
    output logic                   start_valid_o,
    `TASK_OUT(task),

    // The list that is served next, when a slot is free.
    output logic                   pick_valid_o,
    output logic [5:0]             pick_level_o,
    // An evicted task; taken: it is being put into its list, done: it is (or it is refused), its slot is free.
    `EVICTED_IN(evicted),

    // A task has been refused; with a fault that the host must hear of. Nothing is refused with a fault while fault_hold_i.
    `UNIT_FAULT_OUT(refused),
    input  wire                    fault_hold_i,

    // A list has been dropped.
    `DROPPED_OUT(dropped),
    // A task of refused_channel_o waits for others: it counts no more.
    output logic                   parked_o,

    `TRACE_TASK_TAKE_PORTS,
    `TRACE_TASK_PENDING_PORTS,
    `TRACE_TASK_PARKED_PORTS,
    `TRACE_TASK_DROP_PORTS,
    `TRACE_TASK_REFUSED_PORTS
);
    localparam int INDEX_W = $clog2(PENDING_TASKS);
    localparam int LAUNCH_W = 2 + 32 + CHANNEL_W + 96;

    wire unit_clk;

    // ---- the launch queue: its first one is read ahead ----
    (* no_rw_check, ram_style = "block" *) logic [LAUNCH_W-1:0] launch_q [PENDING_TASKS];
    logic [LAUNCH_W-1:0]  first_q;
    logic                 first_valid_q;
    logic [INDEX_W-1:0]   launch_head_q, launch_tail_q;
    logic [INDEX_W:0]     launch_count_q;
    logic                 launch, launch_pop;
    logic [CHANNEL_W-1:0] first_channel;
    logic [31:0]          first_tmd, first_region, first_local;

    logic                 full, child_next_q, child, from_host;
    logic [33:0]          first_parent;
    assign full = launch_count_q == (INDEX_W+1)'(PENDING_TASKS);
    assign launch_ready_o = !full && !(child_valid_i && child_next_q);
    assign child_ready_o = !full && !(launch_valid_i && !child_next_q);
    assign from_host = launch_valid_i && launch_ready_o;
    assign child = child_valid_i && child_ready_o;
    assign launch = from_host || child;
    assign {first_parent, first_channel, first_tmd, first_region, first_local} = first_q;

    always_ff @(posedge unit_clk) begin
        if (child)
            launch_q[launch_tail_q] <= {child_freed_i, child_tmd_i[31:24] != 8'd0, child_parent_i, child_channel_i, child_tmd_i[23:0], 8'd0,
                                        child_region_i, child_local_i};
        else if (launch) launch_q[launch_tail_q] <= {34'd0, `LAUNCH_PACK_I(launch)};
        first_q <= launch_q[launch_head_q];
        if (rst_i) begin
            first_valid_q <= 1'b0;
            launch_head_q <= '0;
            launch_tail_q <= '0;
            launch_count_q <= '0;
            child_next_q <= 1'b0;
        end else begin
            first_valid_q <= launch_count_q != '0 && !launch_pop;
            if (launch) child_next_q <= from_host;
            if (launch) launch_tail_q <= launch_tail_q + INDEX_W'(1);
            if (launch_pop) launch_head_q <= launch_head_q + INDEX_W'(1);
            launch_count_q <= launch_count_q + (INDEX_W+1)'(launch) - (INDEX_W+1)'(launch_pop);
        end
    end

    // ---- the pending lists ----
    logic                 settled, pick_valid, drop_valid, list_read, list_write, taken;
    logic [CHANNEL_W-1:0] pick_channel, drop_channel, list_channel;
    logic [5:0]           pick_level, drop_level, list_level;
    logic [23:0]          head, tail, count, new_head, new_tail, new_count;

    task_lists #(.CHANNELS(CHANNELS)) u_task_lists (
        .clk_i(unit_clk), .rst_i, .channel_halt_i, .suspend_i, .round_robin_i,
        .settled_o(settled), .pick_valid_o(pick_valid), .pick_channel_o(pick_channel), .pick_level_o(pick_level),
        .drop_valid_o(drop_valid), .drop_channel_o(drop_channel), .drop_level_o(drop_level),
        .read_i(list_read), .read_channel_i(list_channel), .read_level_i(list_level),
        .head_o(head), .tail_o(tail), .count_o(count), .taken_i(taken),
        .write_i(list_write), .write_channel_i(channel_q), .write_level_i(level_q),
        .write_head_i(new_head), .write_tail_i(new_tail), .write_count_i(new_count)
    );

    // ---- one task at a time ----
    typedef enum logic [3:0] {IDLE, DROP, TAKE, FRONT, FETCH, CHECK, DECIDE, PLACE, WRITE, ANSWER, WRITTEN, START} state_t;
    localparam logic [1:0] PENDING = 2'd1, EVICTED = 2'd2, PARKED = 2'd3;  // of TANDEM_STATE
    localparam int SAVED_BYTE = 3;                          // of TANDEM_SAVED, in line 7

    state_t                 state_q;
    logic                   listed_q;   // from a pending list
    logic                   evicted_q;  // from the task table
    logic                   freed_q;    // launched by the end of the last one that it waited for
    // Its launch is being counted, and has been, as the last one that it waited for. parking: also of an evicted one with children.
    logic                   parking_q, counted_q;
    logic                   old_0_q, old_1_q;      // what its counter was
    logic                   at_head, resumed;
    logic [CHANNEL_W-1:0]   channel_q;
    logic [5:0]             level_q;
    logic [31:0]            tmd_q, region_q, local_q;
    logic [3:0]             asked_q, answered_q;
    logic                   beyond_q;  // the address needs more than 32 bits
    logic [31:0]            parent_q;
    logic [15:0]            children_q;  // of an evicted one: of its children one that is killed can still end
    logic [4:0]             writes_q;  // left to do: 0 TANDEM_*, 1 the link, 2 CTA_RASTER_*_RESUME, 3 the count of DEPENDENCE_COUNTER, 4 TANDEM_SAVED
    logic [1:0]             write_fault_q;
    localparam int PATIENCE_W = 6;
    logic [PATIENCE_W-1:0]  patience_q;  // cycles that a launch may still wait for a slot
    logic [CHANNELS*24-1:0] epoch_q;
    logic [23:0]            epoch;
    logic                   check_begin, check_done, add_to_head;
    logic [7:0]             check_code;
    logic [31:0]            check_info;
    logic                   check_tmd;  // instead of check_info
    logic [23:0]            link;
    logic [5:0]             group;
    logic                   halted, refuse, at_once, slot_waits, waits, counting, leaves_children, counter_bad, written_bad;

    // The unit stands still while no task is taken, none waits and the lists do not change.
    wire stands = state_q == IDLE && settled && !pick_valid && !drop_valid && !evicted_valid_i && launch_count_q == '0 && !first_valid_q &&
                  !launch_valid_i && !child_valid_i;
    clock_gate #(.AFTER(2)) u_clock_gate (.clk_i, .enable_i(!stands || rst_i), .clk_o(unit_clk));

    assign epoch = epoch_q[24*channel_q +: 24];
    assign evicted_done_o = evicted_q && state_q == WRITTEN && (refuse || list_write || parked_o);

    tmd_check #(.THREADS(THREADS), .LANES(LANES), .WARPS(WARPS), .SMS(SMS), .CHANNELS(CHANNELS), .VGPR_ROWS(VGPR_ROWS), .SHARED_BYTES(SHARED_BYTES),
                .CONST_BANKS(CONST_BANKS)) u_tmd_check (
                    .clk_i(unit_clk), .rst_i, .space_size_i(space_size_i[32*channel_q +: 32]), .begin_i(check_begin), .channel_i(channel_q),
                    .tmd_i(tmd_q), .region_i(region_q), .local_i(local_q), .parent_i(parent_q), .listed_i(listed_q), .freed_i(freed_q), .last_i(count == 24'd1),
                    .epoch_i(epoch), .level_i(level_q),
                    .line_valid_i(rsp_valid_i && state_q == FETCH), .line_i(rsp_data_i), .line_fault_i(rsp_fault_i),
                    .done_o(check_done), .code_o(check_code), .info_o(check_info), .info_tmd_o(check_tmd),
                    .group_o(group), .add_to_head_o(add_to_head), .link_o(link), .resumed_o(resumed), .waits_o(waits),
                    `TASK_PASS_OUT(task, task)
                );

    always_comb begin
        halted = channel_halt_i[channel_q];
        evicted_taken_o = state_q == IDLE && settled && !drop_valid && evicted_valid_i;
        launch_pop = state_q == IDLE && settled && !drop_valid && !evicted_valid_i && !(pick_valid && slot_free_i) && first_valid_q;
        check_begin = state_q == FRONT && !beyond_q && (listed_q || !halted);
        at_once = slot_free_i && !pick_valid && !suspend_i[channel_q];
        // One that is evicted gives its slot up only when its turn comes.
        slot_waits = !slot_free_i && !pick_valid && !suspend_i[channel_q] && !evicted_valid_i && patience_q != '0;
        counting = state_q != FETCH && writes_q[3:0] == 4'd8;
        leaves_children = evicted_q && evicted_saved_i != 6'd0 && evicted_children_i != 16'd0;
        at_head = evicted_q ? slice_i == 8'd0 : resumed || add_to_head;
        counter_bad = parking_q && old_0_q;
        written_bad = write_fault_q != `ANSWER_GOOD || counter_bad;
        // A refusal with a fault needs the way to the host. What comes from a list of a faulted channel stays there, to be dropped.
        refuse = (state_q == FRONT && !listed_q && (halted || (beyond_q && !fault_hold_i))) ||
                 (state_q == DECIDE && (halted ? !listed_q : check_code != `FAULT_NONE && !fault_hold_i)) ||
                 (state_q == WRITTEN && written_bad && (halted || !fault_hold_i));

        list_read = (state_q == IDLE && settled) || (state_q == DECIDE && !listed_q);
        list_channel = state_q == DECIDE ? channel_q : drop_valid ? drop_channel : evicted_valid_i ? evicted_channel_i : pick_channel;
        list_level = state_q == DECIDE ? group : drop_valid ? drop_level : evicted_valid_i ? evicted_level_i : pick_level;
        taken = state_q == TAKE && !halted && settled;  // no channel has been suspended meanwhile, or goes on

        // A task leaves its list when it is started or refused; it is in its list when everything is written.
        list_write = state_q == DROP || (listed_q && (refuse || state_q == START)) ||
                     (!listed_q && !parking_q && state_q == WRITTEN && write_fault_q == `ANSWER_GOOD);
        new_head = listed_q ? link : at_head || count == 24'd0 ? tmd_q[31:8] : head;
        new_tail = listed_q || (at_head && count != 24'd0) ? tail : tmd_q[31:8];
        new_count = state_q == DROP ? 24'd0 : listed_q ? count - 24'd1 : count + 24'd1;
    end

    always_ff @(posedge unit_clk) begin
        if (rst_i) begin
            state_q <= IDLE;
            asked_q <= '0;
            answered_q <= '0;
            writes_q <= '0;
            write_fault_q <= '0;
            listed_q <= 1'b0;
            evicted_q <= 1'b0;
            freed_q <= 1'b0;
            parking_q <= 1'b0;
            counted_q <= 1'b0;
            epoch_q <= '0;
        end else begin
            case (state_q)
                IDLE: begin
                    asked_q <= '0;
                    answered_q <= '0;
                    write_fault_q <= '0;
                    listed_q <= 1'b0;
                    evicted_q <= evicted_taken_o;
                    beyond_q <= 1'b0;
                    freed_q <= 1'b0;
                    parking_q <= 1'b0;
                    counted_q <= 1'b0;
                    patience_q <= '1;
                    if (!settled) begin
                        // What the lists say is of the cycle before.
                    end else if (drop_valid) begin
                        state_q <= DROP;
                        channel_q <= drop_channel;
                        level_q <= drop_level;
                    end else if (evicted_valid_i) begin
                        state_q <= PLACE;
                        channel_q <= evicted_channel_i;
                        level_q <= evicted_level_i;
                        tmd_q <= evicted_tmd_i;
                        region_q <= evicted_region_i;
                        parent_q <= evicted_parent_i;
                        local_q <= evicted_local_i;
                    end else if (pick_valid && slot_free_i) begin
                        state_q <= TAKE;
                        listed_q <= 1'b1;
                        channel_q <= pick_channel;
                        level_q <= pick_level;
                    end else if (launch_pop) begin
                        state_q <= FRONT;
                        {freed_q, beyond_q, parent_q, channel_q, tmd_q, region_q, local_q} <= first_q;
                    end
                end
                DROP: begin
                    state_q <= IDLE;
                    epoch_q[24*channel_q +: 24] <= epoch + 24'd1;
                end
                TAKE: begin
                    tmd_q <= {head, 8'd0};
                    state_q <= taken ? FRONT : IDLE;
                end
                FRONT: if (check_begin) state_q <= FETCH;
                       else if (refuse || !beyond_q) state_q <= IDLE;
                FETCH: begin
                    if (req_valid_o && req_ready_i) asked_q <= asked_q + 4'd1;
                    if (rsp_valid_i) answered_q <= answered_q + 4'd1;
                    if (rsp_valid_i && answered_q == 4'd7) state_q <= CHECK;
                end
                CHECK: if (check_done) state_q <= DECIDE;
                DECIDE: begin
                    if (refuse || halted) state_q <= IDLE;
                    else if (check_code == `FAULT_NONE) begin
                        parking_q <= waits && !listed_q && !freed_q && !counted_q;
                        writes_q <= {1'b0, !listed_q, listed_q && resumed, 2'd1};
                        if (!listed_q) level_q <= group;
                        if (patience_q != '0) patience_q <= patience_q - PATIENCE_W'(1);
                        // One whose children have ended goes through its list too.
                        if (listed_q || (waits && !freed_q && !counted_q)) state_q <= WRITE;
                        else if (resumed) state_q <= PLACE;
                        else if (!slot_waits) state_q <= at_once ? START : PLACE;
                    end
                end
                PLACE: begin
                    writes_q <= {evicted_q && evicted_saved_i != 6'd0, 1'b0, evicted_q, count != 24'd0 && !leaves_children, 1'b1};
                    parking_q <= leaves_children;
                    children_q <= evicted_children_i;
                    state_q <= WRITE;
                end
                WRITE: if (req_valid_o && req_ready_i) state_q <= ANSWER;
                ANSWER: if (rsp_valid_i) begin
                    if (write_fault_q == `ANSWER_GOOD) write_fault_q <= rsp_fault_i;
                    old_0_q <= counting && rsp_data_i[31:0] == 32'd0;
                    old_1_q <= counting && rsp_data_i[31:0] == 32'd1;
                    writes_q <= writes_q & (writes_q - 5'd1);  // without the lowest
                    state_q <= (writes_q & (writes_q - 5'd1)) != 5'd0 ? WRITE : WRITTEN;
                end
                WRITTEN: begin
                    if (refuse) state_q <= IDLE;
                    else if (!written_bad) begin
                        state_q <= listed_q ? START : parking_q && old_1_q ? DECIDE : IDLE;
                        counted_q <= parking_q;
                        parking_q <= 1'b0;
                    end
                end
                START: state_q <= IDLE;
                default: state_q <= IDLE;
            endcase
        end
    end
    assign start_valid_o = state_q == START;

    // ---- memory ----
    // Written words, each at its place in either half of a line; the strobes choose.
    logic [127:0] half;
    always_comb begin
        want_o = state_q == FETCH || state_q == WRITE || state_q == ANSWER;
        req_valid_o = granted_i && (state_q == FETCH ? !asked_q[3] : state_q == WRITE);
        req_op_o = state_q == FETCH ? `REQUEST_READ : counting ? `REQUEST_ATOMIC : `REQUEST_WRITE;
        req_atom_o = counting ? `ATOM_ADD : 4'd0;
        req_channel_o = channel_q;
        req_addr_o = {tmd_q[31:8], asked_q[2:0], 5'd0};
        req_wstrb_o = '0;
        half = '0;
        if (state_q != FETCH) begin
            if (writes_q[0]) begin
                req_addr_o[7:5] = 3'd7;
                if (!parking_q || evicted_q) req_wstrb_o[`TMD_LINE7_BYTES_TANDEM_STATE] = 4'hF;
                if (listed_q && resumed) req_wstrb_o[SAVED_BYTE] = 1'b1;
                if (!listed_q && !freed_q) begin  // what it has in them else
                    req_wstrb_o[`TMD_LINE7_BYTES_TANDEM_REGION] = 4'hF;
                    req_wstrb_o[`TMD_LINE7_BYTES_TANDEM_LOCAL] = 4'hF;
                    req_wstrb_o[`TMD_LINE7_BYTES_TANDEM_PARENT] = 4'hF;
                end
                if (!listed_q) begin
                    // STATE, REGION and LOCAL are words 2, 1 and 3, PARENT is word 4.
                    half = {local_q, epoch, level_q, parking_q ? PARKED : evicted_q || resumed ? EVICTED : PENDING, region_q, parent_q};
                end
            end else if (writes_q[1]) begin
                req_addr_o = {at_head ? tmd_q[31:8] : tail, 8'd0};
                req_wstrb_o[`TMD_LINE0_BYTES_SCHEDULER_NEXT_QMD_POINTER] = 4'hF;
                half[63:32] = {8'd0, at_head ? head : tmd_q[31:8]};  // word 5
            end else if (counting) begin
                req_addr_o[7:0] = `TMD_DEPENDENCE_COUNTER_BYTE;
                half[31:0] = 32'hFFFFFFFF;
            end else if (!writes_q[2]) begin
                req_addr_o[7:5] = 3'd7;
                req_wstrb_o[SAVED_BYTE] = 1'b1;
                req_wstrb_o[`TMD_LINE7_BYTES_DEPENDENCE_COUNTER] = 4'hF;
                half[63:24] = {16'd0, children_q, 2'd0, evicted_saved_i};  // words 5 and 0
            end else begin
                req_addr_o[7:5] = 3'd1;
                req_wstrb_o[`TMD_LINE1_BYTES_CTA_RASTER_WIDTH_RESUME] = 4'hF;
                req_wstrb_o[`TMD_LINE1_BYTES_CTA_RASTER_HEIGHT_RESUME] = 2'h3;
                req_wstrb_o[`TMD_LINE1_BYTES_CTA_RASTER_DEPTH_RESUME] = 2'h3;
                if (!listed_q) half[127:64] = evicted_place_i;  // words 6 and 7
            end
        end
        req_wdata_o = {2{half}};
    end

    // ---- refusals, events ----
    always_comb begin
        refused_valid_o = refuse;
        refused_channel_o = channel_q;
        refused_code_o = check_code;
        refused_info_o = check_tmd ? tmd_q : check_info;
        if (state_q == WRITTEN) begin
            refused_code_o = write_fault_q == `ANSWER_GOOD ? `FAULT_TMD_DEPENDENCE_COUNTER :
                             write_fault_q == `ANSWER_OUTSIDE ? `FAULT_TMD_FETCH : `FAULT_BUS_ERROR;
            refused_info_o = tmd_q;
        end
        if (state_q == FRONT) begin
            refused_code_o = `FAULT_TMD_FETCH;
            refused_info_o = tmd_q;
        end
        if (halted) begin
            refused_code_o = `FAULT_NONE;
            refused_info_o = 32'd0;
        end
        parked_o = state_q == WRITTEN && parking_q && !written_bad && !old_1_q;
        dropped_valid_o = state_q == DROP;
        dropped_channel_o = channel_q;
        dropped_count_o = count;

        trace_task_take_valid_o = (launch_pop || taken || evicted_taken_o) && !rst_i;
        trace_task_take_from_o = {evicted_taken_o, taken};
        trace_task_take_slot_o = evicted_taken_o ? evicted_slot_i : 8'd0;
        trace_task_take_channel_o = taken ? 8'(channel_q) : evicted_taken_o ? 8'(evicted_channel_i) : 8'(first_channel);
        trace_task_take_level_o = taken ? 8'(level_q) : evicted_taken_o ? 8'(evicted_level_i) : 8'd0;
        trace_task_take_tmd_o = taken ? {head, 8'd0} : evicted_taken_o ? evicted_tmd_i : first_tmd;

        trace_task_pending_valid_o = state_q == WRITTEN && list_write && !listed_q && !rst_i;
        trace_task_pending_channel_o = 8'(channel_q);
        trace_task_pending_level_o = 8'(level_q);
        trace_task_pending_tmd_o = tmd_q;
        trace_task_pending_count_o = 32'(new_count);

        trace_task_parked_valid_o = parked_o && !rst_i;
        trace_task_parked_channel_o = 8'(channel_q);
        trace_task_parked_tmd_o = tmd_q;

        trace_task_drop_valid_o = dropped_valid_o && !rst_i;
        trace_task_drop_channel_o = 8'(channel_q);
        trace_task_drop_level_o = 8'(level_q);
        trace_task_drop_count_o = 32'(count);

        trace_task_refused_valid_o = refused_valid_o && !rst_i;
        trace_task_refused_channel_o = 8'(refused_channel_o);
        trace_task_refused_tmd_o = tmd_q;
        trace_task_refused_code_o = refused_code_o;
        trace_task_refused_info_o = refused_info_o;
    end

    assign pick_valid_o = pick_valid && settled && !drop_valid;  // a drop goes first
    always_comb begin
        for (int c = 0; c < CHANNELS; c++) coming_o[c] = launch_count_q != '0 || (state_q != IDLE && channel_q == CHANNEL_W'(c));
    end
    assign busy_o = state_q != IDLE || launch_count_q != '0 || drop_valid;
    assign pick_level_o = pick_level;
    wire unused = &{1'b0, first_region, first_local, first_parent};

`ifndef SYNTHESIS
    initial if ((1 << INDEX_W) != PENDING_TASKS) $error("PENDING_TASKS must be a power of two");
    always_ff @(posedge unit_clk) begin
        if (!rst_i) begin
            if (start_valid_o) assert (slot_free_i);
            if (listed_q && list_write) assert (count != 24'd0);
            if (rsp_valid_i && state_q == FETCH) assert (answered_q < asked_q || (answered_q == asked_q && req_valid_o));
        end
    end
    always_ff @(posedge unit_clk) if (!rst_i) begin
        `COVER(started_at_once, start_valid_o && !listed_q)
        `COVER(started_when_a_slot_came, start_valid_o && !listed_q && ~patience_q != PATIENCE_W'(1))
        `COVER(waited_in_vain, state_q == PLACE && !listed_q && !evicted_q && patience_q == '0)
        `COVER(started_from_list, start_valid_o && listed_q)
        `COVER(put_at_head, list_write && state_q == WRITTEN && !evicted_q && add_to_head && count != 24'd0)
        `COVER(put_at_tail, list_write && state_q == WRITTEN && !at_head && count != 24'd0)
        `COVER(put_at_tail_evicted, list_write && state_q == WRITTEN && evicted_q && !at_head && count != 24'd0)
        `COVER(put_back_evicted, evicted_done_o && !refuse)
        `COVER(resumed, start_valid_o && resumed)
        `COVER(parked_evicted, parked_o && evicted_q)
        `COVER(returned, list_write && state_q == WRITTEN && freed_q && resumed)
        `COVER(saved_without_children, evicted_done_o && !refuse && !parked_o && evicted_saved_i != 6'd0)
        `COVER(dropped, dropped_valid_o)
        `COVER(refused_of_list, refuse && listed_q)
        `COVER(refused_of_launch, refuse && !listed_q && !evicted_q)
        `COVER(refused_halted, refuse && halted)
        `COVER(child, child)
        `COVER(parked, parked_o)
        `COVER(counted_last, state_q == WRITTEN && parking_q && old_1_q)
        `COVER(counted_too_often, refuse && state_q == WRITTEN && counter_bad)
        `COVER(freed, state_q == DECIDE && freed_q)
        `COVER(child_waits_for_host, child_valid_i && !child_ready_o && !full)
        `COVER(launch_queue_full, full)
        `COVER(fault_held, state_q == DECIDE && check_code != `FAULT_NONE && fault_hold_i)
    end
`endif
endmodule
`default_nettype wire
