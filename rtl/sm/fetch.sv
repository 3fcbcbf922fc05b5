// Instruction fetch: a direct-mapped cache of ICACHE_LINES lines of 32 bytes (4 instructions), tagged with channel and address.
//
// Stage 0 has the picked warp; it makes the address, checks the program's bounds (not of a warp in a trap) and reads the cache RAMs. Stage 1 has the
// line and its tag: a hit goes on to the issue stage (fetched_*), a miss sends the warp back (fetch_miss_o) and starts a read of the line if none is
// under way. Other warps go on hitting meanwhile, and warps that miss are picked again when the read is done.
// The warp that asked for the line goes first: until it has been at stage 1 (or is gone: fetch_owed_keep_i low) no other line is read, so that warps
// whose lines share a place in the cache cannot take them from each other for ever.
// The warp in stage 1 may have instructions before it, behind which it was picked ahead (pick_ahead_i): with one in stage D (hold_i) it stays, with one in
// stage D or I (before_i) it does not miss yet. Its line may go meanwhile. If its warp is sent back (drop_i), or misses, what is behind is dropped.
// The lines behind that of the last instruction that has gone on, or has missed, are read as well, one after the other up to AHEAD of them, as far as
// they are all the program's and have the upper bits of the first one's tag. Nobody is owed such a line, and nobody hears when it is refused.
// Two reads are under way at most, in order. The first is of a line that a warp has missed or, when no warp waits for a line or is on its way to
// stage 1 after it has, of one behind; the second is always of one behind, and of another place in the cache. When the first has come who missed goes
// on (fetch_busy_o is low), but no read begins until the second has come: so lines that are read ahead keep nobody from his for longer than two reads.
// Their program may have ended when they are performed: no warp starts while one is on its way (prefetching_o), and while one is about to
// (start_soon_i) the line that would be read next is forgotten.
// A read that the memory refuses is noted for the warp that asked (fetch_refused_o); that warp then comes back with pick_fault_i and
// faults. invalidate_i forgets everything; a line that is on its way then is not kept.
// Latency: two cycles from pick to fetched; one instruction a cycle.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/isa.svh"
`include "gen/registers.svh"
`include "token.svh"

module fetch #(
    parameter int WARPS = 4,
    parameter int CHANNELS = 4,
    parameter int TASK_SLOTS = 4,
    parameter int ICACHE_LINES = 64,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1,
    localparam int SLOT_W = (TASK_SLOTS > 1) ? $clog2(TASK_SLOTS) : 1,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1
) (
    input  wire  clk_i,
    input  wire  rst_i,
    input  wire  invalidate_i,
    `PICK_IN(pick),
    input  wire               pick_ahead_i,      // behind another one of its warp that is on its way
    input  wire               hold_i,            // the warp in stage 1 has an instruction before it in stage D
    input  wire               before_i,          // .. in stage D or I
    input  wire               drop_i,            // what was picked behind that of drop_warp_i is dropped
    input  wire  [WARP_W-1:0] drop_warp_i,
    output logic              coming_valid_o,    // what is in stage 0
    output logic [WARP_W-1:0] coming_warp_o,
    // the warp that is in a trap
    input  wire               trap_on_i,
    input  wire  [WARP_W-1:0] trap_warp_i,
    // task table
    `SLOT_CODE_INS(slot, TASK_SLOTS),
    `FETCH_NEWS_OUT(fetch),                      // to warp_table
    `FETCHED_OUT(fetched),
    output logic              comes_o,           // an instruction is in stage 1, if its line is there
    output logic              runs_o,            // .. and it is; the warp goes on behind the instruction
    // memory unit
    input  wire               waits_line_i,      // a warp waits for a line
    input  wire               start_soon_i,      // a warp is about to start
    output logic              prefetching_o,
    `REQUEST_OUT(req),
    `ANSWER_IN(rsp)
);

    localparam int INDEX_W = $clog2(ICACHE_LINES);
    localparam int TAG_W = 27 - INDEX_W + CHANNEL_W;
    localparam int AHEAD = 3;
    localparam int AHEAD_W = $clog2(AHEAD + 1);

    // ---- stage 0: address ----
    logic f0_valid_q, f1_valid_q, f0_ahead_q;
    logic [31:3]          f1_addr_q;
    logic [CHANNEL_W-1:0] f1_channel_q;
    logic                 f1_outside_q;
    logic [AHEAD_W-1:0]   f1_left_q;   // lines behind it that are all the program's, of AHEAD
    `PICK_REG(f0);
    `PICK_REG(f1);

    // verilator lint_off UNUSEDSIGNAL
    wire [31:0] f0_addr = slot_region_i[32'(f0_slot_q)*32 +: 32] + {7'd0, f0_pc_q, 3'd0};  // bits 2:0 select nothing: instructions are 8-byte aligned
    // verilator lint_on UNUSEDSIGNAL
    wire [31:0] f0_offset = f0_addr - slot_code_base_i[32'(f0_slot_q)*32 +: 32];
    wire        f0_outside = f0_offset >= slot_code_size_i[32'(f0_slot_q)*32 +: 32] && !(trap_on_i && trap_warp_i == f0_warp_q);
    wire signed [27:0]   f0_lines = {1'b0, slot_code_size_i[32'(f0_slot_q)*32 + 5 +: 27]} - {1'b0, f0_offset[31:5]} - 28'd1;
    wire [AHEAD_W-1:0]   f0_left = f0_lines[27] ? '0 : f0_lines[26:0] > 27'(AHEAD) ? AHEAD_W'(AHEAD) : f0_lines[AHEAD_W-1:0];
    wire [CHANNEL_W-1:0] f0_channel = slot_channel_i[32'(f0_slot_q)*CHANNEL_W +: CHANNEL_W];
    wire [INDEX_W-1:0]   f0_index = f0_addr[5 +: INDEX_W];

    wire f1_ready = !f1_valid_q || (fetched_valid_o && fetched_ready_i) || fetch_miss_o;
    wire f0_ready = !f0_valid_q || f1_ready;
    assign pick_ready_o = f0_ready;

    // ---- cache RAMs, read between stage 0 and 1 ----
    // Beside each instruction stands whether its warp goes on behind it: a line comes early in its cycle, and is shown late.
    (* no_rw_check, ram_style = "block" *) logic [259:0] line_q [ICACHE_LINES];
    (* no_rw_check *) logic [TAG_W-1:0] tag_q [ICACHE_LINES];
    logic [ICACHE_LINES-1:0]            valid_q;
    logic [255:0]                       read_line_q;
    logic [3:0]                         read_runs_q, fill_runs;
    logic [TAG_W-1:0]                   read_tag_q;
    logic                               read_valid_q;

    // Reads: the line that is asked for, until it is the one that comes next.
    logic                 ask_valid_q, ask_sent_q, ask_ahead_q, come_valid_q, come_ahead_q;  // ahead: for no warp
    logic [CHANNEL_W-1:0] ask_channel_q, come_channel_q;
    logic [31:5]          ask_line_q, come_line_q;
    logic                 second_q;  // the first has come, or there is none: what is under way, if anything, is the second
    logic                 stale_q, owed_q;
    logic [WARP_W-1:0]    miss_warp_q;
    wire                  fill = come_valid_q && rsp_valid_i;
    wire                  keep = fill && rsp_fault_i == `ANSWER_GOOD && !stale_q && !invalidate_i;
    wire  [INDEX_W-1:0]   fill_index = come_line_q[5 +: INDEX_W];

    // Lanes and memory, but for what the warp waits for: it goes on behind these.
    function automatic runs_on(input [7:0] opcode, input [7:0] special);
        case (`ISA_FORMAT(opcode))
            `FORMAT_B, `FORMAT_B2, `FORMAT_R3, `FORMAT_R3S, `FORMAT_CARRY, `FORMAT_CMP, `FORMAT_FCMP, `FORMAT_SELP, `FORMAT_PLOP, `FORMAT_CVT, `FORMAT_RND,
            `FORMAT_RP, `FORMAT_LD, `FORMAT_ST, `FORMAT_LDC, `FORMAT_ATOM: runs_on = 1'b1;
            `FORMAT_PR: runs_on = opcode != `OP_VOTE;
            `FORMAT_SR: runs_on = !`IS_TIME(special);
            `FORMAT_SS: runs_on = opcode == `OP_SRD;
            default: runs_on = 1'b0;
        endcase
    endfunction
    always_comb for (int k = 0; k < 4; k++) fill_runs[k] = runs_on(rsp_data_i[64*k +: 8], rsp_data_i[64*k+32 +: 8]);

    always_ff @(posedge clk_i) begin
        if (f0_valid_q && f1_ready) begin
            {read_runs_q, read_line_q} <= line_q[f0_index];
            read_tag_q <= tag_q[f0_index];
            read_valid_q <= valid_q[f0_index] && !(fill && fill_index == f0_index) && !invalidate_i;
        end else if (held && (invalidate_i || (fill && fill_index == f1_addr_q[5 +: INDEX_W]))) read_valid_q <= 1'b0;
        if (fill) begin
            line_q[fill_index] <= {fill_runs, rsp_data_i};
            tag_q[fill_index] <= {come_channel_q, come_line_q[31:5+INDEX_W]};
            valid_q[fill_index] <= keep;
        end
        if (rst_i || invalidate_i) valid_q <= '0;
    end

    // ---- the lines behind ----
    logic                 next_valid_q;
    logic [AHEAD_W-1:0]   next_left_q;  // so many are looked at, with this one
    logic [CHANNEL_W-1:0] next_channel_q;
    logic [31:5]          next_line_q;
    wire  [INDEX_W-1:0]   next_index = next_line_q[5 +: INDEX_W];
    wire                  next_there = (valid_q[next_index] && tag_q[next_index] == {next_channel_q, next_line_q[31:5+INDEX_W]}) ||
                                       (come_valid_q && next_index == fill_index);  // .. or it comes, or would take the place of what does
    wire                  next_wanted = next_valid_q && !next_there && !ask_valid_q && !owed_q && !fetch_miss_o && !start_soon_i;
    wire                  next_first = next_wanted && !come_valid_q && !(f0_valid_q && !f0_ahead_q) && !waits_line_i;
    wire                  next_second = next_wanted && come_valid_q && !second_q && !fill;
    assign prefetching_o = (ask_valid_q && ask_ahead_q) || (come_valid_q && come_ahead_q);

    // ---- stage 1: hit or miss ----

    wire no_line = f1_outside_q || f1_fault_q != `ANSWER_GOOD;
    wire hit = read_valid_q && read_tag_q == {f1_channel_q, f1_addr_q[31:5+INDEX_W]};
    wire held = f1_valid_q && before_i;
    wire miss_first = fetch_miss_o && !ask_valid_q && !come_valid_q && !owed_q;
    wire sent = ask_valid_q && (ask_sent_q || req_ready_i);
    assign coming_valid_o = f0_valid_q;
    assign coming_warp_o = f0_warp_q;
    assign runs_o = f1_valid_q && !no_line && hit && read_runs_q[f1_addr_q[4:3]];
    assign fetch_miss_o = f1_valid_q && !before_i && !no_line && !hit;
    assign fetch_miss_warp_o = f1_warp_q;
    assign fetch_busy_o = (ask_valid_q || come_valid_q) && !second_q;
    assign fetch_owed_o = owed_q;
    assign fetch_owed_warp_o = miss_warp_q;

    assign fetched_valid_o = f1_valid_q && !hold_i && (no_line || hit);
    assign comes_o = f1_valid_q;
    assign fetched_warp_o = f1_warp_q;
    assign fetched_pc_o = f1_pc_q;
    assign fetched_slot_o = f1_slot_q;
    assign fetched_word_o = read_line_q[32'(f1_addr_q[4:3])*64 +: 64];
    assign fetched_outside_o = f1_outside_q;
    assign fetched_fault_o = f1_fault_q;
    assign fetched_addr_o = {f1_addr_q, 3'd0};

    assign req_valid_o = ask_valid_q && !ask_sent_q;
    assign req_op_o = `REQUEST_READ;
    assign req_atom_o = 4'd0;
    assign req_channel_o = ask_channel_q;
    assign req_addr_o = {ask_line_q, 5'd0};
    assign req_wstrb_o = 32'd0;
    assign req_wdata_o = 256'd0;

    assign fetch_refused_o = fill && rsp_fault_i != `ANSWER_GOOD && !come_ahead_q;
    assign fetch_refused_warp_o = miss_warp_q;
    assign fetch_refused_fault_o = rsp_fault_i;

    always_ff @(posedge clk_i) begin
        if (f0_ready) begin
            f0_valid_q <= pick_valid_i && !(drop_i && pick_warp_i == drop_warp_i);
            if (pick_valid_i) begin
                f0_ahead_q <= pick_ahead_i;
                `PICK_PACK_Q(f0) <= `PICK_PACK_I(pick);
            end
        end
        if (f1_ready) begin
            f1_valid_q <= f0_valid_q;
            if (f0_valid_q) begin
                `PICK_PACK_Q(f1) <= `PICK_PACK_Q(f0);
                f1_addr_q <= f0_addr[31:3];
                f1_channel_q <= f0_channel;
                f1_outside_q <= f0_outside;
                f1_left_q <= f0_left;
            end
        end
        if (drop_i && f1_valid_q && f1_warp_q == drop_warp_i && !f1_ready) f1_valid_q <= 1'b0;
        if (f0_valid_q && ((drop_i && f0_warp_q == drop_warp_i) || (fetch_miss_o && f0_warp_q == f1_warp_q))) begin
            if (f1_ready) f1_valid_q <= 1'b0;
            else f0_valid_q <= 1'b0;
        end
        if (fill && !come_ahead_q) owed_q <= 1'b1;
        else if (invalidate_i || !fetch_owed_keep_i || (f1_valid_q && f1_warp_q == miss_warp_q)) owed_q <= 1'b0;
        if (req_valid_o && req_ready_i) ask_sent_q <= 1'b1;
        if (fill) come_valid_q <= 1'b0;
        if (sent && (!come_valid_q || fill)) begin
            ask_valid_q <= 1'b0;
            come_valid_q <= 1'b1;
            come_ahead_q <= ask_ahead_q;
            come_channel_q <= ask_channel_q;
            come_line_q <= ask_line_q;
        end
        if (miss_first || next_first || next_second) begin
            ask_valid_q <= 1'b1;
            ask_sent_q <= 1'b0;
            ask_ahead_q <= !miss_first;
            ask_channel_q <= miss_first ? f1_channel_q : next_channel_q;
            ask_line_q <= miss_first ? f1_addr_q[31:5] : next_line_q;
        end
        if (miss_first) miss_warp_q <= f1_warp_q;
        if (miss_first || next_first) begin
            stale_q <= invalidate_i;
            second_q <= 1'b0;
        end else begin
            if (invalidate_i) stale_q <= 1'b1;
            if (fill) second_q <= 1'b1;
        end
        if ((fetched_valid_o && fetched_ready_i && !no_line) || miss_first) begin
            next_valid_q <= f1_left_q != '0;
            next_left_q <= f1_left_q;
            next_channel_q <= f1_channel_q;
            next_line_q <= f1_addr_q[31:5] + 27'd1;
        end else if (next_there || next_first || next_second) begin
            next_valid_q <= next_valid_q && next_left_q > AHEAD_W'(1) && next_index != '1;
            next_left_q <= next_left_q - AHEAD_W'(1);
            next_line_q <= {next_line_q[31:5+INDEX_W], next_index + INDEX_W'(1)};
        end else if (start_soon_i) next_valid_q <= 1'b0;
        if (rst_i) begin
            next_valid_q <= 1'b0;
            f0_valid_q <= 1'b0;
            f1_valid_q <= 1'b0;
            ask_valid_q <= 1'b0;
            come_valid_q <= 1'b0;
            owed_q <= 1'b0;
        end
    end

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) if (!rst_i && rsp_valid_i) assert (come_valid_q);
    always_ff @(posedge clk_i) if (!rst_i) assert (!(fetch_busy_o && owed_q));
    // A line that is owed is not lost to one that is read ahead.
    always_ff @(posedge clk_i) if (!rst_i && ask_valid_q && come_valid_q) assert (ask_line_q[5 +: INDEX_W] != fill_index && ask_ahead_q);
`endif

endmodule
`default_nettype wire
