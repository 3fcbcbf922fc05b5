// The token deque in the size of a configuration: any one warp of all is watched, and its deque compared with a row of places in which tokens
// stand. What a token's flags and the counts must be is said place by place (those of the place behind, and what stands there), so no assertion
// grows with the number of entries. Of the RAM the watched warp's part is kept; what the others read is anything.
//
// proof quick parts frames 12
// shows TD-1 TD-4 TD-11 TD-19
// reads rtl/sm/token_deque.sv
// sets WARPS=2 DEQUE_ENTRIES=4 THREADS=1
// sizes WARPS=2 DEQUE_ENTRIES=64 THREADS=1
// narrow rtl/sm/token_deque.sv
// - initial if (THREADS != 32 && THREADS != 64)
// + initial if (THREADS > 64)
// narrow rtl/sm/token_deque.sv
// - logic [BITS-1:0]                  ram [(1 << WARP_W) * DEQUE_ENTRIES];
// + (* anyconst *) wire [WARP_W-1:0] watched; (* anyseq *) wire [BITS-1:0] other; logic [DEQUE_ENTRIES*BITS-1:0] ram;
// narrow rtl/sm/token_deque.sv
// - if (ram_write) ram[ram_waddr] <= token;
// + for (int e = 0; e < DEQUE_ENTRIES; e++) if (ram_write && ram_waddr == {watched, ENTRY_W'(e)}) ram[e*BITS +: BITS] <= token;
// narrow rtl/sm/token_deque.sv
// - if (ram_read) ram_rdata_q <= ram[ram_raddr];
// + if (ram_read) ram_rdata_q <= watched_read;
// narrow rtl/sm/token_deque.sv
// - assign read_entry = (load || move) ? ENTRY_W'(addr_i) : ENTRY_W'(scan ? scan_next : head + ONE);
// + assign read_entry = (load || move) ? ENTRY_W'(addr_i) : ENTRY_W'(scan ? scan_next : head + ONE); logic [BITS-1:0] watched_read; always_comb begin watched_read = warp_i == watched ? '0 : other; for (int e = 0; e < DEQUE_ENTRIES; e++) if (ram_raddr == {watched, ENTRY_W'(e)}) watched_read = watched_read | ram[e*BITS +: BITS]; end wire [STATE_W-1:0] watched_state = state_q[watched]; wire [BITS-1:0] watched_front = front_q[watched]; wire [THREADS+`TOKEN_ADDR_W-1:0] watched_back = back_q[watched];
// narrow rtl/sm/token_deque.sv
// - if (go && !reset) assert (head <= tail
// + if (go && !reset && warp_i == watched) assert (head <= tail
// narrow rtl/sm/token.svh
// - `define TOKEN_ADDR_W 22
// + `define TOKEN_ADDR_W 9
// mutant a push at the front forgets the family of the token below: rtl/sm/token_deque.sv
// - token_flags = empty_o ? 4'd0 : front_flags_o | front_family;
// + token_flags = empty_o ? 4'd0 : front_flags_o;
// mutant the front token is lost when a merge reads the RAM: rtl/sm/token_deque.sv
// - assign fill_save = fill_q && ram_read;
// + assign fill_save = fill_q && ram_read && !scan;
// mutant the search leaves out the last yield token between: rtl/sm/token_deque.sv
// - scan_next < back_entry;
// + scan_next + ONE < back_entry;
// mutant the front of another warp is shown: rtl/sm/token_deque.sv
// - assign front = fill_q && fill_warp_q == warp_i ? ram_rdata_q : front_q[warp_i];
// + assign front = fill_q ? ram_rdata_q : front_q[warp_i];
// mutant a push at the front goes over the bound: rtl/sm/token_deque.sv
// - op_i == `TOKEN_PUSH_FRONT && head != '0;
// + op_i == `TOKEN_PUSH_FRONT;
// mutant a merge into the only token is not seen at the back: rtl/sm/token_deque.sv
// - if (push_back || merge_back || (merge_front && single))
// + if (push_back || merge_back)
// mutant an empty deque does not start in the middle again: rtl/sm/token_deque.sv
// - if (pop) head_d = single ? MIDDLE : head + ONE;
// + if (pop) head_d = head + ONE;
`include "gen/isa.svh"
`include "gen/trace.svh"
`include "token.svh"
`include "formal.svh"

module prove_token_deque_sizes #(
    parameter THREADS = 1,
    parameter WARPS = 2,
    parameter DEQUE_ENTRIES = 64
) (
    input wire clk_i
);
    localparam WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1;
    localparam N = DEQUE_ENTRIES;
    localparam ENTRY_W = $clog2(N);
    localparam PTR_W = ENTRY_W + 1;
    localparam BITS = `TOKEN_BITS(THREADS);
    localparam ADDR_W = `TOKEN_ADDR_W;
    localparam STATE_W = 7 * PTR_W;
    localparam BACK_W = THREADS + ADDR_W;
    localparam PLACE_W = BITS - 1;               // flags 2:0, address, mask, kind: a token without the flag that is computed
    localparam FLAGS = 4 + THREADS + ADDR_W;
    localparam ROW_W = PLACE_W + PTR_W;          // and on top how many tokens of the counted kind stand here and behind
    `RESET(rst)
    `ANY(1, op_valid)
    `ANY(4, op)
    `ANY(WARP_W, warp)
    `ANY(4, kind)
    `ANY(THREADS, mask)
    `ANY(ADDR_W, addr)
    `SOME(2, counted)
    wire ready, full, really_full, empty;
    wire [3:0] front_kind, front_flags;
    wire [THREADS-1:0] front_mask;
    wire [ADDR_W-1:0] front_addr;
    wire [15:0] holds;
    wire [31:0] ends;
    wire [127:0] loaded;
    wire trace_valid;
    wire [2:0] trace_op;

    token_deque #(.THREADS(THREADS), .WARPS(WARPS), .DEQUE_ENTRIES(N)) dut (
        .clk_i, .rst_i(rst), .op_valid_i(op_valid), .op_ready_o(ready), .op_i(op), .warp_i(warp), .kind_i(kind), .mask_i(mask), .addr_i(addr),
        .full_o(full), .really_full_o(really_full), .empty_o(empty), .front_kind_o(front_kind), .front_mask_o(front_mask),
        .front_addr_o(front_addr), .front_flags_o(front_flags), .holds_o(holds), .look_warp_i(warp), .look_ends_o(ends), .loaded_o(loaded),
        .trace_token_valid_o(trace_valid), .trace_token_warp_o(), .trace_token_op_o(trace_op), .trace_token_token_lo_o(),
        .trace_token_token_hi_o());

    // Inside of the unit, for the invariants.
    (* hierconn *) wire [N*BITS-1:0] \dut.ram ;
    (* hierconn *) wire [WARP_W-1:0] \dut.watched , \dut.fill_warp_q , \dut.held_warp_q ;
    (* hierconn *) wire [STATE_W-1:0] \dut.watched_state ;
    (* hierconn *) wire [BITS-1:0] \dut.watched_front , \dut.ram_rdata_q ;
    (* hierconn *) wire [BACK_W-1:0] \dut.watched_back ;
    (* hierconn *) wire \dut.fill_q , \dut.scan_q , \dut.held_q , \dut.load_q , \dut.load_hit_q , \dut.load_last_q , \dut.load_yields_q ;
    (* hierconn *) wire [PTR_W-1:0] \dut.scan_entry_q ;
    (* hierconn *) wire [3:0] \dut.held_op_q ;
    wire [N*BITS-1:0] ram = \dut.ram ;
    wire [WARP_W-1:0] watched = \dut.watched ;
    wire [PTR_W-1:0] scan_entry = \dut.scan_entry_q ;
    wire [BITS-1:0] read = \dut.ram_rdata_q ;

    // ---- what the divergence unit keeps to: an operation waits unchanged until it is done; a warp begins with RESET; nothing is popped from
    // an empty deque ----
    logic [WARPS-1:0] begun = '0;
    logic waits = 1'b0;
    logic [3:0] op_q;
    logic [WARP_W-1:0] warp_q;
    logic [THREADS-1:0] mask_q;
    logic [ADDR_W-1:0] addr_q;
    wire done = op_valid && ready && !rst;
    wire pop = op == `TOKEN_POP_USED || op == `TOKEN_POP_THROWN;
    always_ff @(posedge clk_i) begin
        waits <= op_valid && !ready && !rst;
        op_q <= op;
        warp_q <= warp;
        mask_q <= mask;
        addr_q <= addr;
        for (int w = 0; w < WARPS; w++) if (done && op == `TOKEN_RESET && warp == WARP_W'(w)) begun[w] <= 1'b1;
    end
    `ASSUME(!waits || (op_valid && op == op_q && warp == warp_q && mask == mask_q && addr == addr_q))
    `ASSUME(32'(warp) < WARPS && 32'(watched) < WARPS)
    `ASSUME(!op_valid || op <= `TOKEN_MOVE)
    `ASSUME(!op_valid || op == `TOKEN_RESET || begun[warp])
    `ASSUME(!op_valid || op != `TOKEN_PUSH_FRONT || kind != `KIND_YIELD)
    `ASSUME(!op_valid || !pop || !empty)
    `ASSUME(!op_valid || (op != `TOKEN_LOAD && op != `TOKEN_STORE && op != `TOKEN_MOVE) || 32'(addr) < N)
    `CHECK(rst || !op_valid || ready || op == `TOKEN_MERGE)
    `INVARIANT(waits == \dut.scan_q || rst)
    `INVARIANT(!waits || op_q == `TOKEN_MERGE)
    `INVARIANT(rst || \dut.held_q == waits && (!waits || (\dut.held_op_q == op_q && \dut.held_warp_q == warp_q)))
    `INVARIANT(!rst || begun == '0)

    // ---- the row: what the watched warp's deque must be ----
    wire known = begun[watched] && !rst;
    wire mine = op_valid && !rst && warp == watched && begun[watched];
    wire mine_done = mine && ready;
    wire [3:0] counted_kind = counted == 2'd0 ? `KIND_SYNC : counted == 2'd1 ? `KIND_BRK : counted == 2'd2 ? `KIND_CONT : `KIND_RET;
    wire [PTR_W-1:0] s_head, s_tail, s_yields, s_syncs, s_brks, s_conts, s_rets;
    assign {s_head, s_tail, s_yields, s_syncs, s_brks, s_conts, s_rets} = \dut.watched_state ;
    wire [PTR_W-1:0] s_counted = counted == 2'd0 ? s_syncs : counted == 2'd1 ? s_brks : counted == 2'd2 ? s_conts : s_rets;
    logic [N*ROW_W-1:0] row_q, row_d;
    logic [PTR_W-1:0] head_q, tail_q, first_q;   // first_q: of the yield tokens, which stand together at the back
    wire [PTR_W-1:0] count = tail_q - head_q;
    wire row_full = 32'(count) == N;
    wire row_empty = count == '0;

    logic [N-1:0] stands, match, first;
    logic [ROW_W-1:0] row_front, row_back, row_addressed;
    logic found_before;
    logic [PTR_W-1:0] found_at;
    always_comb begin
        {row_front, row_back, row_addressed} = '0;
        for (int e = 0; e < N; e++) begin
            stands[e] = e >= 32'(head_q) && e < 32'(tail_q);
            if (e == 32'(head_q)) row_front = row_front | row_q[e*ROW_W +: ROW_W];
            if (e + 1 == 32'(tail_q)) row_back = row_back | row_q[e*ROW_W +: ROW_W];
            if (e == 32'(addr)) row_addressed = row_addressed | row_q[e*ROW_W +: ROW_W];
            match[e] = stands[e] && row_q[e*ROW_W +: 4] == `KIND_YIELD && row_q[e*ROW_W+4+THREADS +: ADDR_W] == addr;
        end
        // The one a merge goes into: the front, else the back, else the next to the front.
        found_before = 1'b0;
        found_at = '0;
        for (int e = 0; e < N; e++) begin
            first[e] = match[e] && !found_before;
            found_before = found_before || match[e];
            if (first[e]) found_at = found_at | PTR_W'(e);
        end
    end
    wire found = match != '0;
    wire match_front = !row_empty && row_front[3:0] == `KIND_YIELD && row_front[4+THREADS +: ADDR_W] == addr;
    wire match_back = !row_empty && row_back[3:0] == `KIND_YIELD && row_back[4+THREADS +: ADDR_W] == addr;
    wire [PTR_W-1:0] merge_at = match_front ? head_q : match_back ? tail_q - 1'b1 : found_at;
    wire push_front = op == `TOKEN_PUSH_FRONT;
    wire push_back = op == `TOKEN_PUSH_BACK || (op == `TOKEN_MERGE && !found);
    wire must_be_full = (push_front && head_q == '0) || (push_back && 32'(tail_q) == N);
    wire move_fits = 32'(addr) + 32'(count) <= N;
    wire move = mine_done && op == `TOKEN_MOVE && move_fits;

    // MOVE: the tokens are those that software has put at the new place; `ANY tells the counts behind them (below: what is assumed of both).
    `ANY(N*PTR_W, placed_ranks)
    logic [N*ROW_W-1:0] placed;
    always_comb for (int e = 0; e < N; e++) placed[e*ROW_W +: ROW_W] = {placed_ranks[e*PTR_W +: PTR_W], ram[e*BITS +: PLACE_W]};
    wire [2:0] front_family = 3'(`TOKEN_FAMILY(row_front[3:0]));
    wire [2:0] pushed_flags = row_empty ? 3'd0 : row_front[FLAGS +: 3] | front_family;
    wire [PTR_W-1:0] pushed_rank = (row_empty ? '0 : row_front[PLACE_W +: PTR_W]) + PTR_W'(kind == counted_kind);
    always_comb begin
        row_d = row_q;
        for (int e = 0; e < N; e++) begin
            if (push_front && e + 1 == 32'(head_q)) row_d[e*ROW_W +: ROW_W] = {pushed_rank, pushed_flags, addr, mask, kind};
            if (push_back && e == 32'(tail_q)) row_d[e*ROW_W +: ROW_W] = {PTR_W'(0), 3'd0, addr, mask, `KIND_YIELD};
            if (op == `TOKEN_MERGE && found && e == 32'(merge_at))
                row_d[e*ROW_W+4 +: THREADS] = row_q[e*ROW_W+4 +: THREADS] | mask;
        end
    end
    wire resets = done && op == `TOKEN_RESET && warp == watched;
    always_ff @(posedge clk_i) begin
        if (resets) begin
            head_q <= PTR_W'(N / 2);
            first_q <= PTR_W'(N / 2);
            tail_q <= PTR_W'(N / 2);
        end else if (mine_done && !must_be_full) begin
            if (push_front) head_q <= head_q - 1'b1;
            if (push_back) tail_q <= tail_q + 1'b1;
            if (pop) head_q <= count == PTR_W'(1) ? PTR_W'(N / 2) : head_q + 1'b1;
            if (pop && count == PTR_W'(1)) tail_q <= PTR_W'(N / 2);
            if (pop && count == PTR_W'(1)) first_q <= PTR_W'(N / 2);
            else if (pop && head_q == first_q) first_q <= first_q + 1'b1;
            if (push_front || push_back || op == `TOKEN_MERGE) row_q <= row_d;
            if (move) begin
                head_q <= PTR_W'(addr);
                tail_q <= PTR_W'(addr) + count;
                first_q <= PTR_W'(addr) + (first_q - head_q);
                row_q <= placed;
            end
        end
    end

    // Software moves the tokens of a warp that stands still: from its first STORE over a token until the MOVE, the warp does nothing else; a MOVE
    // goes to a place where the tokens stand.
    logic moving = 1'b0;
    wire store = mine_done && op == `TOKEN_STORE && 32'(addr) >= 32'(head_q) && 32'(addr) < 32'(tail_q);
    always_ff @(posedge clk_i) begin
        if (resets || move) moving <= 1'b0;
        else if (store) moving <= 1'b1;
    end
    `ASSUME(!(mine && moving) || op == `TOKEN_LOAD || op == `TOKEN_STORE || op == `TOKEN_MOVE || op == `TOKEN_RESET)
    // What stands there is a deque as this one was: flags, order and numbers of its tokens, and the back token.
    wire [PTR_W-1:0] new_tail = PTR_W'(addr) + count, new_first = PTR_W'(addr) + (first_q - head_q);
    for (genvar e = 0; e < N; e++) begin : g_placed
        localparam BEHIND = e + 1 < N ? e + 1 : e;
        wire [ROW_W-1:0] here = placed[e*ROW_W +: ROW_W];
        wire last = e + 1 == 32'(new_tail);
        wire [ROW_W-1:0] behind = last || e + 1 == N ? '0 : placed[BEHIND*ROW_W +: ROW_W];
        wire [2:0] family_behind = last ? 3'd0 : 3'(`TOKEN_FAMILY(behind[3:0]));
        wire there = move && e >= 32'(addr) && e < 32'(new_tail);
        `ASSUME(!there || here[FLAGS +: 3] == (behind[FLAGS +: 3] | family_behind))
        `ASSUME(!there || here[PLACE_W +: PTR_W] == behind[PLACE_W +: PTR_W] + PTR_W'(here[3:0] == counted_kind))
        `ASSUME(!there || 32'(here[PLACE_W +: PTR_W]) <= 32'(new_tail) - e)
        `ASSUME(!there || (here[3:0] == `KIND_YIELD) == (e >= 32'(new_first)))
        `ASSUME(!there || e != 32'(addr) || here[PLACE_W +: PTR_W] == s_counted)
        `ASSUME(!there || !last || first_q == tail_q || \dut.watched_back == {here[4 +: THREADS], here[4+THREADS +: ADDR_W]})
    end

    // ---- the row itself: flags and counts, from place to place ----
    wire filling = \dut.fill_q && \dut.fill_warp_q == watched;
    wire [BITS-1:0] unit_front = filling ? read : \dut.watched_front ;
    for (genvar e = 0; e < N; e++) begin : g_place
        localparam BEHIND = e + 1 < N ? e + 1 : e;
        wire [ROW_W-1:0] here = row_q[e*ROW_W +: ROW_W];
        wire last = e + 1 == 32'(tail_q);
        wire [ROW_W-1:0] behind = last || e + 1 == N ? '0 : row_q[BEHIND*ROW_W +: ROW_W];
        wire [2:0] family_behind = last ? 3'd0 : 3'(`TOKEN_FAMILY(behind[3:0]));
        `INVARIANT(!known || !stands[e] || here[FLAGS +: 3] == (behind[FLAGS +: 3] | family_behind))
        `INVARIANT(!known || !stands[e] || here[PLACE_W +: PTR_W] == behind[PLACE_W +: PTR_W] + PTR_W'(here[3:0] == counted_kind))
        `INVARIANT(!known || !stands[e] || 32'(here[PLACE_W +: PTR_W]) <= 32'(tail_q) - e)
        `INVARIANT(!known || !stands[e] || (here[3:0] == `KIND_YIELD) == (e >= 32'(first_q)))
        // The unit has the same, wherever it keeps it.
        `INVARIANT(!known || row_empty || e != 32'(head_q) || s_counted == here[PLACE_W +: PTR_W])
        `INVARIANT(!known || row_empty || e != 32'(head_q) || unit_front[PLACE_W-1:0] == here[PLACE_W-1:0])
        `INVARIANT(!known || !stands[e] || moving || ram[e*BITS +: PLACE_W] == here[PLACE_W-1:0])
        `INVARIANT(!known || !last || s_yields == '0 || \dut.watched_back == {here[4 +: THREADS], here[4+THREADS +: ADDR_W]})
    end
        `INVARIANT(!known || (s_head == head_q && s_tail == tail_q))
    `INVARIANT(!known || (head_q <= first_q && first_q <= tail_q && 32'(tail_q) <= N && s_yields == tail_q - first_q))
    `INVARIANT(!known || !row_empty || s_counted == '0)

    // ---- what it shows ----
    wire shown = known && warp == watched;
    `CHECK(!shown || empty == row_empty)
    `CHECK(!shown || really_full == row_full)
    `CHECK(!shown || ends == {16'(tail_q), 16'(head_q)})
    `CHECK(!shown || holds[counted_kind] == (s_counted != '0))
    `CHECK(!shown || holds[`KIND_YIELD] == (!row_empty && row_back[3:0] == `KIND_YIELD))
    `CHECK(!shown || (holds & ~(16'd1 << `KIND_SYNC | 16'd1 << `KIND_BRK | 16'd1 << `KIND_CONT | 16'd1 << `KIND_RET | 16'd1 << `KIND_YIELD)) == '0)
    `CHECK(!shown || empty || {front_addr, front_mask, front_kind} == row_front[FLAGS-1:0])
    `CHECK(!shown || empty || front_flags[2:0] == row_front[FLAGS +: 3])
    `CHECK(!shown || empty || front_flags[3] == (32'(count) > 1 && row_back[3:0] == `KIND_YIELD))
    `CHECK(!mine_done || op == `TOKEN_RESET || full == must_be_full)
    `CHECK(!mine_done || trace_valid == (!must_be_full && op <= `TOKEN_MERGE))
    `CHECK(!(mine_done && trace_valid) || (trace_op == `TOKEN_MERGE) == (op == `TOKEN_MERGE && found))

    // The same of what it does, for the step of the induction.
    (* hierconn *) wire \dut.push_back , \dut.merge , \dut.ram_write ;
    (* hierconn *) wire [ENTRY_W-1:0] \dut.token_entry ;
    (* hierconn *) wire [BITS-1:0] \dut.token , \dut.watched_read ;
    `CHECK(!mine_done || op != `TOKEN_MERGE || (\dut.merge == found && \dut.push_back == (!found && !must_be_full)))
    `CHECK(!mine_done || op != `TOKEN_MERGE || !found || 32'(\dut.token_entry ) == 32'(merge_at))
    `CHECK(!mine || ready || (op == `TOKEN_MERGE && !match_front && !match_back && 32'(count) > 2))
    `CHECK(!mine || op != `TOKEN_LOAD || moving || 32'(addr) < 32'(head_q) || 32'(addr) >= 32'(tail_q) ||
           \dut.watched_read [PLACE_W-1:0] == row_addressed[PLACE_W-1:0])
    for (genvar e = 0; e < N; e++) begin : g_merged
        `CHECK(!mine_done || op != `TOKEN_MERGE || !found || e != 32'(merge_at) ||
               \dut.token [PLACE_W-1:0] == {row_q[e*ROW_W+FLAGS +: 3], addr, row_q[e*ROW_W+4 +: THREADS] | mask, `KIND_YIELD})
    end

    // ---- in the middle of a merge: what has been read so far does not match ----
    wire scanning = \dut.scan_q && warp_q == watched && !rst;
    wire [PTR_W-1:0] between = row_front[3:0] == `KIND_YIELD ? head_q + 1'b1 : first_q;
    logic [PTR_W:0] scanned = '0;   // cycles that it has taken
    always_ff @(posedge clk_i) scanned <= (mine && !ready) ? scanned + 1'b1 : '0;
    `INVARIANT(!scanning || (known && !moving && !\dut.fill_q ))
    `INVARIANT(!scanning || (between <= scan_entry && 32'(scan_entry) + 1 < 32'(tail_q)))
    `INVARIANT(!scanning || 32'(scanned) == 32'(scan_entry) - 32'(between) + 1)
    `INVARIANT(scanning || rst || scanned == '0)
    `CHECK(rst || 32'(scanned) <= N - 2)
    for (genvar e = 0; e < N; e++) begin : g_scan
        wire [ROW_W-1:0] here = row_q[e*ROW_W +: ROW_W];
        `INVARIANT(!scanning || e != 32'(scan_entry) || read[PLACE_W-1:0] == here[PLACE_W-1:0])
        `INVARIANT(!scanning || !(e == 32'(head_q) || e + 1 == 32'(tail_q) || (stands[e] && e < 32'(scan_entry))) || here[3:0] != `KIND_YIELD ||
               here[4+THREADS +: ADDR_W] != addr_q)
    end

    // ---- what software loads: two cycles after ----
    logic loading = 1'b0, loaded_now = 1'b0;
    logic [BITS-1:0] load_expected_q, loaded_expected_q;
    wire stands_at = 32'(addr) >= 32'(head_q) && 32'(addr) < 32'(tail_q);
    wire loads_yield = 32'(addr) + 1 < 32'(tail_q) && row_back[3:0] == `KIND_YIELD;
    always_ff @(posedge clk_i) begin
        loading <= mine_done && op == `TOKEN_LOAD && !moving;
        load_expected_q <= stands_at ? {loads_yield, row_addressed[PLACE_W-1:0]} : '0;
        loaded_now <= loading;
        loaded_expected_q <= load_expected_q;
    end
    wire read_yield = read[3:0] == `KIND_YIELD ? !\dut.load_last_q : \dut.load_yields_q ;
    `INVARIANT(!loading || rst || (\dut.load_q && (\dut.load_hit_q ? {read_yield, read[PLACE_W-1:0]} : '0) == load_expected_q))
    `INVARIANT(!loaded_now || rst || loaded == 128'(loaded_expected_q))
    `INVARIANT(!rst || (!loading && !loaded_now))

    // ---- a token keeps its place until it is the front ----
    // Any one is watched, pushed at either end. Each pop brings it one place nearer, each push at the front one place further away, nothing else
    // moves it (but a MOVE of software's): so none is lost, doubled or overtaken. It is the front as soon as that many more tokens have been
    // popped than pushed in front as there were before it, DEQUE_ENTRIES - 1 at most.
    `ANY(1, choose)
    logic watching = 1'b0;
    logic [3:0] its_kind;
    logic [ADDR_W-1:0] its_addr;
    logic [THREADS-1:0] its_mask;
    logic [PTR_W:0] before, nearer;   // tokens in front of it at first; popped less pushed since, modulo 2 * (2 * N)
    wire [PTR_W:0] place = before - nearer;
    wire pushed = mine_done && trace_valid && (trace_op == 3'(`TOKEN_PUSH_BACK) || trace_op == 3'(`TOKEN_PUSH_FRONT));
    always_ff @(posedge clk_i) begin
        if (!watching) begin
            if (pushed && choose) begin
                watching <= 1'b1;
                its_kind <= trace_op == 3'(`TOKEN_PUSH_BACK) ? `KIND_YIELD : kind;
                its_addr <= addr;
                its_mask <= mask;
                before <= trace_op == 3'(`TOKEN_PUSH_BACK) ? (PTR_W+1)'(count) : '0;
                nearer <= '0;
            end
        end else if (resets || move) watching <= 1'b0;
        else if (mine_done) begin
            if (pop && place == '0) watching <= 1'b0;
            else if (pop) nearer <= nearer + 1'b1;
            else if (push_front && !full) nearer <= nearer - 1'b1;
        end
    end
    for (genvar e = 0; e < N; e++) begin : g_its_place
        wire [ROW_W-1:0] here = row_q[e*ROW_W +: ROW_W];
        `INVARIANT(!watching || 32'(place) + 32'(head_q) != e || (here[3:0] == its_kind && here[4+THREADS +: ADDR_W] == its_addr &&
               (its_mask & ~here[4 +: THREADS]) == '0 && (its_kind == `KIND_YIELD || here[4 +: THREADS] == its_mask)))
    end
    `INVARIANT(!watching || (known && 32'(before) < N && 32'(place) < 32'(count)))
    `REACH(mine_done && pop && 32'(count) == N - 1)
    `REACH(mine_done && full && push_front)
    `REACH(mine_done && full && op == `TOKEN_MERGE)
    `REACH(known && row_full && s_counted > PTR_W'(1))
    `REACH(scanning && found && 32'(count) == N && !match_back)
    `REACH(32'(scanned) == N - 2)
    `REACH(move && moving && head_q == '0 && addr != '0)
    `REACH(loaded_now && loaded[3:0] == `KIND_YIELD)
    `REACH(watching && mine_done && pop && place == '0 && before == (PTR_W+1)'(2))
    `CHECK(!(watching && mine && nearer == before) || (front_kind == its_kind && front_addr == its_addr && (its_mask & ~front_mask) == '0))
endmodule
