// GP fetch: chooses the channel to serve, reads its GP entries and command blocks, and hands the words to the method parser.
//
// Choice: among the channels that can go on, the highest priority, in turn within a priority; every eighth choice takes the
// next channel in turn whatever its priority, so that the lowest is never starved. A channel is left when its entry is finished, when
// its method waits (WFI, acquire, full task unit), after YIELD, after 64 methods while another channel can go on, or on a fault.
// Memory: one request at a time on port 0, always the read of a line. A GP entry is read anew each time. The line of a command block
// is kept only while its channel is being served, and only for the entry that it was read for.
// Protocol to the parser: run_valid_o stays high, with run_* unchanged, until run_done_i (may be the same cycle).
// hold_i/quiet_o: while hold_i is high nothing new is begun; quiet_o says that nothing is under way.
// Throughput: a word a cycle from the line; a line costs the memory's latency + 3 cycles, a GP entry the same + 5.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/methods.svh"
`include "gen/registers.svh"
`include "gen/trace.svh"
`include "coverage.svh"

module gp_fetch #(
    parameter int CHANNELS = 4,
    parameter int INJECT = 0,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1
) (
    input  wire                    clk_i,
    input  wire                    rst_i,
    input  wire  [7:0]             inject_i,

    input  wire                    hold_i,
    output logic                   quiet_o,

    // registers of the channels
    `GP_RING_INS(ring, CHANNELS),
    `GP_GET_OUT(gp_get),
    `UNIT_FAULT_OUT(fault),
    output logic [CHANNELS*32-1:0] get_o,         // address of the next word of the command block
    output logic                   serving_o,     // a channel is being served
    output logic                   fetching_o,    // it waits for a read
    output logic [CHANNEL_W-1:0]   serving_channel_o,

    // method parser
    `RUN_OUT(run),
    input  wire  [CHANNELS-1:0]    held_i,        // the parser holds a method of the channel
    input  wire  [CHANNELS-1:0]    held_ready_i,  // and it can be tried again

    // port 0 of the memory unit (reads only)
    `REQUEST_OUT(mem_req),
    `ANSWER_IN(mem_rsp),

    `TRACE_GP_ENTRY_PORTS,
    `TRACE_GP_GET_PORTS
);
    typedef enum logic [3:0] {
        F_CHOOSE, F_ENTRY, F_ENTRY_REQUEST, F_ENTRY_WAIT, F_BEGIN, F_CHECK, F_RUN, F_LINE_REQUEST, F_LINE_WAIT, F_HELD, F_FINISH, F_FAULT,
        F_READ = 4'd13
    } state_t;
    localparam logic [5:0] TURN_METHODS = 6'd63;

    // Deliberate defects: 20 wraps GP_GET one entry late, 26 takes a GP entry from the line that was read last when the one before stood in the same line.
    wire inject_wrap = (INJECT != 0) && inject_i == 8'd20;
    wire inject_stale = (INJECT != 0) && inject_i == 8'd26;
    wire unused = &{1'b0, inject_i};

    state_t                state_q, state_d;
    logic [CHANNEL_W-1:0]  channel_q, channel_d;
    logic [7:0]            code_q, code_d;
    logic [31:0]           info_q, info_d;
    // The line of the entry, then that of its block. Flip-flops: a block RAM's answer comes 5 ns later in the cycle, and all that is run follows on it.
    logic [255:0]          line_q;
    logic [63:0]           pair_q;               // two words of it
    logic [26:0]           line_addr_q;
    logic                  line_valid_q, line_valid_d;
    logic                  started_q;            // the parser is at work on the word shown
    logic [5:0]            turn_q, turn_d;

    // Each channel's place in its entry.
    logic [CHANNELS-1:0]    busy_q;
    logic [CHANNELS*32-1:0] block_q;
    logic [CHANNELS*21-1:0] left_q;

    // ---- the channel being served ----
    wire [31:0] gp_base = ring_base_i[channel_q*32 +: 32];
    wire [31:0] gp_entries = ring_entries_i[channel_q*32 +: 32];
    wire [31:0] gp_put = ring_put_i[channel_q*32 +: 32];
    wire [15:0] gp_get = ring_get_i[channel_q*16 +: 16];
    wire [31:0] block = block_q[channel_q*32 +: 32];
    logic [20:0] left;
    always_comb begin
        left = '0;
        for (int c = 0; c < CHANNELS; c++) if (channel_q == CHANNEL_W'(c)) left = left_q[c*21 +: 21];
    end
    wire        alive = ring_enable_i[channel_q] && !ring_faulted_i[channel_q];
    wire        busy = busy_q[channel_q];

    wire        entries_bad = gp_entries < 32'd2 || gp_entries > 32'd65536;
    wire        put_bad = gp_put >= gp_entries;
    wire        get_bad = {16'd0, gp_get} >= gp_entries;
    wire [32:0] entry_addr = {1'b0, gp_base} + {14'd0, gp_get, 3'd0};
    wire [16:0] gp_next = {1'b0, gp_get} + 17'd1;
    wire        wraps = {15'd0, gp_next} == gp_entries + {31'd0, inject_wrap};
    // The entry, or the word that is shown and its neighbour. They are read in F_READ, and again when a word has been taken: then those of the next one.
    wire [1:0]  pair = line_valid_q ? block[4:3] + 2'(state_q == F_RUN && block[2]) : entry_addr[4:3];
    wire [31:0] entry0 = pair_q[31:0];
    wire [31:0] entry1 = pair_q[63:32];
    wire        line_hit = line_valid_q && line_addr_q == block[31:5];

    // ---- choice of a channel ----
    logic [CHANNELS-1:0] ready;
    for (genvar g = 0; g < CHANNELS; g++) begin : g_ready
        assign ready[g] = ring_enable_i[g] && !ring_faulted_i[g]
                          && (held_i[g] ? held_ready_i[g] : busy_q[g] || ring_put_i[g*32 +: 32] != {16'd0, ring_get_i[g*16 +: 16]});
    end
    logic                 pick_valid;
    logic [CHANNEL_W-1:0] pick;
    channel_choice #(.CHANNELS(CHANNELS)) u_choice (
        .clk_i, .rst_i, .ready_i(ready), .priority_i(ring_priority_i), .take_i(state_q == F_CHOOSE && state_d != F_CHOOSE),
        .pick_valid_o(pick_valid), .pick_o(pick)
    );
    logic another;  // somebody else could go on
    always_comb begin
        another = 1'b0;
        for (int c = 0; c < CHANNELS; c++) if (ready[c] && CHANNEL_W'(c) != channel_q) another = 1'b1;
    end

    // ---- a word, or the method held, for the parser ----
    wire run_word_valid = state_q == F_RUN && (started_q || (!hold_i && alive && busy)) && left != 21'd0 && line_hit;
    assign run_valid_o = run_word_valid || state_q == F_HELD;

    // ---- what happens next ----
    logic consume;      // the word shown has been taken
    logic begin_block;  // the entry names a command block
    always_comb begin
        state_d = state_q;
        channel_d = channel_q;
        code_d = code_q;
        info_d = info_q;
        line_valid_d = line_valid_q;
        turn_d = turn_q;
        consume = 1'b0;
        begin_block = 1'b0;
        case (state_q)
            F_CHOOSE: begin
                line_valid_d = 1'b0;
                turn_d = 6'd0;
                if (!hold_i && pick_valid) begin
                    channel_d = pick;
                    if (held_i[pick]) state_d = F_HELD;
                    else if (busy_q[pick]) state_d = F_RUN;
                    else state_d = F_ENTRY;
                end
            end

            F_ENTRY: begin
                code_d = `FAULT_GPPTR;
                info_d = entries_bad ? gp_entries : put_bad ? gp_put : {16'd0, gp_get};
                state_d = F_FAULT;
                if (!entries_bad && !put_bad && !get_bad) begin
                    code_d = `FAULT_GPFIFO;
                    info_d = entry_addr[31:0];
                    if (inject_stale && !entry_addr[32] && entry_addr[4:3] != 2'd0) state_d = F_READ;
                    else if (!entry_addr[32]) state_d = F_ENTRY_REQUEST;
                end
            end
            F_ENTRY_REQUEST: if (mem_req_ready_i) state_d = F_ENTRY_WAIT;
            F_ENTRY_WAIT: if (mem_rsp_valid_i) begin
                if (mem_rsp_fault_i == `ANSWER_BUS_ERROR) code_d = `FAULT_BUS_ERROR;
                state_d = F_READ;
                if (mem_rsp_fault_i != `ANSWER_GOOD) state_d = F_FAULT;
            end
            F_READ: begin
                state_d = F_BEGIN;
                if (line_valid_q) state_d = F_RUN;
            end
            F_BEGIN: state_d = F_CHECK;
            F_CHECK: begin
                info_d = entry1;
                code_d = `FAULT_GPENTRY;
                if (entry1[`GP_ENTRY1_LENGTH] == 21'd0) begin
                    state_d = F_FAULT;
                    if (entry1[`GP_ENTRY1_OPCODE] == `GP_ENTRY1_OPCODE_NOP) state_d = F_FINISH;
                end else if (entry1[`GP_ENTRY1_GET_HI] != 8'd0) state_d = F_FAULT;
                else begin
                    begin_block = 1'b1;
                    state_d = F_RUN;
                end
            end

            F_RUN: begin
                if (started_q || !hold_i) begin
                    if (!started_q && !(alive && busy)) state_d = F_CHOOSE;  // disabled or reset meanwhile
                    else if (left == 21'd0) state_d = F_FINISH;
                    else if (!line_hit) state_d = F_LINE_REQUEST;
                    else consume = run_done_i;
                end
            end
            F_LINE_REQUEST: if (mem_req_ready_i) state_d = F_LINE_WAIT;
            F_LINE_WAIT: if (mem_rsp_valid_i) begin
                code_d = mem_rsp_fault_i == `ANSWER_BUS_ERROR ? `FAULT_BUS_ERROR : `FAULT_PBFETCH;
                info_d = block;
                line_valid_d = 1'b1;
                state_d = F_READ;
                if (mem_rsp_fault_i != `ANSWER_GOOD) state_d = F_FAULT;
            end

            F_HELD: ;
            F_FINISH, F_FAULT: state_d = F_CHOOSE;
            default: state_d = F_CHOOSE;
        endcase

        if (run_valid_o && run_done_i) begin
            case (run_result_i)
                `RUN_METHOD: begin
                    turn_d = turn_q + 6'd1;
                    state_d = F_RUN;
                    if (turn_q == TURN_METHODS && another) state_d = F_CHOOSE;
                end
                `RUN_HELD, `RUN_YIELD: state_d = F_CHOOSE;
                `RUN_FAULT: begin
                    code_d = run_code_i;
                    info_d = run_info_i;
                    state_d = F_FAULT;
                end
                `RUN_END: state_d = F_FINISH;
                default: ;
            endcase
        end
    end

    always_ff @(posedge clk_i) begin
        if (rst_i) begin
            state_q <= F_CHOOSE;
            channel_q <= '0;
            code_q <= 8'd0;
            info_q <= 32'd0;
            line_valid_q <= 1'b0;
            started_q <= 1'b0;
            turn_q <= 6'd0;
        end else begin
            state_q <= state_d;
            channel_q <= channel_d;
            code_q <= code_d;
            info_q <= info_d;
            line_valid_q <= line_valid_d;
            started_q <= run_valid_o && !run_done_i;
            turn_q <= turn_d;
        end
    end

    always_ff @(posedge clk_i) begin
        if (mem_rsp_valid_i) line_q <= mem_rsp_data_i;
        for (int i = 0; i < 4; i++) if ((state_q == F_READ || consume) && pair == 2'(i)) pair_q <= line_q[i*64 +: 64];
        if (rst_i) line_addr_q <= 27'd0;
        else if (mem_rsp_valid_i) line_addr_q <= mem_req_addr_o[31:5];
    end

    for (genvar g = 0; g < CHANNELS; g++) begin : g_channel
        wire mine = channel_q == CHANNEL_W'(g);
        always_ff @(posedge clk_i) begin
            if (rst_i || ring_reset_i[g] || (mine && state_q == F_FINISH)) busy_q[g] <= 1'b0;
            else if (mine && state_q == F_BEGIN) busy_q[g] <= 1'b1;
            if (rst_i) begin
                block_q[g*32 +: 32] <= 32'd0;
            end else if (mine) begin
                if (begin_block) block_q[g*32 +: 32] <= {entry0[`GP_ENTRY0_GET], 2'd0};
                else if (consume) block_q[g*32 +: 32] <= block + 32'd4;
                if (begin_block) left_q[g*21 +: 21] <= entry1[`GP_ENTRY1_LENGTH];
                else if (consume) left_q[g*21 +: 21] <= left - 21'd1;
            end
        end
    end

    assign quiet_o = hold_i && (state_q == F_CHOOSE || (state_q == F_RUN && !started_q));
    assign serving_o = state_q != F_CHOOSE;
    assign fetching_o = state_q == F_ENTRY_REQUEST || state_q == F_ENTRY_WAIT || state_q == F_LINE_REQUEST || state_q == F_LINE_WAIT;
    assign serving_channel_o = channel_q;
    assign get_o = block_q;

    assign run_channel_o = channel_q;
    assign run_held_o = state_q == F_HELD;
    assign run_word_o = block[2] ? entry1 : entry0;

    assign mem_req_valid_o = state_q == F_ENTRY_REQUEST || state_q == F_LINE_REQUEST;
    assign mem_req_op_o = `REQUEST_READ;
    assign mem_req_atom_o = 4'd0;
    assign mem_req_channel_o = channel_q;
    assign mem_req_addr_o = (state_q == F_ENTRY_REQUEST || state_q == F_ENTRY_WAIT) ? {entry_addr[31:5], 5'd0} : {block[31:5], 5'd0};
    assign mem_req_wstrb_o = 32'd0;
    assign mem_req_wdata_o = 256'd0;

    assign gp_get_valid_o = state_q == F_FINISH;
    assign gp_get_channel_o = channel_q;
    assign gp_get_value_o = wraps ? 16'd0 : gp_next[15:0];
    assign fault_valid_o = state_q == F_FAULT;
    assign fault_channel_o = channel_q;
    assign fault_code_o = code_q;
    assign fault_info_o = info_q;

    // ---- trace ----
    assign trace_gp_entry_valid_o = state_q == F_BEGIN;
    assign trace_gp_entry_channel_o = 8'(channel_q);
    assign trace_gp_entry_gp_get_o = gp_get;
    assign trace_gp_entry_entry0_o = entry0;
    assign trace_gp_entry_entry1_o = entry1;
    assign trace_gp_get_valid_o = gp_get_valid_o;
    assign trace_gp_get_channel_o = 8'(channel_q);
    assign trace_gp_get_value_o = gp_get_value_o;

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
        if (!rst_i) begin
            assert (!(mem_rsp_valid_i && state_q != F_ENTRY_WAIT && state_q != F_LINE_WAIT));  // no answer without a request
            assert (!(state_q == F_ENTRY && line_valid_q));                                   // so F_READ knows what was read
            assert (!(state_q == F_FINISH && held_i[channel_q]));                             // nothing is left behind
            assert (!(state_q == F_FAULT && ring_faulted_i[channel_q]));
        end
    end
    always_ff @(posedge clk_i) if (!rst_i) begin
        `COVER(wraps, state_q == F_FINISH && wraps)
        `COVER(left_for_another, run_valid_o && run_done_i && run_result_i == `RUN_METHOD && state_d == F_CHOOSE)
        `COVER(disabled_meanwhile, state_q == F_RUN && !started_q && !hold_i && !(alive && busy))
        `COVER(nop_entry, state_q == F_CHECK && entry1[`GP_ENTRY1_LENGTH] == 21'd0 && entry1[`GP_ENTRY1_OPCODE] == `GP_ENTRY1_OPCODE_NOP)
        `COVER(line_used_again, consume && block[4:2] != 3'd0)
        `COVER(held, run_valid_o && run_done_i && run_result_i == `RUN_HELD)
    end
`endif
endmodule
`default_nettype wire
