// The token deques of all warps of an SM: their two ends in one RAM, all between them in memory.
//
// A warp's tokens stand in places of a queue; `head` places are free in front of its front token, `room` behind its back token. The front
// token is a register. Behind it `fronts` tokens stand in the warp's front half of the RAM, then those in memory, at their places, then `backs`
// in the back half. Only yield tokens are pushed at the back, and tokens leave at the front only: so all yield tokens of a warp stand
// together at its back end. Three things that this unit does rest on that:
//  - what stands below a token (summary flags but for yields; SYNC, BRK, CONT) never changes once it is pushed, so it is kept in the token;
//  - the search for a yield token to merge with reads nothing but yield tokens;
//  - the newest token of the back half is kept outside the RAM too (back_q) without ever being read back.
// After a pop the front token is the RAM's output register (fill_q), which goes into front_q only when the RAM is read for something
// else: so no operation ever waits for another one's read.
// token_mover moves tokens between RAM and memory in cycles in which no operation is done: out when a half is more than three quarters full,
// in when less than half of the front half is left. Which places tokens have does not depend on it.
//
// Protocol: op_valid_i with op_i, warp_i, kind_i, mask_i, addr_i; the operation is done in the cycle in which op_ready_o is high too.
// Until then all of them stay as they are. What is wanted of front_*, empty_o, holds_o, op_ready_o are those of warp_i, before the operation,
// in cycles in which look_i is high (as it is with op_valid_i). With a MERGE meets_i says whether the front token is a yield token with its address:
// the RAM shows that token late in a cycle, so who asks compares it in the one before.
//   PUSH_FRONT {kind, mask, addr}    1 cycle    full_o: no place is free in front, nothing is changed
//   PUSH_BACK {YIELD, mask, addr}    1 cycle    full_o: no place is free behind, nothing is changed
//   POP_USED, POP_THROWN             1 cycle    the two differ in the trace only; not when empty_o
//   MERGE {YIELD, mask, addr}        1 cycle    when a yield token with this address stands at the front or back, or fewer than three tokens
//                                               are in question; else two more for each yield token between: it is read, then compared. Merges (the front
//                                               one first, then the back one, then those between), or pushes at the back (full_o as there)
//   RESET                            1 cycle    empties the deque; every warp needs one before its first other operation
//   MOVE                             1 cycle    software has moved the tokens in memory places_i to the back (two's complement): head and room
//                                               follow; nothing unless all tokens stay inside the queue
// An operation waits for token_mover where a push finds its half full, a pop the next token in memory, a merge yield tokens there, and
// RESET, MOVE and one that ends with full_o while a token of the warp is on its way.
// failed_o: tokens of the warp are lost, since memory failed; the operation is not done.
// Throughput: one operation a cycle, of any warps, while the ends hold; merges as above.
// Trace: TOKEN in the cycle in which the operation is done.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/isa.svh"
`include "gen/trace.svh"
`include "coverage.svh"
`include "token.svh"

module token_deque #(
    parameter int THREADS = 32,
    parameter int WARPS = 2,
    parameter int CHANNELS = 2,
    parameter int DEQUE_ENTRIES = 16,
    parameter int DEQUE_MOST = 8192,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1
) (
    input  wire                      clk_i,
    input  wire                      rst_i,
    input  wire  [32:12]             memory_i,       // where the queue of warp 0 is
    input  wire  [3:0]               size_i,         // places of a queue: DEQUE_ENTRIES / 2 << size_i. Both change only while no warp is alive
    input  wire                      look_i,
    input  wire                      op_valid_i,
    output logic                     op_ready_o,
    output logic                     still_o,        // no token of warp_i is on its way: RESET and MOVE would not wait
    input  wire  [3:0]               op_i,
    input  wire  [WARP_W-1:0]        warp_i,
    input  wire  [3:0]               kind_i,
    input  wire  [THREADS-1:0]       mask_i,
    input  wire  [`TOKEN_ADDR_W-1:0] addr_i,
    input  wire                      meets_i,
    input  wire  [15:0]              places_i,
    output logic                     full_o,
    output logic                     really_full_o,  // there is none at the other end either
    output logic                     failed_o,
    output logic                     empty_o,
    output logic [3:0]               front_kind_o,
    output logic [THREADS-1:0]       front_mask_o,
    output logic [`TOKEN_ADDR_W-1:0] front_addr_o,
    output logic [3:0]               front_flags_o,
    output logic [15:0]              holds_o,        // bit k: a token of kind k stands in the deque; SYNC, BRK, CONT, RET, YIELD only
    input  wire  [WARP_W-1:0]        look_warp_i,
    output logic [31:0]              look_ends_o,    // head 15:0, room 31:16
    output logic [31:0]              look_kept_o,    // tokens here: the front one and fronts 15:0, backs 31:16
    `REQUEST_OUT(req),
    `ANSWER_IN(rsp),
    `TRACE_TOKEN_MOVE_PORTS,
    `TRACE_TOKEN_PORTS
);
    localparam int HALF = DEQUE_ENTRIES / 2;
    localparam int HALF_W = $clog2(HALF);
    localparam int COUNT_W = HALF_W + 1;
    localparam int PLACE_W = $clog2(DEQUE_MOST) + 1;
    localparam int BITS = `TOKEN_BITS(THREADS);
    localparam int STATE_W = HALF_W + 2 * PLACE_W + 3 * COUNT_W + 3;
    localparam logic [COUNT_W-1:0] ALL = COUNT_W'(HALF);
    localparam logic [COUNT_W-1:0] HIGH = COUNT_W'(3 * HALF / 4);
    localparam logic [COUNT_W-1:0] LOW = COUNT_W'(HALF / 2);
    localparam logic [PLACE_W-1:0] ONE = PLACE_W'(1);
    localparam logic [COUNT_W-1:0] ONE_TOKEN = COUNT_W'(1);

    // Per warp: by how many places software has moved the tokens, modulo a half; places in front, behind; tokens in the two halves, yield tokens
    // in the front half; whether there is any token, one in memory, a yield token in memory.
    logic [STATE_W-1:0]               state_q [WARPS];
    // Of two warps a choice of flip-flops is smaller than LUT RAM, which has 16 rows.
    (* ram_style = (WARPS > 2) ? "auto" : "logic" *) logic [BITS-1:0] front_q [WARPS];
    // Mask and address of the newest token in the back half, when there is one.
    (* ram_style = (WARPS > 2) ? "auto" : "logic" *) logic [THREADS+`TOKEN_ADDR_W-1:0] back_q [WARPS];
    logic [WARPS-1:0]                 failed_q;        // tokens are lost
    // The last operation found its end of the queue used up, or there was none: nothing is moved until the next one.
    logic [WARPS-1:0]                 stopped_q;
    (* no_rw_check, ram_style = "block" *) logic [BITS-1:0] ram [(1 << WARP_W) * DEQUE_ENTRIES];
    logic [BITS-1:0]                  ram_rdata_q;
    logic                             fill_q;          // ram_rdata_q is the front token of warp fill_warp_q
    logic [WARP_W-1:0]                fill_warp_q;

    // The warp in question: that of the operation, or the mover's.
    logic [WARP_W-1:0]  at, view;
    logic               seen;   // the mover's
    logic [PLACE_W-1:0] head, room, size;
    logic [HALF_W-1:0]  shift, head_place, room_place;  // and where tokens stand in the halves, the first and the last
    logic [COUNT_W-1:0] fronts, backs, front_yields;
    logic               some, memory, away_yields;
    logic [BITS-1:0]    front;
    logic [3:0]         front_kind, front_family;
    logic [2:0]         front_flags, front_below, asked;
    logic               more_yields, single;

    assign view = look_i ? warp_i : at;
    assign seen = view == at;
    assign {shift, head, room, fronts, backs, front_yields, some, memory, away_yields} = state_q[view];
    assign size = PLACE_W'(HALF) << size_i;
    assign head_place = HALF_W'(head) - shift;
    assign room_place = HALF_W'(room) + shift;
    assign front = fill_q && fill_warp_q == view ? ram_rdata_q : front_q[view];
    assign front_kind = `TOKEN_KIND(front, THREADS);
    assign front_family = `TOKEN_FAMILY(front_kind);
    assign front_flags = `TOKEN_FLAGS(front, THREADS);
    assign front_below = `TOKEN_BELOW(front, THREADS);
    assign more_yields = front_yields != '0 || away_yields || backs != '0;  // behind the front token
    assign single = fronts == '0 && backs == '0 && !memory;

    logic [STATE_W-1:0] looked_at;
    assign looked_at = state_q[look_warp_i];
    assign look_ends_o = {16'(looked_at[3*COUNT_W+3 +: PLACE_W]), 16'(looked_at[PLACE_W+3*COUNT_W+3 +: PLACE_W])};
    assign look_kept_o = {16'(looked_at[COUNT_W+3 +: COUNT_W]), 16'(looked_at[2*COUNT_W+3 +: COUNT_W]) + 16'(looked_at[2])};

    assign empty_o = !some;
    assign front_kind_o = front_kind;
    assign front_mask_o = `TOKEN_MASK(front, THREADS);
    assign front_addr_o = `TOKEN_ADDR(front, THREADS);
    assign front_flags_o = {more_yields, front_flags};
    assign asked = front_below | `TOKEN_ASKED(front_kind);
    assign holds_o = !some ? '0 : (16'(asked[0]) << `KIND_SYNC) | (16'(asked[1]) << `KIND_BRK) | (16'(asked[2]) << `KIND_CONT) |
                     (16'(front_flags[`TOKEN_FLAG_CALL] || front_family[`TOKEN_FLAG_CALL]) << `KIND_RET) |
                     (16'(more_yields || front_family[`TOKEN_FLAG_YIELD]) << `KIND_YIELD);

    // Where a merge finds its token: in the RAM from the oldest of the back half on, then from the last of the front half towards the front,
    // then in memory.
    logic               read_q;               // ram_rdata_q is a token that is compared in this cycle
    logic               scan_q, scan_back_q;  // it has been, and is that of place scan_place_q of a half
    logic               scan_match_q;
    logic [HALF_W-1:0]  scan_place_q;
    logic [COUNT_W-1:0] scan_left_q;          // yet to be read in this half
    logic               scanned_q, none_q;    // no token in the RAM has the address; none at all
    logic               front_match, back_match, scan_match, scan_same, scan_next, scan_next_back, none;
    logic [HALF_W-1:0]  scan_next_place;
    logic [COUNT_W-1:0] scan_next_left;
    logic [THREADS-1:0] back_mask, scan_mask;
    logic [`TOKEN_ADDR_W-1:0] back_addr;

    assign {back_mask, back_addr} = back_q[view];
    assign front_match = meets_i;
    assign back_match = backs != '0 && back_addr == addr_i;
    assign scan_mask = `TOKEN_MASK(ram_rdata_q, THREADS);
    assign scan_match = scan_q && scan_match_q;
    assign scan_same = scan_q && scan_left_q != '0;
    assign scan_next_back = scan_same ? scan_back_q : !scan_q && backs > ONE_TOKEN;
    assign scan_next = !scanned_q && (scan_same || scan_next_back || ((!scan_q || scan_back_q) && front_yields != '0));
    assign scan_next_place = scan_same ? scan_place_q - HALF_W'(1) : scan_next_back ? room_place + HALF_W'(backs) - HALF_W'(1) : head_place + HALF_W'(fronts);
    assign scan_next_left = (scan_same ? scan_left_q : scan_next_back ? backs - ONE_TOKEN : front_yields) - ONE_TOKEN;
    assign none = none_q || (!scan_next && !away_yields);

    // The mover.
    logic               mover_busy, mover_take, mover_put, mover_found, mover_none, mover_failed, mover_begin, mover_may, mover_gives, mover_looks;
    logic               search, seeks;
    logic [1:0]         mover_way;
    logic [BITS-1:0]    mover_token;
    logic [PLACE_W-1:0] near_place, mover_place, token_place;
    logic               waits, moving, settles;  // the operation waits; a token of its warp is on its way; only for that

    // What is done in this cycle.
    logic               go, pops, merges, merge_front, merge_back, merge_scan, kept_match, match, finds, wants_front, wants_back, bound, lacks, stuck, failed;
    logic               push_front, push_back, pop, merge, reset, move, scan, takes_back;
    logic [PLACE_W:0]   head_next, room_next, by;  // one bit more: below 0
    logic               moves;
    logic [BITS-1:0]    token;

    assign moving = mover_busy && seen;
    assign failed = failed_q[view] && op_i != `TOKEN_RESET && op_i != `TOKEN_MOVE;
    assign pops = op_i == `TOKEN_POP_USED || op_i == `TOKEN_POP_THROWN;
    assign merges = op_i == `TOKEN_MERGE;
    assign kept_match = front_match || back_match || scan_match;
    assign match = kept_match || (mover_found && seen);
    assign finds = merges && match;
    assign wants_front = op_i == `TOKEN_PUSH_FRONT;
    assign wants_back = op_i == `TOKEN_PUSH_BACK || (merges && none);  // unless it finds its token
    assign bound = (wants_front && head == '0) || (wants_back && room == '0);
    assign lacks = (wants_front && some && fronts == ALL) || (wants_back && some && backs == ALL) || (pops && fronts == '0 && memory);
    assign settles = bound || op_i == `TOKEN_RESET || op_i == `TOKEN_MOVE;
    // Whether a merge finds its token is known last: nothing but this and full_o waits for it.
    assign stuck = settles ? moving : lacks || (merges && !none);
    assign waits = !failed && !finds && stuck;
    assign op_ready_o = !rst_i && !waits;
    assign still_o = !moving;
    assign go = op_valid_i && op_ready_o && !failed;
    // Only when the RAM has been found not to have the token, in the cycle before, memory is searched.
    assign seeks = scanned_q && !none_q && away_yields;
    assign search = seeks && seen && !failed;
    assign scan = op_valid_i && !rst_i && !failed && merges && !kept_match && !none && scan_next && !read_q;

    assign failed_o = op_valid_i && !rst_i && failed;
    assign full_o = op_valid_i && !rst_i && !failed && bound && !moving && !finds;
    assign really_full_o = (wants_front ? room : head) == '0;
    assign push_front = go && wants_front && !bound;
    assign push_back = go && wants_back && !bound && !finds;
    assign takes_back = push_back && some;
    assign pop = go && pops && some;
    assign merge = go && finds;
    assign merge_front = merge && front_match;
    assign merge_back = merge && !front_match && back_match;
    assign merge_scan = merge && !front_match && !back_match && scan_match;
    assign reset = go && op_i == `TOKEN_RESET;
    assign moves = op_i == `TOKEN_MOVE;
    assign by = (PLACE_W+1)'({places_i[15], places_i});
    assign head_next = {1'b0, head} + (moves ? by : pops ? (PLACE_W+1)'(1) : '1);
    assign room_next = {1'b0, room} + (moves ? ~by : '1) + (PLACE_W+1)'(moves);
    assign move = go && moves && (places_i ^ {16{places_i[15]}}) >> PLACE_W == '0 &&
                  !head_next[PLACE_W] && !room_next[PLACE_W];

    // A token that is written: pushed, or merged. Its address is always the one that is given.
    logic [2:0]         token_flags, token_below;
    logic [THREADS-1:0] token_mask;

    always_comb begin
        token_flags = '0;
        token_below = '0;
        if (wants_front && some) begin
            token_flags = front_flags | 3'(front_family);
            token_below = asked;
        end
        token_mask = mask_i;
        // No two yield tokens have one address.
        if (merges && front_match) token_mask = token_mask | front_mask_o;
        if (merges && back_match) token_mask = token_mask | back_mask;
        if (merges && scan_match) token_mask = token_mask | scan_mask;
    end
    assign token = `TOKEN_PACK(THREADS, wants_front ? kind_i : 4'(`KIND_YIELD), token_mask, addr_i, token_flags, token_below);

    // The next state.
    logic [PLACE_W-1:0] head_d, room_d;
    logic [HALF_W-1:0]  shift_d;
    logic [COUNT_W-1:0] fronts_d, backs_d, front_yields_d;
    logic               some_d, memory_d, away_yields_d, mover_yield, all_yields;

    // The mover's token is a yield token: one of the back half; of the front half, when there are some, since they stand at its end.
    assign mover_yield = mover_put ? `TOKEN_KIND(mover_token, THREADS) == `KIND_YIELD : mover_way == `TOKEN_MOVE_OUT_BACK || front_yields != '0;
    assign all_yields = front_yields == fronts;
    always_comb begin
        shift_d = shift;
        head_d = head;
        room_d = room;
        memory_d = memory;
        away_yields_d = away_yields;
        fronts_d = fronts;
        backs_d = backs;
        front_yields_d = front_yields;
        some_d = some;
        if (reset || (pop && single)) begin
            shift_d = '0;
            head_d = size >> 1;
            room_d = size >> 1;
            memory_d = 1'b0;
            away_yields_d = 1'b0;
            fronts_d = '0;
            backs_d = '0;
            front_yields_d = '0;
            some_d = 1'b0;
        end else if (move) begin
            shift_d = shift + places_i[HALF_W-1:0];
            head_d = PLACE_W'(head_next);
            room_d = PLACE_W'(room_next);
        end else if (push_front) begin
            head_d = PLACE_W'(head_next);
            some_d = 1'b1;
            if (some) fronts_d = fronts + ONE_TOKEN;
            if (some && front_family[`TOKEN_FLAG_YIELD]) front_yields_d = front_yields + ONE_TOKEN;
        end else if (push_back) begin
            room_d = PLACE_W'(room_next);
            some_d = 1'b1;
            if (some) backs_d = backs + ONE_TOKEN;
        end else if (pop) begin
            head_d = PLACE_W'(head_next);
            if (fronts != '0) begin
                fronts_d = fronts - ONE_TOKEN;
                if (all_yields) front_yields_d = front_yields - ONE_TOKEN;
            end else begin
                backs_d = backs - ONE_TOKEN;
            end
        end else if (mover_take) begin
            memory_d = 1'b1;
            if (mover_yield) away_yields_d = 1'b1;
            if (mover_way == `TOKEN_MOVE_OUT_BACK) backs_d = backs - ONE_TOKEN;
            else begin
                fronts_d = fronts - ONE_TOKEN;
                if (mover_yield) front_yields_d = front_yields - ONE_TOKEN;
            end
        end else if (mover_put) begin
            fronts_d = fronts + ONE_TOKEN;
            // The last one in memory is a yield token if any of them is.
            if (token_place == mover_place) {memory_d, away_yields_d} = 2'b00;
            if (mover_yield) front_yields_d = front_yields + ONE_TOKEN;
        end
    end

    always_ff @(posedge clk_i) begin
        if (reset || move || push_front || push_back || pop || mover_take || mover_put)
            state_q[view] <= {shift_d, head_d, room_d, fronts_d, backs_d, front_yields_d, some_d, memory_d, away_yields_d};
        if (takes_back || merge_back) back_q[view] <= {token_mask, addr_i};
    end

    // The RAM: one write port, one read port with a register that keeps its value while nothing is read. A token stands in its half by what was
    // in front of it, or behind it, in the queue before software moved any.
    logic                     ram_write, ram_read, write_back_half, read_back_half;
    logic [BITS-1:0]          ram_wdata;
    logic [HALF_W-1:0]        write_place, read_place;

    assign ram_write = (push_front && some) || takes_back || merge_back || merge_scan || mover_put;
    assign ram_read = (pop && !single) || scan || mover_take;
    always_comb begin
        // A push at the front writes what was the front token.
        ram_wdata = mover_put ? mover_token : push_front ? front : token;
        write_back_half = takes_back || merge_back || (merge_scan && scan_back_q);
        write_place = head_place;
        if (mover_put) write_place = head_place + HALF_W'(fronts) + HALF_W'(1);
        else if (takes_back) write_place = room_place - HALF_W'(1);
        else if (merge_back) write_place = room_place;
        else if (merge_scan) write_place = scan_place_q;

        read_back_half = scan ? scan_next_back : pop ? fronts == '0 : mover_way == `TOKEN_MOVE_OUT_BACK;
        if (scan) read_place = scan_next_place;
        else if (read_back_half) read_place = room_place + HALF_W'(backs) - HALF_W'(1);
        else read_place = head_place + (pop ? HALF_W'(1) : HALF_W'(fronts));
    end

    always_ff @(posedge clk_i) begin
        if (ram_write) ram[{view, write_back_half, write_place}] <= ram_wdata;
        if (ram_read) ram_rdata_q <= ram[{view, read_back_half, read_place}];
    end

    // The front token: written here when it is a new one; saved from the RAM's register before that is used again.
    logic front_write, fill_save;

    assign front_write = push_front || merge_front || (push_back && !some);
    assign fill_save = fill_q && ram_read;

    always_ff @(posedge clk_i) begin
        if (front_write) front_q[view] <= token;
        else if (fill_save) front_q[fill_warp_q] <= ram_rdata_q;
    end

    always_ff @(posedge clk_i) begin
        if (rst_i) begin
            fill_q <= 1'b0;
            read_q <= 1'b0;
            scan_q <= 1'b0;
            scanned_q <= 1'b0;
            none_q <= 1'b0;
            failed_q <= '0;
            stopped_q <= '1;  // until its RESET
        end else begin
            if (pop && !single) fill_q <= 1'b1;
            else if (scan || mover_take || (front_write && fill_warp_q == view)) fill_q <= 1'b0;  // nobody looks at the front of an empty deque
            read_q <= scan;
            scan_q <= read_q && !failed;  // else the operation is over
            scanned_q <= op_valid_i && waits && merges && !scan_next;
            none_q <= op_valid_i && waits && (mover_none || (merges && none));
            for (int w = 0; w < WARPS; w++) begin
                if (go && op_i != `TOKEN_MOVE && view == WARP_W'(w)) stopped_q[w] <= full_o;
                if (mover_failed && at == WARP_W'(w)) failed_q[w] <= 1'b1;
                if (reset && view == WARP_W'(w)) failed_q[w] <= 1'b0;
            end
        end
        if (pop && !single) fill_warp_q <= view;
        scan_match_q <= `TOKEN_ADDR(ram_rdata_q, THREADS) == addr_i;
        if (scan) begin
            scan_back_q <= scan_next_back;
            scan_place_q <= scan_next_place;
            scan_left_q <= scan_next_left;
        end
    end

    // What the mover has to do at its warp. A token comes in only as far as it would not have to go out again.
    logic high_front, high_back, low, far, in;

    assign high_front = fronts > HIGH && size_i != '0;
    assign high_back = backs > HIGH && size_i != '0;
    assign low = fronts < LOW && memory;
    assign mover_way = high_front ? `TOKEN_MOVE_OUT_FRONT : high_back ? `TOKEN_MOVE_OUT_BACK : `TOKEN_MOVE_IN;
    assign mover_begin = search || ((high_front || high_back || low) && !failed_q[view] && (op_valid_i ? !settles : !stopped_q[view]));
    // The mover has the cycles in which an operation waits, but not the first one of a merge, nor those in which that reads: whether it finds its token
    // is known too late.
    assign mover_may = seen && !rst_i && !(op_valid_i && (!stuck || (merges && !scanned_q && !none_q)));
    // Places at the front are counted from the front, those at the back from the back: of the token that goes out or is to come in; where a
    // search begins, and what comes in ends: the last one in memory; where a search ends: the first one.
    logic [PLACE_W-1:0] side;
    logic [COUNT_W-1:0] steps;
    assign in = mover_looks || mover_way == `TOKEN_MOVE_IN;
    assign far = mover_gives || (!mover_looks && (seeks || mover_way == `TOKEN_MOVE_OUT_BACK));
    assign side = far ? room : head;
    always_comb begin
        if (far) steps = mover_gives || seeks ? backs : backs - ONE_TOKEN;
        else steps = in ? fronts + ONE_TOKEN : fronts;
    end
    assign near_place = side + PLACE_W'(steps);
    assign mover_place = far ? ~near_place & (size - ONE) : near_place;

    token_mover #(.THREADS(THREADS), .WARPS(WARPS), .CHANNELS(CHANNELS), .PLACE_W(PLACE_W)) u_token_mover (
        .clk_i, .rst_i, .base_i(memory_i), .size_i(size), .waits_i(op_valid_i && stuck && !failed), .warp_i(warp_i), .at_o(at), .busy_o(mover_busy),
        .may_i(mover_may), .begin_i(mover_begin), .way_i(mover_way), .search_i(search), .place_i(mover_place), .take_o(mover_take),
        .ram_i(ram_rdata_q), .more_i(!seen || (memory && fronts < HIGH && !failed_q[view])), .put_o(mover_put), .token_o(mover_token),
        .token_place_o(token_place), .want_addr_i(addr_i), .want_mask_i(mask_i), .gives_o(mover_gives), .looks_o(mover_looks),
        .found_o(mover_found), .none_o(mover_none), .failed_o(mover_failed),
        `REQUEST_PASS_OUT(req, req), `ANSWER_PASS_IN(rsp, rsp), `TRACE_TOKEN_MOVE_CONNECT
    );

    // Trace: the token as it stands after, or stood before it was popped, with its yield flag as it is then.
    logic [127:0]       trace_token;
    logic [BITS-1:0]    moved;
    logic               moved_yields;
    always_comb begin
        moved = pops ? front : token;
        if (merge && !kept_match) `TOKEN_MASK(moved, THREADS) = mask_i | `TOKEN_MASK(mover_token, THREADS);
        moved_yields = 1'b0;
        if (pops) moved_yields = more_yields;
        else if (wants_front) moved_yields = some && (more_yields || front_family[`TOKEN_FLAG_YIELD]);
        else if (merge && !back_match) moved_yields = backs != '0;  // where two yield tokens stand the last one is in the back half
    end
    assign trace_token = `TOKEN_FORMAT(moved, moved_yields, THREADS);
    assign trace_token_valid_o = push_front || push_back || pop || merge;
    assign trace_token_warp_o = 8'(warp_i);
    assign trace_token_op_o = 3'(push_back ? `TOKEN_PUSH_BACK : op_i);
    assign trace_token_token_lo_o = trace_token[63:0];
    assign trace_token_token_hi_o = trace_token[127:64];

    wire unused = &{1'b0, looked_at, moved};

`ifndef SYNTHESIS
    initial if (DEQUE_ENTRIES < 4 || HALF != (1 << HALF_W)) $error("DEQUE_ENTRIES must be a power of two, 4 or more");
    initial if (DEQUE_MOST < DEQUE_ENTRIES || DEQUE_MOST != (1 << (PLACE_W - 1))) $error("DEQUE_MOST must be a power of two, DEQUE_ENTRIES or more");
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
            if (op_valid_i) assert (look_i);
            if (op_valid_i && merges) assert (meets_i == (some && front_kind == `KIND_YIELD && front_addr_o == addr_i));
            if (read_q) assert (op_valid_i && merges && (waits || failed));
            if (go && pops) assert (!empty_o);
            if (push_front) assert (kind_i != `KIND_YIELD);
            if (op_valid_i) assert (op_i <= `TOKEN_MOVE);
            if (ram_write && ram_read) assert ({view, write_back_half, write_place} != {view, read_back_half, read_place});
            if (go && !reset) begin
                assert (head + room <= size && fronts <= ALL && backs <= ALL && front_yields <= fronts && memory >= away_yields);
                assert (some || (single && head == size >> 1 && room == size >> 1));
                assert (!some || memory == (head + room + PLACE_W'(fronts) + PLACE_W'(backs) + ONE != size));
            end
            assert (!(front_write && fill_save));
            assert (!((go || scan) && (mover_take || mover_put)));
            if (merge && !kept_match) assert (search);
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
        `COVER(merge_between, merge_scan && scan_back_q)
        `COVER(merge_between_front, merge_scan && !scan_back_q)
        `COVER(merge_in_memory, merge && mover_found)
        `COVER(merge_none, push_back && merges && scan_q)
        `COVER(merge_none_in_memory, push_back && merges && none_q)
        `COVER(push_waits_front, wants_front && op_valid_i && lacks && !failed)
        `COVER(push_waits_back, wants_back && op_valid_i && lacks && waits)
        `COVER(pop_waits, pops && op_valid_i && lacks && !failed)
        `COVER(front_bound, full_o && wants_front && !really_full_o)
        `COVER(back_bound, full_o && !wants_front && !really_full_o)
        `COVER(really_full, full_o && really_full_o)
        `COVER(bound_waits, op_valid_i && bound && waits)
        `COVER(reset_waits, op_valid_i && op_i == `TOKEN_RESET && moving)
        `COVER(moved, move)
        `COVER(moved_not, go && op_i == `TOKEN_MOVE && !move)
        `COVER(fill_saved, fill_save)
        `COVER(fill_saved_by_mover, fill_save && mover_take)
        `COVER(held, held_q)
        `COVER(failed, failed_o)
    end
`endif
endmodule
`default_nettype wire
