// Memory instructions: takes the portions of up to LSU_INTAKE instructions in (load_intake checks them), splits them into requests, one
// instruction after the other. load_collect takes the answers.
//
// Reserved by start_i (only while free_o) with what holds for the whole instruction (access_*); then its portions come (in_*): addresses
// in pass 0, data of wide stores one register a pass. When the last portion is in, the first bad thread faults the warp
// (MEMORY_ALIGNMENT, CONSTANT_BOUNDS, LOCAL_BOUNDS), or requests go out: in each portion the lowest thread left chooses the line and all
// threads left in that line go with it; an atomic goes alone. Instructions come in, are split and are answered at the same time, each in the
// order in which they were reserved. Event MEM_REQ: in the cycle a request goes over.
// A generic access is shared_memory's as well: both are reserved together and take the same portions in. This unit checks all threads
// (refuse_o tells the other in the cycle of the last portion); then both serve their threads, and this one ends the instruction. So a
// portion's last request waits until shared_memory has done its part of the portion (shared_left_i), and the last of all until that is free.
// Without threads of its own this unit does nothing more for it, and shared_memory ends the instruction.
// Latency: 3 cycles from the last portion to the first request. Throughput: at best one request a cycle, LSU_DEPTH of them unanswered;
// of a store one in as many cycles as there are groups of STORE_LANES lanes in its line.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/isa.svh"
`include "gen/registers.svh"
`include "gen/trace.svh"

module load_store #(
    parameter int THREADS = 32,
    parameter int LANES = 8,
    parameter int WARPS = 4,
    parameter int CHANNELS = 4,
    parameter int L1_LINES = 32,
    parameter int L1_WAYS = 2,
    parameter int STORE_LANES = 8,
    parameter int LOAD_WORDS = 4,
    parameter int LOAD_LANES = 8,
    parameter int LSU_INTAKE = 4,
    parameter int LSU_DEPTH = 8,
    parameter int REQUEST_CYCLES = 2,
    parameter int REF_W = 8,
    parameter int INJECT = 0,
    localparam int P = THREADS / LANES,
    localparam int PORTION_W = (P > 1) ? $clog2(P) : 1,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1
) (
    input  wire                 clk_i,
    input  wire                 rst_i,
    input  wire  [7:0]          inject_i,
    input  wire  [7:0]          sm_index_i,
    // an instruction
    output logic                free_o,
    input  wire                 start_i,
    `ACCESS_IN(access),
    `ACCESS_SPACE_IN(access),
    input  wire  [17:0]         shared_bytes_i,  // of the CTA's shared memory
    input  wire                 shared_done_i,   // it has no generic access any more
    input  wire  [P-1:0]        shared_left_i,   // portions of which it has threads to serve
    output logic                refuse_o,        // with the last portion: the instruction faults
    // its portions
    input  wire                 in_valid_i,
    `OPERANDS_IN(in),
    // fault found before the first request, and fault that the memory answered
    `FAULT_FOUND_OUT(check_fault),
    `FAULT_FOUND_OUT(answer_fault),
    // the instruction is finished
    `DONE_OUT(done),
    // rows to write
    `ROW_OUT(wb),
    // level 1 cache: l1_cache.sv
    input  wire                 l1_enable_i,
    input  wire                 changed_i,
    `SNOOP_IN(snoop),
    `SPACE_INS(space, CHANNELS),
    output logic [31:0]         l1_hits_o,      // since reset
    output logic [31:0]         l1_misses_o,
    // the sub-vector region that the instruction is in (subvector.sv), and its reads
    input  wire  [2:0]          region_i,
    output logic                read_offered_o,  // a read of a load that was issued in a region
    output logic                read_o,          // .. which is performed or goes to memory
    output logic [1:0]          read_region_o,
    output logic                read_hit_o,      // .. the cache has its line: one that joins another waits as a miss does
    // memory unit
    `REQUEST_OUT(req),
    `ANSWER_IN(rsp),
    `TRACE_MEM_REQ_PORTS,
    `TRACE_L1_HIT_PORTS
);

    localparam int WORD_W = LANES * 32;
    localparam int LANE_W = $clog2(LANES);

    // ---- the portion that is split ----
    logic                 next_valid, next_last, take, ended, waits;
    logic [PORTION_W-1:0] next_portion;
    logic [LANES-1:0]     next_lanes;
    logic [`ACCESS_SPLIT_W-1:0] next_access;
    logic [CHANNEL_W-1:0] next_channel, access_channel_q;
    logic [2:0]           next_region, region_q;
    `ACCESS_SPLIT_REG(access);              // of its instruction
    logic                 portion_valid_q;
    logic                 portion_last_q;   // of its instruction
    logic [PORTION_W-1:0] portion_q;
    logic [LANES-1:0]     left_q;           // threads without a request
    logic [WORD_W-1:0]    addr_q;
    logic [STORE_LANES*32-1:0] operand_q, data0_q, data1_q, data2_q, data3_q;  // of the lanes whose turn it is
    logic [LANES-1:0]     match;
    logic [31:0]          first_addr;
    logic [LANE_W-1:0]    first_lane;       // the lowest of left_q
    logic [31:0]          strobe;           // bytes of the group in turn
    logic [255:0]         data;
    logic                 request_free, collect_ready;

    load_intake #(
        .THREADS(THREADS), .LANES(LANES), .WARPS(WARPS), .CHANNELS(CHANNELS), .LSU_INTAKE(LSU_INTAKE), .STORE_LANES(STORE_LANES), .REF_W(REF_W)
    ) u_load_intake (
        .clk_i, .rst_i, .sm_index_i, .free_o, .start_i, `ACCESS_PASS_IN(access, access), `ACCESS_SPACE_PASS_IN(access, access),
        .shared_bytes_i, .region_i, .shared_done_i, .refuse_o, .in_valid_i, `OPERANDS_PASS_IN(in, in), `FAULT_FOUND_PASS_OUT(fault, check_fault),
        .next_valid_o(next_valid), .next_last_o(next_last), .next_portion_o(next_portion), .next_lanes_o(next_lanes), .next_access_o(next_access),
        .next_channel_o(next_channel), .next_region_o(next_region), .take_i(take), .addr_o(addr_q), .words_i(words), .on_i(on),
        .group_i(next_group), .operand_o(operand_q), .data0_o(data0_q), .data1_o(data1_q), .data2_o(data2_q), .data3_o(data3_q),
        .busy_i(portion_valid_q), .waits_o(waits), .ended_i(ended)
    );

    wire [3:0] size = access_atomic_q ? `SIZE_32 : access_mod_q;
    logic [4:0] bytes;
    always_comb
        case (size)
            `SIZE_U8, `SIZE_S8: bytes = 5'd1;
            `SIZE_U16, `SIZE_S16: bytes = 5'd2;
            `SIZE_32: bytes = 5'd4;
            `SIZE_64: bytes = 5'd8;
            default: bytes = 5'd16;
        endcase

    wire could_split = portion_valid_q && request_free && collect_ready;
    wire last_of_portion = (left_q & ~match) == '0;
    wire holds = waits && !shared_done_i && (portion_last_q || shared_left_i[portion_q]);  // the portion's last request
    wire split = could_split && whole && !(holds && last_of_portion);

    // Whether the request before is taken is known late in the cycle: all of this is without it.
    always_comb begin
        match = '0;
        first_lane = '0;
        first_addr = '0;
        if (portion_valid_q) begin
            for (int l = LANES - 1; l >= 0; l--) if (left_q[l]) first_lane = LANE_W'(l);
            first_addr = addr_q[32'(first_lane)*32 +: 32];
            if (access_atomic_q) match = left_q & (~left_q + LANES'(1));
            else for (int l = 0; l < LANES; l++) match[l] = left_q[l] && addr_q[l*32+5 +: 27] == first_addr[31:5];
        end
    end
    wire portion_done = split && last_of_portion;
    assign take = next_valid && (!portion_valid_q || portion_done);
    assign ended = portion_done && portion_last_q;

    // Bytes of a store: lanes of the line, STORE_LANES of them a cycle, go into the register of the request, which is free then; a later lane
    // overwrites an earlier one. An atomic has its operands there.
    localparam int GROUPS = LANES / STORE_LANES;
    localparam int GROUP_W = (GROUPS > 1) ? $clog2(GROUPS) : 1;
    logic [31:0]      req_wstrb_q;
    logic [255:0]     req_wdata_q;
    logic [LANES-1:0] merged_q;   // lanes of the line whose bytes are there
    logic [LANES-1:0] unmerged, turn;
    wire              begins = merged_q == '0;
    wire              whole = !access_store_q || (unmerged & ~turn) == '0;
    assign unmerged = match & ~merged_q;
    logic [GROUP_W-1:0] group;    // whose turn it is
    always_comb begin
        group = '0;
        for (int g = GROUPS - 1; g >= 0; g--) if (unmerged[g*STORE_LANES +: STORE_LANES] != '0) group = GROUP_W'(g);
        for (int g = 0; g < GROUPS; g++) turn[g*STORE_LANES +: STORE_LANES] = (group == GROUP_W'(g)) ? unmerged[g*STORE_LANES +: STORE_LANES] : '0;
    end

    // The words of the group whose turn comes after this one stand in the next cycle. That it goes on is known late, so they are read whenever it may,
    // those of a group that is held once more, and some of nothing where no portion follows.
    wire              on = portion_valid_q && (!(whole && last_of_portion) || holds);  // it is one of the same portion
    wire  [LANES-1:0] rest = !on ? next_lanes : !whole ? unmerged & ~turn : last_of_portion ? unmerged : left_q & ~match;
    logic [GROUP_W-1:0] next_group;
    always_comb begin
        next_group = '0;
        for (int g = GROUPS - 1; g >= 0; g--) if (rest[g*STORE_LANES +: STORE_LANES] != '0) next_group = GROUP_W'(g);
    end
    wire              words = portion_valid_q ? could_split : next_valid;

    // Of the group, lane by lane: the words from its first on, as a line has them.
    logic [31:0] lane_data [4];
    logic [31:0] word0, word1, word2, word3;
    logic [4:0]  lane_place;
    logic        lane_valid;
    logic [31:0] lane_strobe, strobe_before;
    always_comb begin
        strobe_before = begins ? 32'd0 : req_wstrb_q;
        strobe = '0;
        lane_strobe = '0;
        data = '0;
        word0 = '0;
        word1 = '0;
        word2 = '0;
        word3 = '0;
        lane_place = '0;
        lane_valid = 1'b0;
        for (int k = 0; k < 4; k++) lane_data[k] = '0;
        for (int i = 0; i < STORE_LANES; i++) begin
            lane_valid = unmerged[32'(group)*STORE_LANES + i] && (access_store_q || access_atomic_q);
            if (i == 0 || lane_valid) begin
                word0 = access_atomic_q ? operand_q[i*32 +: 32] : data0_q[i*32 +: 32];
                word1 = access_atomic_q ? data0_q[i*32 +: 32] : data1_q[i*32 +: 32];
                word2 = data2_q[i*32 +: 32];
                word3 = data3_q[i*32 +: 32];
                lane_place = addr_q[(32'(group)*STORE_LANES + i)*32 +: 5];
                lane_data[0] = word0;
                if (bytes == 5'd1) lane_data[0] = {4{word0[7:0]}};
                if (bytes == 5'd2) lane_data[0] = {2{word0[15:0]}};
                lane_data[1] = (bytes[4:3] == 2'd0 && !access_atomic_q) ? lane_data[0] : word1;
                lane_data[2] = bytes[4] ? word2 : lane_data[0];
                lane_data[3] = bytes[4] ? word3 : lane_data[1];
                lane_strobe = ((32'd1 << bytes) - 32'd1) << lane_place;
                if (access_atomic_q) begin
                    lane_strobe = 32'hFF;
                    if (access_mod_q != `ATOM_CAS || (INJECT != 0 && inject_i == 8'd12)) lane_data[1] = '0;
                end
                if (!lane_valid) lane_strobe = '0;
                for (int w = 0; w < 8; w++)
                    for (int b = 0; b < 4; b++)
                        if (i == 0 || (lane_strobe[w*4 + b] && !(INJECT != 0 && inject_i == 8'd15 && strobe[w*4 + b])))
                            data[w*32 + b*8 +: 8] = lane_data[w % 4][b*8 +: 8];
                strobe = strobe | lane_strobe;
            end
        end
        if (INJECT != 0 && inject_i == 8'd15) strobe = strobe & ~strobe_before;
    end

    // ---- requests that stand before the cache ----
    // That the cache or memory takes one is known late in the cycle. With one place (REQUEST_CYCLES 1) the next is made in that cycle; with two,
    // what has become free is seen in the next one. The oldest is always in place 0. The bytes of a line have one place: a write stands alone then.
    `NOTE_WIRE(note);
    localparam int STAND_W = 2 + 4 + CHANNEL_W + 32 + WARP_W + 3 + THREADS;
    logic [REQUEST_CYCLES*STAND_W-1:0] stand_q;
    logic [REQUEST_CYCLES-1:0] stands_q;       // of each place: there is one
    logic                 side;            // the operands of an atomic that is made now go beside the bytes of a line, which the one before it has
    logic                 req_valid, req_taken;  // the oldest; it is taken by the cache, or on to memory
    logic [1:0]           req_op;
    logic [3:0]           req_atom;
    logic [CHANNEL_W-1:0] req_channel;
    logic [31:0]          req_addr;
    logic [WARP_W-1:0]    req_warp;
    logic [2:0]           req_region;
    logic [THREADS-1:0]   req_threads;     // for the event only
    logic [63:0]          req_operands;    // of an atomic
    assign {req_op, req_atom, req_channel, req_addr, req_warp, req_region, req_threads} = stand_q[0 +: STAND_W];
    assign req_valid = stands_q[0];
    wire [1:0] split_op = access_atomic_q ? `REQUEST_ATOMIC : access_store_q ? `REQUEST_WRITE : `REQUEST_READ;
    wire [STAND_W-1:0] made = {split_op, access_atomic_q ? access_mod_q : 4'd0, access_channel_q, note_addr, access_warp_q, region_q,
                               THREADS'(match) << (32'(portion_q) * LANES)};

    if (REQUEST_CYCLES == 1) begin : g_one_place
        assign request_free = !stands_q[0] || req_taken;
        assign side = 1'b0;
        assign req_operands = req_wdata_q[63:0];
    end else begin : g_two_places
        logic [63:0] operands_q;  // of every other atomic of those that follow each other
        logic        side_q;      // the oldest has its operands there
        assign request_free = access_store_q ? stands_q == '0 : !stands_q[1] && !(req_valid && req_op == `REQUEST_WRITE);
        assign side = req_valid && !side_q;
        always_ff @(posedge clk_i) begin
            side_q <= req_valid && (side_q ^ req_taken);
            if (split && side) operands_q <= data[63:0];
            if (rst_i) side_q <= 1'b0;
        end
        assign req_operands = (side_q && req_op == `REQUEST_ATOMIC) ? operands_q : req_wdata_q[63:0];
    end

    always_ff @(posedge clk_i) begin
        if (take) begin
            portion_q <= next_portion;
            portion_last_q <= next_last;
            `ACCESS_SPLIT_PACK_Q(access) <= next_access;
            access_channel_q <= next_channel;
            region_q <= next_region;
        end
        if (take || portion_done) portion_valid_q <= take;
        if (take) left_q <= next_lanes;
        else if (split) left_q <= left_q & ~match;
        if (req_taken || !req_valid) begin
            stands_q <= REQUEST_CYCLES'(split || (REQUEST_CYCLES > 1 && stands_q[REQUEST_CYCLES-1]));
            if (REQUEST_CYCLES > 1 || split)
                stand_q[0 +: STAND_W] <= (REQUEST_CYCLES > 1 && stands_q[REQUEST_CYCLES-1]) ? stand_q[(REQUEST_CYCLES-1)*STAND_W +: STAND_W] : made;
        end else if (split) stands_q[REQUEST_CYCLES-1] <= 1'b1;
        if (REQUEST_CYCLES > 1 && split) stand_q[(REQUEST_CYCLES-1)*STAND_W +: STAND_W] <= made;
        if (could_split) begin
            for (int b = 0; b < 32; b++)
                if (strobe[b] && !(side && access_atomic_q)) req_wdata_q[b*8 +: 8] <= data[b*8 +: 8];
            req_wstrb_q <= strobe_before | (access_store_q ? strobe : 32'd0);
            if (INJECT != 0 && inject_i == 8'd3) req_wstrb_q[31] <= 1'b0;
            if (split) merged_q <= '0;
            else if (!whole) merged_q <= merged_q | turn;
        end
        if (rst_i) begin
            portion_valid_q <= 1'b0;
            stands_q <= '0;
            merged_q <= '0;
        end
    end

    // What goes on to memory. Of a read the cache says late in the cycle that it does, and memory's arbiter comes behind that: a register lies between.
    logic to_valid, to_ready, read_goes;
    logic hit, joins;
    if (REQUEST_CYCLES > 1) begin : g_register
        wire                  reads = req_op == `REQUEST_READ;
        logic                 read_valid_q;
        logic [CHANNEL_W-1:0] read_channel_q;
        logic [31:0]          read_addr_q;
        always_ff @(posedge clk_i) begin
            read_valid_q <= read_valid_q ? !req_ready_i : reads && to_valid;
            if (!read_valid_q) begin
                read_channel_q <= req_channel;
                read_addr_q <= req_addr;
            end
            if (rst_i) read_valid_q <= 1'b0;
        end
        assign to_ready = !read_valid_q && (reads || req_ready_i);
        assign read_goes = !read_valid_q;
        assign req_valid_o = read_valid_q || (req_valid && !reads);
        assign req_op_o = read_valid_q ? `REQUEST_READ : req_op;
        assign req_channel_o = read_valid_q ? read_channel_q : req_channel;
        assign req_addr_o = read_valid_q ? read_addr_q : req_addr;
    end else begin : g_direct
        assign to_ready = req_ready_i;
        assign read_goes = req_ready_i;
        assign req_valid_o = to_valid;
        assign req_op_o = req_op;
        assign req_channel_o = req_channel;
        assign req_addr_o = req_addr;
    end
    assign req_atom_o = req_atom;
    assign req_wstrb_o = req_wstrb_q;
    assign req_wdata_o = {req_wdata_q[255:64], req_operands};

    localparam int DEPTH_W = $clog2(LSU_DEPTH);
    logic [DEPTH_W-1:0] req_place, join_place, ans_place;
    logic               ans_valid, ans_hit;
    logic [255:0]       ans_data;
    logic [1:0]         ans_fault;
    assign read_offered_o = req_valid && req_op == `REQUEST_READ && req_region[2];
    assign read_o = read_offered_o && (hit || (to_valid && read_goes));
    assign read_region_o = req_region[1:0];
    assign read_hit_o = hit && !joins;

    l1_cache #(.CHANNELS(CHANNELS), .L1_LINES(L1_LINES), .L1_WAYS(L1_WAYS), .LSU_DEPTH(LSU_DEPTH), .INJECT(INJECT)) u_l1_cache (
        .clk_i, .rst_i, .inject_i, .enable_i(l1_enable_i), .changed_i,
        `SNOOP_PASS_IN(snoop, snoop), `SPACE_PASS_IN(space, space),
        .in_valid_i(req_valid), .in_ready_o(req_taken), .in_read_i(req_op == `REQUEST_READ), .in_channel_i(req_channel), .in_addr_i(req_addr),
        .in_place_i(req_place), .hit_o(hit), .joins_o(joins), .join_place_o(join_place), .out_valid_o(to_valid), .out_ready_i(to_ready),
        `ANSWER_PASS_IN(rsp, rsp),
        .ans_valid_o(ans_valid), .ans_place_o(ans_place), .ans_hit_o(ans_hit), .ans_data_o(ans_data), .ans_fault_o(ans_fault),
        .all_hits_o(l1_hits_o), .all_misses_o(l1_misses_o)
    );

    assign note_warp = access_warp_q;
    assign note_pc = access_pc_q;
    assign note_portion = portion_q;
    assign note_lanes = match;
    always_comb for (int l = 0; l < LANES; l++) note_low[l*5 +: 5] = access_atomic_q ? 5'd0 : addr_q[l*32 +: 5];
    assign note_size = size;
    assign note_rd = access_rd_q;
    assign note_reg_d = access_reg_d_q;
    assign note_keeps = !access_store_q && access_rd_q != `ISA_RZ;
    assign note_addr = access_atomic_q ? first_addr : {first_addr[31:5], 5'd0};
    assign note_last_of_portion = portion_done;
    assign note_last = ended;

    load_collect #(.LANES(LANES), .WARPS(WARPS), .LSU_DEPTH(LSU_DEPTH), .REF_W(REF_W), .PORTION_W(PORTION_W), .LOAD_WORDS(LOAD_WORDS), .LOAD_LANES(LOAD_LANES),
        .INJECT(INJECT)) u_load_collect (
        .clk_i, .rst_i, .inject_i,
        .add_ready_o(collect_ready), .add_i(split), `NOTE_TO(add, note),
        .place_o(req_place), .ask_i(req_valid && req_taken), .ask_joins_i(joins), .ask_place_i(join_place),
        .rsp_valid_i(ans_valid), .rsp_place_i(ans_place), .rsp_hit_i(ans_hit), .rsp_data_i, .rsp_hit_data_i(ans_data), .rsp_fault_i(ans_fault),
        `FAULT_FOUND_PASS_OUT(fault, answer_fault), `DONE_PASS_OUT(done, done), `ROW_PASS_OUT(wb, wb)
    );

    assign trace_mem_req_valid_o = req_valid && req_taken;
    assign trace_l1_hit_valid_o = hit;
    assign trace_l1_hit_warp_o = 8'(req_warp);
    assign trace_l1_hit_addr_o = req_addr;
    assign trace_l1_hit_joined_o = joins;
    assign trace_mem_req_warp_o = 8'(req_warp);
    assign trace_mem_req_op_o = req_op;
    assign trace_mem_req_atom_o = req_atom;
    assign trace_mem_req_addr_o = req_addr;
    assign trace_mem_req_threads_o = 64'(req_threads);
    assign trace_mem_req_wstrb_o = req_wstrb_q;
    // Bytes that are not written are what they were in another request.
    always_comb begin
        trace_mem_req_wdata_o = '0;
        if (trace_mem_req_valid_o) begin
            for (int b = 0; b < 32; b++)
                if (req_wstrb_q[b] || (req_op == `REQUEST_ATOMIC && b < 8)) trace_mem_req_wdata_o[b*8 +: 8] = req_wdata_o[b*8 +: 8];
        end
    end

`ifndef SYNTHESIS
    logic [GROUP_W-1:0] words_group_q;
    always_ff @(posedge clk_i) begin
        if (words) words_group_q <= next_group;
        if (!rst_i && portion_valid_q && (access_store_q || access_atomic_q)) assert (words_group_q == group);
    end
`endif

endmodule
`default_nettype wire
