// task_management: takes launches in at its own pace and decides which task is scheduled next.
//
//   launches -> launch queue (in order) -> fetch of the TMD's 8 lines -> tmd_check -> pending list (by priority) -> start_*
//
// A launch is accepted while fewer than PENDING_TASKS tasks are accepted and neither started nor refused. The pending list is kept sorted:
// QMD_GROUP_ID 63 first, 0 last; within a level a task goes behind the others, or in front of them with ADD_TO_HEAD. The checked task
// itself stands in a RAM; the list holds its place there. Whenever the work distributor has a free slot (slot_free_i) the front of the
// list is started (start_valid_o for one cycle, always taken).
//
// A TMD that fails its check is refused: event TASK_REFUSED and, in the same cycle, the fault to the host. When a channel stands
// faulted (channel_halt_i) its tasks are refused with code 0, without a new fault, when they come to the front of the launch queue or after the
// check, and at once from the list. One list operation a cycle: drop before start before insertion.
//
// Latency: launch to start about 60 cycles and a memory read. Throughput: a task every 60 cycles or so in; one every two cycles out.
`include "gen/registers.svh"
`include "gen/trace.svh"
`include "task.svh"
`default_nettype none

module task_management #(
    parameter THREADS       = 32,
    parameter LANES         = 4,
    parameter WARPS         = 2,
    parameter SMS           = 1,
    parameter CHANNELS      = 2,
    parameter PENDING_TASKS = 4,
    parameter VGPR_ROWS     = 512,
    parameter SHARED_BYTES  = 16384,
    parameter CONST_BANKS   = 2
) (
    input  wire logic                        clk_i,
    input  wire logic                        rst_i,
    input  wire logic [CHANNELS*32-1:0]      space_size_i,
    input  wire logic [CHANNELS-1:0]         channel_halt_i,

    input  wire logic                        launch_valid_i,
    output logic                             launch_ready_o,
    input  wire logic [$clog2(CHANNELS)-1:0] launch_channel_i,
    input  wire logic [31:0]                 launch_tmd_i,
    input  wire logic [31:0]                 launch_region_i,
    input  wire logic [31:0]                 launch_local_i,

    // Reads of TMD lines. want_o until the last answer is there; nothing is asked before granted_i.
    output logic                             want_o,
    input  wire logic                        granted_i,
    output logic                             req_valid_o,
    input  wire logic                        req_ready_i,
    output logic [$clog2(CHANNELS)-1:0]      req_channel_o,
    output logic [31:0]                      req_addr_o,
    input  wire logic                        rsp_valid_i,
    input  wire logic [255:0]                rsp_data_i,
    input  wire logic [1:0]                  rsp_fault_i,

    // The next task to the work distributor.
    input  wire logic                        slot_free_i,
    output logic                             start_valid_o,
    output logic [`TASK_W($clog2(CHANNELS), CONST_BANKS)-1:0] start_task_o,

    // A task has been refused; with a fault that the host must hear of. Nothing is refused with a fault while fault_hold_i.
    output logic                             refused_valid_o,
    output logic [$clog2(CHANNELS)-1:0]      refused_channel_o,
    output logic [7:0]                       refused_code_o,
    output logic [31:0]                      refused_info_o,
    input  wire logic                        fault_hold_i,

    `TRACE_TASK_REFUSED_PORTS
);
    localparam CHANNEL_W = $clog2(CHANNELS);
    localparam INDEX_W   = $clog2(PENDING_TASKS);
    localparam TASK_W    = `TASK_W(CHANNEL_W, CONST_BANKS);
    localparam LAUNCH_W  = CHANNEL_W + 96;

    // ---- the launch queue -----------------------------------------------------------------------------------------------
    logic [LAUNCH_W-1:0] launch_q [PENDING_TASKS];
    logic [INDEX_W-1:0]  launch_head_q, launch_tail_q;
    logic [INDEX_W:0]    launch_count_q;
    logic [INDEX_W:0]    taken_q;  // accepted, neither started nor refused
    logic                launch, launch_pop;

    assign launch_ready_o = taken_q != (INDEX_W+1)'(PENDING_TASKS);
    assign launch = launch_valid_i && launch_ready_o;

    always_ff @(posedge clk_i) begin
        if (launch) launch_q[launch_tail_q] <= {launch_channel_i, launch_tmd_i, launch_region_i, launch_local_i};
        if (rst_i) begin
            launch_head_q  <= '0;
            launch_tail_q  <= '0;
            launch_count_q <= '0;
            taken_q        <= '0;
        end else begin
            if (launch) launch_tail_q <= launch_tail_q + INDEX_W'(1);
            if (launch_pop) launch_head_q <= launch_head_q + INDEX_W'(1);
            launch_count_q <= launch_count_q + (INDEX_W+1)'(launch) - (INDEX_W+1)'(launch_pop);
            taken_q <= taken_q + (INDEX_W+1)'(launch) - (INDEX_W+1)'(start_valid_o) - (INDEX_W+1)'(refused_valid_o);
        end
    end

    // ---- intake: one task at a time -------------------------------------------------------------------------------------
    localparam [2:0] IDLE = 3'd0, FRONT = 3'd1, FETCH = 3'd2, CHECK = 3'd3, DECIDE = 3'd4;

    logic [2:0]           state_q;
    logic [CHANNEL_W-1:0] channel_q;
    logic [31:0]          tmd_q, region_q, local_q;
    logic [3:0]           asked_q, answered_q;
    logic                 check_begin, check_done, add_to_head;
    logic [7:0]           check_code;
    logic [31:0]          check_info;
    logic [5:0]           group;
    logic [TASK_W-1:0]    checked;
    logic                 halted, refuse, insert;

    tmd_check #(.THREADS(THREADS), .LANES(LANES), .WARPS(WARPS), .SMS(SMS), .CHANNELS(CHANNELS), .VGPR_ROWS(VGPR_ROWS), .SHARED_BYTES(SHARED_BYTES),
                .CONST_BANKS(CONST_BANKS)) tmd_check (
        .clk_i, .rst_i, .space_size_i(space_size_i[32*channel_q +: 32]), .begin_i(check_begin), .channel_i(channel_q),
        .tmd_i(tmd_q), .region_i(region_q), .local_i(local_q), .line_valid_i(rsp_valid_i && state_q == FETCH), .line_i(rsp_data_i),
        .line_fault_i(rsp_fault_i), .done_o(check_done), .code_o(check_code), .info_o(check_info),
        .group_o(group), .add_to_head_o(add_to_head), .task_o(checked));

    logic drop, start, list_full;

    always_comb begin
        halted      = channel_halt_i[channel_q];
        launch_pop  = state_q == IDLE && launch_count_q != '0;
        check_begin = state_q == FRONT && !halted;
        want_o      = state_q == FETCH;
        req_valid_o = state_q == FETCH && granted_i && !asked_q[3];
        req_channel_o = channel_q;
        req_addr_o    = {tmd_q[31:8], asked_q[2:0], 5'd0};
        // The list's drops come first; a refusal with a fault also needs the way to the host.
        refuse = !drop && ((state_q == FRONT && halted) ||
                           (state_q == DECIDE && (halted || (check_code != `FAULT_NONE && !fault_hold_i))));
        insert = state_q == DECIDE && !halted && check_code == `FAULT_NONE && !drop && !start && !list_full;
    end

    always_ff @(posedge clk_i) begin
        if (rst_i) begin
            state_q    <= IDLE;
            asked_q    <= '0;
            answered_q <= '0;
        end else begin
            case (state_q)
                IDLE: if (launch_pop) begin
                    state_q <= FRONT;
                    {channel_q, tmd_q, region_q, local_q} <= launch_q[launch_head_q];
                    asked_q    <= '0;
                    answered_q <= '0;
                end
                FRONT: if (check_begin) state_q <= FETCH;
                       else if (refuse) state_q <= IDLE;
                FETCH: begin
                    if (req_valid_o && req_ready_i) asked_q <= asked_q + 4'd1;
                    if (rsp_valid_i) answered_q <= answered_q + 4'd1;
                    if (rsp_valid_i && answered_q == 4'd7) state_q <= CHECK;
                end
                CHECK: if (check_done) state_q <= DECIDE;
                DECIDE: if (refuse || insert) state_q <= IDLE;
                default: state_q <= IDLE;
            endcase
        end
    end

    // ---- the pending list, sorted; entry 0 is the front -------------------------------------------------------------------
    logic [INDEX_W:0]                 count_q;
    logic [PENDING_TASKS*6-1:0]       l_group_q;
    logic [PENDING_TASKS*CHANNEL_W-1:0] l_channel_q;
    logic [PENDING_TASKS*INDEX_W-1:0] l_index_q;
    logic [PENDING_TASKS*32-1:0]      l_tmd_q;
    logic [PENDING_TASKS-1:0]         used_q;  // places of the RAM

    logic [INDEX_W-1:0] place, drop_at, remove_at;
    logic [PENDING_TASKS-1:0] in_front;  // stays in front of the new one
    logic [PENDING_TASKS-1:0] closes;    // takes over the entry behind it when one is removed
    logic               start_q;

    // The list is sorted, so those that stay in front of a new task are the first ones.
    always_comb begin
        list_full = count_q == (INDEX_W+1)'(PENDING_TASKS);
        drop = 1'b0;
        drop_at = '0;
        place = '0;
        for (int i = PENDING_TASKS - 1; i >= 0; i--) begin
            in_front[i] = (INDEX_W+1)'(i) < count_q && (l_group_q[6*i +: 6] > group ||
                        (l_group_q[6*i +: 6] == group && !add_to_head));
            if ((INDEX_W+1)'(i) < count_q && channel_halt_i[l_channel_q[CHANNEL_W*i +: CHANNEL_W]]) begin
                drop = 1'b1;
                drop_at = INDEX_W'(i);
            end
            if (!used_q[i]) place = INDEX_W'(i);
        end
        start = count_q != '0 && slot_free_i && !start_q && !drop;
        remove_at = drop ? drop_at : '0;
        for (int i = 0; i < PENDING_TASKS; i++)
            closes[i] = !drop || drop_at <= INDEX_W'(i);
    end

    always_ff @(posedge clk_i) begin
        if (rst_i) begin
            count_q <= '0;
            used_q  <= '0;
            start_q <= 1'b0;
        end else begin
            start_q <= start;
            if (drop || start) begin
                count_q <= count_q - (INDEX_W+1)'(1);
                used_q[l_index_q[INDEX_W*remove_at +: INDEX_W]] <= 1'b0;
            end else if (insert) begin
                count_q <= count_q + (INDEX_W+1)'(1);
                used_q[place] <= 1'b1;
            end
        end
    end

    for (genvar i = 0; i < PENDING_TASKS; i++) begin : g_list
        always_ff @(posedge clk_i) begin
            if ((drop || start) && closes[i] && i + 1 < PENDING_TASKS) begin
                l_group_q[6*i +: 6]                   <= l_group_q[6*((i+1)%PENDING_TASKS) +: 6];
                l_channel_q[CHANNEL_W*i +: CHANNEL_W] <= l_channel_q[CHANNEL_W*((i+1)%PENDING_TASKS) +: CHANNEL_W];
                l_index_q[INDEX_W*i +: INDEX_W]       <= l_index_q[INDEX_W*((i+1)%PENDING_TASKS) +: INDEX_W];
                l_tmd_q[32*i +: 32]                   <= l_tmd_q[32*((i+1)%PENDING_TASKS) +: 32];
            end else if (insert && !in_front[i] && (i == 0 || in_front[(i+PENDING_TASKS-1)%PENDING_TASKS])) begin
                l_group_q[6*i +: 6]                   <= group;
                l_channel_q[CHANNEL_W*i +: CHANNEL_W] <= channel_q;
                l_index_q[INDEX_W*i +: INDEX_W]       <= place;
                l_tmd_q[32*i +: 32]                   <= tmd_q;
            end else if (insert && !in_front[i]) begin
                l_group_q[6*i +: 6]                   <= l_group_q[6*((i+PENDING_TASKS-1)%PENDING_TASKS) +: 6];
                l_channel_q[CHANNEL_W*i +: CHANNEL_W] <= l_channel_q[CHANNEL_W*((i+PENDING_TASKS-1)%PENDING_TASKS) +: CHANNEL_W];
                l_index_q[INDEX_W*i +: INDEX_W]       <= l_index_q[INDEX_W*((i+PENDING_TASKS-1)%PENDING_TASKS) +: INDEX_W];
                l_tmd_q[32*i +: 32]                   <= l_tmd_q[32*((i+PENDING_TASKS-1)%PENDING_TASKS) +: 32];
            end
        end
    end

    logic [TASK_W-1:0] pending_q [PENDING_TASKS];
    always_ff @(posedge clk_i) begin
        if (insert) pending_q[place] <= checked;
        start_task_o <= pending_q[l_index_q[INDEX_W-1:0]];
    end
    assign start_valid_o = start_q;

    // ---- refusals -------------------------------------------------------------------------------------------------------
    always_comb begin
        refused_valid_o   = drop || refuse;
        refused_channel_o = drop ? l_channel_q[CHANNEL_W*drop_at +: CHANNEL_W] : channel_q;
        refused_code_o    = drop || halted ? `FAULT_NONE : check_code;
        refused_info_o    = drop || halted ? 32'd0 : check_info;

        trace_task_refused_valid_o   = refused_valid_o && !rst_i;
        trace_task_refused_channel_o = 8'(refused_channel_o);
        trace_task_refused_tmd_o     = drop ? l_tmd_q[32*drop_at +: 32] : tmd_q;
        trace_task_refused_code_o    = refused_code_o;
        trace_task_refused_info_o    = refused_info_o;
    end

`ifndef SYNTHESIS
    initial if ((1 << INDEX_W) != PENDING_TASKS) $error("PENDING_TASKS must be a power of two");
    always @(posedge clk_i) begin
        if (!rst_i) begin
            assert (count_q <= taken_q && launch_count_q <= taken_q);
            if (insert) assert (!used_q[place]);
            if (rsp_valid_i && state_q == FETCH) assert (answered_q < asked_q || (answered_q == asked_q && req_valid_o));
        end
    end
`endif
endmodule

`default_nettype wire
