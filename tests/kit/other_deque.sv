// A token deque of one warp of 32 threads in another style: all tokens in registers, the front one in place 0, so that a push
// at the front moves all of them; flags are not kept but seen, from what stands below; a merge looks at all at once.
// head_q counts what may still be pushed at the front: half of the entries when the deque is empty. One operation a cycle.
// defect_i: 0 none, 1 flags forget the token below, 2 a merge takes the front token only, 3 a full front takes the token,
// 4 a pop leaves the mask of the token behind it, 5 a merge sees nothing beyond four tokens from either end.
`include "gen/isa.svh"

module other_deque #(
    parameter int ENTRIES = 16
) (
    input  logic        clk_i,
    input  int          defect_i,
    input  logic        valid_i,
    input  logic [2:0]  op_i,
    input  logic [3:0]  kind_i,
    input  logic [31:0] mask_i,
    input  logic [21:0] addr_i,
    output logic        full_o,
    output logic        empty_o,
    output logic [2:0]  moved_op_o,
    output logic [63:0] moved_o,
    output logic [63:0] front_o
);
    localparam int COUNT_W = $clog2(ENTRIES) + 1;
    typedef struct packed {
        logic [21:0] addr;
        logic [31:0] mask;
        logic [3:0]  kind;
    } token_t;

    token_t tokens_q[ENTRIES];
    logic [COUNT_W-1:0] count_q, head_q;

    function automatic logic [3:0] family(input logic [3:0] kind);
        case (kind)
            `KIND_SYNC, `KIND_BRK, `KIND_CONT, `KIND_EXIT, `KIND_SVEND, `KIND_LONGJMP: return 4'd1;
            `KIND_DIV, `KIND_PORTION, `KIND_CALLX: return 4'd2;
            `KIND_RET: return 4'd4;
            `KIND_YIELD: return 4'd8;
            default: return 4'd0;
        endcase
    endfunction

    // Families of the tokens from place `from` on; a yield token tells of yield tokens only.
    function automatic logic [3:0] below(input int from, input logic is_yield);
        logic [3:0] seen = 0;
        for (int i = 0; i < ENTRIES; i++)
            if (i >= from && i < int'(count_q)) seen |= family(tokens_q[i].kind);
        if (defect_i == 1) seen &= 4'd8;
        return is_yield ? seen & 4'd8 : seen;
    endfunction

    function automatic logic [63:0] packed_token(input token_t token, input logic [3:0] flags);
        return {2'b0, flags, token.addr, token.mask, token.kind};
    endfunction

    localparam int HALF = ENTRIES / 2;
    int found;
    token_t made;
    wire merges = op_i == 3'd4 && found >= 0;
    wire pushes_back = op_i == 3'd1 || (op_i == 3'd4 && found < 0);
    wire pushes_front = op_i == 3'd0;
    wire pops = op_i == 3'd2 || op_i == 3'd3;

    // The yield token of the address: there is one at most.
    always_comb begin
        found = -1;
        for (int i = 0; i < ENTRIES; i++)
            if (i < int'(count_q) && tokens_q[i].kind == `KIND_YIELD && tokens_q[i].addr == addr_i) found = i;
        if (defect_i == 2 && found > 0) found = -1;
        if (defect_i == 5 && found >= 4 && found + 4 < int'(count_q)) found = -1;
    end

    always_comb begin
        empty_o = count_q == 0;
        full_o = (pushes_front && head_q == 0 && defect_i != 3) || (pushes_back && int'(head_q) + int'(count_q) == ENTRIES);
        front_o = packed_token(tokens_q[0], below(1, tokens_q[0].kind == `KIND_YIELD));
        made = '{addr: addr_i, mask: mask_i, kind: pushes_front ? kind_i : `KIND_YIELD};
        moved_op_o = pushes_back ? 3'd1 : op_i;
        moved_o = pushes_front ? packed_token(made, below(0, 1'b0)) : pushes_back ? packed_token(made, 4'd0) : front_o;
        if (merges) begin
            made.mask = tokens_q[found].mask | mask_i;
            moved_o = packed_token(made, below(found + 1, 1'b1));
        end
    end

    always_ff @(posedge clk_i) begin
        if (valid_i && op_i == 3'd5) begin
            count_q <= 0;
            head_q <= COUNT_W'(HALF);
        end else if (valid_i && !full_o) begin
            if (merges) tokens_q[found].mask <= made.mask;
            if (pushes_back) begin
                tokens_q[int'(count_q)] <= made;
                count_q <= count_q + 1'b1;
            end
            if (pushes_front) begin
                for (int i = 1; i < ENTRIES; i++) tokens_q[i] <= tokens_q[i-1];
                tokens_q[0] <= made;
                count_q <= count_q + 1'b1;
                head_q <= head_q - 1'b1;
            end
            if (pops) begin
                for (int i = 1; i < ENTRIES; i++) tokens_q[i-1] <= tokens_q[i];
                if (defect_i == 4 && count_q > 4) tokens_q[0].mask <= tokens_q[0].mask;
                count_q <= count_q - 1'b1;
                head_q <= count_q == 1 ? COUNT_W'(HALF) : head_q + 1'b1;
            end
        end
    end
endmodule
