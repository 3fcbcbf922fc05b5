// host_port: the CPU's way to memory on a board: an AXI4-Lite slave with physical addresses in front of a port of the memory unit.
//
// A write is a request for the bytes of its word, a read one for its line; one access is under way at a time, a write before a read.
// So every access of the CPU has its place in the order of memory, between two atomics of a line or outside of them, and caches and
// blocked acquires learn of it like of any other write. A request that fails is answered with SLVERR. Its channel means nothing: the
// memory unit takes what comes on this port for physical.
//
// Latency: one cycle before the request and one after the answer. Throughput: one access at a time.
`default_nettype none
`include "gen/bundles.svh"

module host_port #(
    parameter int CHANNELS = 2,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1
) (
    input  wire        clk_i,
    input  wire        rst_i,
    `AXIL_MEMORY_IN(h_axil),
    `REQUEST_OUT(req),
    `ANSWER_IN(rsp)
);
    typedef enum logic [1:0] {IDLE, ASKING, WAITING, ANSWERED} state_t;
    state_t      state_q;
    logic        write_q, failed_q;
    logic [31:2] word_q;
    logic [31:0] data_q;
    logic [3:0]  strb_q;

    wire write_take = state_q == IDLE && h_axil_awvalid_i && h_axil_wvalid_i;
    wire read_take = state_q == IDLE && h_axil_arvalid_i && !write_take;
    wire taken = write_q ? h_axil_bready_i : h_axil_rready_i;

    always_comb begin
        h_axil_awready_o = write_take;
        h_axil_wready_o = write_take;
        h_axil_arready_o = read_take;
        h_axil_bvalid_o = state_q == ANSWERED && write_q;
        h_axil_rvalid_o = state_q == ANSWERED && !write_q;
        h_axil_bresp_o = {failed_q, 1'b0};
        h_axil_rresp_o = {failed_q, 1'b0};
        h_axil_rdata_o = data_q;
    end

    always_comb begin
        req_valid_o = state_q == ASKING;
        req_op_o = write_q ? `REQUEST_WRITE : `REQUEST_READ;
        req_atom_o = '0;
        req_channel_o = '0;
        req_addr_o = {word_q[31:5], 5'd0};
        req_wstrb_o = '0;
        req_wdata_o = '0;
        for (int w = 0; w < 8; w++) begin
            req_wdata_o[32*w +: 32] = data_q;
            if (write_q && word_q[4:2] == 3'(w)) req_wstrb_o[4*w +: 4] = strb_q;
        end
    end

    always_ff @(posedge clk_i) begin
        if (rst_i) begin
            state_q <= IDLE;
        end else begin
            case (state_q)
                IDLE: if (write_take || read_take) state_q <= ASKING;
                ASKING: if (req_ready_i) state_q <= WAITING;
                WAITING: if (rsp_valid_i) state_q <= ANSWERED;
                default: if (taken) state_q <= IDLE;
            endcase
        end
        if (state_q == IDLE) begin
            write_q <= write_take;
            word_q <= write_take ? h_axil_awaddr_i[31:2] : h_axil_araddr_i[31:2];
            data_q <= h_axil_wdata_i;
            strb_q <= h_axil_wstrb_i;
        end
        if (state_q == WAITING) begin
            failed_q <= rsp_fault_i != `ANSWER_GOOD;
            for (int w = 0; w < 8; w++) if (word_q[4:2] == 3'(w)) data_q <= rsp_data_i[32*w +: 32];
        end
    end

    wire unused = &{1'b0, h_axil_awaddr_i[1:0], h_axil_araddr_i[1:0]};

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
        if (!rst_i) begin
            assert (!rsp_valid_i || state_q == WAITING);
            assert (!(write_take && read_take));
        end
    end
`endif
endmodule
`default_nettype wire
