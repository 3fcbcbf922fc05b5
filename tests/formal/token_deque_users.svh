// What both proofs of the token deque have, inside of their modules: the unit with inputs that may be anything, and what the divergence unit, its
// user, keeps to. The module has THREADS, WARPS, N entries, WARP_W, ADDR_W and `RESET(rst).
    `ANY(1, op_valid)
    `ANY(4, op)
    `ANY(WARP_W, warp)
    `ANY(4, kind)
    `ANY(THREADS, mask)
    `ANY(ADDR_W, addr)
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
    `ASSUME(32'(warp) < WARPS)
    `ASSUME(!op_valid || op <= `TOKEN_MOVE)
    `ASSUME(!op_valid || op == `TOKEN_RESET || begun[warp])
    `ASSUME(!op_valid || op != `TOKEN_PUSH_FRONT || kind != `KIND_YIELD)
    `ASSUME(!op_valid || !pop || !empty)
    `ASSUME(!op_valid || (op != `TOKEN_LOAD && op != `TOKEN_STORE && op != `TOKEN_MOVE) || 32'(addr) < N)
