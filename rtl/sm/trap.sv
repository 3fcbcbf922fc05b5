// The warp that is in a trap: between TRAP and TRET all its threads execute, whatever they are off for, and it may read and write what its
// threads and tokens are. One warp of the SM at a time: others wait with their TRAP (busy_o).
//
// Those that have been sent back with their TRAP (wait_i, of issue_warp_i) sleep until it is their turn (sleeps_o), and go in the circle that begins
// behind the warp that was in a trap last; nobody else enters while one waits,
// but by request. So a warp gets there after at most WARPS - 1 others, and those that are stopped.
// go_i: a control instruction is handed over, of warp_i; next_pc_i is behind it. on_o: the threads of trap_warp_o count as active, from the end of its TRAP to
// the end of its TRET (done_valid_i, done_warp_i). A warp that ends in a trap, by TLEAVE, by TEXIT or killed, leaves it.
// stop_i: stop_warp_i, which stands at stop_pc_i, enters by request: its threads count as active from the next cycle on. Only while open_o, which is
// the cycle after ask_i at the earliest; from then on no TRAP goes (busy_o), until one that may enter has entered or none asks any more.
// value_o: what SRD of scalar register number_i reads, combinational; plane_i: bit number_i[2:1] of every thread's reason, of the warp in the issue stage.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/isa.svh"
`include "gen/trace.svh"
`include "token.svh"

module trap #(
    parameter int THREADS = 32,
    parameter int WARPS = 4,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1,
    localparam int ALIVE_W = $clog2(WARPS + 1)
) (
    input  wire                      clk_i,
    input  wire                      rst_i,
    input  wire                      go_i,
    input  wire  [7:0]               opcode_i,
    input  wire  [WARP_W-1:0]        warp_i,
    input  wire  [21:0]              next_pc_i,
    input  wire                      done_valid_i,
    input  wire  [WARP_W-1:0]        done_warp_i,
    input  wire  [WARPS-1:0]         live_i,
    // TRAP
    input  wire                      wait_i,        // that of the warp in the issue stage has to wait
    input  wire                      issue_go_i,    // that warp has issued what it stood at
    input  wire  [WARP_W-1:0]        issue_warp_i,
    output logic [WARPS-1:0]         sleeps_o,      // not to be picked
    // by request
    input  wire                      ask_i,         // there is a warp that can enter
    output logic                     open_o,
    input  wire                      stop_i,
    input  wire  [WARP_W-1:0]        stop_warp_i,
    input  wire  [21:0]              stop_pc_i,
    input  wire  [THREADS-1:0]       stop_active_i,
    `SCALAR_WRITE_IN(write),                        // R2S
    output logic                     busy_o,        // for a TRAP of the warp in the issue stage
    output logic                     inside_o,      // trap_warp_o is in a trap, or on its way
    output logic                     on_o,
    output logic                     saved_o,       // a TLEAVE has been handed over, and has not ended
    output logic [WARP_W-1:0]        trap_warp_o,
    output logic [21:0]              pc_o,          // TPC
    // SRD
    input  wire  [7:0]               number_i,
    input  wire  [THREADS-1:0]       plane_i,
    input  wire  [3:0]               token_kind_i,  // what the last TPOP took
    input  wire  [THREADS-1:0]       token_mask_i,
    input  wire  [`TOKEN_ADDR_W-1:0] token_addr_i,
    input  wire  [31:0]              record_i,      // CTA_RECORD, CTA_ALIVE of the warp's CTA
    input  wire  [ALIVE_W-1:0]       alive_i,
    output logic [31:0]              value_o,
    `TRACE_WARP_STOP_PORTS
);

    logic busy_q, on_q, leaves_q, saved_q, asked_q;
    logic [WARP_W-1:0] warp_q;
    logic [21:0] pc_q;

    // ---- who is next ----
    logic [WARPS-1:0]  waiting_q;
    logic [WARP_W-1:0] next;
    wire [WARPS-1:0]   issuing = WARPS'(1) << issue_warp_i;
    always_comb begin
        next = '0;
        for (int w = WARPS - 1; w >= 0; w--) if (waiting_q[w]) next = WARP_W'(w);
        for (int w = WARPS - 1; w >= 0; w--) if (waiting_q[w] && WARP_W'(w) > warp_q) next = WARP_W'(w);
    end
    assign busy_o = busy_q || asked_q || (waiting_q != '0 && next != issue_warp_i);
    assign sleeps_o = waiting_q & ~(busy_q || asked_q ? '0 : WARPS'(1) << next);
    always_ff @(posedge clk_i) begin
        waiting_q <= (waiting_q | (wait_i ? issuing : '0)) & ~(issue_go_i ? issuing : '0) & ~(stop_i ? WARPS'(1) << stop_warp_i : '0) & live_i;
        if (rst_i) waiting_q <= '0;
    end

    // ---- who is in it ----
    wire enters = go_i && opcode_i == `OP_TRAP;
    wire leaves = go_i && (opcode_i == `OP_TRET || opcode_i == `OP_TLEAVE || opcode_i == `OP_TEXIT);

    always_ff @(posedge clk_i) begin
        asked_q <= ask_i;
        if (enters || stop_i) begin
            busy_q <= 1'b1;
            leaves_q <= 1'b0;
            warp_q <= stop_i ? stop_warp_i : warp_i;
        end
        if (leaves) leaves_q <= 1'b1;
        if (done_valid_i) saved_q <= 1'b0;
        if (go_i) saved_q <= opcode_i == `OP_TLEAVE;
        if (busy_q && done_valid_i && done_warp_i == warp_q) begin
            on_q <= !leaves_q;
            if (leaves_q) busy_q <= 1'b0;
        end
        if (busy_q && !live_i[warp_q]) begin
            busy_q <= 1'b0;
            on_q <= 1'b0;
        end
        if (stop_i) on_q <= 1'b1;
        if (stop_i) pc_q <= stop_pc_i;
        else if (enters) pc_q <= next_pc_i;
        else if (write_valid_i && write_rd_i[4] && !write_rd_i[2]) pc_q <= write_data_i[21:0];
        if (rst_i) begin
            busy_q <= 1'b0;
            on_q <= 1'b0;
            saved_q <= 1'b0;
            asked_q <= 1'b0;
            pc_q <= '0;
        end
    end

    assign inside_o = busy_q;
    assign saved_o = saved_q;
    assign open_o = asked_q && !busy_q;
    assign on_o = on_q;
    assign trap_warp_o = warp_q;
    assign pc_o = pc_q;

    // Planes of reasons: number 3:1 is 100 and on.
    wire [63:0] mask = number_i[3] ? 64'(plane_i) : 64'(token_mask_i);
    always_comb begin
        if (number_i[3:2] == 2'd1) value_o = number_i[0] ? 32'(alive_i) : record_i;
        else if (number_i[3] || number_i[1]) value_o = number_i[0] ? mask[63:32] : mask[31:0];
        else value_o = number_i[0] ? {token_kind_i, 28'(token_addr_i)} : {10'd0, pc_q};
    end

    wire unused = &{1'b0, number_i[7:4], write_warp_i, write_rd_i[3], write_rd_i[1:0], write_data_i[31:22]};

    assign trace_warp_stop_valid_o = stop_i;
    assign trace_warp_stop_warp_o = 8'(stop_warp_i);
    assign trace_warp_stop_pc_o = 32'(stop_pc_i);
    assign trace_warp_stop_active_o = 64'(stop_active_i);

`ifndef SYNTHESIS
    always_ff @(posedge clk_i)
        if (!rst_i) begin
            if (enters) assert (!busy_o);
            if (stop_i) assert (open_o && live_i[stop_warp_i]);
            if (leaves) assert (on_q && warp_i == warp_q);
            if (write_valid_i && write_rd_i[4]) assert (on_q && write_warp_i == warp_q);
        end
`endif

endmodule
`default_nettype wire
