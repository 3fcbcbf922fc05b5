// The token deque in the sizes of the configurations: any one warp of all is watched, and its deque compared with a row of places in which tokens
// stand. What a token's flags and the counts must be is said place by place (those of the place behind, and what stands there), for every place.
// In `sets`, all places are there. In `sizes`, only those are that the step of the induction speaks of: `place` 0 is any one at all, and what is
// said of it is proved; the others are where the unit's hands are in the first of the two cycles (the place behind, front, back, address, ..), and
// what is said of every place is assumed of them there. So no assertion, and no memory, grows with the number of entries. Of the RAM the watched
// warp's part is kept, at these places; what is read elsewhere is anything.
//
// proof quick parts frames 12
// shows TD-1 TD-4 TD-11 TD-19
// reads rtl/sm/token_deque.sv
// sets WARPS=2 DEQUE_ENTRIES=4 THREADS=1
// sizes WARPS=2 DEQUE_ENTRIES=64 THREADS=1
// sizes WARPS=4 DEQUE_ENTRIES=256 THREADS=1
// sizes WARPS=16 DEQUE_ENTRIES=256 THREADS=1
// narrow rtl/sm/token_deque.sv
// - initial if (THREADS != 32 && THREADS != 64)
// + initial if (THREADS > 64)
// narrow rtl/sm/token_deque.sv
// - logic [BITS-1:0]                  ram [(1 << WARP_W) * DEQUE_ENTRIES];
// + (* anyconst *) wire [WARP_W-1:0] watched; (* anyseq *) wire [BITS-1:0] other; localparam PLACES = DEQUE_ENTRIES <= 8 ? DEQUE_ENTRIES : 7; (* anyconst *) wire [PLACES*ENTRY_W-1:0] any_places; logic [PLACES*ENTRY_W-1:0] places; always_comb for (int k = 0; k < PLACES; k++) places[k*ENTRY_W +: ENTRY_W] = DEQUE_ENTRIES <= 8 ? ENTRY_W'(k) : any_places[k*ENTRY_W +: ENTRY_W]; logic [PLACES*BITS-1:0] ram;
// narrow rtl/sm/token_deque.sv
// - if (ram_write) ram[ram_waddr] <= token;
// + for (int k = 0; k < PLACES; k++) if (ram_write && ram_waddr == {watched, places[k*ENTRY_W +: ENTRY_W]}) ram[k*BITS +: BITS] <= token;
// narrow rtl/sm/token_deque.sv
// - if (ram_read) ram_rdata_q <= ram[ram_raddr];
// + if (ram_read) ram_rdata_q <= watched_read;
// narrow rtl/sm/token_deque.sv
// - assign read_entry = (load || move) ? ENTRY_W'(addr_i) : ENTRY_W'(scan ? scan_next : head + ONE);
// + assign read_entry = (load || move) ? ENTRY_W'(addr_i) : ENTRY_W'(scan ? scan_next : head + ONE); logic [BITS-1:0] watched_read; logic kept; always_comb begin kept = 1'b0; watched_read = '0; for (int k = 0; k < PLACES; k++) if (ram_raddr == {watched, places[k*ENTRY_W +: ENTRY_W]}) begin kept = 1'b1; watched_read = watched_read | ram[k*BITS +: BITS]; end if (!kept) watched_read = other; end wire [STATE_W-1:0] watched_state = state_q[watched]; wire [BITS-1:0] watched_front = front_q[watched]; wire [THREADS+`TOKEN_ADDR_W-1:0] watched_back = back_q[watched];
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

// Said of every place: proved of place 0, which is any one, or, where all are there, of each.
`define SAID(k, c) if (ALL || (k) == 0) begin `INVARIANT(c) end else begin `INSTANCE(c) end

module prove_token_deque_sizes #(
    parameter THREADS = 1,
    parameter WARPS = 2,
    parameter DEQUE_ENTRIES = 64
) (
    input wire clk_i
);
    localparam WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1;
    localparam N = DEQUE_ENTRIES;
    localparam ALL = N <= 8;                     // all places are there
    localparam PLACES = ALL ? N : 7;
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
    `include "token_deque_users.svh"
    `SOME(2, counted)

    // Inside of the unit, for the invariants.
    (* hierconn *) wire [PLACES*BITS-1:0] \dut.ram ;
    (* hierconn *) wire [PLACES*ENTRY_W-1:0] \dut.places ;
    (* hierconn *) wire [WARP_W-1:0] \dut.watched , \dut.fill_warp_q , \dut.held_warp_q ;
    (* hierconn *) wire [STATE_W-1:0] \dut.watched_state ;
    (* hierconn *) wire [BITS-1:0] \dut.watched_front , \dut.ram_rdata_q ;
    (* hierconn *) wire [BACK_W-1:0] \dut.watched_back ;
    (* hierconn *) wire \dut.fill_q , \dut.scan_q , \dut.held_q , \dut.load_q , \dut.load_hit_q , \dut.load_last_q , \dut.load_yields_q ;
    (* hierconn *) wire [PTR_W-1:0] \dut.scan_entry_q ;
    (* hierconn *) wire [3:0] \dut.held_op_q ;
    wire [PLACES*BITS-1:0] ram = \dut.ram ;
    wire [PLACES*ENTRY_W-1:0] places = \dut.places ;
    wire [WARP_W-1:0] watched = \dut.watched ;
    wire [PTR_W-1:0] scan_entry = \dut.scan_entry_q ;
    wire [BITS-1:0] read = \dut.ram_rdata_q ;

    `ASSUME(32'(watched) < WARPS)
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
    logic [PLACES*ROW_W-1:0] row_q, row_d;
    logic [PTR_W-1:0] head_q, tail_q, first_q;   // first_q: of the yield tokens, which stand together at the back
    wire [PTR_W-1:0] count = tail_q - head_q;
    wire row_full = 32'(count) == N;
    wire row_empty = count == '0;

    // Of each place: does a token stand there, and is it one to merge into; which places there are, the one behind this.
    logic [PLACES-1:0] stands, match, last, behind_there;
    logic [PLACES*ROW_W-1:0] behind_q;
    logic [ROW_W-1:0] row_front, row_back, row_addressed;
    logic [31:0] at;
    always_comb begin
        {row_front, row_back, row_addressed, behind_q, behind_there} = '0;
        for (int k = 0; k < PLACES; k++) begin
            at = 32'(places[k*ENTRY_W +: ENTRY_W]);
            stands[k] = at >= 32'(head_q) && at < 32'(tail_q);
            last[k] = at + 1 == 32'(tail_q);
            if (at == 32'(head_q)) row_front = row_front | row_q[k*ROW_W +: ROW_W];
            if (last[k]) row_back = row_back | row_q[k*ROW_W +: ROW_W];
            if (at == 32'(addr)) row_addressed = row_addressed | row_q[k*ROW_W +: ROW_W];
            match[k] = stands[k] && row_q[k*ROW_W +: 4] == `KIND_YIELD && row_q[k*ROW_W+4+THREADS +: ADDR_W] == addr;
            for (int j = 0; j < PLACES; j++) begin
                if (at + 1 == 32'(places[j*ENTRY_W +: ENTRY_W])) begin
                    behind_there[k] = 1'b1;
                    behind_q[k*ROW_W +: ROW_W] = behind_q[k*ROW_W +: ROW_W] | row_q[j*ROW_W +: ROW_W];
                end
            end
        end
    end

    // The token a merge goes into: the front, else the back, else the next to the front. Where not all places are there, which one it is comes
    // from outside, and what is said of every place is true of these: none in front of it matches, none at all when there is none.
    `ANY(1, told_found)
    `ANY(ENTRY_W, told_at)
    logic any_match;
    logic [ENTRY_W-1:0] first_match;
    always_comb begin
        any_match = 1'b0;
        first_match = '0;
        for (int k = 0; k < PLACES; k++) begin
            if (match[k] && !any_match) first_match = places[k*ENTRY_W +: ENTRY_W];
            any_match = any_match || match[k];
        end
    end
    wire found = ALL ? any_match : told_found;
    wire [PTR_W-1:0] found_at = PTR_W'(ALL ? first_match : told_at);
    wire match_front = !row_empty && row_front[3:0] == `KIND_YIELD && row_front[4+THREADS +: ADDR_W] == addr;
    wire match_back = !row_empty && row_back[3:0] == `KIND_YIELD && row_back[4+THREADS +: ADDR_W] == addr;
    wire [PTR_W-1:0] merge_at = match_front ? head_q : match_back ? tail_q - 1'b1 : found_at;
    wire push_front = op == `TOKEN_PUSH_FRONT;
    wire push_back = op == `TOKEN_PUSH_BACK || (op == `TOKEN_MERGE && !found);
    wire must_be_full = (push_front && head_q == '0) || (push_back && 32'(tail_q) == N);
    wire move_fits = 32'(addr) + 32'(count) <= N;
    wire move = mine_done && op == `TOKEN_MOVE && move_fits;

    // Which places are there. Nothing is assumed of place 0, and what is said of every place is said of each place once.
    `define PLACE(k) places[(k)*ENTRY_W +: ENTRY_W]
    if (!ALL) begin : g_places
        `ASSUME(`PLACE(1) == `PLACE(0) + 1'b1)
        `INSTANCE(`PLACE(2) == ENTRY_W'(head_q))
        `INSTANCE(`PLACE(3) == ENTRY_W'(tail_q - 1'b1))
        `INSTANCE(`PLACE(4) == ENTRY_W'(addr))
        `INSTANCE(`PLACE(5) == ENTRY_W'(scan_entry))
        `INSTANCE(`PLACE(6) == told_at)
        for (genvar k = 0; k < PLACES; k++) begin : g_told
            `ASSUME(told_found || !match[k])
            `ASSUME(!told_found || `PLACE(k) != told_at || match[k])
            `ASSUME(!told_found || `PLACE(k) >= told_at || !match[k])
            for (genvar j = 0; j < k; j++) begin : g_same
                `INSTANCE(`PLACE(k) != `PLACE(j) || (row_q[k*ROW_W +: ROW_W] == row_q[j*ROW_W +: ROW_W] && ram[k*BITS +: BITS] == ram[j*BITS +: BITS]))
            end
        end
    end

    // MOVE: the tokens are those that software has put at the new place; `ANY tells the counts behind them (below: what is assumed of both).
    `ANY(PLACES*PTR_W, placed_ranks)
    logic [PLACES*ROW_W-1:0] placed, placed_behind;
    always_comb begin
        placed_behind = '0;
        for (int k = 0; k < PLACES; k++) placed[k*ROW_W +: ROW_W] = {placed_ranks[k*PTR_W +: PTR_W], ram[k*BITS +: PLACE_W]};
        for (int k = 0; k < PLACES; k++)
            for (int j = 0; j < PLACES; j++)
                if (32'(places[k*ENTRY_W +: ENTRY_W]) + 1 == 32'(places[j*ENTRY_W +: ENTRY_W]))
                    placed_behind[k*ROW_W +: ROW_W] = placed_behind[k*ROW_W +: ROW_W] | placed[j*ROW_W +: ROW_W];
    end
    wire [2:0] front_family = 3'(`TOKEN_FAMILY(row_front[3:0]));
    wire [2:0] pushed_flags = row_empty ? 3'd0 : row_front[FLAGS +: 3] | front_family;
    wire [PTR_W-1:0] pushed_rank = (row_empty ? '0 : row_front[PLACE_W +: PTR_W]) + PTR_W'(kind == counted_kind);
    always_comb begin
        row_d = row_q;
        for (int k = 0; k < PLACES; k++) begin
            if (push_front && 32'(places[k*ENTRY_W +: ENTRY_W]) + 1 == 32'(head_q))
                row_d[k*ROW_W +: ROW_W] = {pushed_rank, pushed_flags, addr, mask, kind};
            if (push_back && 32'(places[k*ENTRY_W +: ENTRY_W]) == 32'(tail_q))
                row_d[k*ROW_W +: ROW_W] = {PTR_W'(0), 3'd0, addr, mask, `KIND_YIELD};
            if (op == `TOKEN_MERGE && found && 32'(places[k*ENTRY_W +: ENTRY_W]) == 32'(merge_at))
                row_d[k*ROW_W+4 +: THREADS] = row_q[k*ROW_W+4 +: THREADS] | mask;
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
    for (genvar k = 0; k < PLACES; k++) begin : g_placed
        wire [31:0] at = 32'(places[k*ENTRY_W +: ENTRY_W]);
        wire [ROW_W-1:0] here = placed[k*ROW_W +: ROW_W];
        wire ends = at + 1 == 32'(new_tail);
        wire [ROW_W-1:0] behind = ends ? '0 : placed_behind[k*ROW_W +: ROW_W];
        wire [2:0] family_behind = ends ? 3'd0 : 3'(`TOKEN_FAMILY(behind[3:0]));
        wire there = move && at >= 32'(addr) && at < 32'(new_tail);
        wire both = there && (ends || behind_there[k]);
        `ASSUME(!both || here[FLAGS +: 3] == (behind[FLAGS +: 3] | family_behind))
        `ASSUME(!both || here[PLACE_W +: PTR_W] == behind[PLACE_W +: PTR_W] + PTR_W'(here[3:0] == counted_kind))
        `ASSUME(!there || 32'(here[PLACE_W +: PTR_W]) <= 32'(new_tail) - at)
        `ASSUME(!there || (here[3:0] == `KIND_YIELD) == (at >= 32'(new_first)))
        `ASSUME(!there || here[3:0] != `KIND_YIELD || here[FLAGS +: 3] == '0)
        `ASSUME(!there || at != 32'(addr) || here[PLACE_W +: PTR_W] == s_counted)
        `ASSUME(!there || !ends || first_q == tail_q || \dut.watched_back == {here[4 +: THREADS], here[4+THREADS +: ADDR_W]})
    end

    // ---- the row itself: flags and counts, from place to place ----
    wire filling = \dut.fill_q && \dut.fill_warp_q == watched;
    wire [BITS-1:0] unit_front = filling ? read : \dut.watched_front ;
    for (genvar k = 0; k < PLACES; k++) begin : g_place
        wire [31:0] at = 32'(places[k*ENTRY_W +: ENTRY_W]);
        wire [ROW_W-1:0] here = row_q[k*ROW_W +: ROW_W];
        wire [ROW_W-1:0] behind = last[k] ? '0 : behind_q[k*ROW_W +: ROW_W];
        wire [2:0] family_behind = last[k] ? 3'd0 : 3'(`TOKEN_FAMILY(behind[3:0]));
        wire there = known && stands[k];
        wire both = there && (last[k] || behind_there[k]);
        `SAID(k, !both || here[FLAGS +: 3] == (behind[FLAGS +: 3] | family_behind))
        `SAID(k, !both || here[PLACE_W +: PTR_W] == behind[PLACE_W +: PTR_W] + PTR_W'(here[3:0] == counted_kind))
        `SAID(k, !there || 32'(here[PLACE_W +: PTR_W]) <= 32'(tail_q) - at)
        `SAID(k, !there || (here[3:0] == `KIND_YIELD) == (at >= 32'(first_q)))
        `SAID(k, !there || here[3:0] != `KIND_YIELD || here[FLAGS +: 3] == '0)
        // The unit has the same, wherever it keeps it.
        `SAID(k, !known || row_empty || at != 32'(head_q) || s_counted == here[PLACE_W +: PTR_W])
        `SAID(k, !known || row_empty || at != 32'(head_q) || unit_front[PLACE_W-1:0] == here[PLACE_W-1:0])
        `SAID(k, !there || moving || ram[k*BITS +: PLACE_W] == here[PLACE_W-1:0])
        `SAID(k, !known || !last[k] || s_yields == '0 || \dut.watched_back == {here[4 +: THREADS], here[4+THREADS +: ADDR_W]})
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
    for (genvar k = 0; k < PLACES; k++) begin : g_merged
        `CHECK(!mine_done || op != `TOKEN_MERGE || !found || 32'(places[k*ENTRY_W +: ENTRY_W]) != 32'(merge_at) ||
               \dut.token [PLACE_W-1:0] == {row_q[k*ROW_W+FLAGS +: 3], addr, row_q[k*ROW_W+4 +: THREADS] | mask, `KIND_YIELD})
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
    for (genvar k = 0; k < PLACES; k++) begin : g_scan
        wire [31:0] at = 32'(places[k*ENTRY_W +: ENTRY_W]);
        wire [ROW_W-1:0] here = row_q[k*ROW_W +: ROW_W];
        `SAID(k, !scanning || at != 32'(scan_entry) || read[PLACE_W-1:0] == here[PLACE_W-1:0])
        `SAID(k, !scanning || !(at == 32'(head_q) || last[k] || (stands[k] && at < 32'(scan_entry))) || here[3:0] != `KIND_YIELD ||
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
    for (genvar k = 0; k < PLACES; k++) begin : g_its_place
        wire [ROW_W-1:0] here = row_q[k*ROW_W +: ROW_W];
        `SAID(k, !watching || 32'(place) + 32'(head_q) != 32'(places[k*ENTRY_W +: ENTRY_W]) ||
              (here[3:0] == its_kind && here[4+THREADS +: ADDR_W] == its_addr && (its_mask & ~here[4 +: THREADS]) == '0 &&
               (its_kind == `KIND_YIELD || here[4 +: THREADS] == its_mask)))
    end
    `INVARIANT(!watching || (known && 32'(before) < N && 32'(place) < 32'(count)))
    // In any one cycle, all of this can be: no contradiction among what is assumed.
    `POSSIBLE(mine_done && pop && 32'(count) == N - 1)
    `POSSIBLE(mine_done && push_front && 32'(count) == N - 1 && !must_be_full && s_counted > PTR_W'(2))
    `POSSIBLE(mine_done && push_back && op == `TOKEN_MERGE && !must_be_full && 32'(count) == N - 1)
    `POSSIBLE(mine_done && op == `TOKEN_MERGE && found && match_front)
    `POSSIBLE(mine_done && op == `TOKEN_MERGE && found && match_back && 32'(count) > 2)
    `POSSIBLE(mine_done && op == `TOKEN_MERGE && found && !match_front && !match_back && scanning && 32'(scanned) == N / 2)
    `POSSIBLE(mine && !ready && 32'(count) == N)
    `POSSIBLE(move && moving && 32'(count) > N / 2)
    `POSSIBLE(mine_done && op == `TOKEN_LOAD && !moving && stands_at)
    `POSSIBLE(watching && mine && nearer == before && \dut.fill_q && \dut.fill_warp_q != watched)
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
