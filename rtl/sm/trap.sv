// The warp that is in a trap: between TRAP and TRET all its threads execute, whatever they are off for, and it may read and write what its
// threads and tokens are. One warp of the SM at a time: others wait with their TRAP (busy_o).
//
// Those that have been sent back with their TRAP (ask_i, of issue_warp_i) sleep until it is their turn (sleeps_o), and go in the circle that begins
// behind the warp that was in a trap last; nobody else enters while one waits. So a warp gets there after at most WARPS - 1 others.
// go_i: a control instruction is handed over, of warp_i; next_pc_i is behind it. on_o: the threads of trap_warp_o count as active, from the end of its TRAP to
// the end of its TRET (done_valid_i, done_warp_i). A warp that ends in a trap leaves it.
// value_o: what SRD of scalar register number_i reads, combinational; reasons_i are those of the warp in the issue stage, planes of bits 0 to 3.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/isa.svh"
`include "token.svh"

module trap #(
    parameter int THREADS = 32,
    parameter int WARPS = 4,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1
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
    input  wire                      ask_i,         // the TRAP of the warp in the issue stage has to wait
    input  wire                      issue_go_i,    // that warp has issued what it stood at
    input  wire  [WARP_W-1:0]        issue_warp_i,
    output logic [WARPS-1:0]         sleeps_o,      // not to be picked
    `SCALAR_WRITE_IN(write),                        // R2S
    output logic                     busy_o,        // for a TRAP of the warp in the issue stage
    output logic                     on_o,
    output logic [WARP_W-1:0]        trap_warp_o,
    output logic [21:0]              pc_o,          // TPC
    // SRD
    input  wire  [7:0]               number_i,
    input  wire  [4*THREADS-1:0]     reasons_i,
    input  wire  [3:0]               token_kind_i,  // what the last TPOP took
    input  wire  [THREADS-1:0]       token_mask_i,
    input  wire  [`TOKEN_ADDR_W-1:0] token_addr_i,
    output logic [31:0]              value_o
);

    logic busy_q, on_q, leaves_q;
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
    assign busy_o = busy_q || (waiting_q != '0 && next != issue_warp_i);
    assign sleeps_o = waiting_q & ~(busy_q ? '0 : WARPS'(1) << next);
    always_ff @(posedge clk_i) begin
        waiting_q <= (waiting_q | (ask_i ? issuing : '0)) & ~(issue_go_i ? issuing : '0) & live_i;
        if (rst_i) waiting_q <= '0;
    end

    // ---- who is in it ----
    wire enters = go_i && opcode_i == `OP_TRAP;

    always_ff @(posedge clk_i) begin
        if (enters) begin
            busy_q <= 1'b1;
            leaves_q <= 1'b0;
            warp_q <= warp_i;
        end
        if (go_i && opcode_i == `OP_TRET) leaves_q <= 1'b1;
        if (busy_q && done_valid_i && done_warp_i == warp_q) begin
            on_q <= !leaves_q;
            if (leaves_q) busy_q <= 1'b0;
        end
        if (busy_q && !live_i[warp_q]) begin
            busy_q <= 1'b0;
            on_q <= 1'b0;
        end
        if (enters) pc_q <= next_pc_i;
        else if (write_valid_i && write_rd_i[4]) pc_q <= write_data_i[21:0];
        if (rst_i) begin
            busy_q <= 1'b0;
            on_q <= 1'b0;
            pc_q <= '0;
        end
    end

    assign on_o = on_q;
    assign trap_warp_o = warp_q;
    assign pc_o = pc_q;

    // Planes of reasons: number 3:1 is 100 and on.
    wire [63:0] plane = 64'(reasons_i[32'(number_i[2:1])*THREADS +: THREADS]);
    wire [63:0] mask = number_i[3] ? plane : 64'(token_mask_i);
    always_comb begin
        if (number_i[3] || number_i[1]) value_o = number_i[0] ? mask[63:32] : mask[31:0];
        else value_o = number_i[0] ? {token_kind_i, 28'(token_addr_i)} : {10'd0, pc_q};
    end

    wire unused = &{1'b0, number_i[7:4], write_warp_i, write_rd_i[3:0], write_data_i[31:22]};

`ifndef SYNTHESIS
    always_ff @(posedge clk_i)
        if (!rst_i) begin
            if (enters) assert (!busy_q);
            if (go_i && opcode_i == `OP_TRET) assert (on_q && warp_i == warp_q);
            if (write_valid_i && write_rd_i[4]) assert (on_q && write_warp_i == warp_q);
        end
`endif

endmodule
`default_nettype wire
