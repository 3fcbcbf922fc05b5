// A test bench of somebody else: a foreign token deque against the model under random operations, and a device that is told
// a true event and a false one. Ends with PASS, or with the first difference.
`include "gen/isa.svh"

module kit_bench;
    import tandem_kit_pkg::*;
    import tandem_trace_pkg::*;
    parameter int ENTRIES = 16;
    int defect;

    logic clk = 0, valid = 0, full, empty;
    logic [2:0] op, moved_op;
    logic [3:0] kind;
    logic [31:0] mask;
    logic [21:0] addr;
    logic [63:0] moved, front;
    other_deque #(.ENTRIES(ENTRIES)) deque (
        .clk_i(clk), .defect_i(defect), .valid_i(valid), .op_i(op), .kind_i(kind), .mask_i(mask), .addr_i(addr),
        .full_o(full), .empty_o(empty), .moved_op_o(moved_op), .moved_o(moved), .front_o(front)
    );

    chandle model, device;
    int seed, operations, done;
    int mood = 0;
    logic [21:0] pushed = 0;  // the address that was pushed at the back last
    int model_full, model_op, none;
    longint low, high;

    function automatic logic [3:0] random_kind();
        case ($urandom_range(9))
            0: return `KIND_SYNC;
            1: return `KIND_BRK;
            2: return `KIND_CONT;
            3: return `KIND_EXIT;
            4: return `KIND_RET;
            5: return `KIND_LONGJMP;
            6: return `KIND_DIV;
            7: return `KIND_CALLX;
            8: return `KIND_SVEND;
            default: return `KIND_PORTION;
        endcase
    endfunction

    task automatic differ(input string what);
        $display("FAIL operation %0d (op %0d kind %0d mask %h addr %h): %s; moved op %0d %h full %0d, model op %0d %h full %0d",
                 done, op, kind, mask, addr, what, moved_op, moved, full, model_op, low, model_full);
        $fatal(1);
    endtask

    task automatic choose();
        automatic int dice = $urandom_range(99);
        if ($urandom_range(39) == 0) mood = $urandom_range(3);
        case (mood)
            0: op = dice < 70 ? 3'd0 : dice < 85 ? 3'd2 : 3'd4;
            1: op = dice < 30 ? 3'd1 : dice < 80 ? 3'd4 : 3'd3;
            2: op = dice < 80 ? 3'd2 : dice < 90 ? 3'd4 : 3'd0;
            default: op = 3'($urandom_range(4));
        endcase
        if (empty && (op == 3'd2 || op == 3'd3)) op = 3'd4;
        if ($urandom_range(2999) == 0 || done == 0) op = 3'd5;
        kind = random_kind();
        mask = $urandom;
        addr = 22'($urandom_range(7) * 32'h2AAAB);
        // A push at the back is of an address that no token has; merges find it again.
        if (op == 3'd1) begin
            pushed = 22'(32'h200000 + done);
            addr = pushed;
        end else if ($urandom_range(3) == 0) begin
            addr = pushed;
        end
    endtask

    task automatic one();
        choose();
        valid = 1;
        #1;
        if (op != 3'd5) begin
            none = tandem_kit_deque_front(model, low, high);
            if (int'(empty) != none) differ("empty");
            if (!empty && front != low) differ("the front token");
        end
        if (tandem_kit_deque_do(model, int'(op), int'(kind), longint'({32'b0, mask}), int'(addr), model_full, model_op, low, high) != 0)
            differ("the operation cannot be");
        if (op != 3'd5) begin
            if (int'(full) != model_full) differ("full");
            if (!full && (int'(moved_op) != model_op || moved != low)) differ("what moved");
        end
        clk = 1;
        #1;
        clk = 0;
        valid = 0;
        #1;
        done++;
    endtask

    // REG_WRITE is the CPU's choice and always right; no semaphore was asked for.
    task automatic follow_a_device();
        if (tandem_kit_device("no such configuration", 1, 1) != null) $fatal(1, "a device of no configuration");
        device = tandem_kit_device("nano", 1, 1);
        if (device == null) $fatal(1, "no device");
        if (tandem_kit_write(device, 64'h100, 32'h1234) != 0 || tandem_kit_write(device, 64'h100000, 0) == 0)
            $fatal(1, "memory: %s", tandem_kit_message(device));
        if (tandem_kit_event(device, TRACE_REG_WRITE, 0, 5, trace_reg_write(20'h80, 32'h1)) != 0)
            $fatal(1, "a register write: %s", tandem_kit_message(device));
        if (tandem_kit_told(device) != 0 || tandem_kit_cycle(device, 6) != 0) $fatal(1, "%s", tandem_kit_message(device));
        if (tandem_kit_event(device, TRACE_SEMAPHORE, 0, 7, trace_semaphore(0, 5'd2, 40'h3000, 32'd7, 0, 1'b1, 0)) == 0)
            $fatal(1, "a semaphore out of nothing is taken");
        $display("device: %s", tandem_kit_message(device));
        tandem_kit_device_end(device);
    endtask

    initial begin
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
        if (!$value$plusargs("operations=%d", operations)) operations = 20000;
        if (!$value$plusargs("defect=%d", defect)) defect = 0;
        $display("seed %0d", seed);
        void'($urandom(seed));
        follow_a_device();
        if (tandem_kit_deque(33, 16) != null) $fatal(1, "a deque of 33 threads");
        model = tandem_kit_deque(32, ENTRIES);
        if (model == null) $fatal(1, "no deque");
        // No two yield tokens have one address: pushed at the back, the second one is refused; merged, it is the first.
        if (tandem_kit_deque_do(model, 1, 0, 64'd1, 7, model_full, model_op, low, high) != 0) $fatal(1, "no push at the back");
        if (tandem_kit_deque_do(model, 1, 0, 64'd2, 7, model_full, model_op, low, high) == 0)
            $fatal(1, "two yield tokens have one address");
        if (tandem_kit_deque_do(model, 4, 0, 64'd2, 7, model_full, model_op, low, high) != 0) $fatal(1, "no merge");
        if (model_op != 4) $fatal(1, "a merge is operation %0d", model_op);
        for (done = 0; done < operations;) one();
        tandem_kit_deque_end(model);
        $display("PASS %0d operations", done);
        $finish;
    end
endmodule
