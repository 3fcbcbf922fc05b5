// What comes into shared_memory: up to SHARED_DEPTH instructions at once, each reserved by start_i (only while free_o; a generic one only while
// generic_done_o), and their portions (in_*), which come in the order of the instructions. Each thread's address is checked and becomes a place
// in the banks: {row of all banks, bank, byte}. Portions that have threads of this unit wait in a ring with their data.
//
// When the last portion of an instruction is in, all of it may be served; or its first bad thread faults the warp (MEMORY_ALIGNMENT,
// SHARED_BOUNDS) and its portions are dropped. So nothing of an instruction is done before all of it has been checked. Of a generic access
// load_store checks all threads (refuse_i: it faults); only one is inside at a time, and of it left_o tells the portions that are not done,
// others_o those in which load_store has threads too.
//
// Out: while next_valid_o, next_* is the oldest portion not taken and what its instruction is. take_i takes it: in the cycle after stand its
// first words to store (data_o, SHARED_WORDS of each lane; of CAS the new values), narrow ones in every place of their word, and where an access
// has fewer words they stand in the columns of the others too. further_i: the words of beat_i instead. operands_i: in the cycle
// after stands what atomics work with (operand_o), until the next operands_i: of all lanes, of lane operands_lane_i alone where one unit serves them.
// ended_i: the last portion of the oldest instruction taken has been served, its place is free. A fault waits until nothing is served (busy_i).
// Throughput: a portion a cycle in and out. Latency: from the last portion in to next_valid_o one cycle.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/isa.svh"
`include "gen/registers.svh"

module shared_intake #(
    parameter int THREADS = 32,
    parameter int LANES = 8,
    parameter int WARPS = 4,
    parameter int SHARED_BYTES = 16384,
    parameter int SHARED_ATOMICS = 8,
    parameter int SHARED_WORDS = 4,
    parameter int SHARED_DEPTH = 4,
    parameter int REF_W = 8,
    localparam int P = THREADS / LANES,
    localparam int PORTION_W = (P > 1) ? $clog2(P) : 1,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1,
    localparam int BANK_W = $clog2(LANES),
    localparam int WORD_W = LANES * 32,
    localparam int SHARED_W = $clog2(SHARED_BYTES / (4 * LANES)),
    localparam int PLACE_W = $clog2(SHARED_BYTES)
) (
    input  wire                            clk_i,
    input  wire                            rst_i,
    // an instruction
    output logic                           free_o,
    output logic                           generic_done_o,  // no generic access is inside
    input  wire                            start_i,
    `ACCESS_KEPT_IN(access),
    input  wire  [SHARED_W-1:0]            base_i,     // the CTA's first row
    input  wire  [17:0]                    bytes_i,    // that it has
    input  wire                            refuse_i,   // with the last portion of a generic access: it faults
    // its portions
    input  wire                            in_valid_i,
    `OPERANDS_IN(in),
    `FAULT_FOUND_OUT(fault),
    // portions to serve
    output logic                           next_valid_o,
    output logic                           next_last_o,   // of its instruction
    output logic [PORTION_W-1:0]           next_portion_o,
    output logic [LANES-1:0]               next_lanes_o,
    output logic [LANES*PLACE_W-1:0]       next_place_o,
    output logic [`ACCESS_SERVED_W-1:0]    next_access_o,
    input  wire                            take_i,
    input  wire                            further_i,
    input  wire  [1:0]                     beat_i,
    output logic [SHARED_WORDS*WORD_W-1:0] data_o,
    input  wire                            operands_i,
    input  wire  [BANK_W-1:0]              operands_lane_i,
    output logic [SHARED_ATOMICS*32-1:0]   operand_o,
    input  wire                            busy_i,
    input  wire                            ended_i,
    // of the generic access
    output logic [P-1:0]                   left_o,
    output logic [P-1:0]                   others_o,
    input  wire                            part_done_i,  // of a portion
    input  wire  [PORTION_W-1:0]           part_portion_i,
    input  wire                            generic_end_i
);

    localparam int DEPTH_W = $clog2(SHARED_DEPTH);
    localparam int ENTRIES = SHARED_DEPTH * P;
    localparam int ENTRY_W = $clog2(ENTRIES);
    localparam int BEATS = 4 / SHARED_WORDS;
    localparam int LIMIT_W = PLACE_W + 1;

    // ---- the instructions, a ring: begun, taken in, served, free again ----
    logic [DEPTH_W:0]        start_q, intake_q, serve_q, free_q;
    wire  [DEPTH_W-1:0]      intake_at = intake_q[DEPTH_W-1:0];
    wire  [DEPTH_W-1:0]      serve_at = serve_q[DEPTH_W-1:0];
    logic                    generic_q;  // one is inside
    logic [SHARED_DEPTH-1:0] faulty_q;
    // Two rows are smaller as flip-flops.
    (* no_rw_check, ram_style = "logic" *) logic [`ACCESS_CHECKED_W+SHARED_W+LIMIT_W-1:0] checked_mem_q [SHARED_DEPTH];
    (* no_rw_check, ram_style = "logic" *) logic [`ACCESS_SERVED_W-1:0] served_mem_q [SHARED_DEPTH];
    (* no_rw_check, ram_style = "logic" *) logic [21:0] pc_mem_q [SHARED_DEPTH];
    (* no_rw_check, ram_style = "logic" *) logic [39:0] fault_mem_q [SHARED_DEPTH];
    (* no_rw_check, ram_style = "logic" *) logic [ENTRY_W:0] end_mem_q [SHARED_DEPTH];  // where its portions end in their ring

    assign free_o = start_q - free_q != (DEPTH_W+1)'(SHARED_DEPTH);
    assign generic_done_o = !generic_q;

    // ---- intake: addresses and checks ----
    `ACCESS_CHECKED_PAYLOAD(checked);
    logic [SHARED_W-1:0] base;
    logic [LIMIT_W-1:0]  limit;
    assign {`ACCESS_CHECKED_PACK(checked), base, limit} = checked_mem_q[intake_at];

    wire [3:0] size = checked_atomic ? `SIZE_32 : checked_mod;
    logic [3:0] low_ones;  // address bits that must be zero
    always_comb
        case (size)
            `SIZE_U8, `SIZE_S8: low_ones = 4'd0;
            `SIZE_U16, `SIZE_S16: low_ones = 4'd1;
            `SIZE_32: low_ones = 4'd3;
            `SIZE_64: low_ones = 4'd7;
            default: low_ones = 4'd15;
        endcase
    // An aligned access lies wholly below a limit that is aligned alike when it begins below it.
    wire [LIMIT_W-1:0] aligned_limit = limit & ~(LIMIT_W'(low_ones));

    logic [LANES*PLACE_W-1:0] in_place;
    logic [LANES-1:0]         in_own;  // threads that are this unit's
    logic                     bad, bad_seen_q;
    logic [7:0]               bad_code;
    logic [31:0]              bad_info, address;
    logic                     misaligned, outside;
    always_comb begin
        in_place = '0;
        in_own = in_lanes_i;
        bad = 1'b0;
        bad_code = `FAULT_NONE;
        bad_info = '0;
        address = '0;
        misaligned = 1'b0;
        outside = 1'b0;
        if (in_valid_i && in_pass_i == 3'd0)
            for (int l = LANES - 1; l >= 0; l--) begin
                address = in_a_i[l*32 +: 32];
                in_place[l*PLACE_W +: PLACE_W] = {base + address[BANK_W+2 +: SHARED_W], address[BANK_W+1:0]};
                if (checked_generic && address[31:24] != `WINDOW_SHARED) in_own[l] = 1'b0;
                misaligned = (address[3:0] & low_ones) != 4'd0;
                outside = address[31:LIMIT_W] != '0 || address[LIMIT_W-1:0] >= aligned_limit;
                if (in_lanes_i[l] && !checked_generic && (misaligned || outside)) begin
                    bad = 1'b1;
                    bad_code = misaligned ? `FAULT_MEMORY_ALIGNMENT : `FAULT_SHARED_BOUNDS;
                    bad_info = address;
                end
            end
    end

    // ---- the ring of portions ----
    logic [ENTRY_W:0] first_q, at_q, read_q;  // first of the instruction that comes in, next to write, next to take
    logic [1:0]       pass_q;
    wire              push = in_valid_i && in_own != '0;
    wire [ENTRY_W:0]  at = (in_pass_i[1:0] != pass_q) ? first_q : at_q;
    wire [ENTRY_W:0]  after = at + (ENTRY_W+1)'(push);
    wire              in_end = in_valid_i && in_last_i;
    wire              refused = checked_generic ? refuse_i : bad || bad_seen_q;
    wire [ENTRY_W:0]  end_at = refused ? first_q : after;

    (* no_rw_check *) logic [LANES*PLACE_W-1:0] place_mem_q [ENTRIES];
    (* no_rw_check *) logic [PORTION_W+LANES-1:0] lanes_mem_q [ENTRIES];
    wire [ENTRY_W-1:0] read_at = read_q[ENTRY_W-1:0];
    assign next_place_o = place_mem_q[read_at];
    assign {next_portion_o, next_lanes_o} = lanes_mem_q[read_at];
    always_ff @(posedge clk_i)
        if (push && in_pass_i == 3'd0) begin
            place_mem_q[at[ENTRY_W-1:0]] <= in_place;
            lanes_mem_q[at[ENTRY_W-1:0]] <= {in_portion_i, in_own};
        end

    // Words to store: word w of a lane in column w % SHARED_WORDS; of fewer words the others' columns have them too. A narrow word stands in
    // every place.
    logic [WORD_W-1:0] in_words;
    always_comb begin
        in_words = in_c_i;
        for (int l = 0; l < LANES; l++) begin
            if (size == `SIZE_U8 || size == `SIZE_S8) in_words[l*32+8 +: 8] = in_c_i[l*32 +: 8];
            if (low_ones < 4'd3) in_words[l*32+16 +: 16] = in_words[l*32 +: 16];
        end
    end
    logic [ENTRY_W-1:0] entry_q;  // taken last
    wire  [ENTRY_W-1:0] entry = take_i ? read_at : entry_q;
    wire  [1:0]         beat = take_i ? 2'd0 : beat_i;
    for (genvar k = 0; k < SHARED_WORDS; k++) begin : g_column
        (* no_rw_check *) logic [WORD_W-1:0] data_mem_q [ENTRIES*BEATS];
        wire write = (32'(in_pass_i) % SHARED_WORDS & ~k) == 0;  // the later words come later
        always_ff @(posedge clk_i) begin
            if (push && write) data_mem_q[$clog2(ENTRIES*BEATS)'(32'(at[ENTRY_W-1:0]) * BEATS + 32'(in_pass_i[1:0]) / SHARED_WORDS)] <= in_words;
            if (take_i || further_i) data_o[k*WORD_W +: WORD_W] <= data_mem_q[$clog2(ENTRIES*BEATS)'(32'(entry) * BEATS + 32'(beat))];
        end
    end
    // The RAM chooses among the lanes.
    localparam int SIDES = LANES / SHARED_ATOMICS;
    localparam int SIDE_W = (SIDES > 1) ? $clog2(SIDES) : 1;
    localparam int OPERAND_W = SHARED_ATOMICS * 32;
    (* no_rw_check, ram_style = "block" *) logic [OPERAND_W-1:0] operand_mem_q [ENTRIES << SIDE_W];
    wire [SIDE_W-1:0] operands_side = (SIDES > 1) ? SIDE_W'(operands_lane_i) : '0;
    always_ff @(posedge clk_i) begin
        for (int s = 0; s < SIDES; s++)
            if (push && in_pass_i == 3'd0) operand_mem_q[{at[ENTRY_W-1:0], SIDE_W'(s)}] <= in_b_i[s*OPERAND_W +: OPERAND_W];
        if (operands_i) operand_o <= operand_mem_q[{entry_q, operands_side}];
    end

    // ---- what is next ----
    wire [ENTRY_W:0] serve_end = end_mem_q[serve_at];
    wire             checked = serve_q != intake_q;
    wire             none = checked && read_q == serve_end && !busy_i;  // a fault, or a generic access of others' threads
    wire             skip = none && (!faulty_q[serve_at] || fault_taken_i);
    assign next_valid_o = checked && read_q != serve_end;
    assign next_last_o = read_q + (ENTRY_W+1)'(1) == serve_end;
    assign next_access_o = served_mem_q[serve_at];

    `ACCESS_SERVED_PAYLOAD(served);
    assign `ACCESS_SERVED_PACK(served) = next_access_o;
    assign fault_valid_o = none && faulty_q[serve_at];
    assign fault_warp_o = served_warp;
    assign fault_pc_o = pc_mem_q[serve_at];
    assign {fault_code_o, fault_info_o} = fault_mem_q[serve_at];

    always_ff @(posedge clk_i) begin
        if (start_i) begin
            checked_mem_q[start_q[DEPTH_W-1:0]] <= {`ACCESS_CHECKED_PACK_I(access), base_i, bytes_i[LIMIT_W-1:0]};
            served_mem_q[start_q[DEPTH_W-1:0]] <= `ACCESS_SERVED_PACK_I(access);
            pc_mem_q[start_q[DEPTH_W-1:0]] <= access_pc_i;
            start_q <= start_q + (DEPTH_W+1)'(1);
        end
        if (in_valid_i) begin
            at_q <= after;
            pass_q <= in_pass_i[1:0];
            if (bad && !bad_seen_q) fault_mem_q[intake_at] <= {bad_code, bad_info};
            if (bad) bad_seen_q <= 1'b1;
        end
        if (in_end) begin
            end_mem_q[intake_at] <= end_at;
            faulty_q[intake_at] <= refused && !checked_generic;
            intake_q <= intake_q + (DEPTH_W+1)'(1);
            first_q <= end_at;
            at_q <= end_at;
            pass_q <= 2'd0;
            bad_seen_q <= 1'b0;
        end
        if (take_i) begin
            read_q <= read_q + (ENTRY_W+1)'(1);
            entry_q <= read_at;
        end
        if ((take_i && next_last_o) || skip) serve_q <= serve_q + (DEPTH_W+1)'(1);
        if (ended_i || skip) free_q <= free_q + (DEPTH_W+1)'(1);

        if (part_done_i) left_o[part_portion_i] <= 1'b0;
        if (push && checked_generic) left_o[in_portion_i] <= 1'b1;
        if (in_end && refused && checked_generic) left_o <= '0;
        if (in_valid_i && checked_generic && in_own != in_lanes_i) others_o[in_portion_i] <= 1'b1;
        if (generic_end_i || (skip && served_generic)) generic_q <= 1'b0;
        if (start_i && access_generic_i) begin
            generic_q <= 1'b1;
            others_o <= '0;
        end

        if (rst_i) begin
            start_q <= '0;
            intake_q <= '0;
            serve_q <= '0;
            free_q <= '0;
            generic_q <= 1'b0;
            first_q <= '0;
            at_q <= '0;
            read_q <= '0;
            pass_q <= 2'd0;
            bad_seen_q <= 1'b0;
            left_o <= '0;
        end
    end

    wire unused = &{1'b0, served_store, served_atomic, served_mod, served_rd, served_reg_d, bytes_i, in_pass_i, operands_lane_i};

`ifndef SYNTHESIS
    initial if (SHARED_DEPTH < 2 || SHARED_DEPTH != (1 << DEPTH_W)) $error("shared_intake: SHARED_DEPTH must be a power of two, 2 or more");
    always_ff @(posedge clk_i)
        if (!rst_i) begin
            if (start_i) assert (free_o && (!access_generic_i || generic_done_o));
            if (start_i) assert (32'(bytes_i) <= SHARED_BYTES);
            if (in_valid_i) assert (intake_q != start_q && !in_pass_i[2]);
            if (in_valid_i && checked_generic) assert (generic_q && in_pass_i == 3'd0);
            if (push) assert (at - read_q < (ENTRY_W+1)'(ENTRIES));
            if (take_i) assert (next_valid_o && !further_i);
            if (part_done_i) assert (generic_q && left_o[part_portion_i]);
            if (ended_i) assert (serve_q != free_q && !skip);
        end
`endif

endmodule
`default_nettype wire
