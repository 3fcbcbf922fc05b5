// The token deques of all warps of an SM, in one RAM of WARPS * DEQUE_ENTRIES tokens.
//
// Every warp has a part of the RAM to itself; head is the entry of its front token, tail one past its back token, both start in the
// middle, and go back there whenever the deque becomes empty. Only yield tokens are pushed at the back, and tokens leave at the front
// only: so all yield tokens of a warp stand together at its back end. Three things that this unit does rest on that:
//  - a token's summary flags for synchronization, divergence and call never change once it is pushed; only the yield flag does, and is
//    computed from the number of yield tokens when the token is looked at;
//  - the search for a yield token to merge with reads nothing but yield tokens;
//  - the back token is kept outside the RAM (back_q) without ever being read back.
// The front token is kept outside the RAM too. After a pop the next one is the RAM's output register (fill_q), which goes into
// front_q only when the RAM is read for something else: so no operation ever waits for another one's read.
//
// Protocol: op_valid_i with op_i, warp_i, kind_i, mask_i, addr_i; the operation is done in the cycle in which op_ready_o is high too.
// Until then all of them stay as they are. What is wanted of front_*, empty_o, holds_o are those of warp_i, before the operation.
//   PUSH_FRONT {kind, mask, addr}    1 cycle    full_o: head stands at its bound, nothing is changed
//   PUSH_BACK {YIELD, mask, addr}    1 cycle    full_o: tail stands at its bound, nothing is changed
//   POP_USED, POP_THROWN             1 cycle    the two differ in the trace only; not when empty_o
//   MERGE {YIELD, mask, addr}        1 cycle    when a yield token with this address stands at the front or back, or fewer than three tokens
//                                               are in question; else one more for each yield token between that is read. Merges (the front one
//                                               first, then the back one, then those between from the front), or pushes at the back (full_o as there)
//   RESET                            1 cycle    empties the deque; every warp needs one before its first other operation
// Software moves the tokens of a warp that stands at a bound (addr_i: an entry):
//   LOAD                             1 cycle    the entry's token is in loaded_o from the second cycle after on; zero when no token stands there
//   STORE                            1 cycle    loaded_o goes into the entry
//   MOVE                             1 cycle    head becomes addr_i, tail as many entries behind it as before; nothing when that is past a bound
// Throughput: one operation a cycle, of any warps, merges as above.
// Trace: TOKEN in the cycle in which the operation is done.
`default_nettype none
`include "gen/isa.svh"
`include "gen/trace.svh"
`include "coverage.svh"
`include "token.svh"

module token_deque #(
    parameter int THREADS = 32,
    parameter int WARPS = 2,
    parameter int DEQUE_ENTRIES = 64,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1
) (
    input  wire                      clk_i,
    input  wire                      rst_i,
    input  wire                      op_valid_i,
    output logic                     op_ready_o,
    input  wire  [3:0]               op_i,
    input  wire  [WARP_W-1:0]        warp_i,
    input  wire  [3:0]               kind_i,
    input  wire  [THREADS-1:0]       mask_i,
    input  wire  [`TOKEN_ADDR_W-1:0] addr_i,
    output logic                     full_o,
    output logic                     really_full_o,  // no room at the other end either
    output logic                     empty_o,
    output logic [3:0]               front_kind_o,
    output logic [THREADS-1:0]       front_mask_o,
    output logic [`TOKEN_ADDR_W-1:0] front_addr_o,
    output logic [3:0]               front_flags_o,
    output logic [15:0]              holds_o,        // bit k: a token of kind k stands in the deque; SYNC, BRK, CONT, RET, YIELD only
    input  wire  [WARP_W-1:0]        look_warp_i,
    output logic [31:0]              look_ends_o,    // head 15:0, tail 31:16
    output logic [127:0]             loaded_o,       // as software sees a token
    `TRACE_TOKEN_PORTS
);
    localparam int ENTRY_W = $clog2(DEQUE_ENTRIES);
    localparam int PTR_W = ENTRY_W + 1;
    localparam int BITS = `TOKEN_BITS(THREADS);
    localparam int STATE_W = 7 * PTR_W;
    localparam logic [PTR_W-1:0] MIDDLE = PTR_W'(DEQUE_ENTRIES / 2);
    localparam logic [PTR_W-1:0] LIMIT = PTR_W'(DEQUE_ENTRIES);
    localparam logic [PTR_W-1:0] ONE = PTR_W'(1);

    // Per warp: head, tail, and how many tokens of the kinds that somebody asks for stand in the deque.
    logic [STATE_W-1:0]               state_q [WARPS];
    logic [BITS-1:0]                  front_q [WARPS];
    logic [THREADS+`TOKEN_ADDR_W-1:0] back_q [WARPS];  // mask and address; means something while a yield token stands
    logic [BITS-1:0]                  ram [(1 << WARP_W) * DEQUE_ENTRIES];
    logic [BITS-1:0]                  ram_rdata_q;
    logic [BITS-1:0]                  loaded_q;        // what software has loaded
    logic                             fill_q;          // ram_rdata_q is the front token of warp fill_warp_q
    logic [WARP_W-1:0]                fill_warp_q;
    logic                             scan_q;          // a merge is under way; ram_rdata_q is the token of entry scan_entry_q
    logic [PTR_W-1:0]                 scan_entry_q;

    // The warp in question.
    logic [PTR_W-1:0]         head, tail, yields, syncs, brks, conts, rets;
    logic [BITS-1:0]          front;
    logic [3:0]               front_kind, front_family;
    logic [2:0]               front_flags;
    logic                     front_more_yields, single;
    logic [THREADS-1:0]       back_mask;
    logic [`TOKEN_ADDR_W-1:0] back_addr;

    assign {head, tail, yields, syncs, brks, conts, rets} = state_q[warp_i];
    assign front = fill_q && fill_warp_q == warp_i ? ram_rdata_q : front_q[warp_i];
    assign front_kind = `TOKEN_KIND(front, THREADS);
    assign front_family = `TOKEN_FAMILY(front_kind);
    assign front_more_yields = front_family[`TOKEN_FLAG_YIELD] ? yields != ONE : yields != '0;
    assign single = tail - head == ONE;
    assign {back_mask, back_addr} = back_q[warp_i];

    assign really_full_o = tail - head == LIMIT;
    assign look_ends_o = {16'(state_q[look_warp_i][STATE_W-PTR_W-1 -: PTR_W]), 16'(state_q[look_warp_i][STATE_W-1 -: PTR_W])};
    assign empty_o = head == tail;
    assign front_kind_o = front_kind;
    assign front_mask_o = `TOKEN_MASK(front, THREADS);
    assign front_addr_o = `TOKEN_ADDR(front, THREADS);
    assign front_flags = 3'(`TOKEN_FLAGS(front, THREADS));
    assign front_flags_o = {front_more_yields, front_flags};
    assign holds_o = (16'(syncs != '0) << `KIND_SYNC) | (16'(brks != '0) << `KIND_BRK) | (16'(conts != '0) << `KIND_CONT) |
                     (16'(rets != '0) << `KIND_RET) | (16'(yields != '0) << `KIND_YIELD);

    // Where a merge finds its token.
    logic [PTR_W-1:0]   between, scan_next, back_entry;
    logic               front_match, back_match, scan_match, more_between;
    logic [THREADS-1:0] scan_mask;

    assign back_entry = tail - ONE;
    assign between = front_family[`TOKEN_FLAG_YIELD] ? head + ONE : tail - yields;  // first yield token behind the front token
    assign scan_next = scan_q ? scan_entry_q + ONE : between;
    assign more_between = yields != '0 && scan_next < back_entry;
    assign front_match = !scan_q && !empty_o && front_kind == `KIND_YIELD && front_addr_o == addr_i;
    assign back_match = !scan_q && yields != '0 && back_addr == addr_i;
    assign scan_mask = `TOKEN_MASK(ram_rdata_q, THREADS);
    assign scan_match = scan_q && `TOKEN_ADDR(ram_rdata_q, THREADS) == addr_i;

    // What is done in this cycle.
    logic               go, push_front, push_back, pop, merge, reset, scan, load, store, move;
    logic               merge_front, merge_back;
    logic [PTR_W-1:0]   room;
    logic [BITS-1:0]    token;  // as it stands after
    logic [ENTRY_W-1:0] token_entry;

    assign go = op_valid_i && !rst_i;
    assign merge = go && op_i == `TOKEN_MERGE && (front_match || back_match || scan_match);
    assign scan = go && op_i == `TOKEN_MERGE && !merge && more_between;
    assign merge_front = merge && front_match;
    assign merge_back = merge && !front_match && back_match;
    assign push_front = go && op_i == `TOKEN_PUSH_FRONT && head != '0;
    assign push_back = go && (op_i == `TOKEN_PUSH_BACK || (op_i == `TOKEN_MERGE && !merge && !scan)) && tail != LIMIT;
    assign pop = go && (op_i == `TOKEN_POP_USED || op_i == `TOKEN_POP_THROWN) && !empty_o;
    assign reset = go && op_i == `TOKEN_RESET;
    assign load = go && op_i == `TOKEN_LOAD;
    assign store = go && op_i == `TOKEN_STORE;
    assign room = LIMIT - (tail - head);
    assign move = go && op_i == `TOKEN_MOVE && addr_i <= `TOKEN_ADDR_W'(room);
    assign op_ready_o = !rst_i && !scan;
    assign full_o = go && !scan && !merge && !push_front && !push_back &&
                    (op_i == `TOKEN_PUSH_FRONT || op_i == `TOKEN_PUSH_BACK || op_i == `TOKEN_MERGE);

    logic [3:0]               token_kind, token_flags;
    logic [THREADS-1:0]       token_mask;
    logic [`TOKEN_ADDR_W-1:0] token_addr;

    always_comb begin
        token_kind = `KIND_YIELD;
        token_mask = mask_i;
        token_addr = addr_i;
        token_flags = '0;
        token_entry = ENTRY_W'(tail);
        if (load || store) begin
            token_entry = ENTRY_W'(addr_i);
        end else if (pop) begin
            token_kind = front_kind;
            token_mask = front_mask_o;
            token_addr = front_addr_o;
            token_flags = front_flags_o;
            token_entry = ENTRY_W'(head);
        end else if (op_i == `TOKEN_PUSH_FRONT) begin
            token_kind = kind_i;
            token_flags = empty_o ? 4'd0 : front_flags_o | front_family;
            token_entry = ENTRY_W'(head - ONE);
        end else if (merge_front) begin
            token_mask = mask_i | front_mask_o;
            token_flags = {front_more_yields, 3'd0};
            token_entry = ENTRY_W'(head);
        end else if (merge_back) begin
            token_mask = mask_i | back_mask;
            token_entry = ENTRY_W'(back_entry);
        end else if (merge) begin
            token_mask = mask_i | scan_mask;
            token_flags = 4'b1000;  // the back token, at least, is a yield token below
            token_entry = ENTRY_W'(scan_entry_q);
        end
    end
    assign token = store ? loaded_q : `TOKEN_PACK(THREADS, token_kind, token_mask, token_addr, token_flags);

    // Next head, tail, counts.
    logic [PTR_W-1:0] head_d, tail_d, yields_d, syncs_d, brks_d, conts_d, rets_d, step;

    assign step = pop ? '1 : ONE;  // one less or one more
    always_comb begin
        head_d = head;
        tail_d = tail;
        yields_d = yields;
        syncs_d = syncs;
        brks_d = brks;
        conts_d = conts;
        rets_d = rets;
        if (reset) begin
            head_d = MIDDLE;
            tail_d = MIDDLE;
            yields_d = '0;
            syncs_d = '0;
            brks_d = '0;
            conts_d = '0;
            rets_d = '0;
        end else if (move) begin
            head_d = PTR_W'(addr_i);
            tail_d = PTR_W'(addr_i) + (tail - head);
        end else if (push_front || push_back || pop) begin
            if (push_front) head_d = head - ONE;
            if (push_back) tail_d = tail + ONE;
            if (pop) head_d = single ? MIDDLE : head + ONE;
            if (pop && single) tail_d = MIDDLE;
            if (token_kind == `KIND_YIELD) yields_d = yields + step;
            if (token_kind == `KIND_SYNC) syncs_d = syncs + step;
            if (token_kind == `KIND_BRK) brks_d = brks + step;
            if (token_kind == `KIND_CONT) conts_d = conts + step;
            if (token_kind == `KIND_RET) rets_d = rets + step;
        end
    end

    always_ff @(posedge clk_i) begin
        if (reset || push_front || push_back || pop || move) begin
            state_q[warp_i] <= {head_d, tail_d, yields_d, syncs_d, brks_d, conts_d, rets_d};
        end
        if (push_back || merge_back || (merge_front && single)) back_q[warp_i] <= {token_mask, token_addr};
    end

    // The RAM: one write port, one read port with a register that keeps its value while nothing is read.
    logic                      ram_write, ram_read;
    logic [WARP_W+ENTRY_W-1:0] ram_waddr, ram_raddr;
    logic [ENTRY_W-1:0]        read_entry;

    assign ram_write = push_front || push_back || merge || store;
    assign ram_waddr = {warp_i, token_entry};
    assign ram_read = (pop && !single) || scan || load || move;
    assign read_entry = (load || move) ? ENTRY_W'(addr_i) : ENTRY_W'(scan ? scan_next : head + ONE);
    assign ram_raddr = {warp_i, read_entry};

    always_ff @(posedge clk_i) begin
        if (ram_write) ram[ram_waddr] <= token;
        if (ram_read) ram_rdata_q <= ram[ram_raddr];
    end

    // The front token: written here when it is a new one; saved from the RAM's register before that is used again.
    logic front_write, fill_save;

    assign front_write = push_front || merge_front || (push_back && empty_o);
    assign fill_save = fill_q && ram_read;

    always_ff @(posedge clk_i) begin
        if (front_write) front_q[warp_i] <= token;
        else if (fill_save) front_q[fill_warp_q] <= ram_rdata_q;
    end

    always_ff @(posedge clk_i) begin
        if (rst_i) begin
            fill_q <= 1'b0;
            scan_q <= 1'b0;
        end else begin
            if ((pop && !single) || move) fill_q <= 1'b1;
            else if (scan || load || (front_write && fill_warp_q == warp_i)) fill_q <= 1'b0;  // nobody looks at the front of an empty deque
            if (go) scan_q <= scan;
        end
        if ((pop && !single) || move) fill_warp_q <= warp_i;
        if (scan) scan_entry_q <= scan_next;
    end

    // Software's look at an entry: the token with its yield flag as it is now.
    logic             load_q, load_hit_q, load_last_q, load_yields_q, loaded_yield;
    logic [PTR_W-1:0] load_entry;

    assign load_entry = PTR_W'(ENTRY_W'(addr_i));
    assign loaded_yield = `TOKEN_KIND(ram_rdata_q, THREADS) == `KIND_YIELD ? !load_last_q : load_yields_q;
    assign loaded_o = `TOKEN_FORMAT(loaded_q, THREADS);
    always_ff @(posedge clk_i) begin
        load_q <= load;
        if (load) begin
            load_hit_q <= load_entry >= head && load_entry < tail;
            load_last_q <= load_entry == back_entry;
            load_yields_q <= yields != '0;
        end
        if (rst_i) loaded_q <= '0;
        else if (load_q) loaded_q <= load_hit_q ? {loaded_yield, ram_rdata_q[BITS-2:0]} : '0;
    end

    // Trace.
    logic [127:0] trace_token;
    assign trace_token = `TOKEN_FORMAT(token, THREADS);
    assign trace_token_valid_o = push_front || push_back || pop || merge;
    assign trace_token_warp_o = 8'(warp_i);
    assign trace_token_op_o = 3'(push_back ? `TOKEN_PUSH_BACK : op_i);
    assign trace_token_token_lo_o = trace_token[63:0];
    assign trace_token_token_hi_o = trace_token[127:64];

`ifndef SYNTHESIS
    initial if (DEQUE_ENTRIES < 2 || DEQUE_ENTRIES != (1 << ENTRY_W)) $error("DEQUE_ENTRIES must be a power of two, 2 or more");
    initial if (THREADS != 32 && THREADS != 64) $error("THREADS must be 32 or 64");
    logic              held_q;  // the operation of the cycle before waits
    logic [3:0]        held_op_q;
    logic [WARP_W-1:0] held_warp_q;
    always_ff @(posedge clk_i) begin
        held_q <= op_valid_i && !op_ready_o && !rst_i;
        held_op_q <= op_i;
        held_warp_q <= warp_i;
        if (!rst_i) begin
            if (held_q) assert (op_valid_i && op_i == held_op_q && warp_i == held_warp_q);
            if (go && (op_i == `TOKEN_POP_USED || op_i == `TOKEN_POP_THROWN)) assert (!empty_o);
            if (push_front) assert (kind_i != `KIND_YIELD);
            if (go) assert (op_i <= `TOKEN_MOVE);
            if (ram_write && ram_read) assert (ram_waddr != ram_raddr);
            if (go && !reset) assert (head <= tail && tail <= LIMIT && yields <= tail - head);
            assert (!(front_write && fill_save));
        end
    end
    always_ff @(posedge clk_i) if (!rst_i) begin
        `COVER(used_sync, pop && op_i == `TOKEN_POP_USED && front_kind == `KIND_SYNC)
        `COVER(thrown_sync, pop && op_i == `TOKEN_POP_THROWN && front_kind == `KIND_SYNC)
        `COVER(used_brk, pop && op_i == `TOKEN_POP_USED && front_kind == `KIND_BRK)
        `COVER(thrown_brk, pop && op_i == `TOKEN_POP_THROWN && front_kind == `KIND_BRK)
        `COVER(used_cont, pop && op_i == `TOKEN_POP_USED && front_kind == `KIND_CONT)
        `COVER(thrown_cont, pop && op_i == `TOKEN_POP_THROWN && front_kind == `KIND_CONT)
        `COVER(used_ret, pop && op_i == `TOKEN_POP_USED && front_kind == `KIND_RET)
        `COVER(thrown_ret, pop && op_i == `TOKEN_POP_THROWN && front_kind == `KIND_RET)
        `COVER(used_exit, pop && op_i == `TOKEN_POP_USED && front_kind == `KIND_EXIT)
        `COVER(thrown_exit, pop && op_i == `TOKEN_POP_THROWN && front_kind == `KIND_EXIT)
        `COVER(used_longjmp, pop && op_i == `TOKEN_POP_USED && front_kind == `KIND_LONGJMP)
        `COVER(thrown_longjmp, pop && op_i == `TOKEN_POP_THROWN && front_kind == `KIND_LONGJMP)
        `COVER(used_div, pop && op_i == `TOKEN_POP_USED && front_kind == `KIND_DIV)
        `COVER(thrown_div, pop && op_i == `TOKEN_POP_THROWN && front_kind == `KIND_DIV)
        `COVER(used_callx, pop && op_i == `TOKEN_POP_USED && front_kind == `KIND_CALLX)
        `COVER(thrown_callx, pop && op_i == `TOKEN_POP_THROWN && front_kind == `KIND_CALLX)
        `COVER(used_yield, pop && op_i == `TOKEN_POP_USED && front_kind == `KIND_YIELD)
        `COVER(thrown_yield, pop && op_i == `TOKEN_POP_THROWN && front_kind == `KIND_YIELD)
        `COVER(used_svend, pop && op_i == `TOKEN_POP_USED && front_kind == `KIND_SVEND)
        `COVER(thrown_svend, pop && op_i == `TOKEN_POP_THROWN && front_kind == `KIND_SVEND)
        `COVER(used_portion, pop && op_i == `TOKEN_POP_USED && front_kind == `KIND_PORTION)
        `COVER(thrown_portion, pop && op_i == `TOKEN_POP_THROWN && front_kind == `KIND_PORTION)
        `COVER(merge_front, merge_front)
        `COVER(merge_back, merge_back)
        `COVER(merge_between, merge && !front_match && !back_match)
        `COVER(merge_none, push_back && op_i == `TOKEN_MERGE && scan_q)
        `COVER(front_bound, full_o && op_i == `TOKEN_PUSH_FRONT && !really_full_o)
        `COVER(back_bound, full_o && op_i != `TOKEN_PUSH_FRONT && !really_full_o)
        `COVER(really_full, full_o && really_full_o)
        `COVER(moved, move)
        `COVER(moved_not, go && op_i == `TOKEN_MOVE && !move)
        `COVER(fill_saved, fill_save)
        `COVER(held, held_q)
    end
`endif
endmodule
`default_nettype wire
