// The token deques against plain queues, over a memory that takes its time: order at both ends, no token lost or doubled on its way to
// memory and back, the flags are those of a full search, a merge is found exactly when there is one and takes the right one, nothing is
// overwritten at a bound, what stands in memory is what was pushed, an operation that waits is done in the end, a yield token comes to the front.
//
// proof quick parts frames 16
// shows TD-1 TD-4 TD-11 TD-15 TD-19 TD-21
// reads rtl/sm/token_deque.sv rtl/sm/token_mover.sv
// sets WARPS=1 DEQUE_ENTRIES=4 SIZE=1 THREADS=1
// sets WARPS=2 DEQUE_ENTRIES=4 SIZE=1 THREADS=1
// sets WARPS=1 DEQUE_ENTRIES=4 SIZE=2 THREADS=1
// sizes WARPS=1 DEQUE_ENTRIES=8 SIZE=1 THREADS=1
// sizes WARPS=1 DEQUE_ENTRIES=16 SIZE=1 THREADS=1
// narrow rtl/sm/token_deque.sv
// - initial if (THREADS != 32 && THREADS != 64)
// + initial if (THREADS > 64)
// narrow rtl/sm/token.svh
// - `define TOKEN_ADDR_W 22
// + `define TOKEN_ADDR_W 5
// mutant a push at the front forgets the family of the token below: rtl/sm/token_deque.sv
// - token_flags = front_flags | 3'(front_family);
// + token_flags = front_flags;
// mutant a push at the front forgets which kinds stand below: rtl/sm/token_deque.sv
// - assign asked = front_below | `TOKEN_ASKED(front_kind);
// + assign asked = `TOKEN_ASKED(front_kind);
// mutant the front token is lost when the RAM is read for the mover: rtl/sm/token_deque.sv
// - assign fill_save = fill_q && ram_read;
// + assign fill_save = fill_q && ram_read && !mover_take;
// mutant the front of another warp is shown: rtl/sm/token_deque.sv
// - assign front = fill_q && fill_warp_q == view ? ram_rdata_q : front_q[view];
// + assign front = fill_q ? ram_rdata_q : front_q[view];
// mutant a push at the front goes over the bound: rtl/sm/token_deque.sv
// - assign bound = (wants_front && head == '0) ||
// + assign bound =
// mutant a push at the front does not wait for room in its half: rtl/sm/token_deque.sv
// - assign lacks = (wants_front && some && fronts == ALL) ||
// + assign lacks =
// mutant a pop does not wait for the token in memory: rtl/sm/token_deque.sv
// - || (pops && fronts == '0 && memory);
// + ;
// mutant an empty deque does not start in the middle again: rtl/sm/token_deque.sv
// - if (reset || (pop && single)) begin
// + if (reset) begin
// mutant a pop that waits has its token not brought: rtl/sm/token_deque.sv
// - assign low = fronts < LOW && memory;
// + assign low = fronts < LOW && memory && !op_valid_i;
// mutant tokens of the halves are lost when software moves them all: rtl/sm/token_deque.sv
// - shift_d = shift + places_i[HALF_W-1:0];
// + shift_d = shift;
// mutant a search does not come to memory: rtl/sm/token_deque.sv
// - assign none = none_q || (!scan_next && !away_yields);
// + assign none = none_q || !scan_next;
// mutant tokens come in while a search goes over them: rtl/sm/token_mover.sv
// - assign put_o = state_q == GIVE && may_i && more_i && !search_i;
// + assign put_o = state_q == GIVE && may_i && more_i;
// mutant a merge in memory is not written back: rtl/sm/token_mover.sv
// - write_q <= 1'b1;
// + write_q <= 1'b0;
// mutant the token goes to the place beside: rtl/sm/token_mover.sv
// - if (req_valid_o && write_q && word == WORD_W'(w)) req_wstrb_o
// + if (req_valid_o && write_q && word == WORD_W'(w + 1)) req_wstrb_o
// mutant a token is read before the last one is written: rtl/sm/token_mover.sv
// - assign fetched = state_q == AWAIT && rsp_valid_i && unanswered_q == 3'd1;
// + assign fetched = state_q == AWAIT && rsp_valid_i;
`include "gen/bundles.svh"
`include "gen/isa.svh"
`include "gen/trace.svh"
`include "token.svh"
`include "formal.svh"

// What one warp's deque must be: a list in an array by place, from `head` on. All searches go through the whole list.
module token_queue #(
    parameter THREADS = 1,
    parameter N = 4,
    parameter HALF = 2,
    localparam ADDR_W = `TOKEN_ADDR_W,
    localparam PTR_W = $clog2(N) + 1,
    localparam TOKEN_W = 4 + THREADS + ADDR_W,    // address, mask, kind
    localparam WHOLE_W = TOKEN_W + 6              // which of SYNC, BRK, CONT are below, flags but for yields, and that
) (
    input wire                  clk_i,
    input wire                  done_i,            // an operation of this warp is done
    input wire [3:0]            op_i,
    input wire [3:0]            kind_i,
    input wire [THREADS-1:0]    mask_i,
    input wire [ADDR_W-1:0]     addr_i,
    input wire [15:0]           places_i,
    output logic [N*WHOLE_W-1:0] tokens_o,
    output logic [PTR_W-1:0]    head_o, tail_o, count_o,
    output logic [WHOLE_W-1:0]  front_o,
    output logic [3:0]          front_flags_o,
    output logic [15:0]         holds_o,
    output logic                found_o,           // a merge with addr_i finds its token
    output logic [PTR_W-1:0]    found_at_o,
    output logic                full_o,            // the operation finds no room
    output logic                move_fits_o
);
    logic [N*TOKEN_W-1:0] tokens_q;
    logic [PTR_W-1:0] head_q, count_q;
    wire [PTR_W-1:0] tail = head_q + count_q;
    assign head_o = head_q;
    assign tail_o = tail;
    assign count_o = count_q;

    logic [N-1:0] stands, yield, match;
    logic [3:0] flags;
    logic [2:0] below;
    always_comb begin
        holds_o = '0;
        flags = '0;
        below = '0;
        front_o = '0;
        front_flags_o = '0;
        found_at_o = '0;
        for (int p = N - 1; p >= 0; p--) begin
            stands[p] = p >= 32'(head_q) && p < 32'(tail);
            yield[p] = stands[p] && tokens_q[p*TOKEN_W +: 4] == `KIND_YIELD;
            match[p] = yield[p] && tokens_q[p*TOKEN_W + 4 + THREADS +: ADDR_W] == addr_i;
            if (stands[p] && (tokens_q[p*TOKEN_W +: 4] == `KIND_SYNC || tokens_q[p*TOKEN_W +: 4] == `KIND_BRK ||
                              tokens_q[p*TOKEN_W +: 4] == `KIND_CONT || tokens_q[p*TOKEN_W +: 4] == `KIND_RET || yield[p]))
                holds_o[tokens_q[p*TOKEN_W +: 4]] = 1'b1;
            // What stands below each token.
            tokens_o[p*WHOLE_W +: WHOLE_W] = {below, flags[2:0], tokens_q[p*TOKEN_W +: TOKEN_W]};
            if (p == 32'(head_q)) begin
                front_o = {below, flags[2:0], tokens_q[p*TOKEN_W +: TOKEN_W]};
                front_flags_o = flags;
            end
            if (stands[p]) flags = flags | `TOKEN_FAMILY(tokens_q[p*TOKEN_W +: 4]);
            if (stands[p]) below = below | `TOKEN_ASKED(tokens_q[p*TOKEN_W +: 4]);
            if (match[p]) found_at_o = PTR_W'(p);
        end
        found_o = match != '0;
    end

    wire push_front = op_i == `TOKEN_PUSH_FRONT;
    wire push_back = op_i == `TOKEN_PUSH_BACK || (op_i == `TOKEN_MERGE && !found_o);
    wire [17:0] moved = 18'(head_q) + {{2{places_i[15]}}, places_i};
    assign full_o = (push_front && head_q == '0) || (push_back && 32'(tail) == N);
    assign move_fits_o = !moved[17] && 32'(moved) + 32'(count_q) <= N;

    always_ff @(posedge clk_i) begin
        if (done_i && !full_o) begin
            case (op_i)
                `TOKEN_RESET: begin
                    head_q <= PTR_W'(N / 2);
                    count_q <= '0;
                end
                `TOKEN_PUSH_FRONT: begin
                    for (int p = 0; p < N; p++) if (p + 1 == 32'(head_q)) tokens_q[p*TOKEN_W +: TOKEN_W] <= {addr_i, mask_i, kind_i};
                    head_q <= head_q - 1'b1;
                    count_q <= count_q + 1'b1;
                end
                `TOKEN_POP_USED, `TOKEN_POP_THROWN: begin
                    head_q <= count_q == PTR_W'(1) ? PTR_W'(N / 2) : head_q + 1'b1;
                    count_q <= count_q - 1'b1;
                end
                `TOKEN_PUSH_BACK, `TOKEN_MERGE: begin
                    for (int p = 0; p < N; p++) begin
                        if (push_back && p == 32'(tail)) tokens_q[p*TOKEN_W +: TOKEN_W] <= {addr_i, mask_i, `KIND_YIELD};
                        if (!push_back && p == 32'(found_at_o))
                            tokens_q[p*TOKEN_W + 4 +: THREADS] <= tokens_q[p*TOKEN_W + 4 +: THREADS] | mask_i;
                    end
                    if (push_back) count_q <= count_q + 1'b1;
                end
                `TOKEN_MOVE: if (move_fits_o) begin
                    head_q <= PTR_W'(moved);
                    for (int p = 0; p < N; p++) for (int from = 0; from < N; from++)
                        if (places_i == 16'(p - from)) tokens_q[p*TOKEN_W +: TOKEN_W] <= tokens_q[from*TOKEN_W +: TOKEN_W];
                end
                default: ;
            endcase
        end
    end
endmodule

module prove_token_deque #(
    parameter THREADS = 1,
    parameter WARPS = 2,
    parameter DEQUE_ENTRIES = 4,
    parameter SIZE = 1
) (
    input wire clk_i
);
    localparam WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1;
    localparam CHANNELS = 2;
    localparam CHANNEL_W = 1;
    localparam HALF = DEQUE_ENTRIES / 2;
    localparam HALF_W = $clog2(HALF);
    localparam COUNT_W = HALF_W + 1;
    localparam N = HALF << SIZE;                  // places of a queue
    localparam PTR_W = $clog2(N) + 1;
    localparam BITS = `TOKEN_BITS(THREADS);
    localparam ADDR_W = `TOKEN_ADDR_W;
    localparam TOKEN_W = 4 + THREADS + ADDR_W;
    localparam WHOLE_W = TOKEN_W + 6;
    localparam STATE_W = HALF_W + 2 * PTR_W + 3 * COUNT_W + 3;
    localparam BACK_W = THREADS + ADDR_W;
    `RESET(rst)

    // ---- the unit, its inputs, and what the divergence unit keeps to: an operation waits unchanged until it is done; a warp begins with
    // RESET; nothing is popped from an empty deque; a push at the back is a merge that finds nothing ----
    `ANY(1, op_valid)
    `ANY(1, look)
    `ANY(4, op)
    `ANY(WARP_W, warp)
    `ANY(4, kind)
    `ANY(THREADS, mask)
    `ANY(ADDR_W, addr)
    `ANY(16, places)
    `ANY(1, req_ready)
    `ANY(1, rsp_valid)
    `ANY(256, rsp_any)
    wire ready, full, really_full, failed, empty;
    wire [3:0] front_kind, front_flags;
    wire [THREADS-1:0] front_mask;
    wire [ADDR_W-1:0] front_addr;
    wire [15:0] holds;
    wire [31:0] ends, kept, req_addr, req_wstrb;
    wire [255:0] req_wdata;
    wire [1:0] req_op;
    wire req_valid;
    logic [255:0] rsp_data;
    wire trace_valid, moves;
    wire [2:0] trace_op;
    wire [1:0] way;

    token_deque #(.THREADS(THREADS), .WARPS(WARPS), .CHANNELS(CHANNELS), .DEQUE_ENTRIES(DEQUE_ENTRIES), .DEQUE_MOST(N)) dut (
        .clk_i, .rst_i(rst), .memory_i('0), .size_i(4'(SIZE)), .look_i(look || op_valid), .op_valid_i(op_valid), .op_ready_o(ready), .op_i(op),
        .warp_i(warp), .kind_i(kind), .mask_i(mask), .addr_i(addr), .meets_i(!empty && front_kind == `KIND_YIELD && front_addr == addr), .places_i(places),
        .full_o(full), .really_full_o(really_full),
        .failed_o(failed), .empty_o(empty), .front_kind_o(front_kind), .front_mask_o(front_mask), .front_addr_o(front_addr),
        .front_flags_o(front_flags), .holds_o(holds), .look_warp_i(warp), .look_ends_o(ends), .look_kept_o(kept),
        .req_valid_o(req_valid), .req_ready_i(req_ready), .req_op_o(req_op), .req_atom_o(), .req_channel_o(), .req_addr_o(req_addr),
        .req_wstrb_o(req_wstrb), .req_wdata_o(req_wdata), .rsp_valid_i(rsp_valid), .rsp_data_i(rsp_data), .rsp_fault_i(2'd0),
        .trace_token_move_valid_o(moves), .trace_token_move_warp_o(), .trace_token_move_way_o(way), .trace_token_move_place_o(),
        .trace_token_move_token_lo_o(), .trace_token_move_token_hi_o(),
        .trace_token_valid_o(trace_valid), .trace_token_warp_o(), .trace_token_op_o(trace_op), .trace_token_token_lo_o(),
        .trace_token_token_hi_o());

    logic [WARPS-1:0] begun = '0;
    logic waits = 1'b0;
    logic [3:0] op_q;
    logic [WARP_W-1:0] warp_q;
    logic [THREADS-1:0] mask_q;
    logic [ADDR_W-1:0] addr_q;
    logic [15:0] places_q;
    wire done = op_valid && ready && !rst;
    wire pop = op == `TOKEN_POP_USED || op == `TOKEN_POP_THROWN;
    always_ff @(posedge clk_i) begin
        waits <= op_valid && !ready && !rst;
        op_q <= op;
        warp_q <= warp;
        mask_q <= mask;
        addr_q <= addr;
        places_q <= places;
        for (int w = 0; w < WARPS; w++) if (done && op == `TOKEN_RESET && warp == WARP_W'(w)) begun[w] <= 1'b1;
    end
    `ASSUME(!waits || (op_valid && op == op_q && warp == warp_q && mask == mask_q && addr == addr_q && places == places_q))
    `ASSUME(32'(warp) < WARPS)
    `ASSUME(!op_valid || op <= `TOKEN_MOVE)
    `ASSUME(!op_valid || op == `TOKEN_RESET || begun[warp])
    `ASSUME(!op_valid || op != `TOKEN_PUSH_FRONT || kind != `KIND_YIELD)
    `ASSUME(!op_valid || !pop || !empty)
    `CHECK(!failed)

    // ---- memory: requests are performed in order, and answered in order, whenever it likes ----
    logic [WARPS*N*BITS-1:0] memory_q;
    logic [2:0] unanswered = '0;
    logic reading = 1'b0;
    logic [26:0] read_line;
    wire sent = req_valid && req_ready && !rst;
    `ASSUME(!rsp_valid || unanswered != '0)
    always_comb begin
        rsp_data = rsp_any;
        if (reading && unanswered == 3'd1)
            for (int t = 0; t < WARPS * N; t++) if (32'(read_line) == t / 4) rsp_data[64*(t%4) +: BITS] = memory_q[t*BITS +: BITS];
    end
    wire [WARPS-1:0] shifts;   // software has moved a warp's tokens: in memory, just before it says so
    always_ff @(posedge clk_i) begin
        if (!rst) unanswered <= unanswered + 3'(sent) - 3'(rsp_valid);
        if (sent) begin
            reading <= req_op == `REQUEST_READ;
            read_line <= req_addr[31:5];
        end else if (rsp_valid && unanswered == 3'd1) reading <= 1'b0;
        for (int t = 0; t < WARPS * N; t++) begin
            if (sent && req_op == `REQUEST_WRITE && 32'(req_addr[31:5]) == t / 4 && req_wstrb[8*(t%4)]) memory_q[t*BITS +: BITS] <= req_wdata[64*(t%4) +: BITS];
            if (shifts[t/N]) for (int u = 0; u < N; u++)
                if (places == 16'(t % N - u)) memory_q[t*BITS +: BITS] <= memory_q[(t/N*N+u)*BITS +: BITS];
        end
    end
    // One token a write, at most, and inside of the queues.
    `CHECK(!sent || req_op != `REQUEST_WRITE || req_wstrb == 32'hFF || req_wstrb == 32'hFF00 || req_wstrb == 32'hFF0000 || req_wstrb == 32'hFF000000)
    `CHECK(!sent || (req_addr[4:0] == '0 && 32'(req_addr[31:5]) < (WARPS * N + 3) / 4))

    // ---- inside of the unit, for the invariants ----
    (* hierconn *) wire [BITS-1:0] \dut.ram[0] , \dut.ram[1] , \dut.ram[2] , \dut.ram[3] , \dut.ram[4] , \dut.ram[5] , \dut.ram[6] , \dut.ram[7] ,
        \dut.ram[8] , \dut.ram[9] , \dut.ram[10] , \dut.ram[11] , \dut.ram[12] , \dut.ram[13] , \dut.ram[14] , \dut.ram[15] ;
    (* hierconn *) wire [STATE_W-1:0] \dut.state_q[0] , \dut.state_q[1] ;
    (* hierconn *) wire [BITS-1:0] \dut.front_q[0] , \dut.front_q[1] , \dut.ram_rdata_q , \dut.u_token_mover.out_q ;
    (* hierconn *) wire [BACK_W-1:0] \dut.back_q[0] , \dut.back_q[1] ;
    (* hierconn *) wire \dut.fill_q , \dut.read_q , \dut.scan_q , \dut.scan_match_q , \dut.scan_back_q , \dut.scanned_q , \dut.none_q , \dut.held_q ;
    (* hierconn *) wire [WARPS-1:0] \dut.stopped_q , \dut.failed_q ;
    (* hierconn *) wire [WARP_W-1:0] \dut.fill_warp_q , \dut.held_warp_q , \dut.u_token_mover.at_q ;
    (* hierconn *) wire [3:0] \dut.held_op_q ;
    (* hierconn *) wire [HALF_W-1:0] \dut.scan_place_q ;
    (* hierconn *) wire [COUNT_W-1:0] \dut.scan_left_q ;
    (* hierconn *) wire [2:0] \dut.u_token_mover.state_q , \dut.u_token_mover.unanswered_q ;
    (* hierconn *) wire [1:0] \dut.u_token_mover.way_q ;
    (* hierconn *) wire \dut.u_token_mover.search_q , \dut.u_token_mover.write_q ;
    (* hierconn *) wire [PTR_W-1:0] \dut.u_token_mover.place_q ;
    (* hierconn *) wire [26:0] \dut.u_token_mover.line_addr_q ;
    (* hierconn *) wire [255:0] \dut.u_token_mover.line_q ;
    wire [16*BITS-1:0] ram = {\dut.ram[15] , \dut.ram[14] , \dut.ram[13] , \dut.ram[12] , \dut.ram[11] , \dut.ram[10] , \dut.ram[9] , \dut.ram[8] ,
                              \dut.ram[7] , \dut.ram[6] , \dut.ram[5] , \dut.ram[4] , \dut.ram[3] , \dut.ram[2] , \dut.ram[1] , \dut.ram[0] };
    wire [2*STATE_W-1:0] states = {\dut.state_q[1] , \dut.state_q[0] };
    wire [2*BITS-1:0] front_tokens = {\dut.front_q[1] , \dut.front_q[0] };
    wire [2*BACK_W-1:0] backs = {\dut.back_q[1] , \dut.back_q[0] };
    wire [BITS-1:0] u_ram_rdata = \dut.ram_rdata_q ;
    wire [BITS-1:0] m_out_token = \dut.u_token_mover.out_q ;
    wire u_fill = \dut.fill_q ;
    wire u_read = \dut.read_q , u_compared = \dut.scan_q , u_match = \dut.scan_match_q ;
    wire u_scan = u_read || u_compared;  // a token of the RAM has been read
    wire u_scan_back = \dut.scan_back_q ;
    wire u_scanned = \dut.scanned_q ;
    wire u_none = \dut.none_q ;
    wire u_held = \dut.held_q ;
    wire [WARPS-1:0] u_stopped = \dut.stopped_q ;
    wire [WARPS-1:0] u_failed = \dut.failed_q ;
    wire [WARP_W-1:0] u_fill_warp = \dut.fill_warp_q ;
    wire [WARP_W-1:0] u_held_warp = \dut.held_warp_q ;
    wire [3:0] u_held_op = \dut.held_op_q ;
    wire [HALF_W-1:0] u_scan_place = \dut.scan_place_q ;
    wire [COUNT_W-1:0] u_scan_left = \dut.scan_left_q ;
    wire [2:0] m_unanswered = \dut.u_token_mover.unanswered_q ;
    wire [1:0] m_way = \dut.u_token_mover.way_q ;
    wire [26:0] m_line_addr = \dut.u_token_mover.line_addr_q ;
    wire [255:0] m_line = \dut.u_token_mover.line_q ;
    localparam logic [2:0] IDLE = 3'd0, TAKE = 3'd1, SEND = 3'd2, AWAIT = 3'd3, GIVE = 3'd4, LOOK = 3'd5;
    wire [2:0] m_state = \dut.u_token_mover.state_q ;
    wire [WARP_W-1:0] m_at = \dut.u_token_mover.at_q ;
    wire [PTR_W-1:0] m_place = \dut.u_token_mover.place_q ;
    wire m_search = \dut.u_token_mover.search_q , m_write = \dut.u_token_mover.write_q ;
    wire m_out = m_way == `TOKEN_MOVE_OUT_FRONT || m_way == `TOKEN_MOVE_OUT_BACK ;
    wire m_busy = m_state != IDLE || unanswered != '0;
    wire [31:0] m_token = 32'(m_at) * N + 32'(m_place);   // its number among all

    `INVARIANT(rst || u_held == waits && (!waits || (u_held_op == op_q && u_held_warp == warp_q)))
    `INVARIANT(rst || u_failed == '0)
    `INVARIANT(rst || unanswered == m_unanswered)
    `INVARIANT(rst || unanswered <= (m_state == AWAIT ? 3'd5 : 3'd4))
    `INVARIANT(rst || !m_write || (m_state != TAKE && m_state != SEND) || unanswered <= 3'd3)
    `INVARIANT(rst || m_state <= LOOK)
    `INVARIANT(rst || 32'(m_at) < WARPS)
    `INVARIANT(rst || reading == (m_state == AWAIT))
    `INVARIANT(rst || m_state != AWAIT || (unanswered != '0 && 32'(read_line) == m_token / 4))
    `INVARIANT(rst || (m_state != GIVE && m_state != LOOK) || unanswered == '0)
    `INVARIANT(rst || !m_busy || begun[m_at])
    `INVARIANT(rst || (m_state == SEND ? 32'(m_line_addr) == m_token / 4 : m_line_addr == '0 && m_out_token == '0))
    `CHECK(req_valid || {req_op, req_addr, req_wstrb, req_wdata} == '0 || rst)   // memory_unit relies on it
    `INVARIANT(rst || m_state == IDLE || 32'(m_place) < N)
    // A write is a token that goes out, or one that a search has found; a read is for one that comes in, or for a search that goes on.
    `INVARIANT(rst || m_state == IDLE || m_search || m_write == m_out)
    `INVARIANT(rst || m_state != TAKE || !(m_search && m_write))
    `INVARIANT(rst || (m_state != AWAIT && m_state != GIVE && m_state != LOOK) || !m_write)
    `INVARIANT(rst || m_state != GIVE || !m_search)
    `INVARIANT(rst || m_state != LOOK || m_search)
    wire m_searches = m_search && !m_write && (m_state == TAKE || m_state == SEND || m_state == AWAIT || m_state == LOOK);
    `INVARIANT(rst || !m_searches || (waits && op_q == `TOKEN_MERGE && warp_q == m_at && u_scanned && !u_none))
    `INVARIANT(rst || !u_scanned || (waits && op_q == `TOKEN_MERGE && !u_scan))
    `INVARIANT(rst || !u_none || (waits && op_q == `TOKEN_MERGE && !u_scan))
    `INVARIANT(rst || !u_scan || (waits && op_q == `TOKEN_MERGE && !u_fill))
    `INVARIANT(rst || !(u_read && u_compared))
    `INVARIANT(rst || !u_compared || u_match == (`TOKEN_ADDR(u_ram_rdata, THREADS) == addr_q))
    `INVARIANT(rst || !u_fill || 32'(u_fill_warp) < WARPS)
    `INVARIANT(rst || m_state != TAKE || !m_write || !(u_fill || u_scan))

    // ---- each warp's deque against its queue ----
    wire [WARPS*N*WHOLE_W-1:0] all_tokens;
    wire [WARPS*PTR_W-1:0] heads, counts;
    wire [WARPS-1:0] must_full;
    for (genvar w = 0; w < WARPS; w++) begin : g_warp
        wire mine = warp == WARP_W'(w);
        wire mine_done = done && mine;
        wire [N*WHOLE_W-1:0] tokens;
        wire [WHOLE_W-1:0] must_front;
        wire [3:0] must_flags;
        wire [PTR_W-1:0] head, tail, count, found_at;
        wire [15:0] must_hold;
        wire found, must_be_full, move_fits;
        token_queue #(.THREADS(THREADS), .N(N), .HALF(HALF)) queue (
            .clk_i, .done_i(mine_done), .op_i(op), .kind_i(kind), .mask_i(mask), .addr_i(addr), .places_i(places), .tokens_o(tokens), .head_o(head),
            .tail_o(tail), .count_o(count), .front_o(must_front), .front_flags_o(must_flags), .holds_o(must_hold), .found_o(found),
            .found_at_o(found_at), .full_o(must_be_full), .move_fits_o(move_fits));

        assign all_tokens[w*N*WHOLE_W +: N*WHOLE_W] = tokens;
        assign heads[w*PTR_W +: PTR_W] = head;
        assign must_full[w] = must_be_full;
        assign counts[w*PTR_W +: PTR_W] = count;
        assign shifts[w] = mine_done && op == `TOKEN_MOVE && move_fits;
        `ASSUME(!(op_valid && mine && op == `TOKEN_PUSH_BACK) || !found)
        `ASSUME(!(op_valid && mine && op == `TOKEN_MOVE) || count != '0)   // of a warp that finds no room

        // What it shows.
        wire shown = mine && begun[w] && !rst && (look || op_valid);
        `CHECK(!shown || empty == (count == '0))
        `CHECK(!mine || !begun[w] || rst || ends == {16'(N - 32'(tail)), 16'(head)})
        `CHECK(!shown || holds == must_hold)
        `CHECK(!shown || empty || {front_addr, front_mask, front_kind} == must_front[TOKEN_W-1:0])
        `CHECK(!shown || empty || front_flags == must_flags)
        `CHECK(!(mine_done && begun[w]) || full == must_be_full)
        `CHECK(!(mine_done && full) || really_full == (32'(count) == N))
        `CHECK(!(mine_done && begun[w]) || trace_valid == (!must_be_full && op <= `TOKEN_MERGE))
        `CHECK(!(mine_done && begun[w] && trace_valid) || (trace_op == `TOKEN_MERGE) == (op == `TOKEN_MERGE && found))

        // The unit's state, in the words of the queue.
        wire [PTR_W-1:0] s_head, s_room;
        wire [HALF_W-1:0] s_shift;
        wire [COUNT_W-1:0] s_fronts, s_backs, s_front_yields;
        wire s_some, s_memory, s_away_yields;
        assign {s_shift, s_head, s_room, s_fronts, s_backs, s_front_yields, s_some, s_memory, s_away_yields} = states[w*STATE_W +: STATE_W];
        wire [PTR_W:0] first = {1'b0, head} + (PTR_W+1)'(s_fronts) + 1'b1;   // place of the first token in memory
        wire [PTR_W:0] behind = {1'b0, tail} - (PTR_W+1)'(s_backs);          // of the first one of the back half
        wire [PTR_W:0] first_yield = first - (PTR_W+1)'(s_front_yields);     // of the first yield token of the front half
        wire s_away = count != '0 && first != behind;                        // there are tokens in memory
        logic [N-1:0] stands, is_yield, is_front, is_away, is_back, same;
        logic together, unique_yields;   // the yield tokens stand together at the back; no two have one address
        logic front_yields_right;
        always_comb begin
            together = 1'b1;
            unique_yields = 1'b1;
            front_yields_right = 1'b1;
            for (int p = 0; p < N; p++) begin
                stands[p] = p >= 32'(head) && p < 32'(tail);
                is_yield[p] = stands[p] && tokens[p*WHOLE_W +: 4] == `KIND_YIELD;
                same[p] = is_yield[p] && tokens[p*WHOLE_W + 4 + THREADS +: ADDR_W] == addr_q;
                is_front[p] = stands[p] && p > 32'(head) && p < 32'(first);
                is_away[p] = stands[p] && p >= 32'(first) && p < 32'(behind);
                is_back[p] = stands[p] && p >= 32'(behind);
                if (is_front[p] && is_yield[p] != (p >= 32'(first_yield))) front_yields_right = 1'b0;
                if (p > 0 && stands[p] && !is_yield[p] && is_yield[p > 0 ? p - 1 : 0]) together = 1'b0;
                for (int q = 0; q < p; q++)
                    if (is_yield[p] && is_yield[q] && tokens[p*WHOLE_W + 4 + THREADS +: ADDR_W] == tokens[q*WHOLE_W + 4 + THREADS +: ADDR_W])
                        unique_yields = 1'b0;
            end
        end
        wire known = begun[w] && !rst;
        `INVARIANT(!known || (s_head == head && 32'(s_room) + 32'(head) + 32'(count) == N))
        `INVARIANT(!known || s_some == (count != '0))
        `INVARIANT(!known || count == '0 || 32'(s_fronts) + 32'(s_backs) + 1 <= 32'(count))
        `INVARIANT(!known || count != '0 || (s_fronts == '0 && s_backs == '0 && head == PTR_W'(N / 2)))
        `INVARIANT(!known || (s_memory == s_away && s_away_yields == ((is_away & is_yield) != '0)))
        `INVARIANT(!known || (32'(s_fronts) <= HALF && 32'(s_backs) <= HALF))
        `INVARIANT(!known || (s_front_yields <= s_fronts && front_yields_right))
        `INVARIANT(!known || (is_back & ~is_yield) == '0)
        `INVARIANT(!known || together)
        `INVARIANT(!known || unique_yields)
        `INVARIANT(!rst || begun == '0)
        `INVARIANT(rst || begun[w] || u_stopped[w])

        // Where each token is.
        wire filling = u_fill && u_fill_warp == WARP_W'(w);
        wire [BITS-1:0] front = filling ? u_ram_rdata : front_tokens[w*BITS +: BITS];
        wire at_it = m_at == WARP_W'(w);
        wire leaving = at_it && m_write && (m_state == TAKE || m_state == SEND);   // the token of place m_place is not in memory yet
        logic [N-1:0] right;             // in its half, or in memory
        // The halves, by the places that their tokens have now.
        logic [HALF*BITS-1:0] front_half, back_half;
        always_comb begin
            front_half = ram[w*DEQUE_ENTRIES*BITS +: HALF*BITS];
            back_half = ram[(w*DEQUE_ENTRIES+HALF)*BITS +: HALF*BITS];
            for (int b = 0; b < HALF_W; b++) if (s_shift[b]) begin
                front_half = (front_half << (BITS << b)) | (front_half >> ((HALF - (1 << b)) * BITS));
                back_half = (back_half >> (BITS << b)) | (back_half << ((HALF - (1 << b)) * BITS));
            end
        end
        logic newest_right, leaving_right, line_right, coming_right;
        logic scanned_right, none_right, scan_right, scan_unlike;
        always_comb begin
            right = '1;
            newest_right = 1'b1;
            leaving_right = 1'b0;
            coming_right = 1'b0;
            line_right = 1'b1;
            scanned_right = 1'b1;
            none_right = 1'b1;
            scan_right = 1'b0;
            scan_unlike = 1'b1;
            for (int p = 0; p < N; p++) begin
                if (is_front[p] && front_half[p%HALF*BITS +: BITS] != tokens[p*WHOLE_W +: WHOLE_W]) right[p] = 1'b0;
                if (is_back[p] && back_half[(N-1-p)%HALF*BITS +: BITS] != tokens[p*WHOLE_W +: WHOLE_W]) right[p] = 1'b0;
                if (is_away[p] && !(leaving && 32'(m_place) == p) && memory_q[(w*N+p)*BITS +: BITS] != tokens[p*WHOLE_W +: WHOLE_W]) right[p] = 1'b0;
                if (is_away[p] && p / 4 == 32'(m_place) / 4 && (m_state == LOOK || p >= 32'(m_place)) &&
                    m_line[64*((w*N+p)%4) +: BITS] != tokens[p*WHOLE_W +: WHOLE_W]) line_right = 1'b0;
                if (32'(tail) == p + 1 && s_backs != '0 &&
                    backs[w*BACK_W +: BACK_W] != {tokens[p*WHOLE_W + 4 +: THREADS], tokens[p*WHOLE_W + 4 + THREADS +: ADDR_W]}) newest_right = 1'b0;
                if (is_away[p] && p == 32'(m_place) && (m_state == TAKE ? u_ram_rdata : m_out_token) == tokens[p*WHOLE_W +: WHOLE_W])
                    leaving_right = 1'b1;
                if (is_away[p] && p == 32'(m_place)) coming_right = 1'b1;
                if (same[p] && !is_away[p]) scanned_right = 1'b0;
                if (same[p]) none_right = 1'b0;
                // The token that has been read: of the back half from the oldest on, of the front half from the last on.
                if (u_scan_back ? is_back[p] && p + 2 + 32'(u_scan_left) == 32'(tail) : is_front[p] && p == 32'(first_yield) + 32'(u_scan_left)) begin
                    if (u_ram_rdata == tokens[p*WHOLE_W +: WHOLE_W] && u_scan_place == (u_scan_back ? HALF_W'(N-1-p) + s_shift : HALF_W'(p) - s_shift)) scan_right = 1'b1;
                end
                if (same[p] && (p == 32'(head) || (is_back[p] && p + 1 == 32'(tail)))) scan_unlike = 1'b0;
                if (same[p] && is_back[p] && (!u_scan_back || p + 2 + 32'(u_scan_left) < 32'(tail))) scan_unlike = 1'b0;
                if (same[p] && is_front[p] && !u_scan_back && p > 32'(first_yield) + 32'(u_scan_left)) scan_unlike = 1'b0;
            end
        end
        `INVARIANT(!known || count == '0 || front == must_front)
        for (genvar p = 0; p < N; p++) begin : g_place
            `INVARIANT(!known || right[p])
        end
        `INVARIANT(!known || newest_right)
        `INVARIANT(!known || !leaving || leaving_right)
        wire comes = at_it && !m_write && !m_search && m_state != IDLE;
        `INVARIANT(!known || !comes || ((coming_right && 32'(m_place) == 32'(first)) || (m_state == GIVE && !s_away)))
        `INVARIANT(!known || !at_it || (m_state != GIVE && m_state != LOOK) || line_right)
        wire searched = at_it && m_searches;
        `INVARIANT(!known || !searched || (coming_right && s_away_yields))
        for (genvar p = 0; p < N; p++) begin : g_searched
            `INVARIANT(!known || !searched || !(is_away[p] && p > 32'(m_place)) || (is_yield[p] && !same[p]))
        end
        wire merging = waits && warp_q == WARP_W'(w) && known;
        `INVARIANT(!(merging && u_scanned) || scanned_right)
        `INVARIANT(!(merging && u_none) || none_right)
        `INVARIANT(!(merging && u_scan) || (scan_right && scan_unlike))
        `INVARIANT(!(merging && u_scan) || (u_scan_back ? 32'(u_scan_left) + 2 <= 32'(s_backs) : 32'(u_scan_left) + 1 <= 32'(s_front_yields)))

        `REACH(mine_done && pop && 32'(count) == N)
        `REACH(mine_done && full && op == `TOKEN_PUSH_FRONT)
        `REACH(mine_done && full && op == `TOKEN_MERGE)
        `REACH(known && 32'(count) == N)
        `REACH(mine_done && op == `TOKEN_MERGE && found && found_at == head && !must_be_full)
        `REACH(mine_done && op == `TOKEN_MERGE && found && 32'(found_at) + 1 == 32'(tail) && 32'(count) > 1)
        `REACH(mine_done && op == `TOKEN_MERGE && found && at_it && m_state == LOOK)
        `REACH(known && s_away && m_state == GIVE && at_it && moves)
        `REACH(shifts[w] && places != '0 && s_away)
        `REACH(known && s_away_yields)
    end

    // ---- an operation is done in the end ----
    // In each cycle in which it waits for something else than memory, what is still to be done for it becomes less; in none it becomes more. So it
    // waits for at most MOST cycles, and those in which memory takes no request or has no answer.
    localparam [COUNT_W-1:0] HIGH = COUNT_W'(3 * HALF / 4);
    localparam AFTER_NONE = 32 * (HALF + 4);             // more than tokens to be moved
    localparam ELSEWHERE = AFTER_NONE + 16 * N + 64;     // .. and than a search in memory
    localparam SCAN = ELSEWHERE + 64;                    // .. and than what is on its way for another warp
    localparam MOST = SCAN * (4 * HALF + 8);
    localparam RANK_W = $clog2(MOST) + 1;
    wire [COUNT_W-1:0] w_fronts = states[32'(warp)*STATE_W + 3 + 2*COUNT_W +: COUNT_W];
    wire [COUNT_W-1:0] w_backs = states[32'(warp)*STATE_W + 3 + COUNT_W +: COUNT_W];
    wire [COUNT_W-1:0] w_front_yields = states[32'(warp)*STATE_W + 3 +: COUNT_W];
    wire at_warp = m_at == warp;
    wire full_now = must_full[warp];
    wire searching = op == `TOKEN_MERGE && !u_none && (states[32'(warp)*STATE_W] || !u_scanned);
    wire brings = pop && !m_write && !m_search && m_state != IDLE;
    wire [RANK_W-1:0] fronts_over = w_fronts > HIGH ? RANK_W'(w_fronts - HIGH) : '0;
    wire [RANK_W-1:0] backs_over = w_backs > HIGH ? RANK_W'(w_backs - HIGH) : '0;
    logic [RANK_W-1:0] scan_rank, state_rank, job_rank, rank, rank_q;
    logic waited_q = 1'b0, memory_waits_q;
    wire memory_waits = (m_state == SEND && !req_ready) || ((m_state == AWAIT || m_state == IDLE) && unanswered != '0 && !rsp_valid);
    wire waits_now = op_valid && !ready && !rst;
    always_comb begin
        // The mover's state: a request, its answers, the tokens of a line.
        case (m_state)
            TAKE: state_rank = RANK_W'(15);
            SEND: state_rank = RANK_W'(14);
            AWAIT: state_rank = RANK_W'(8) + RANK_W'(unanswered);
            GIVE: state_rank = RANK_W'(1) + (w_fronts < HIGH ? RANK_W'(HIGH - w_fronts) : '0);
            LOOK: state_rank = RANK_W'(1);
            default: state_rank = (at_warp ? RANK_W'(16) : RANK_W'(1)) + RANK_W'(unanswered);
        endcase
        if (!at_warp && (m_state == GIVE || m_state == LOOK)) state_rank = RANK_W'(7);
        // Tokens that go out before, of this end or the other.
        job_rank = '0;
        if (op == `TOKEN_PUSH_FRONT && !full_now) job_rank = RANK_W'(1);
        if ((op == `TOKEN_PUSH_BACK || op == `TOKEN_MERGE) && !full_now) job_rank = fronts_over + RANK_W'(1);
        if (pop) job_rank = backs_over;
        if (m_state != IDLE && !brings) job_rank = job_rank + RANK_W'(1);
        scan_rank = '0;
        if (op == `TOKEN_MERGE && !u_scanned && !u_none) begin
            if (!u_scan) scan_rank = RANK_W'(w_backs) + RANK_W'(w_front_yields) + RANK_W'(2);
            else scan_rank = RANK_W'(u_scan_left) + RANK_W'(1) + (u_scan_back ? RANK_W'(w_front_yields) : '0);
            scan_rank = {scan_rank[RANK_W-2:0], u_read};  // a token is read, then compared
        end
        rank = scan_rank * RANK_W'(SCAN);
        if (!at_warp) rank = rank + RANK_W'(ELSEWHERE) + state_rank;
        else if (!searching) rank = rank + job_rank * RANK_W'(32) + state_rank;
        else if (m_searches) rank = rank + RANK_W'(AFTER_NONE) + RANK_W'(m_place) * RANK_W'(16) + state_rank;
        else rank = rank + RANK_W'(AFTER_NONE + 16 * N) + (m_state == IDLE ? '0 : RANK_W'(32)) + state_rank;
    end
    always_ff @(posedge clk_i) begin
        waited_q <= waits_now;
        memory_waits_q <= memory_waits;
        rank_q <= rank;
    end
    `INVARIANT(rst || waited_q == waits)
    `INVARIANT(!(waited_q && waits_now) || rank < rank_q || (memory_waits_q && rank == rank_q))
    `CHECK(!waits_now || 32'(rank) <= MOST)

    // ---- a yield token comes to the front ----
    // Any one is watched. Each pop brings it one place nearer, each push at the front one place further away, nothing else moves it: it is the
    // front as soon as that many more tokens have been popped than pushed in front as there were before it, N - 1 at most.
    `ANY(1, choose)
    logic watching = 1'b0;
    logic [WARP_W-1:0] watched_warp;
    logic [ADDR_W-1:0] watched_addr;
    logic [THREADS-1:0] watched_mask;
    logic [PTR_W:0] before, nearer;   // tokens in front of it at first; popped less pushed since, modulo 2 * (2 * N)
    wire [PTR_W:0] place = before - nearer;
    wire its_warp = watching && warp == watched_warp;
    wire pushed_back = done && trace_valid && trace_op == 3'(`TOKEN_PUSH_BACK);
    always_ff @(posedge clk_i) begin
        if (!watching) begin
            if (pushed_back && choose) begin
                watching <= 1'b1;
                watched_warp <= warp;
                watched_addr <= addr;
                watched_mask <= mask;
                before <= (PTR_W+1)'(counts[32'(warp)*PTR_W +: PTR_W]);
                nearer <= '0;
            end
        end else if (its_warp && done) begin
            if (op == `TOKEN_RESET || (pop && place == '0)) watching <= 1'b0;
            else if (pop) nearer <= nearer + 1'b1;
            else if (op == `TOKEN_PUSH_FRONT && !full) nearer <= nearer - 1'b1;
        end
    end
    logic stands_there;
    always_comb begin
        stands_there = 1'b0;
        for (int w = 0; w < WARPS; w++)
            for (int p = 0; p < N; p++)
                if (32'(watched_warp) == w && p == 32'(heads[w*PTR_W +: PTR_W]) + 32'(place) && 32'(place) < 32'(counts[w*PTR_W +: PTR_W]) &&
                    all_tokens[(w*N+p)*WHOLE_W +: 4] == `KIND_YIELD && all_tokens[(w*N+p)*WHOLE_W+4+THREADS +: ADDR_W] == watched_addr &&
                    (watched_mask & ~all_tokens[(w*N+p)*WHOLE_W+4 +: THREADS]) == '0) stands_there = 1'b1;
    end
    `INVARIANT(!watching || (32'(before) < N && 32'(place) < N && begun[watched_warp] && 32'(watched_warp) < WARPS))
    `INVARIANT(!watching || stands_there)
    `CHECK(!(its_warp && (look || op_valid) && nearer == before) || (front_kind == `KIND_YIELD && front_addr == watched_addr && (watched_mask & ~front_mask) == '0))
    `REACH(its_warp && done && pop && place == '0 && before == (PTR_W+1)'(1))
endmodule
