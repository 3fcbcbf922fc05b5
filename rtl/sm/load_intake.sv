// What comes into load_store: up to LSU_INTAKE instructions at once, each reserved by start_i (only while free_o) with what holds for the whole
// of it (access_*), and their portions (in_*), which come in the order of the instructions. Each thread's address is checked and made one of the
// channel's space. A generic access is shared_memory's as well: threads that are its own are left out here, waits_o tells of the oldest
// instruction that it has some, until shared_done_i.
//
// When the last portion of an instruction is in, all of it may be served; or its first bad thread faults the warp (MEMORY_ALIGNMENT,
// CONSTANT_BOUNDS, LOCAL_BOUNDS, SHARED_BOUNDS) and nothing of it is done. refuse_o: the same for shared_memory, in the cycle of the last portion.
// Local memory: word i of all threads of a warp's place lies side by side, so a warp that uses the same offset in all threads touches as few
// lines as it can.
//
// Out: while next_valid_o, next_* is the lowest portion not taken of the oldest instruction that has some, and what that instruction is.
// take_i takes it: in the cycle after stand its addresses (addr_o), until the next take_i. words_i: in the cycle after stand the words (operand_o,
// data0_o ..) of STORE_LANES lanes, group group_i, of that portion, with on_i of the one that was taken last. ended_i: the last portion of the
// oldest instruction taken has been served, its place is free. A fault waits until nothing is served (busy_i).
// Throughput: a portion a cycle in and out. Latency: from the last portion in to next_valid_o one cycle.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/isa.svh"
`include "gen/registers.svh"

module load_intake #(
    parameter int THREADS = 32,
    parameter int LANES = 8,
    parameter int WARPS = 4,
    parameter int CHANNELS = 4,
    parameter int LSU_INTAKE = 4,
    parameter int STORE_LANES = 8,
    parameter int REF_W = 8,
    localparam int P = THREADS / LANES,
    localparam int PORTION_W = (P > 1) ? $clog2(P) : 1,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1,
    localparam int WORD_W = LANES * 32,
    localparam int GROUP_W = (LANES > STORE_LANES) ? $clog2(LANES / STORE_LANES) : 1
) (
    input  wire                  clk_i,
    input  wire                  rst_i,
    input  wire  [7:0]           sm_index_i,
    // an instruction
    output logic                 free_o,
    input  wire                  start_i,
    `ACCESS_IN(access),
    `ACCESS_SPACE_IN(access),
    input  wire  [17:0]          shared_bytes_i,  // of the CTA's shared memory
    input  wire  [2:0]           region_i,        // of sub-vectors in which it was issued
    input  wire                  shared_done_i,   // shared_memory has no generic access any more
    output logic                 refuse_o,
    // its portions
    input  wire                  in_valid_i,
    `OPERANDS_IN(in),
    `FAULT_FOUND_OUT(fault),
    // portions to serve
    output logic                 next_valid_o,
    output logic                 next_last_o,     // of its instruction
    output logic [PORTION_W-1:0] next_portion_o,
    output logic [LANES-1:0]     next_lanes_o,
    output logic [`ACCESS_SPLIT_W-1:0] next_access_o,
    output logic [CHANNEL_W-1:0] next_channel_o,
    output logic [2:0]           next_region_o,
    input  wire                  take_i,
    output logic [WORD_W-1:0]    addr_o,
    input  wire                  words_i,
    input  wire                  on_i,
    input  wire  [GROUP_W-1:0]   group_i,
    output logic [STORE_LANES*32-1:0] operand_o,  // of an atomic
    output logic [STORE_LANES*32-1:0] data0_o,    // of CAS the new value
    output logic [STORE_LANES*32-1:0] data1_o,
    output logic [STORE_LANES*32-1:0] data2_o,
    output logic [STORE_LANES*32-1:0] data3_o,
    input  wire                  busy_i,
    output logic                 waits_o,
    input  wire                  ended_i
);

    localparam int THREAD_W = $clog2(THREADS);
    localparam int PLACE_W = $clog2(LSU_INTAKE);
    localparam int ROW_W = $clog2(LSU_INTAKE * P);
    localparam int LIMIT_W = 24;

    // ---- the instructions, a ring: begun, taken in, served, free again ----
    logic [PLACE_W:0]          start_q, intake_q, serve_q, free_q;
    wire  [PLACE_W-1:0]        start_at = start_q[PLACE_W-1:0];
    wire  [PLACE_W-1:0]        intake_at = intake_q[PLACE_W-1:0];
    wire  [PLACE_W-1:0]        serve_at = serve_q[PLACE_W-1:0];
    logic [LSU_INTAKE-1:0]     faulty_q, waits_q;
    logic [LSU_INTAKE*P-1:0]   parts_q;  // portions that are in and not taken
    // Two rows are smaller as flip-flops.
    (* no_rw_check, ram_style = "logic" *) logic [`ACCESS_CHECKED_W+`ACCESS_BOUNDS_W+2*LIMIT_W+31:0] checked_mem_q [LSU_INTAKE];
    (* no_rw_check, ram_style = "logic" *) logic [26:0] local_mem_q [LSU_INTAKE];
    (* no_rw_check, ram_style = "logic" *) logic [`ACCESS_SPLIT_W+CHANNEL_W+2:0] split_mem_q [LSU_INTAKE];
    (* no_rw_check, ram_style = "logic" *) logic [39:0] fault_mem_q [LSU_INTAKE];

    assign free_o = start_q - free_q != (PLACE_W+1)'(LSU_INTAKE);

    // The base of the warp's local memory is ready in the second cycle after the start. It is a multiple of a line.
    logic               started_q;
    logic [PLACE_W-1:0] started_at_q;
    logic [WARP_W-1:0]  local_warp_q;
    logic [23:4]        local_bytes_q;
    logic [31:5]        local_base_q;

    // ---- bounds ----
    // An aligned access lies wholly below a limit that is aligned alike when it begins below it: limits lose the bits that such addresses do
    // not have. Only a constant buffer may begin anywhere: what an access reaches past its beginning is taken off its size instead.
    function automatic [3:0] ones_of(input [3:0] of_size);  // address bits that must be zero
        case (of_size)
            `SIZE_U8, `SIZE_S8: ones_of = 4'd0;
            `SIZE_U16, `SIZE_S16: ones_of = 4'd1;
            `SIZE_32: ones_of = 4'd3;
            `SIZE_64: ones_of = 4'd7;
            default: ones_of = 4'd15;
        endcase
    endfunction
    wire  [3:0]         start_ones = ones_of(access_atomic_i ? `SIZE_32 : access_mod_i);
    wire  [17:0]        bank_limit = {1'b0, access_bank_size_i} - 18'(start_ones);
    logic [LIMIT_W-1:0] start_limit;  // of constants, of local memory, else of the window of shared memory
    always_comb begin
        start_limit = LIMIT_W'(shared_bytes_i) & ~(LIMIT_W'(start_ones));
        if (access_local_i) start_limit = access_local_bytes_i;
        if (access_constant_i) start_limit = bank_limit[17] ? '0 : LIMIT_W'(bank_limit);
    end

    // ---- intake: addresses and checks ----
    `ACCESS_CHECKED_PAYLOAD(checked);
    `ACCESS_BOUNDS_PAYLOAD(checked);
    logic [LIMIT_W-1:0] checked_limit, checked_local_limit;  // checked_local_limit: in the window of local memory
    logic [31:0]        checked_bank;                  // where the constant buffer begins; zero of all else; read for a fault as well
    assign {`ACCESS_CHECKED_PACK(checked), `ACCESS_BOUNDS_PACK(checked), checked_limit, checked_local_limit, checked_bank} = checked_mem_q[intake_at];
    wire  [26:0]        checked_local_base = local_mem_q[intake_at];
    wire  [3:0]         low_ones = ones_of(checked_atomic ? `SIZE_32 : checked_mod);

    logic [LANES*THREAD_W-1:0] in_thread;  // number of each lane's thread in the warp
    always_comb for (int l = 0; l < LANES; l++) in_thread[l*THREAD_W +: THREAD_W] = THREAD_W'(32'(in_portion_i) * LANES + l);

    wire               in_first = in_valid_i && in_pass_i == 3'd0;
    logic [WORD_W-1:0] in_addr;
    logic              bad, bad_seen_q;
    logic [7:0]        bad_code;
    logic [31:0]       bad_sum, sum, address, place;
    logic              in_window, in_local, misaligned, outside;
    logic [LANES-1:0]  in_shared;  // threads that are shared_memory's
    always_comb begin
        in_addr = '0;
        bad = 1'b0;
        bad_code = `FAULT_NONE;
        bad_sum = '0;
        sum = '0;
        address = '0;
        place = '0;
        in_window = 1'b0;
        in_local = 1'b0;
        misaligned = 1'b0;
        outside = 1'b0;
        in_shared = '0;
        for (int l = LANES - 1; l >= 0; l--) begin
            sum = in_a_i[l*32 +: 32];
            address = sum + checked_bank;
            in_shared[l] = checked_generic && sum[31:24] == `WINDOW_SHARED;
            in_window = checked_generic && (sum[31:24] == `WINDOW_SHARED || sum[31:24] == `WINDOW_LOCAL);
            in_local = checked_local || (in_window && !in_shared[l]);
            place = 32'({sum[23:2], in_thread[l*THREAD_W +: THREAD_W], sum[1:0]});
            in_addr[l*32 +: 32] = in_local ? {checked_local_base + place[31:5], place[4:0]} : address;
            misaligned = (address[3:0] & low_ones) != 4'd0;
            outside = (checked_constant || checked_local || in_window) &&
                      ((!in_window && sum[31:24] != 8'd0) ||
                       sum[23:0] >= ((in_window && !in_shared[l]) ? checked_local_limit : checked_limit));
            // A bank that is not there has no address that could be misaligned.
            if (in_first && in_lanes_i[l] && (misaligned || outside || (checked_constant && !checked_bank_valid))) begin
                bad = 1'b1;
                bad_code = (misaligned && (!checked_constant || checked_bank_valid)) ? `FAULT_MEMORY_ALIGNMENT
                         : checked_constant ? `FAULT_CONSTANT_BOUNDS : in_local ? `FAULT_LOCAL_BOUNDS : `FAULT_SHARED_BOUNDS;
                bad_sum = sum;
            end
        end
    end
    wire [LANES-1:0] in_own = in_lanes_i & ~in_shared;
    wire             in_end = in_valid_i && in_last_i;
    assign refuse_o = bad || bad_seen_q;

    // ---- what is next ----
    logic [P-1:0] parts;  // of the instruction that is served
    always_comb begin
        parts = '0;
        for (int i = 0; i < LSU_INTAKE; i++) if (serve_at == PLACE_W'(i)) parts = parts_q[i*P +: P];
        next_portion_o = '0;
        for (int p = P - 1; p >= 0; p--) if (parts[p]) next_portion_o = PORTION_W'(p);
    end
    wire checked = serve_q != intake_q;
    wire faulty = faulty_q[serve_at];
    wire none = checked && !busy_i && (faulty || parts == '0);  // a fault, or a generic access of shared_memory's threads
    wire skip = none && (!faulty || fault_taken_i);
    assign next_valid_o = checked && !faulty && parts != '0;
    assign next_last_o = (parts & (parts - P'(1))) == '0;
    assign waits_o = waits_q[free_q[PLACE_W-1:0]];

    `ACCESS_SPLIT_PAYLOAD(next);
    assign {next_access_o, next_channel_o, next_region_o} = split_mem_q[serve_at];
    assign `ACCESS_SPLIT_PACK(next) = next_access_o;
    assign fault_valid_o = none && faulty;
    assign fault_warp_o = next_warp;
    assign fault_pc_o = next_pc;
    // Of a misaligned thread the address is told, else how far into its space.
    logic [31:0] fault_sum;
    wire  [31:0] fault_bank = checked_mem_q[serve_at][31:0];
    assign {fault_code_o, fault_sum} = fault_mem_q[serve_at];
    assign fault_info_o = fault_sum + (fault_code_o == `FAULT_MEMORY_ALIGNMENT ? fault_bank : 32'd0);

    portion_rows #(.LANES(LANES), .ROWS(LSU_INTAKE * P), .STORE_LANES(STORE_LANES)) u_portion_rows (
        .clk_i, .in_valid_i, .in_row_i(ROW_W'(32'(intake_at) * P + 32'(in_portion_i))), .in_pass_i, .in_lanes_i(in_own),
        .in_addr_i(in_addr), .in_b_i, .in_c_i,
        .read_i(take_i), .row_i(ROW_W'(32'(serve_at) * P + 32'(next_portion_o))), .lanes_o(next_lanes_o),
        .addr_o, .words_i, .on_i, .group_i, .operand_o, .data0_o, .data1_o, .data2_o, .data3_o
    );

    always_ff @(posedge clk_i) begin
        started_q <= start_i;
        started_at_q <= start_at;
        if (start_i) begin
            checked_mem_q[start_at] <= {`ACCESS_CHECKED_PACK_I(access), `ACCESS_BOUNDS_PACK_I(access), start_limit, access_local_bytes_i,
                                        access_constant_i ? access_bank_addr_i : 32'd0};
            split_mem_q[start_at] <= {`ACCESS_SPLIT_PACK_I(access), access_channel_i, access_constant_i ? 3'd0 : region_i};
            local_warp_q <= access_warp_i;
            local_bytes_q <= access_local_bytes_i[23:4];
            local_base_q <= access_local_base_i[31:5];
            start_q <= start_q + (PLACE_W+1)'(1);
        end
        if (started_q)
            local_mem_q[started_at_q] <= local_base_q + 27'(((32'(sm_index_i) * WARPS + 32'(local_warp_q)) * 32'(local_bytes_q)) << (THREAD_W - 1));

        if (shared_done_i) waits_q <= '0;
        for (int i = 0; i < LSU_INTAKE; i++) begin
            for (int p = 0; p < P; p++) begin
                if (in_first && in_own != '0 && intake_at == PLACE_W'(i) && in_portion_i == PORTION_W'(p)) parts_q[i*P + p] <= 1'b1;
                if (take_i && serve_at == PLACE_W'(i) && next_portion_o == PORTION_W'(p)) parts_q[i*P + p] <= 1'b0;
                if (start_i && start_at == PLACE_W'(i)) parts_q[i*P + p] <= 1'b0;
            end
            if (start_i && start_at == PLACE_W'(i)) waits_q[i] <= 1'b0;  // one before it may wait still, and not have been this unit's
            if (in_first && (in_lanes_i & in_shared) != '0 && intake_at == PLACE_W'(i)) waits_q[i] <= 1'b1;
            if (in_end && intake_at == PLACE_W'(i)) faulty_q[i] <= refuse_o;
        end
        if (bad && !bad_seen_q) fault_mem_q[intake_at] <= {bad_code, bad_sum};
        if (bad) bad_seen_q <= 1'b1;
        if (in_end) begin
            bad_seen_q <= 1'b0;
            intake_q <= intake_q + (PLACE_W+1)'(1);
        end
        if ((take_i && next_last_o) || skip) serve_q <= serve_q + (PLACE_W+1)'(1);
        if (ended_i || skip) free_q <= free_q + (PLACE_W+1)'(1);
        if (rst_i) begin
            start_q <= '0;
            intake_q <= '0;
            serve_q <= '0;
            free_q <= '0;
            started_q <= 1'b0;
            bad_seen_q <= 1'b0;
            waits_q <= '0;
        end
    end

    wire unused = &{1'b0, access_generic_i, access_exec_i, next_store, next_atomic, next_mod, next_rd, next_reg_d};

`ifndef SYNTHESIS
    initial if (LSU_INTAKE < 2 || LSU_INTAKE != (1 << PLACE_W)) $error("load_intake: LSU_INTAKE must be a power of two, 2 or more");
    always_ff @(posedge clk_i)
        if (!rst_i) begin
            if (start_i) assert (free_o);
            // The task unit refuses other local memory.
            if (start_i && access_local_bytes_i != 24'd0) assert (access_local_bytes_i[3:0] == 4'd0 && access_local_base_i[4:0] == 5'd0);
            if (in_valid_i) assert (intake_q != start_q && !(started_q && started_at_q == intake_at));
            if (take_i) assert (next_valid_o && (!busy_i || ended_i || serve_q == free_q));
            if (ended_i) assert (serve_q != free_q && !skip);
        end
`endif

endmodule
`default_nettype wire
