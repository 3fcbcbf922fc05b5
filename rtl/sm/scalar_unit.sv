// The scalar registers S0 to S15 of all warps, and what the instructions that a warp executes once do with them and with EXEC: SMOV, VOTE,
// SVLOOP_BEGIN, SVLOOP_END. R2S writes here from execute; SRD reads here.
//
// EXEC_LO and EXEC_HI are the active mask, its low and its high half (THREADS / 2 bits each). They are kept nowhere else: an instruction that
// writes them gives scalar_wanted_o, the active mask that is asked for, to the divergence unit.
//
// Stage I shows the instruction (scalar_*); value, wanted and taken follow in the same cycle. Registers are written at the clock edge of
// scalar_go_i, which may be high only while scalar_free_o is: R2S has the write port first.
// A register that nobody wrote since its warp started reads as zero: a bit a register tells; clear_i resets a warp's bits.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/isa.svh"
`include "gen/trace.svh"

module scalar_unit #(
    parameter int THREADS = 32,
    parameter int WARPS = 4,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1
) (
    input  wire               clk_i,
    input  wire               rst_i,
    `SCALAR_IN(scalar),              // stage I
    `SCALAR_WRITE_IN(write),         // R2S
    input  wire  [31:0]       trap_value_i,  // what a scalar register of a trap holds, whose number is that of the instruction's rb
    // a warp starts
    input  wire               clear_i,
    input  wire  [WARP_W-1:0] clear_warp_i,
    `TRACE_SWB_PORTS
);

    localparam int HALF = THREADS / 2;
    localparam int ROW_W = WARP_W + 3;
    localparam int BITS = WARPS * 16;

    // Even and odd registers apart, so that VOTE writes its pair at once.
    (* no_rw_check *) logic [31:0] even_q [8 << WARP_W];
    (* no_rw_check *) logic [31:0] odd_q [8 << WARP_W];
    logic [BITS-1:0] written_q;

    wire loop_begin = scalar_opcode_i == `OP_SVLOOP_BEGIN;
    wire loop_end = scalar_opcode_i == `OP_SVLOOP_END;
    wire vote = scalar_opcode_i == `OP_VOTE;
    wire immediate = scalar_opcode_i == `OP_SMOV_I;

    wire [7:0]       source = (loop_begin || loop_end) ? 8'd0 : scalar_imm_i[7:0];
    wire [ROW_W-1:0] source_row = {scalar_warp_i, source[3:1]};
    wire             source_written = written_q[32'({scalar_warp_i, source[3:0]})];
    wire [31:0]      stored = source_written ? (source[0] ? odd_q[source_row] : even_q[source_row]) : 32'd0;

    wire [31:0] low = 32'(scalar_active_i[HALF-1:0]);
    wire [31:0] high = 32'(scalar_active_i[THREADS-1:HALF]);

    always_comb begin
        if (immediate) scalar_value_o = scalar_imm_i;
        else if (source == `SCALAR_EXEC_LO) scalar_value_o = low;
        else if (source == `SCALAR_EXEC_HI) scalar_value_o = high;
        else if (source[7]) scalar_value_o = trap_value_i;
        else scalar_value_o = stored;
    end

    // What is written.
    logic        writes, pair;
    logic [3:0]  rd;
    logic [63:0] data;
    always_comb begin
        writes = scalar_rd_i < `ISA_SCALARS;
        pair = 1'b0;
        rd = scalar_rd_i[3:0];
        data = {32'd0, scalar_value_o};
        scalar_wanted_o = scalar_active_i;
        scalar_taken_o = 1'b0;
        if (loop_begin) begin
            rd = 4'd0;
            writes = scalar_active_i != '0;
            scalar_taken_o = scalar_active_i == '0;
            data = 64'd0;
            if (low != 32'd0) begin  // the low pass first
                data = {32'd0, high};
                scalar_wanted_o = {{HALF{1'b0}}, scalar_active_i[HALF-1:0]};
            end
        end else if (loop_end) begin
            rd = 4'd0;
            writes = 1'b0;
            data = {32'd0, low};
            if (high != 32'd0) scalar_wanted_o = {scalar_active_i[THREADS-1:HALF], stored[HALF-1:0]};  // the second pass, or the only one
            else if (stored != 32'd0) begin                                              // the high pass is to come
                writes = 1'b1;
                scalar_wanted_o = {stored[HALF-1:0], {HALF{1'b0}}};
                scalar_taken_o = 1'b1;
            end
        end else if (vote) begin
            pair = 1'b1;
            data = {32'(scalar_exec_i[THREADS-1:HALF]), 32'(scalar_exec_i[HALF-1:0])};
            scalar_wanted_o = scalar_exec_i;
        end else if (scalar_rd_i[0]) scalar_wanted_o = {scalar_value_o[HALF-1:0], scalar_active_i[HALF-1:0]};
        else scalar_wanted_o = {scalar_active_i[THREADS-1:HALF], scalar_value_o[HALF-1:0]};
    end

    assign scalar_free_o = !write_valid_i;
    wire go = scalar_go_i && writes;

    wire [WARP_W-1:0] to_warp = write_valid_i ? write_warp_i : scalar_warp_i;
    wire [3:0]        to_rd = write_valid_i ? write_rd_i[3:0] : rd;
    wire              to_trap = write_valid_i && write_rd_i[4];  // TPC: kept in trap
    wire              to_both = !write_valid_i && pair;
    wire [63:0]       to_data = write_valid_i ? {32'd0, write_data_i} : data;
    wire [ROW_W-1:0]  to_row = {to_warp, to_rd[3:1]};
    wire              enable = (write_valid_i && !to_trap) || go;
    wire [BITS-1:0]   one = BITS'(1);
    wire [BITS-1:0]   set = enable ? (one << {to_warp, to_rd}) | (to_both ? one << {to_warp, to_rd[3:1], 1'b1} : '0) : '0;
    wire [BITS-1:0]   clear = clear_i ? BITS'(16'hFFFF) << {clear_warp_i, 4'd0} : '0;

    always_ff @(posedge clk_i) begin
        if (enable && !to_rd[0]) even_q[to_row] <= to_data[31:0];
        if (enable && (to_rd[0] || to_both)) odd_q[to_row] <= to_both ? to_data[63:32] : to_data[31:0];
        written_q <= rst_i ? '0 : (written_q & ~clear) | set;
    end

    assign trace_swb_valid_o = enable || to_trap;
    assign trace_swb_warp_o = 8'(to_warp);
    assign trace_swb_rd_o = {to_trap, 3'd0, to_rd};
    assign trace_swb_pair_o = to_both;
    assign trace_swb_data_o = to_data;

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) if (!rst_i && scalar_go_i) assert (scalar_free_o);
`endif

endmodule
`default_nettype wire
