// child_launch: LAUNCH. Hands child tasks from the threads of a warp to the task unit, and holds the warp until they have ended (WAIT).
//
// start_i reserves the unit for a warp (only while free_o); the portions with the threads' registers follow (in_*, while intake_o); then the
// children go out one by one in ascending order of threads: child_valid_o with parent slot, TMD address / 256, and whether the parent waits;
// child_ready_i takes it (event CHILD_LAUNCH). After the last one the unit is free again. The warp is done (done_valid_o until done_taken_i)
// when all children that this instruction launched with WAIT have ended (ended_*, a pulse, for a warp of this SM; one that names another
// channel than the warp's means nothing), or at once when its slot is killed: then no more children are launched.
// A warp that is to be stopped (stops_i) waits no longer: the task unit counts its children, it goes on when they have ended.
// waiting_o: warps whose children have not all ended.
// Latency: P + 1 cycles, and two for each thread, of which the first one reads its number from block RAM.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/trace.svh"
`include "coverage.svh"

module child_launch #(
    parameter int THREADS = 32,
    parameter int LANES = 8,
    parameter int WARPS = 4,
    parameter int CHANNELS = 2,
    parameter int TASK_SLOTS = 4,
    localparam int P = THREADS / LANES,
    localparam int PORTION_W = (P > 1) ? $clog2(P) : 1,
    localparam int THREAD_W = $clog2(THREADS),
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1,
    localparam int SLOT_W = (TASK_SLOTS > 1) ? $clog2(TASK_SLOTS) : 1,
    localparam int COUNT_W = THREAD_W + 1
) (
    input  wire                             clk_i,
    input  wire                             rst_i,
    input  wire  [TASK_SLOTS-1:0]           slot_kill_i,
    input  wire  [TASK_SLOTS*CHANNEL_W-1:0] slot_channel_i,
    input  wire  [WARPS*SLOT_W-1:0]         warp_slot_i,
    input  wire  [WARPS-1:0]                stops_i,
    output logic                            free_o,
    input  wire                             start_i,
    input  wire  [WARP_W-1:0]               start_warp_i,
    input  wire                             start_wait_i,
    input  wire  [THREADS-1:0]              start_exec_i,
    output logic                            intake_o,
    output logic [WARP_W-1:0]               warp_o,  // that the unit is reserved for
    input  wire                             in_valid_i,
    `OPERAND_A_IN(in),
    `CHILD_OUT(child),
    `CHILD_ENDED_IN(ended),
    `DONE_OUT(done),
    input  wire                             done_taken_i,
    output logic [WARPS-1:0]                waiting_o,
    `TRACE_CHILD_LAUNCH_PORTS
);

    typedef enum logic [1:0] {IDLE, INTAKE, SEND} state_t;

    state_t                   state_q;
    logic [WARP_W-1:0]        warp_q;
    logic                     wait_q;
    logic [THREADS-1:0]       left_q;
    (* no_rw_check, ram_style = "block" *) logic [LANES*32-1:0] value_q [P];
    logic [LANES*32-1:0]      row_q;
    logic                     read_q;      // row_q is that of the next thread
    logic [WARPS-1:0]         launched_q;  // its children are out
    logic [WARPS*COUNT_W-1:0] count_q;     // of them that have not ended

    logic [WARPS-1:0] killed;
    logic [THREAD_W-1:0] thread;
    always_comb begin
        for (int w = 0; w < WARPS; w++) killed[w] = slot_kill_i[warp_slot_i[w*SLOT_W +: SLOT_W]];
        thread = '0;
        for (int t = THREADS - 1; t >= 0; t--) if (left_q[t]) thread = THREAD_W'(t);
    end

    assign free_o = state_q == IDLE;
    assign intake_o = state_q == INTAKE;
    assign warp_o = warp_q;
    assign child_valid_o = state_q == SEND && read_q && !killed[warp_q];  // a thread is left: read_q comes a cycle later
    assign child_slot_o = warp_slot_i[32'(warp_q)*SLOT_W +: SLOT_W];
    assign child_tmd_o = row_q[(32'(thread) % LANES)*32 +: 32];
    assign child_wait_o = wait_q;
    assign child_warp_o = 8'(warp_q);
    wire sent = child_valid_o && child_ready_i;
    wire all_sent = state_q == SEND && (left_q == '0 || killed[warp_q]);

    wire [WARP_W-1:0] ended_warp = WARP_W'(ended_warp_i);
    wire unused = &{1'b0, ended_warp_i};  // more bits than this configuration has warps
    wire [SLOT_W-1:0] ended_slot = warp_slot_i[32'(ended_warp)*SLOT_W +: SLOT_W];
    wire ended = ended_valid_i && count_q[32'(ended_warp)*COUNT_W +: COUNT_W] != '0 &&
                 slot_channel_i[32'(ended_slot)*CHANNEL_W +: CHANNEL_W] == ended_channel_i;

    always_comb begin
        done_valid_o = 1'b0;
        done_warp_o = '0;
        for (int w = WARPS - 1; w >= 0; w--) begin
            waiting_o[w] = launched_q[w] && count_q[w*COUNT_W +: COUNT_W] != '0 && !killed[w] && !stops_i[w];
            if (launched_q[w] && !waiting_o[w]) begin
                done_valid_o = 1'b1;
                done_warp_o = WARP_W'(w);
            end
        end
    end

    always_ff @(posedge clk_i) begin
        case (state_q)
            IDLE: if (start_i) begin
                state_q <= INTAKE;
                warp_q <= start_warp_i;
                wait_q <= start_wait_i;
                left_q <= start_exec_i;
            end
            INTAKE: if (in_valid_i && in_last_i) state_q <= SEND;
            default: begin  // SEND
                if (sent) left_q[thread] <= 1'b0;
                if (all_sent) state_q <= IDLE;
            end
        endcase
        read_q <= state_q == SEND && !sent;
        if (all_sent) launched_q[warp_q] <= 1'b1;
        if (done_valid_o && done_taken_i) launched_q[done_warp_o] <= 1'b0;
        for (int w = 0; w < WARPS; w++) begin
            if (start_i && start_warp_i == WARP_W'(w)) count_q[w*COUNT_W +: COUNT_W] <= '0;
            else
                count_q[w*COUNT_W +: COUNT_W] <= count_q[w*COUNT_W +: COUNT_W] + COUNT_W'(sent && wait_q && warp_q == WARP_W'(w)) -
                                                 COUNT_W'(ended && ended_warp == WARP_W'(w));
        end
        if (rst_i) begin
            state_q <= IDLE;
            launched_q <= '0;
            count_q <= '0;
        end
    end

    always_ff @(posedge clk_i) begin
        if (in_valid_i) value_q[in_portion_i] <= in_a_i;
        if (state_q == SEND) row_q <= value_q[PORTION_W'(32'(thread) / LANES)];
    end

    assign trace_child_launch_valid_o = sent && !rst_i;
    assign trace_child_launch_warp_o = 8'(warp_q);
    assign trace_child_launch_thread_o = 8'(thread);
    assign trace_child_launch_number_o = child_tmd_o;
    assign trace_child_launch_waits_o = wait_q;

`ifndef SYNTHESIS
    always_ff @(posedge clk_i)
        if (!rst_i) begin
            if (start_i) assert (free_o);
            if (in_valid_i) assert (intake_o);
            if (child_valid_o) assert (left_q != '0);
        end
    always_ff @(posedge clk_i) if (!rst_i) begin
        `COVER(killed_while_sending, state_q == SEND && left_q != '0 && killed[warp_q])
        `COVER(killed_while_waiting, |(launched_q & killed))
        `COVER(stopped_while_waiting, |(launched_q & stops_i & ~killed))
        `COVER(stopped_while_sending, state_q == SEND && left_q != '0 && stops_i[warp_q])
        `COVER(child_of_waiting_warp_ends, ended)
        `COVER(two_warps_wait, (waiting_o & (waiting_o - WARPS'(1))) != '0)
        `COVER(refused_for_now, child_valid_o && !child_ready_i)
    end
`endif

endmodule
`default_nettype wire
