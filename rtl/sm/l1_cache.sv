// The level 1 data cache of a multiprocessor: stands between load_store and its port of the memory unit.
//
// L1_LINES lines of 32 bytes, L1_WAYS of them in a set, by physical line address (the channel's base is added), so channels never see each
// other's data. Writes and atomics go through to memory. What a line holds is what memory holds at that moment, always:
//   - a write or atomic of anybody takes the line out in the cycle in which it is performed (snoop_*), own ones too;
//   - changed_i (memory was changed behind the PPU's back, before this cycle) takes all lines out; in its cycle nothing hits;
//   - a line that is on its way is not kept when one of the two happens while its read waits for its answer, or with it: the read may
//     have been performed before. (The memory unit answers in order, so an answer may come long after its line was read.)
// So a hit is a read that is performed in the cycle in which it hits (event L1_HIT, of before the request that memory performs in
// the same cycle). A read whose line has an unanswered write or atomic of this SM goes to memory behind it.
//
// A read whose line is on its way joins the read that asked for it (event L1_HIT, joined): it is performed with that one, or in this cycle
// when that one has been, and gets the same answer, a fault too. Only a line that would be kept is joined, so nothing has been written to it
// since it was asked for; a write or atomic of this SM that goes to memory makes the reads of its line in front of it such that are neither
// joined nor kept.
//
// in_*: a request, taken with in_ready_o; it goes on to memory (out_*) in the same cycle unless it hits or joins. It names a place for its
// answer, which the answer (ans_*) names again; one that joins has the place of the read that it joins (join_place_o), and no answer of its
// own. Answers come one a cycle, never held up: those of memory in their order and at once, a hit's in the next cycle that has none of memory.
// At most LSU_DEPTH requests are unanswered. Throughput: a hit a cycle, a read that joins a cycle.
// Counters: reads that hit or join, and reads that went to memory.
`default_nettype none
`include "gen/bundles.svh"
`include "coverage.svh"

module l1_cache #(
    parameter int CHANNELS = 4,
    parameter int L1_LINES = 32,
    parameter int L1_WAYS = 2,
    parameter int LSU_DEPTH = 8,
    parameter int INJECT = 0,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1,
    localparam int PLACE_W = $clog2(LSU_DEPTH)
) (
    input  wire                  clk_i,
    input  wire                  rst_i,
    input  wire  [7:0]           inject_i,
    input  wire                  enable_i,
    input  wire                  changed_i,
    `SNOOP_IN(snoop),
    `SPACE_INS(space, CHANNELS),
    // a request; what else belongs to it goes past this module
    input  wire                  in_valid_i,
    output logic                 in_ready_o,
    input  wire                  in_read_i,
    input  wire  [CHANNEL_W-1:0] in_channel_i,
    input  wire  [31:0]          in_addr_i,
    input  wire  [PLACE_W-1:0]   in_place_i,
    output logic                 hit_o,         // it is taken and does not go to memory:
    output logic                 joins_o,       // it waits for an answer that another one has asked for
    output logic [PLACE_W-1:0]   join_place_o,  // .. which comes to this place
    // to memory, and back
    output logic                 out_valid_o,
    input  wire                  out_ready_i,
    `ANSWER_IN(rsp),
    // answers
    output logic                 ans_valid_o,
    output logic [PLACE_W-1:0]   ans_place_o,
    output logic                 ans_hit_o,     // its line is ans_data_o, not what memory answers in this cycle
    output logic [255:0]         ans_data_o,
    output logic [1:0]           ans_fault_o,
    // counters
    output logic [31:0]          all_hits_o,
    output logic [31:0]          all_misses_o
);

    localparam int SETS = L1_LINES / L1_WAYS;
    localparam int SET_W = $clog2(SETS);
    localparam int TAG_W = 27 - SET_W;
    localparam int INDEX_W = $clog2(L1_LINES);

    // ---- the lines ----
    logic [L1_LINES-1:0] valid_q;               // line of way w of set s: s * L1_WAYS + w
    logic [TAG_W-1:0] tag_q [L1_LINES];
    (* no_rw_check, ram_style = "block" *) logic [255:0] data_mem_q [L1_LINES];
    logic [255:0]     data_q;
    logic [SETS-1:0]  victim_q;              // the way of each set that is filled next (of two)

    // ---- the request ----
    logic [31:2] physical;
    logic        outside;
    address_space #(.CHANNELS(CHANNELS), .INJECT(0)) u_address_space (
        .direct_i(1'b0), .inject_i, .space_base_i, .space_size_i, .channel_i(in_channel_i), .addr_i(in_addr_i[31:2]), .physical_o(physical), .outside_o(outside)
    );
    wire [26:0] line = physical[31:5];
    wire [SET_W-1:0] set = line[SET_W-1:0];
    wire unused = &{1'b0, physical[4:2], in_addr_i[1:0], snoop_addr_i[4:0], inject_i};

    // ---- requests that memory has not answered, oldest first ----
    logic [26:0]                  line_q [LSU_DEPTH];
    (* no_rw_check *) logic [26:0] head_line_mem_q [LSU_DEPTH];  // the same, read one by one
    logic [LSU_DEPTH*PLACE_W-1:0] place_q;                  // of the answer
    (* no_rw_check *) logic [PLACE_W-1:0] head_place_mem_q [LSU_DEPTH];  // the same, read one by one
    logic [LSU_DEPTH-1:0]         used_q, fill_q, write_q;  // fill: a read whose line is to be kept
    logic [PLACE_W-1:0]           head_q, tail_q;

    logic [LSU_DEPTH-1:0] snooped;  // the line is written in this cycle
    logic               match, behind_write, on_its_way;
    logic [INDEX_W-1:0] match_index;
    always_comb begin
        match = 1'b0;
        match_index = '0;
        for (int w = 0; w < L1_WAYS; w++)
            if (valid_q[32'(set)*L1_WAYS + w] && tag_q[32'(set)*L1_WAYS + w] == line[26:SET_W]) begin
                match = 1'b1;
                match_index = INDEX_W'(32'(set)*L1_WAYS + w);
            end
        behind_write = 1'b0;
        on_its_way = 1'b0;
        join_place_o = '0;
        for (int i = 0; i < LSU_DEPTH; i++)
            if (used_q[i] && line_q[i] == line) begin
                if (write_q[i]) behind_write = 1'b1;
                // Of a line there is one such read at most.
                if (fill_q[i]) begin
                    on_its_way = 1'b1;
                    join_place_o = join_place_o | place_q[i*PLACE_W +: PLACE_W];
                end
            end
    end

    logic               hit_valid_q;  // a hit waits to be answered
    logic [PLACE_W-1:0] hit_place_q;
    logic               keep;         // the answer's line is kept
    wire may_hit = in_valid_i && in_read_i && enable_i && !changed_i && !outside;
    wire hit = may_hit && match && !behind_write;
    wire may_join = may_hit && on_its_way;
    // An answer that is a fault has been told of (event BUS_ERROR): nothing joins it any more.
    wire joins = may_join && !(rsp_valid_i && rsp_fault_i != `ANSWER_GOOD);
    // An answer that may be kept writes the lines: a hit waits, whether it is kept in the end (a snoop says so late in the cycle) or not.
    wire hit_now = hit && !(rsp_valid_i && (fill_q[head_q] || hit_valid_q));
    assign hit_o = hit_now || joins;
    assign joins_o = joins;
    assign out_valid_o = in_valid_i && !hit && !may_join;
    assign in_ready_o = hit_o || (out_valid_o && out_ready_i);
    wire to_memory = out_valid_o && out_ready_i;

    // ---- the answer of memory ----
    wire [26:0]      rsp_line = head_line_mem_q[head_q];
    wire [SET_W-1:0] rsp_set = rsp_line[SET_W-1:0];
    wire [26:0]      snoop_line = snoop_addr_i[31:5];
    wire [SET_W-1:0] snoop_set = snoop_line[SET_W-1:0];
    always_comb for (int i = 0; i < LSU_DEPTH; i++) snooped[i] = snoop_valid_i && line_q[i] == snoop_line;
    assign keep = rsp_valid_i && fill_q[head_q] && rsp_fault_i == `ANSWER_GOOD && enable_i && !changed_i && !snooped[head_q];

    // The line is not there already: a read goes to memory although it is only behind a write of it, which takes it out before the answer comes.
    wire [INDEX_W-1:0] keep_index = INDEX_W'(32'(rsp_set)*L1_WAYS + ((L1_WAYS > 1) ? 32'(victim_q[rsp_set]) : 0));

    always_ff @(posedge clk_i) begin
        // Defect 60: the line that is written stays.
        for (int w = 0; w < L1_WAYS; w++)
            if (snoop_valid_i && tag_q[32'(snoop_set)*L1_WAYS + w] == snoop_line[26:SET_W] && !(INJECT != 0 && inject_i == 8'd60))
                valid_q[32'(snoop_set)*L1_WAYS + w] <= 1'b0;
        if (keep) begin
            valid_q[keep_index] <= 1'b1;
            tag_q[keep_index] <= rsp_line[26:SET_W];
            data_mem_q[keep_index] <= rsp_data_i;
            victim_q[rsp_set] <= !victim_q[rsp_set];
        end
        if (hit_now) data_q <= data_mem_q[match_index];
        if (hit_now) hit_place_q <= in_place_i;
        hit_valid_q <= hit_now || (hit_valid_q && rsp_valid_i);

        for (int i = 0; i < LSU_DEPTH; i++)
            // Defect 61: a line that is written while it is on its way is joined, and kept, as it was.
            if (changed_i || !enable_i || ((snooped[i] || (out_valid_o && !in_read_i && line_q[i] == line)) &&
                                          !(INJECT != 0 && inject_i == 8'd61)))
                fill_q[i] <= 1'b0;
        if (rsp_valid_i) begin
            used_q[head_q] <= 1'b0;
            head_q <= head_q + PLACE_W'(1);
        end
        if (to_memory) begin
            used_q[tail_q] <= 1'b1;
            line_q[tail_q] <= line;
            head_line_mem_q[tail_q] <= line;
            for (int i = 0; i < LSU_DEPTH; i++) if (tail_q == PLACE_W'(i)) place_q[i*PLACE_W +: PLACE_W] <= in_place_i;
            head_place_mem_q[tail_q] <= in_place_i;
            fill_q[tail_q] <= in_read_i && enable_i && !outside && !changed_i;
            write_q[tail_q] <= !in_read_i && !outside;  // outside the space nothing is written
            tail_q <= tail_q + PLACE_W'(1);
        end
        if (changed_i || !enable_i) valid_q <= '0;
        if (rst_i) begin
            valid_q <= '0;
            victim_q <= '0;
            hit_valid_q <= 1'b0;
            used_q <= '0;
            head_q <= '0;
            tail_q <= '0;
        end
    end

    assign ans_valid_o = rsp_valid_i || hit_valid_q;
    assign ans_place_o = rsp_valid_i ? head_place_mem_q[head_q] : hit_place_q;
    assign ans_hit_o = !rsp_valid_i;
    assign ans_data_o = data_q;
    assign ans_fault_o = rsp_valid_i ? rsp_fault_i : `ANSWER_GOOD;

    // ---- counters ----
    wire counts = in_valid_i && in_ready_o && in_read_i;
    always_ff @(posedge clk_i) begin
        if (counts && hit_o) all_hits_o <= all_hits_o + 32'd1;
        if (counts && !hit_o) all_misses_o <= all_misses_o + 32'd1;
        if (rst_i) begin
            all_hits_o <= '0;
            all_misses_o <= '0;
        end
    end

`ifndef SYNTHESIS
    initial if (LSU_DEPTH != (1 << PLACE_W) || L1_WAYS > 2 || SETS < 2 || L1_LINES != (1 << INDEX_W)) $error("l1_cache: numbers that do not fit");
    always_ff @(posedge clk_i)
        if (!rst_i) begin
            if (to_memory) assert (!used_q[tail_q]);
            if (rsp_valid_i) assert (used_q[head_q] && rsp_line == line_q[head_q]);
            assert (!(hit && may_join));
            for (int w = 0; w < L1_WAYS; w++) assert (!(keep && valid_q[32'(rsp_set)*L1_WAYS + w] && tag_q[32'(rsp_set)*L1_WAYS + w] == rsp_line[26:SET_W]));
            for (int i = 0; i < LSU_DEPTH; i++)
                for (int j = 0; j < LSU_DEPTH; j++) assert (j >= i || !(used_q[i] && fill_q[i] && used_q[j] && fill_q[j] && line_q[i] == line_q[j]));
        end
    always_ff @(posedge clk_i) if (!rst_i) begin
        `COVER(hit, hit_now)
        `COVER(hit_kept_waiting, hit && !hit_now)
        `COVER(joined, joins)
        `COVER(joined_with_its_answer, joins && rsp_valid_i && used_q[head_q] && fill_q[head_q] && line_q[head_q] == line)
        `COVER(joined_behind_a_write, joins && behind_write)
        `COVER(joined_while_written, joins && snoop_valid_i && snoop_line == line)
        `COVER(not_joined_to_a_fault, may_join && !joins)
        `COVER(not_joined_once_written, in_valid_i && in_read_i && enable_i && used_q[head_q] && !write_q[head_q] && !fill_q[head_q] && line_q[head_q] == line)
        `COVER(behind_write, in_valid_i && in_read_i && enable_i && match && behind_write)
        `COVER(outside, in_valid_i && outside)
        `COVER(written_while_asked, snoop_valid_i && used_q[head_q] && fill_q[head_q] && line_q[head_q] == snoop_line)
        `COVER(written_while_answered, rsp_valid_i && fill_q[head_q] && snoop_valid_i && snoop_line == rsp_line)
        `COVER(line_taken_away, snoop_valid_i && valid_q[32'(snoop_set)*L1_WAYS] && tag_q[32'(snoop_set)*L1_WAYS] == snoop_line[26:SET_W])
        `COVER(replaced, keep && valid_q[keep_index])
        `COVER(off, in_valid_i && !enable_i)
        `COVER(bus_error, rsp_valid_i && rsp_fault_i == `ANSWER_BUS_ERROR)
    end
`endif

endmodule
`default_nettype wire
