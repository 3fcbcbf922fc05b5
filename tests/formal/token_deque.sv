// The token deques against plain queues: order at both ends, no token lost or doubled, the flags are those of a full search, a merge is found
// exactly when there is one and takes the right one, nothing is overwritten at a bound, a yield token comes to the front.
//
// proof quick induction frames 12
// shows TD-1 TD-4 TD-11 TD-19
// reads rtl/sm/token_deque.sv
// sets WARPS=2 DEQUE_ENTRIES=4 THREADS=1
// sets WARPS=1 DEQUE_ENTRIES=8 THREADS=1
// narrow rtl/sm/token_deque.sv
// - initial if (THREADS != 32 && THREADS != 64)
// + initial if (THREADS > 64)
// narrow rtl/sm/token.svh
// - `define TOKEN_ADDR_W 22
// + `define TOKEN_ADDR_W 5
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

// What one warp's deque must be: a list, entry 0 the front. All searches go through the whole list.
module token_queue #(
    parameter THREADS = 1,
    parameter N = 4,
    localparam ADDR_W = `TOKEN_ADDR_W,
    localparam PTR_W = $clog2(N) + 1,
    localparam TOKEN_W = 4 + THREADS + ADDR_W     // address, mask, kind
) (
    input wire                  clk_i,
    input wire                  done_i,            // an operation of this warp is done
    input wire [3:0]            op_i,
    input wire [3:0]            kind_i,
    input wire [THREADS-1:0]    mask_i,
    input wire [ADDR_W-1:0]     addr_i,
    output logic [N*TOKEN_W-1:0] tokens_o,
    output logic [N*4-1:0]      flags_o,
    output logic [PTR_W-1:0]    head_o, count_o,
    output logic [15:0]         holds_o,
    output logic                found_o,           // a merge with addr_i finds its token
    output logic [PTR_W-1:0]    found_at_o,
    output logic                full_o,            // the operation finds no room
    output logic                move_fits_o
);
    logic [N*TOKEN_W-1:0] tokens_q;
    logic [PTR_W-1:0] head_q, count_q;
    assign tokens_o = tokens_q;
    assign head_o = head_q;
    assign count_o = count_q;

    logic [N-1:0] stands, yield, match;
    always_comb begin
        holds_o = '0;
        for (int i = 0; i < N; i++) begin
            stands[i] = i < 32'(count_q);
            yield[i] = stands[i] && tokens_q[i*TOKEN_W +: 4] == `KIND_YIELD;
            match[i] = yield[i] && tokens_q[i*TOKEN_W + 4 + THREADS +: ADDR_W] == addr_i;
            if (stands[i] && (tokens_q[i*TOKEN_W +: 4] == `KIND_SYNC || tokens_q[i*TOKEN_W +: 4] == `KIND_BRK ||
                              tokens_q[i*TOKEN_W +: 4] == `KIND_CONT || tokens_q[i*TOKEN_W +: 4] == `KIND_RET || yield[i]))
                holds_o[tokens_q[i*TOKEN_W +: 4]] = 1'b1;
        end
        // What stands below each token.
        flags_o = '0;
        for (int i = 0; i < N; i++)
            for (int j = i + 1; j < N; j++)
                if (stands[j]) flags_o[i*4 +: 4] = flags_o[i*4 +: 4] | `TOKEN_FAMILY(tokens_q[j*TOKEN_W +: 4]);
        // The front first, then the back, then from the front on.
        found_o = match != '0;
        found_at_o = '0;
        for (int i = N - 1; i >= 1; i--) if (match[i]) found_at_o = PTR_W'(i);
        for (int i = 0; i < N; i++) if (match[i] && i == 32'(count_q) - 1) found_at_o = PTR_W'(i);
        if (match[0]) found_at_o = '0;
    end

    wire push_front = op_i == `TOKEN_PUSH_FRONT;
    wire push_back = op_i == `TOKEN_PUSH_BACK || (op_i == `TOKEN_MERGE && !found_o);
    assign full_o = (push_front && head_q == '0) || (push_back && 32'(head_q) + 32'(count_q) == N);
    assign move_fits_o = 32'(addr_i) + 32'(count_q) <= N;

    always_ff @(posedge clk_i) begin
        if (done_i && !full_o) begin
            case (op_i)
                `TOKEN_RESET: begin
                    head_q <= PTR_W'(N / 2);
                    count_q <= '0;
                end
                `TOKEN_PUSH_FRONT: begin
                    tokens_q <= {tokens_q[(N-1)*TOKEN_W-1:0], addr_i, mask_i, kind_i};
                    head_q <= head_q - 1'b1;
                    count_q <= count_q + 1'b1;
                end
                `TOKEN_POP_USED, `TOKEN_POP_THROWN: begin
                    tokens_q <= tokens_q >> TOKEN_W;
                    head_q <= count_q == PTR_W'(1) ? PTR_W'(N / 2) : head_q + 1'b1;
                    count_q <= count_q - 1'b1;
                end
                `TOKEN_PUSH_BACK, `TOKEN_MERGE: begin
                    for (int i = 0; i < N; i++) begin
                        if (push_back && i == 32'(count_q)) tokens_q[i*TOKEN_W +: TOKEN_W] <= {addr_i, mask_i, `KIND_YIELD};
                        if (!push_back && i == 32'(found_at_o))
                            tokens_q[i*TOKEN_W + 4 +: THREADS] <= tokens_q[i*TOKEN_W + 4 +: THREADS] | mask_i;
                    end
                    if (push_back) count_q <= count_q + 1'b1;
                end
                `TOKEN_MOVE: if (move_fits_o) head_q <= PTR_W'(addr_i);
                default: ;
            endcase
        end
    end
endmodule

module prove_token_deque #(
    parameter THREADS = 1,
    parameter WARPS = 2,
    parameter DEQUE_ENTRIES = 4
) (
    input wire clk_i
);
    localparam WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1;
    localparam N = DEQUE_ENTRIES;
    localparam ENTRY_W = $clog2(N);
    localparam PTR_W = ENTRY_W + 1;
    localparam BITS = `TOKEN_BITS(THREADS);
    localparam ADDR_W = `TOKEN_ADDR_W;
    localparam TOKEN_W = BITS - 4;
    localparam STATE_W = 7 * PTR_W;
    localparam BACK_W = THREADS + ADDR_W;
    `RESET(rst)
    `include "token_deque_users.svh"

    // Inside of the unit, for the invariants.
    (* hierconn *) wire [BITS-1:0] \dut.ram[0] , \dut.ram[1] , \dut.ram[2] , \dut.ram[3] , \dut.ram[4] , \dut.ram[5] , \dut.ram[6] , \dut.ram[7] ,
        \dut.ram[8] , \dut.ram[9] , \dut.ram[10] , \dut.ram[11] , \dut.ram[12] , \dut.ram[13] , \dut.ram[14] , \dut.ram[15] ;
    (* hierconn *) wire [STATE_W-1:0] \dut.state_q[0] , \dut.state_q[1] ;
    (* hierconn *) wire [BITS-1:0] \dut.front_q[0] , \dut.front_q[1] , \dut.ram_rdata_q ;
    (* hierconn *) wire [BACK_W-1:0] \dut.back_q[0] , \dut.back_q[1] ;
    (* hierconn *) wire \dut.fill_q , \dut.scan_q ;
    (* hierconn *) wire \dut.load_q , \dut.load_hit_q , \dut.load_last_q , \dut.load_yields_q ;
    (* hierconn *) wire [WARP_W-1:0] \dut.fill_warp_q ;
    (* hierconn *) wire [PTR_W-1:0] \dut.scan_entry_q ;
    wire [16*BITS-1:0] ram = {\dut.ram[15] , \dut.ram[14] , \dut.ram[13] , \dut.ram[12] , \dut.ram[11] , \dut.ram[10] , \dut.ram[9] , \dut.ram[8] ,
                              \dut.ram[7] , \dut.ram[6] , \dut.ram[5] , \dut.ram[4] , \dut.ram[3] , \dut.ram[2] , \dut.ram[1] , \dut.ram[0] };
    wire [2*STATE_W-1:0] states = {\dut.state_q[1] , \dut.state_q[0] };
    wire [2*BITS-1:0] fronts = {\dut.front_q[1] , \dut.front_q[0] };
    wire [2*BACK_W-1:0] backs = {\dut.back_q[1] , \dut.back_q[0] };

    // ---- cycles a merge takes ----
    logic [PTR_W:0] scanned = '0;
    always_ff @(posedge clk_i) scanned <= (op_valid && !ready && !rst) ? scanned + 1'b1 : '0;
    `CHECK(rst || !op_valid || ready || op == `TOKEN_MERGE)
    `CHECK(32'(scanned) <= N - 2)
    `CHECK(waits || scanned == '0)
    `CHECK(waits == \dut.scan_q || rst)
    `CHECK(!waits || op_q == `TOKEN_MERGE)
    (* hierconn *) wire \dut.held_q ;
    (* hierconn *) wire [3:0] \dut.held_op_q ;
    (* hierconn *) wire [WARP_W-1:0] \dut.held_warp_q ;
    `CHECK(rst || \dut.held_q == waits && (!waits || (\dut.held_op_q == op_q && \dut.held_warp_q == warp_q)))
    `REACH(32'(scanned) == 2)

    // ---- each warp's deque against its queue ----
    wire [WARPS*N*TOKEN_W-1:0] all_tokens;
    wire [WARPS*PTR_W-1:0] counts;
    for (genvar w = 0; w < WARPS; w++) begin : g_warp
        wire mine = warp == WARP_W'(w);
        wire mine_done = done && mine;
        wire [N*TOKEN_W-1:0] tokens;
        wire [N*4-1:0] flags;
        wire [PTR_W-1:0] head, count, found_at;
        wire [15:0] must_hold;
        wire found, must_be_full, move_fits;
        token_queue #(.THREADS(THREADS), .N(N)) queue (
            .clk_i, .done_i(mine_done), .op_i(op), .kind_i(kind), .mask_i(mask), .addr_i(addr), .tokens_o(tokens), .flags_o(flags), .head_o(head),
            .count_o(count), .holds_o(must_hold), .found_o(found), .found_at_o(found_at), .full_o(must_be_full), .move_fits_o(move_fits));

        assign all_tokens[w*N*TOKEN_W +: N*TOKEN_W] = tokens;
        assign counts[w*PTR_W +: PTR_W] = count;

        // Software moves the tokens of a warp that stands still: from its first STORE over a token until the MOVE, the warp does nothing else;
        // a MOVE goes to a place where the tokens stand.
        logic moving = 1'b0;
        wire store = mine_done && op == `TOKEN_STORE && addr >= ADDR_W'(head) && 32'(addr) < 32'(head) + 32'(count);
        wire move = mine_done && op == `TOKEN_MOVE && move_fits;
        always_ff @(posedge clk_i) begin
            if (mine_done && op == `TOKEN_RESET || move) moving <= 1'b0;
            else if (store) moving <= 1'b1;
        end
        `ASSUME(!(op_valid && mine && moving) || op == `TOKEN_LOAD || op == `TOKEN_STORE || op == `TOKEN_MOVE || op == `TOKEN_RESET)
        logic copied, in_place;
        always_comb begin
            copied = 1'b1;
            in_place = 1'b1;
            for (int i = 0; i < N; i++) begin
                for (int e = 0; e < N; e++) begin
                    if (i < 32'(count) && ram[(w*N+e)*BITS +: BITS-1] != {flags[i*4 +: 3], tokens[i*TOKEN_W +: TOKEN_W]}) begin
                        if (e == 32'(addr) + i) copied = 1'b0;
                        if (e == 32'(head) + i) in_place = 1'b0;
                    end
                end
            end
        end
        `ASSUME(!move || copied)

        // What it shows.
        wire shown = mine && begun[w] && !rst;
        `CHECK(!shown || empty == (count == '0))
        `CHECK(!shown || really_full == (32'(count) == N))
        `CHECK(!shown || ends == {16'(head + count), 16'(head)})
        `CHECK(!shown || holds == must_hold)
        `CHECK(!shown || empty || {front_addr, front_mask, front_kind} == tokens[TOKEN_W-1:0])
        `CHECK(!shown || empty || front_flags == flags[3:0])
        `CHECK(!(mine_done && begun[w]) || full == must_be_full)
        `CHECK(!(mine_done && begun[w]) || trace_valid == (!must_be_full && op <= `TOKEN_MERGE))
        `CHECK(!(mine_done && begun[w] && trace_valid) || (trace_op == `TOKEN_MERGE) == (op == `TOKEN_MERGE && found))
        // What software loads: two cycles after.
        logic loading = 1'b0, loaded_now = 1'b0;
        logic [BITS-1:0] load_expected, load_expected_q;
        always_comb begin
            load_expected = '0;
            for (int i = 0; i < N; i++)
                if (i < 32'(count) && 32'(addr) == 32'(head) + i) load_expected = {flags[i*4 +: 4], tokens[i*TOKEN_W +: TOKEN_W]};
        end
        always_ff @(posedge clk_i) begin
            loading <= mine_done && op == `TOKEN_LOAD && !moving;
            load_expected_q <= load_expected;
            loaded_now <= loading;
        end
        logic [BITS-1:0] loaded_expected;
        always_ff @(posedge clk_i) loaded_expected <= load_expected_q;
        wire [BITS-1:0] read = \dut.ram_rdata_q ;
        wire read_yield = read[3:0] == `KIND_YIELD ? !\dut.load_last_q : \dut.load_yields_q ;
        `CHECK(!loading || (\dut.load_q && (\dut.load_hit_q ? {read_yield, read[BITS-2:0]} : '0) == load_expected_q))
        `CHECK(!loaded_now || loaded == 128'(loaded_expected))

        // The unit's state, in the words of the queue.
        wire [PTR_W-1:0] s_head, s_tail, s_yields, s_syncs, s_brks, s_conts, s_rets;
        assign {s_head, s_tail, s_yields, s_syncs, s_brks, s_conts, s_rets} = states[w*STATE_W +: STATE_W];
        logic [PTR_W-1:0] yields, syncs, brks, conts, rets;
        logic together;   // the yield tokens stand together at the back
        always_comb begin
            {yields, syncs, brks, conts, rets} = '0;
            together = 1'b1;
            for (int i = 0; i < N; i++) begin
                if (i < 32'(count)) begin
                    if (tokens[i*TOKEN_W +: 4] == `KIND_YIELD) yields = yields + 1'b1;
                    if (tokens[i*TOKEN_W +: 4] == `KIND_SYNC) syncs = syncs + 1'b1;
                    if (tokens[i*TOKEN_W +: 4] == `KIND_BRK) brks = brks + 1'b1;
                    if (tokens[i*TOKEN_W +: 4] == `KIND_CONT) conts = conts + 1'b1;
                    if (tokens[i*TOKEN_W +: 4] == `KIND_RET) rets = rets + 1'b1;
                    if (i > 0 && tokens[i*TOKEN_W +: 4] != `KIND_YIELD && tokens[(i > 0 ? i - 1 : 0)*TOKEN_W +: 4] == `KIND_YIELD) together = 1'b0;
                end
            end
        end
        wire known = begun[w] && !rst;
        wire filling = \dut.fill_q && \dut.fill_warp_q == WARP_W'(w);
        wire [BITS-1:0] front = filling ? \dut.ram_rdata_q : fronts[w*BITS +: BITS];
        logic [BACK_W-1:0] back;
        always_comb begin
            back = '0;
            for (int i = 0; i < N; i++) if (32'(count) == i + 1) back = {tokens[i*TOKEN_W + 4 +: THREADS], tokens[i*TOKEN_W + 4 + THREADS +: ADDR_W]};
        end
        `CHECK(!known || (s_head == head && s_tail == head + count))
        `CHECK(!known || (32'(head) + 32'(count) <= N))
        `CHECK(!known || (s_yields == yields && s_syncs == syncs && s_brks == brks && s_conts == conts && s_rets == rets))
        `CHECK(!known || together)
        `CHECK(!known || moving || in_place)
        `CHECK(!known || count == '0 || front[BITS-2:0] == {flags[2:0], tokens[TOKEN_W-1:0]})
        `CHECK(!known || yields == '0 || backs[w*BACK_W +: BACK_W] == back)
        `CHECK(!rst || begun == '0)

        // In the middle of a merge: what has been read so far does not match.
        wire scanning = \dut.scan_q && warp_q == WARP_W'(w) && !rst;
        wire [PTR_W-1:0] between = tokens[3:0] == `KIND_YIELD ? head + 1'b1 : head + count - yields;
        logic read_right, none_before;
        always_comb begin
            read_right = 1'b1;
            none_before = 1'b1;
            for (int i = 0; i < N; i++) begin
                if (32'(\dut.scan_entry_q ) == 32'(head) + i && \dut.ram_rdata_q [BITS-2:0] != {flags[i*4 +: 3], tokens[i*TOKEN_W +: TOKEN_W]})
                    read_right = 1'b0;
                if ((i == 0 || i + 1 == 32'(count) || (i < 32'(count) && 32'(head) + i < 32'(\dut.scan_entry_q ))) &&
                    tokens[i*TOKEN_W +: 4] == `KIND_YIELD && tokens[i*TOKEN_W + 4 + THREADS +: ADDR_W] == addr_q) none_before = 1'b0;
            end
        end
        `CHECK(!scanning || (begun[w] && !moving && !\dut.fill_q ))
        `CHECK(!scanning || (between <= \dut.scan_entry_q && 32'(\dut.scan_entry_q ) + 1 < 32'(head) + 32'(count)))
        `CHECK(!scanning || 32'(scanned) == 32'(\dut.scan_entry_q ) - 32'(between) + 1)
        `CHECK(!scanning || (read_right && none_before))

        `REACH(mine_done && pop && 32'(count) == N - 1)
        `REACH(mine_done && full && op == `TOKEN_PUSH_FRONT)
        `REACH(mine_done && full && op == `TOKEN_MERGE)
        `REACH(known && 32'(count) == N)
        `REACH(mine_done && op == `TOKEN_MERGE && found && found_at == '0 && !must_be_full)
        `REACH(mine_done && op == `TOKEN_MERGE && found && 32'(found_at) == 32'(count) - 1 && 32'(count) > 1)
        `REACH(mine_done && op == `TOKEN_MERGE && found && 32'(found_at) + 1 < 32'(count) && found_at != '0)
        `REACH(mine_done && op == `TOKEN_MERGE && !found && yields > PTR_W'(2) && !must_be_full)
        `REACH(move && moving && head == '0 && addr != '0)
    end

    // ---- a yield token comes to the front ----
    // Any one is watched. Each pop brings it one place nearer, each push at the front one place further away, nothing else moves it: it is the
    // front as soon as that many more tokens have been popped than pushed in front as there were before it, DEQUE_ENTRIES - 1 at most.
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
            for (int i = 0; i < N; i++)
                if (32'(watched_warp) == w && 32'(place) == i && i < 32'(counts[w*PTR_W +: PTR_W]) &&
                    all_tokens[(w*N+i)*TOKEN_W +: 4] == `KIND_YIELD && all_tokens[(w*N+i)*TOKEN_W+4+THREADS +: ADDR_W] == watched_addr &&
                    (watched_mask & ~all_tokens[(w*N+i)*TOKEN_W+4 +: THREADS]) == '0) stands_there = 1'b1;
    end
    `CHECK(!watching || (32'(before) < N && 32'(place) < N && begun[watched_warp] && 32'(watched_warp) < WARPS))
    `CHECK(!watching || stands_there)
    `CHECK(!(its_warp && nearer == before) || (front_kind == `KIND_YIELD && front_addr == watched_addr && (watched_mask & ~front_mask) == '0))
    `REACH(its_warp && done && pop && place == '0 && before == (PTR_W+1)'(2))
endmodule
