// Moves tokens between the token deques of an SM and the warps' queues in memory, ahead of need, and looks for yield tokens there.
//
// It is at one warp at a time (at_o), goes round, and at once to the one whose operation waits (waits_i, warp_i). What is to be done there
// comes from token_deque (begin_i, way_i; place_i is the token's place in the queue):
//   OUT_FRONT, OUT_BACK  take_o: the token is read in this cycle, ram_i in the next; it is written to memory
//   IN                   the line with the token is read, then put_o for it and those behind it in the line, while more_i
//   search_i             an operation looks for a yield token with want_addr_i in memory, from the last one on towards the front (from line to
//                        line, a token a cycle): found_o, and its mask with want_mask_i goes back to memory; or none_o
// begin_i is heeded and may_i waited for: token_deque does nothing else with the warp, and its RAM is free.
// busy_o: something of warp at_o is under way, so that its queue in memory is not as the deque has it. failed_o: the memory answered with an
// error, or is not there; the token is lost.
// Latency: a token is out of the RAM in the cycle of take_o; from begin_i to the first put_o 5 cycles and those of the memory. Throughput: a
// token out in three cycles, as long as the memory takes them, a line (32 bytes) of tokens in.
// Protocol of memory: four writes of one warp may be under way, one read. A request that is not valid is all zeros.
// Trace: TOKEN_MOVE; for a token out in the cycle after take_o.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/isa.svh"
`include "gen/trace.svh"
`include "coverage.svh"
`include "token.svh"

module token_mover #(
    parameter int THREADS = 32,
    parameter int WARPS = 2,
    parameter int CHANNELS = 2,
    parameter int PLACE_W = 14,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1,
    localparam int BITS = `TOKEN_BITS(THREADS)
) (
    input  wire                      clk_i,
    input  wire                      rst_i,
    input  wire  [32:12]             base_i,       // of the queue of warp 0, physical; 32: it is past the end of all addresses
    input  wire  [PLACE_W-1:0]       size_i,       // places of a queue, one bit
    input  wire                      waits_i,
    input  wire  [WARP_W-1:0]        warp_i,
    output logic [WARP_W-1:0]        at_o,
    output logic                     busy_o,
    input  wire                      may_i,
    input  wire                      begin_i,
    input  wire  [1:0]               way_i,
    input  wire                      search_i,
    input  wire  [PLACE_W-1:0]       place_i,
    output logic                     take_o,
    input  wire  [BITS-1:0]          ram_i,
    input  wire                      more_i,       // another token behind this one, and room for it
    output logic                     put_o,
    output logic [BITS-1:0]          token_o,      // put, or found
    output logic [PLACE_W-1:0]       token_place_o,
    input  wire  [`TOKEN_ADDR_W-1:0] want_addr_i,
    input  wire  [THREADS-1:0]       want_mask_i,
    output logic                     gives_o,      // place_i is that of the last token in memory
    output logic                     looks_o,      // .. of the first one
    output logic                     found_o,
    output logic                     none_o,
    output logic                     failed_o,
    `REQUEST_OUT(req),
    `ANSWER_IN(rsp),
    `TRACE_TOKEN_MOVE_PORTS
);
    localparam int BYTES = `TOKEN_BYTES(THREADS);
    localparam int WORDS = 32 / BYTES;             // tokens of a line
    localparam int WORD_W = $clog2(WORDS);
    localparam int MOST = 4;                       // writes under way

    typedef enum logic [2:0] {IDLE, TAKE, SEND, AWAIT, GIVE, LOOK} state_t;
    state_t             state_q;
    logic [WARP_W-1:0]  at_q;
    logic [1:0]         way_q;
    logic               search_q, write_q;
    logic [PLACE_W-1:0] place_q;
    // The request is all zeros while there is none: memory_unit reads it without asking.
    logic [31:5]        line_addr_q;
    logic [BITS-1:0]    out, out_q;
    logic [255:0]       line_q;
    logic [2:0]         unanswered_q;

    // The line of the place, and the token in it.
    logic [32:12]      page;
    wire  [31:5]       line = {page[31:12], offset[11:5]};
    logic [31:0]       offset;
    logic [WORD_W-1:0] word;
    logic [127:0]      memory, out_memory;
    logic [BITS-1:0]   token;

    always_comb begin
        offset = 32'(place_q);
        for (int b = 0; b < WARP_W; b++) if (at_q[b]) offset = offset | (32'(size_i) << b);
        offset = offset * BYTES;
    end
    assign page = base_i + 21'(offset[31:12]);
    assign word = place_q[WORD_W-1:0];
    always_comb begin
        memory = '0;
        for (int w = 0; w < WORDS; w++) if (word == WORD_W'(w)) memory = 128'(line_q[8*BYTES*w +: 8*BYTES]);
    end
    assign token = `TOKEN_FROM_MEMORY(memory, THREADS);
    assign token_o = token;
    assign token_place_o = place_q;
    assign out_memory = `TOKEN_TO_MEMORY(out_q, THREADS);

    // What is done in this cycle.
    logic starts, sends, fetched, outside, last;

    assign gives_o = state_q == GIVE;
    assign looks_o = state_q == LOOK;
    assign busy_o = state_q != IDLE || unanswered_q != '0;
    assign at_o = at_q;
    assign starts = state_q == IDLE && begin_i && may_i && (search_i || way_i == `TOKEN_MOVE_IN || unanswered_q != 3'(MOST));
    assign take_o = starts && !search_i && way_i != `TOKEN_MOVE_IN;
    assign outside = page[32];
    assign sends = req_valid_o && req_ready_i;
    assign fetched = state_q == AWAIT && rsp_valid_i && unanswered_q == 3'd1;  // answers come in order: the read's is the last
    assign put_o = state_q == GIVE && may_i && more_i && !search_i;
    assign last = word == WORD_W'(WORDS - 1);
    assign found_o = state_q == LOOK && `TOKEN_KIND(token, THREADS) == `KIND_YIELD && `TOKEN_ADDR(token, THREADS) == want_addr_i;
    assign none_o = state_q == LOOK && search_i && !found_o && (`TOKEN_KIND(token, THREADS) != `KIND_YIELD || place_q == place_i);
    assign failed_o = (rsp_valid_i && rsp_fault_i != `ANSWER_GOOD) || (state_q == TAKE && outside);

    always_ff @(posedge clk_i) begin
        case (state_q)
            IDLE: begin
                if (starts) begin
                    state_q <= TAKE;
                    place_q <= place_i;
                    way_q <= way_i;
                    search_q <= search_i;
                    write_q <= take_o;
                end else if (unanswered_q == '0) begin
                    at_q <= waits_i ? warp_i : 32'(at_q) == WARPS - 1 ? '0 : at_q + WARP_W'(1);
                end
            end
            TAKE: state_q <= outside ? IDLE : SEND;
            SEND: if (sends) state_q <= write_q ? IDLE : AWAIT;
            AWAIT: if (fetched) state_q <= rsp_fault_i != `ANSWER_GOOD ? IDLE : search_q ? LOOK : GIVE;
            GIVE: begin
                // Whoever waits for something else is not kept waiting: what is not put yet stays in memory. Nothing moves under a search.
                if (put_o) place_q <= place_q + PLACE_W'(1);
                if ((put_o && last) || !more_i || search_i || (waits_i && warp_i != at_q)) state_q <= IDLE;
            end
            default: begin
                if (!search_i) begin
                    state_q <= IDLE;
                end else if (found_o) begin
                    write_q <= 1'b1;
                    state_q <= SEND;
                end else if (none_o) begin
                    state_q <= IDLE;
                end else begin
                    place_q <= place_q - PLACE_W'(1);
                    if (word == '0) state_q <= TAKE;
                end
            end
        endcase
        if (fetched) line_q <= rsp_data_i;
        unanswered_q <= unanswered_q + 3'(sends) - 3'(rsp_valid_i);
        if (rst_i) begin
            state_q <= IDLE;
            unanswered_q <= '0;
            at_q <= '0;
        end
    end

    always_comb begin
        out = state_q == LOOK ? token : ram_i;
        if (state_q == LOOK) `TOKEN_MASK(out, THREADS) = `TOKEN_MASK(token, THREADS) | want_mask_i;
    end
    always_ff @(posedge clk_i) begin
        if (rst_i || sends) begin
            line_addr_q <= '0;
            out_q <= '0;
        end else if ((state_q == TAKE && !outside) || (found_o && search_i)) begin
            line_addr_q <= line;
            out_q <= out;
        end
    end

    assign req_valid_o = state_q == SEND;
    assign req_op_o = req_valid_o && write_q ? `REQUEST_WRITE : `REQUEST_READ;
    assign req_atom_o = 4'd0;
    assign req_channel_o = '0;  // the address is physical
    assign req_addr_o = {line_addr_q, 5'd0};
    assign req_wdata_o = {WORDS{out_memory[8*BYTES-1:0]}};
    always_comb begin
        req_wstrb_o = '0;
        for (int w = 0; w < WORDS; w++) if (req_valid_o && write_q && word == WORD_W'(w)) req_wstrb_o[BYTES*w +: BYTES] = '1;
    end

    // Trace.
    logic [127:0] moved;
    assign moved = put_o ? memory : `TOKEN_TO_MEMORY(ram_i, THREADS);
    assign trace_token_move_valid_o = put_o || (state_q == TAKE && write_q);
    assign trace_token_move_warp_o = 8'(at_q);
    assign trace_token_move_way_o = way_q;
    assign trace_token_move_place_o = 16'(place_q);
    assign trace_token_move_token_lo_o = moved[63:0];
    assign trace_token_move_token_hi_o = moved[127:64];

    wire unused = &{1'b0, out_memory};

`ifndef SYNTHESIS
    initial if (32 % BYTES != 0) $error("a line holds whole tokens");
    always_ff @(posedge clk_i) if (!rst_i) begin
        assert (unanswered_q <= 3'(MOST + 1));
        assert (!(rsp_valid_i && unanswered_q == '0));
        if (search_i) assert (warp_i == at_q);
        if (state_q == LOOK || state_q == AWAIT) assert (!write_q);
        if (put_o) assert (!search_q);
    end
    always_ff @(posedge clk_i) if (!rst_i) begin
        `COVER(out_front, take_o && way_i == `TOKEN_MOVE_OUT_FRONT)
        `COVER(out_back, take_o && way_i == `TOKEN_MOVE_OUT_BACK)
        `COVER(in, put_o)
        `COVER(in_line_ends, put_o && last)
        `COVER(in_left_for_other, state_q == GIVE && more_i && !put_o && waits_i && warp_i != at_q)
        `COVER(found, found_o && search_i)
        `COVER(found_not, none_o)
        `COVER(look_for_nobody, state_q == LOOK && !search_i)
        `COVER(next_line, state_q == LOOK && !found_o && !none_o && word == '0)
        `COVER(writes_under_way, unanswered_q == 3'(MOST))
        `COVER(failed_write, failed_o && rsp_valid_i && state_q != AWAIT)
        `COVER(failed_read, failed_o && fetched)
        `COVER(outside, state_q == TAKE && outside)
    end
`endif
endmodule
`default_nettype wire
