// What goes out of shared_memory: portions that have been served, in their order, up to 4 * SHARED_WORDS of them; rows to write (wb_*), one for
// each word of a load or atomic whose result is kept, and the ends of instructions (done_*). wb_partial_o: load_store writes other lanes of the
// portion later. done_valid_o stands until done_taken_i.
//
// While room_o, a portion may be served: its words go into slot_o (write_*: word k of each lane that has its turn, SHARED_WORDS a beat), and
// claim_i takes that slot with what holds for the portion. complete_i: all words of the oldest slot that is not complete are there (not before
// the claim). Throughput: a row or a portion without rows a cycle. Latency: one cycle from complete_i to the first row.
`default_nettype none
`include "gen/bundles.svh"

module shared_results #(
    parameter int THREADS = 32,
    parameter int LANES = 8,
    parameter int WARPS = 4,
    parameter int SHARED_WORDS = 4,
    parameter int REF_W = 8,
    localparam int P = THREADS / LANES,
    localparam int PORTION_W = (P > 1) ? $clog2(P) : 1,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1,
    localparam int WORD_W = LANES * 32,
    localparam int RESULTS_W = $clog2(4 * SHARED_WORDS)
) (
    input  wire                            clk_i,
    input  wire                            rst_i,
    output logic                           room_o,
    output logic [RESULTS_W-1:0]           slot_o,
    // a portion
    input  wire                            claim_i,
    `RESULT_IN(claim),
    input  wire                            claim_keeps_i,    // it has rows
    input  wire  [1:0]                     claim_span_i,     // so many, less one
    input  wire                            claim_last_i,     // of its instruction
    input  wire                            claim_generic_i,
    // its words
    input  wire  [LANES-1:0]               write_turn_i,
    input  wire  [RESULTS_W-1:0]           write_slot_i,
    input  wire  [1:0]                     write_beat_i,
    input  wire  [SHARED_WORDS*WORD_W-1:0] write_data_i,
    input  wire                            complete_i,
    // rows, ends
    `ROW_OUT(wb),
    `DONE_OUT(done),
    input  wire                            done_taken_i,
    // of the generic access
    input  wire  [P-1:0]                   others_i,         // portions in which load_store has threads
    output logic                           part_done_o,
    output logic [PORTION_W-1:0]           part_portion_o,
    output logic                           generic_end_o
);

    localparam int RESULTS = 4 * SHARED_WORDS;
    localparam int BEATS = 4 / SHARED_WORDS;

    // ---- slots, a ring: claimed, complete, gone ----
    logic [RESULTS_W:0] claim_q, complete_q, head_q;
    wire  [RESULTS_W-1:0] head_at = head_q[RESULTS_W-1:0];
    assign room_o = claim_q - head_q != (RESULTS_W+1)'(RESULTS);
    assign slot_o = claim_q[RESULTS_W-1:0];

    (* no_rw_check *) logic [`RESULT_W+4:0] slot_mem_q [RESULTS];
    `RESULT_PAYLOAD(head);
    logic       keeps, last, generic;
    logic [1:0] span;
    assign {`RESULT_PACK(head), keeps, span, last, generic} = slot_mem_q[head_at];

    // ---- words: row r of a slot in column r % SHARED_WORDS ----
    logic [1:0] row_q;  // of the head
    logic [SHARED_WORDS*WORD_W-1:0] words;
    for (genvar w = 0; w < SHARED_WORDS * LANES; w++) begin : g_word
        (* no_rw_check *) logic [31:0] words_q [RESULTS*BEATS];
        always_ff @(posedge clk_i)
            if (write_turn_i[w % LANES]) words_q[4'(32'(write_slot_i) * BEATS + 32'(write_beat_i))] <= write_data_i[w*32 +: 32];
        assign words[w*32 +: 32] = words_q[4'(32'(head_at) * BEATS + 32'(row_q) / SHARED_WORDS)];
    end

    // ---- the head ----
    logic rows_done_q;  // only its end is left
    wire  valid = head_q != complete_q;
    wire  row_end = wb_valid_o && wb_ready_i && row_q == span;
    wire  rows_done = !keeps || rows_done_q || row_end;
    wire  ends = last && !(generic && others_i != '0);  // else load_store ends the instruction
    wire  gone = valid && rows_done && (!ends || done_taken_i);

    assign wb_valid_o = valid && keeps && !rows_done_q;
    assign wb_warp_o = head_warp;
    assign wb_rd_o = head_rd + 8'(row_q);
    assign wb_reg_d_o = head_reg_d + REF_W'(row_q);
    assign wb_portion_o = head_portion;
    assign wb_lanes_o = head_lanes;
    assign wb_partial_o = generic && others_i[head_portion];
    assign wb_data_o = words[(32'(row_q) % SHARED_WORDS)*WORD_W +: WORD_W];
    assign done_valid_o = valid && rows_done && ends;
    assign done_warp_o = head_warp;
    assign part_done_o = gone && generic;
    assign part_portion_o = head_portion;
    assign generic_end_o = gone && generic && last;

    always_ff @(posedge clk_i) begin
        if (claim_i) begin
            slot_mem_q[slot_o] <= {`RESULT_PACK_I(claim), claim_keeps_i, claim_span_i, claim_last_i, claim_generic_i};
            claim_q <= claim_q + (RESULTS_W+1)'(1);
        end
        if (complete_i) complete_q <= complete_q + (RESULTS_W+1)'(1);
        if (wb_valid_o && wb_ready_i) row_q <= row_q + 2'd1;
        if (row_end) rows_done_q <= 1'b1;
        if (gone) begin
            head_q <= head_q + (RESULTS_W+1)'(1);
            row_q <= 2'd0;
            rows_done_q <= 1'b0;
        end
        if (rst_i) begin
            claim_q <= '0;
            complete_q <= '0;
            head_q <= '0;
            row_q <= 2'd0;
            rows_done_q <= 1'b0;
        end
    end

`ifndef SYNTHESIS
    always_ff @(posedge clk_i)
        if (!rst_i) begin
            if (claim_i) assert (room_o);
            if (complete_i) assert (complete_q != claim_q || claim_i);
            assert (claim_q - head_q <= (RESULTS_W+1)'(RESULTS) && claim_q - complete_q <= claim_q - head_q);
        end
`endif

endmodule
`default_nettype wire
