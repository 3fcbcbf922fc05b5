// The answers of the load/store unit's requests, worked off in the order of the requests, whenever they come: takes each thread's value
// out of its line, of LOAD_LANES lanes and of those that want the same a cycle, LOAD_WORDS words of wide accesses of each,
// and writes a portion back once, when all its requests are answered without a
// fault (64 and 128 bits: one register after the other).
//
// Every request is noted (add_*, only while add_ready_o), and asked for after that, in the order of the notes: ask_i, with the place of its
// answer. That is place_o, which is free, or with ask_joins_i the place of a request whose answer has not come before this cycle: both have that
// answer. Answers name the place and are never held up: they wait there, in a RAM that has one for each of the LSU_DEPTH requests that may be noted,
// until the last of those that have it is worked off. The line comes from memory or from a cache (rsp_hit_i). Where one word of a line is taken a
// cycle, both have a RAM that is written a line and read a word at a time, and the choice between them is one of words.
// The instruction is finished (done_valid_o, or fault_valid_o until taken, for the first fault among its answers) when the last request of its last
// portion is answered and the portion is handed to the write-back.
// Latency: 3 cycles from a portion's last answer to its row (wb_*). Throughput: an answer a cycle while no row waits (of wide
// accesses LOAD_WORDS words a cycle, and of more lanes than LOAD_LANES as many cycles as there are groups of them).
`default_nettype none
`include "gen/bundles.svh"
`include "gen/isa.svh"
`include "gen/registers.svh"
`include "coverage.svh"

module load_collect #(
    parameter int LANES = 8,
    parameter int WARPS = 4,
    parameter int LSU_DEPTH = 8,
    parameter int REF_W = 8,
    parameter int PORTION_W = 2,
    parameter int LOAD_WORDS = 4,
    parameter int LOAD_LANES = 8,
    parameter int INJECT = 0,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1,
    localparam int PTR_W = $clog2(LSU_DEPTH)
) (
    input  wire              clk_i,
    input  wire              rst_i,
    input  wire  [7:0]       inject_i,
    // a request
    output logic             add_ready_o,
    input  wire              add_i,
    `NOTE_IN(add),
    // it is asked for
    output logic [PTR_W-1:0] place_o,
    input  wire              ask_i,
    input  wire              ask_joins_i,
    input  wire  [PTR_W-1:0] ask_place_i,  // of one that joins
    // an answer
    input  wire              rsp_valid_i,
    input  wire  [PTR_W-1:0] rsp_place_i,
    input  wire              rsp_hit_i,    // its line is rsp_hit_data_i
    input  wire  [255:0]     rsp_data_i,
    input  wire  [255:0]     rsp_hit_data_i,
    input  wire  [1:0]       rsp_fault_i,
    // the end of an instruction
    `FAULT_FOUND_OUT(fault),
    `DONE_OUT(done),
    // rows to write
    `ROW_OUT(wb)
);

    localparam int COUNT_W = PTR_W + 1;
    localparam bit BY_WORD = LOAD_LANES == 1 && LOAD_WORDS == 1;

    // ---- notes of requests ----
    logic [`NOTE_W-1:0] note_q [LSU_DEPTH];
    logic [PTR_W-1:0]   add_ptr_q, take_ptr_q, ask_ptr_q, read_ptr_q;
    logic [COUNT_W-1:0] notes_q;
    assign add_ready_o = notes_q != COUNT_W'(LSU_DEPTH);

    `NOTE_WIRE(note);  // of the request whose answer is worked off
    assign `NOTE_PACK(note) = note_q[take_ptr_q];

    // ---- answers ----
    (* no_rw_check *) logic [2:0] kind_mem_q [LSU_DEPTH];  // whether it is a hit, and its fault
    logic [2:0]         kind_q;
    logic               answer_valid_q, answer_last_q;
    logic [PTR_W-1:0]   answer_place_q;
    logic               take;
    logic [LSU_DEPTH-1:0] held_q, answered_q;      // of each place: requests have it; their answer is there
    (* no_rw_check *) logic [PTR_W-1:0] place_mem_q [LSU_DEPTH];  // of each note: the place of its answer
    (* no_rw_check *) logic [PTR_W-1:0] last_mem_q [LSU_DEPTH];   // of each place: the last note that has it
    logic [COUNT_W-1:0] asked_q;                  // notes whose place is known and whose answer is not read
    wire  [PTR_W-1:0]   read_place = place_mem_q[read_ptr_q];
    wire                read = asked_q != '0 && answered_q[read_place] && (!answer_valid_q || take);
    wire  [PTR_W-1:0]   ask_place = ask_joins_i ? ask_place_i : place_o;
    always_comb begin
        place_o = '0;
        for (int p = LSU_DEPTH - 1; p >= 0; p--) if (!held_q[p]) place_o = PTR_W'(p);
    end
    wire [1:0]          answer_fault = kind_q[1:0];

    // ---- the portion that is collected ----
    logic [LANES-1:0]    lanes_q;          // lanes answered before, of this portion
    logic                portion_fault_q;
    logic                fault_found_q;   // of this instruction
    logic [1:0]          fault_kind_q;
    logic [31:0]         fault_addr_q;

    logic                 wb_busy_q, wb_last_q;
    logic [1:0]           wb_word_q, wb_last_word_q;
    `RESULT_REG(wb);

    wire wb_end = wb_busy_q && wb_ready_i && wb_word_q == wb_last_word_q;
    logic fault_wait_q;
    logic [1:0] fault_rest_q;  // cycles in which rows of the instruction that have been taken are still to be written: its fault comes behind them
    // Wide accesses: LOAD_WORDS words of all lanes a cycle, the answer leaves with the last of them.
    logic [1:0] beat_q, last_beat;
    always_comb begin
        last_beat = 2'd0;
        if (note_keeps && note_size == `SIZE_64) last_beat = 2'((2 + LOAD_WORDS - 1) / LOAD_WORDS - 1);
        if (note_keeps && note_size == `SIZE_128) last_beat = 2'(4 / LOAD_WORDS - 1);
    end
    wire work = answer_valid_q && !fault_wait_q && (!wb_busy_q || (wb_end && !wb_last_q));
    // Nothing is collected for a portion one of whose answers is a fault.
    wire portion_fault = portion_fault_q || answer_fault != `ANSWER_GOOD;
    wire collects = note_keeps && !portion_fault;
    // Where lanes take turns: the lowest group that has lanes left, and every lane that wants what one of the group's at its place gets.
    localparam int GROUPS = LANES / LOAD_LANES;
    localparam int GROUP_W = (GROUPS > 1) ? $clog2(GROUPS) : 1;
    logic [LANES-1:0]        served_q;  // lanes that have had this beat
    wire  [LANES-1:0]        wanted = note_keeps ? note_lanes & ~served_q : '0;
    logic [LANES-1:0]        turn;
    logic [GROUP_W-1:0]      group;
    logic [LOAD_LANES*5-1:0] low;       // addresses of the group within the line
    always_comb begin
        group = '0;
        low = '0;
        for (int g = GROUPS - 1; g >= 0; g--) if (wanted[g*LOAD_LANES +: LOAD_LANES] != '0) group = GROUP_W'(g);
        for (int g = 0; g < GROUPS; g++) if (group == GROUP_W'(g)) low = low | note_low[g*LOAD_LANES*5 +: LOAD_LANES*5];
        for (int l = 0; l < LANES; l++) turn[l] = wanted[l] && (GROUPS == 1 || note_low[l*5 +: 5] == low[(l % LOAD_LANES)*5 +: 5]);
    end
    wire beat_end = (wanted & ~turn) == '0;
    wire answer_end = beat_end && beat_q == last_beat;
    assign take = work && (answer_end || !collects);

    // The line of the answer, or where it is taken word by word, the word that is next.
    logic [255:0] line;
    logic [31:0]  line_word;
    if (BY_WORD) begin : g_by_word
        (* no_rw_check, ram_style = "block" *) logic [31:0] memory_mem_q [LSU_DEPTH*8];
        (* no_rw_check, ram_style = "block" *) logic [31:0] hit_mem_q [LSU_DEPTH*8];
        (* no_rw_check *) logic [2:0] first_mem_q [LSU_DEPTH];  // of each note: the place of the word that it wants first
        logic [31:0]      memory_word_q, hit_word_q;
        logic [2:0]       add_first, first_q, next_lane, next_word;
        wire  [2:0]       read_first = first_mem_q[read_ptr_q];
        wire  [LANES-1:0] rest = wanted & ~turn;
        wire              stays = answer_valid_q && !answer_end && collects;
        wire  [PTR_W-1:0] word_place = stays ? answer_place_q : read_place;
        wire  [1:0]       beat_next = beat_q + 2'd1;
        always_comb begin
            add_first = add_low_i[2 +: 3];
            next_lane = note_low[2 +: 3];
            for (int l = LANES - 1; l >= 0; l--) if (add_lanes_i[l]) add_first = add_low_i[l*5+2 +: 3];
            for (int l = LANES - 1; l >= 0; l--) if (rest[l]) next_lane = note_low[l*5+2 +: 3];
            next_word = read_first;
            if (stays) next_word = beat_end ? first_q | 3'(beat_next) : next_lane | 3'(beat_q);
        end
        always_ff @(posedge clk_i) begin
            if (add_i) first_mem_q[add_ptr_q] <= add_first;
            if (read) first_q <= read_first;
            if (read || work) memory_word_q <= memory_mem_q[{word_place, next_word}];
            if (read || work) hit_word_q <= hit_mem_q[{word_place, next_word}];
            if (rsp_valid_i)
                for (int i = 0; i < 8; i++) begin
                    memory_mem_q[{rsp_place_i, 3'(i)}] <= rsp_data_i[i*32 +: 32];
                    hit_mem_q[{rsp_place_i, 3'(i)}] <= rsp_hit_data_i[i*32 +: 32];
                end
        end
        assign line = '0;
        assign line_word = kind_q[2] ? hit_word_q : memory_word_q;
    end else begin : g_by_line
        (* no_rw_check, ram_style = "block" *) logic [255:0] answer_mem_q [LSU_DEPTH];
        logic [255:0] answer_q;
        always_ff @(posedge clk_i) begin
            if (read) answer_q <= answer_mem_q[read_place];
            if (rsp_valid_i) answer_mem_q[rsp_place_i] <= rsp_hit_i ? rsp_hit_data_i : rsp_data_i;
        end
        wire unused = &{1'b0, kind_q[2]};
        assign line = answer_q;
        assign line_word = '0;
    end

    wire writes = collects && note_last_of_portion;
    wire any_fault = fault_found_q || answer_fault != `ANSWER_GOOD;
    // The instruction ends with this answer, or with the write-back of its last portion (fault_found_q then tells of its earlier portions).
    wire end_now = work && note_last && !collects;
    wire end_wb = wb_end && wb_last_q;

    assign done_valid_o = (end_now && !any_fault) || (end_wb && !fault_found_q);
    assign done_warp_o = end_wb ? wb_warp_q : note_warp;

    // Word k of a beat is word beat * LOAD_WORDS + k of the access: an access lies aligned in its line.
    localparam int ROWS = 4 / LOAD_WORDS;
    localparam int ROW_W = (ROWS > 1) ? $clog2(ROWS) : 1;
    logic [LOAD_WORDS*LOAD_LANES*32-1:0] value;
    logic [LOAD_WORDS*LANES*32-1:0] held;
    logic [31:0] word;
    logic [2:0]  place;
    always_comb begin
        value = '0;
        word = '0;
        place = '0;
        for (int k = 0; k < LOAD_WORDS; k++)
            for (int u = 0; u < LOAD_LANES; u++) begin
                place = low[u*5+2 +: 3] | 3'(32'(beat_q) * LOAD_WORDS + k);
                word = BY_WORD ? line_word : line[32'(place)*32 +: 32];
                if (k == 0)
                    case (note_size)
                        `SIZE_U8: word = {24'd0, word[32'(low[u*5 +: 2])*8 +: 8]};
                        `SIZE_S8: begin
                            word = {24'd0, word[32'(low[u*5 +: 2])*8 +: 8]};
                            if (!(INJECT != 0 && inject_i == 8'd11)) word[31:8] = {24{word[7]}};
                        end
                        `SIZE_U16: word = {16'd0, low[u*5+1] ? word[31:16] : word[15:0]};
                        `SIZE_S16: begin
                            word = {16'd0, low[u*5+1] ? word[31:16] : word[15:0]};
                            word[31:16] = {16{word[15]}};
                        end
                        default: ;
                    endcase
                value[(k*LOAD_LANES + u)*32 +: 32] = word;
            end
    end
    for (genvar k = 0; k < LOAD_WORDS; k++) begin : g_word
        for (genvar l = 0; l < LANES; l++) begin : g_lane
            logic [31:0] row_q [ROWS];
            always_ff @(posedge clk_i) if (work && turn[l]) row_q[ROW_W'(beat_q)] <= value[(k*LOAD_LANES + l % LOAD_LANES)*32 +: 32];
            assign held[(k*LANES + l)*32 +: 32] = row_q[ROW_W'(32'(wb_word_q) / LOAD_WORDS)];
        end
    end

    always_ff @(posedge clk_i) begin
        if (add_i) begin
            note_q[add_ptr_q] <= `NOTE_PACK_I(add);
            add_ptr_q <= add_ptr_q + PTR_W'(1);
        end
        notes_q <= notes_q + COUNT_W'(add_i) - COUNT_W'(take);
        if (read) begin
            kind_q <= kind_mem_q[read_place];
            answer_place_q <= read_place;
            answer_last_q <= last_mem_q[read_place] == read_ptr_q;
            read_ptr_q <= read_ptr_q + PTR_W'(1);
        end
        if (take && answer_last_q) held_q[answer_place_q] <= 1'b0;
        if (ask_i) begin
            place_mem_q[ask_ptr_q] <= ask_place;
            last_mem_q[ask_place] <= ask_ptr_q;
            ask_ptr_q <= ask_ptr_q + PTR_W'(1);
        end
        if (ask_i && !ask_joins_i) begin
            held_q[place_o] <= 1'b1;
            answered_q[place_o] <= 1'b0;
        end
        asked_q <= asked_q + COUNT_W'(ask_i) - COUNT_W'(read);
        if (rsp_valid_i) begin
            kind_mem_q[rsp_place_i] <= {rsp_hit_i, rsp_fault_i};
            answered_q[rsp_place_i] <= 1'b1;
        end
        answer_valid_q <= read || (answer_valid_q && !take);

        if (work) begin
            served_q <= beat_end || !collects ? '0 : served_q | turn;
            if (take) beat_q <= 2'd0;
            else if (beat_end) beat_q <= beat_q + 2'd1;
        end
        if (wb_busy_q && wb_ready_i) wb_word_q <= wb_word_q + 2'd1;
        if (wb_end) wb_busy_q <= 1'b0;
        if (take) begin
            take_ptr_q <= take_ptr_q + PTR_W'(1);
            lanes_q <= note_last_of_portion ? '0 : lanes_q | note_lanes;
            portion_fault_q <= portion_fault && !note_last_of_portion;
            if (answer_fault != `ANSWER_GOOD && !fault_found_q) begin
                fault_found_q <= 1'b1;
                fault_kind_q <= answer_fault;
                fault_addr_q <= note_addr;
            end
            if (note_last) begin
                fault_warp_o <= note_warp;
                fault_pc_o <= note_pc;
            end
            if (writes) begin
                wb_busy_q <= 1'b1;
                wb_last_q <= note_last;
                wb_word_q <= 2'd0;
                wb_last_word_q <= (note_size == `SIZE_128) ? 2'd3 : (note_size == `SIZE_64) ? 2'd1 : 2'd0;
                `RESULT_PACK_Q(wb) <= {note_warp, note_portion, lanes_q | note_lanes, note_rd, note_reg_d};
            end
        end
        if ((end_now && any_fault) || (end_wb && fault_found_q)) begin
            fault_wait_q <= 1'b1;
            fault_rest_q <= 2'd2;
        end else if (fault_rest_q != 2'd0) fault_rest_q <= fault_rest_q - 2'd1;
        if (fault_valid_o && fault_taken_i) begin
            fault_wait_q <= 1'b0;
            fault_found_q <= 1'b0;
        end
        if (rst_i) begin
            add_ptr_q <= '0;
            take_ptr_q <= '0;
            ask_ptr_q <= '0;
            read_ptr_q <= '0;
            notes_q <= '0;
            asked_q <= '0;
            held_q <= '0;
            answer_valid_q <= 1'b0;
            beat_q <= 2'd0;
            served_q <= '0;
            lanes_q <= '0;
            portion_fault_q <= 1'b0;
            fault_found_q <= 1'b0;
            fault_wait_q <= 1'b0;
            wb_busy_q <= 1'b0;
        end
    end

    assign fault_valid_o = fault_wait_q && fault_rest_q == 2'd0;
    assign fault_code_o = (fault_kind_q == `ANSWER_OUTSIDE) ? `FAULT_MEMORY_BOUNDS : `FAULT_BUS_ERROR;
    assign fault_info_o = fault_addr_q;

    assign wb_valid_o = wb_busy_q;
    assign wb_warp_o = wb_warp_q;
    assign wb_rd_o = wb_rd_q + 8'(wb_word_q);
    assign wb_reg_d_o = wb_reg_d_q + REF_W'(wb_word_q);
    assign wb_portion_o = wb_portion_q;
    assign wb_lanes_o = wb_lanes_q;
    assign wb_partial_o = 1'b0;
    assign wb_data_o = held[(32'(wb_word_q) % LOAD_WORDS)*LANES*32 +: LANES*32];

`ifndef SYNTHESIS
    initial if (LSU_DEPTH != (1 << PTR_W)) $error("LSU_DEPTH must be a power of two");
    initial if (LANES % LOAD_LANES != 0) $error("LOAD_LANES must divide LANES");
    always_ff @(posedge clk_i)
        if (!rst_i) begin
            if (add_i) assert (add_ready_o);
            if (ask_i) assert (asked_q != notes_q);
            if (ask_i && !ask_joins_i) assert (held_q != '1);
            if (ask_i && ask_joins_i) assert (held_q[ask_place_i] && !answered_q[ask_place_i]);
            if (rsp_valid_i) assert (held_q[rsp_place_i] && !answered_q[rsp_place_i]);
            if (take) assert (notes_q != '0);
            `COVER(joins, ask_i && ask_joins_i)
            `COVER(joins_as_it_comes, ask_i && ask_joins_i && rsp_valid_i && rsp_place_i == ask_place_i)
            `COVER(place_has_more, take && !answer_last_q)
            `COVER(place_is_the_last, ask_i && !ask_joins_i && $countones(held_q) == LSU_DEPTH - 1)
        end
`endif

endmodule
`default_nettype wire
