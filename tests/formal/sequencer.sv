// Every portion of an instruction that has a thread comes exactly once, lowest first, with its own threads; no portion is empty.
//
// proof quick frames 12
// shows SV-6
// reads rtl/sm/sequencer.sv
// sets THREADS=32 LANES=8
// sets THREADS=32 LANES=4
// sets THREADS=64 LANES=32
// mutant the highest portion goes first: rtl/sm/sequencer.sv
// - if (first[p]) begin
// + if (left[p]) begin
// mutant an instruction is taken one portion early: rtl/sm/sequencer.sv
// - assign start_ready_o = !portion_valid_o || (portion_last_o && portion_ready_i);
// + assign start_ready_o = !portion_valid_o || portion_ready_i;
// mutant a portion is done although it was not taken: rtl/sm/sequencer.sv
// - else if (portion_valid_o && portion_ready_i) mask_q <= mask_after;
// + else if (portion_valid_o) mask_q <= mask_after;
`include "formal.svh"

module prove_sequencer #(
    parameter THREADS = 32,
    parameter LANES = 8
) (
    input wire clk_i
);
    localparam PORTIONS = THREADS / LANES;
    localparam PORTION_W = (PORTIONS > 1) ? $clog2(PORTIONS) : 1;
    `RESET(rst)
    `ANY(1, clear)
    `ANY(1, start_valid)
    `ANY(THREADS, start_exec)
    `ANY(1, portion_ready)
    wire start_ready, portion_valid, portion_last;
    wire [PORTION_W-1:0] portion;
    wire [LANES-1:0] lanes;
    (* hierconn *) wire [THREADS-1:0] \dut.mask_q ;

    sequencer #(.THREADS(THREADS), .LANES(LANES)) dut (
        .clk_i, .rst_i(rst), .clear_i(clear), .start_valid_i(start_valid), .start_ready_o(start_ready), .start_exec_i(start_exec),
        .portion_valid_o(portion_valid), .portion_ready_i(portion_ready), .portion_o(portion), .portion_lanes_o(lanes),
        .portion_last_o(portion_last));

    // What was started, and the threads that have gone since.
    logic [THREADS-1:0] exec = '0, gone = '0;
    logic [THREADS-1:0] now;
    always_comb begin
        now = '0;
        for (int p = 0; p < PORTIONS; p++) if (portion == PORTION_W'(p)) now[p*LANES +: LANES] = lanes;
    end
    wire start = start_valid && start_ready && !rst && !clear;
    wire goes = portion_valid && portion_ready;
    always_ff @(posedge clk_i) begin
        if (rst || clear) begin
            exec <= '0;
            gone <= '0;
        end else if (start) begin
            exec <= start_exec;
            gone <= '0;
        end else if (goes) begin
            gone <= gone | now;
        end
    end

    logic [THREADS-1:0] of_portion;  // what this portion has of the instruction
    always_comb begin
        of_portion = '0;
        for (int p = 0; p < PORTIONS; p++) if (portion == PORTION_W'(p)) of_portion[p*LANES +: LANES] = exec[p*LANES +: LANES];
    end

    `CHECK(rst || \dut.mask_q == (exec & ~gone))
    `CHECK(rst || (gone & ~exec) == '0)
    `CHECK(rst || portion_valid == (gone != exec))                           // none left out, none too many
    `CHECK(rst || !portion_valid || lanes != '0)                             // none empty
    `CHECK(rst || !portion_valid || now == of_portion)                       // whole
    `CHECK(rst || !portion_valid || (now & gone) == '0)                      // once
    `CHECK(rst || !portion_valid || ((exec & ~gone) & (now - 1'b1) & ~now) == '0)  // lowest first
    `CHECK(rst || !portion_valid || portion_last == ((gone | now) == exec))
    `CHECK(rst || !(start && portion_valid) || ((gone | now) == exec && goes))  // the next instruction cuts nothing off
    `REACH(!rst && goes && gone != '0 && portion_last && start && start_exec != '0)
    `REACH(!rst && goes && exec == '1 && 32'(portion) == PORTIONS - 1)
    `REACH(!rst && start && start_exec == '0)
    `REACH(!rst && portion_valid && gone != '0 && clear)
endmodule
