// ppu as Verilator sees it: the memory's answers come through registers.
//
// The test bench works out what the memory answers in the next cycle before the edge that ends this one, so the registers cost no cycle. Without
// them the answers would be inputs that change between two edges, and all logic behind them would be evaluated in both halves of each cycle.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/config.svh"
`include "gen/trace.svh"

module ppu_clocked #(
    `PPU_PARAMETERS,
    parameter int INJECT = 0
) (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire  [7:0] inject_i,
    output logic       irq_o,
    output logic       rmw_busy_o,
    input  wire        memory_changed_i,
    `AXIL_IN(s_axil),
    `AXIL_MEMORY_IN(h_axil),
    `AXI_OUT(m_axi),
    `TRACE_HOST_PORTS,
    `TRACE_TASK_PORTS,
    `TRACE_MEM_PORTS,
    `TRACE_SM_PORTS_TOP
);

    logic                  awready_q, wready_q, arready_q, bvalid_q, rvalid_q, rlast_q;
    logic [3:0]            bid_q, rid_q;
    logic [1:0]            bresp_q, rresp_q;
    logic [AXI_DATA_W-1:0] rdata_q;
    always_ff @(posedge clk_i) begin
        awready_q <= m_axi_awready_i;
        wready_q <= m_axi_wready_i;
        arready_q <= m_axi_arready_i;
        bvalid_q <= m_axi_bvalid_i;
        bid_q <= m_axi_bid_i;
        bresp_q <= m_axi_bresp_i;
        rvalid_q <= m_axi_rvalid_i;
        rid_q <= m_axi_rid_i;
        rdata_q <= m_axi_rdata_i;
        rresp_q <= m_axi_rresp_i;
        rlast_q <= m_axi_rlast_i;
    end

    ppu #(`PPU_PASS_PARAMETERS, .INJECT(INJECT)) u_ppu (
        .clk_i, .rst_i, .inject_i, .irq_o, .rmw_busy_o, .memory_changed_i,
        `AXIL_PASS_IN(s_axil, s_axil), `AXIL_MEMORY_PASS_IN(h_axil, h_axil),
        .m_axi_awvalid_o, .m_axi_awready_i(awready_q), .m_axi_awid_o, .m_axi_awaddr_o, .m_axi_awlen_o, .m_axi_awsize_o, .m_axi_awburst_o,
        .m_axi_wvalid_o, .m_axi_wready_i(wready_q), .m_axi_wdata_o, .m_axi_wstrb_o, .m_axi_wlast_o,
        .m_axi_bvalid_i(bvalid_q), .m_axi_bready_o, .m_axi_bid_i(bid_q), .m_axi_bresp_i(bresp_q),
        .m_axi_arvalid_o, .m_axi_arready_i(arready_q), .m_axi_arid_o, .m_axi_araddr_o, .m_axi_arlen_o, .m_axi_arsize_o, .m_axi_arburst_o,
        .m_axi_rvalid_i(rvalid_q), .m_axi_rready_o, .m_axi_rid_i(rid_q), .m_axi_rdata_i(rdata_q), .m_axi_rresp_i(rresp_q), .m_axi_rlast_i(rlast_q),
        `TRACE_HOST_CONNECT, `TRACE_TASK_CONNECT, `TRACE_MEM_CONNECT, `TRACE_SM_CONNECT
    );

endmodule
`default_nettype wire
