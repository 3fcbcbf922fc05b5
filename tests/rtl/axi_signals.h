// Between the m_axi_* ports of a verilated unit and tb/axi_memory.
#ifndef TANDEM_TESTS_RTL_AXI_SIGNALS_H
#define TANDEM_TESTS_RTL_AXI_SIGNALS_H

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "axi_memory.h"

// A port of any width to 32-bit words, and back.
template <class Port>
void port_to_words(const Port &port, uint32_t *words) {
    std::memcpy(words, &port, sizeof port);
}
template <class Port>
void words_to_port(const uint32_t *words, Port &port) {
    std::memcpy(&port, words, sizeof port);
}

template <class Unit>
void axi_drive(Unit &unit, const struct axi_memory_out *out) {
    unit.m_axi_awready_i = out->awready;
    unit.m_axi_wready_i = out->wready;
    unit.m_axi_arready_i = out->arready;
    unit.m_axi_bvalid_i = out->bvalid;
    unit.m_axi_bid_i = static_cast<uint8_t>(out->bid);
    unit.m_axi_bresp_i = static_cast<uint8_t>(out->bresp);
    unit.m_axi_rvalid_i = out->rvalid;
    unit.m_axi_rid_i = static_cast<uint8_t>(out->rid);
    words_to_port(out->rdata, unit.m_axi_rdata_i);
    unit.m_axi_rresp_i = static_cast<uint8_t>(out->rresp);
    unit.m_axi_rlast_i = out->rlast;
}

template <class Unit>
void axi_sample(const Unit &unit, struct axi_memory_in *in) {
    std::memset(in, 0, sizeof *in);
    in->awvalid = unit.m_axi_awvalid_o != 0;
    in->awid = unit.m_axi_awid_o;
    in->awaddr = unit.m_axi_awaddr_o;
    in->awlen = unit.m_axi_awlen_o;
    in->awsize = unit.m_axi_awsize_o;
    in->awburst = unit.m_axi_awburst_o;
    in->wvalid = unit.m_axi_wvalid_o != 0;
    port_to_words(unit.m_axi_wdata_o, in->wdata);
    in->wstrb = unit.m_axi_wstrb_o;
    in->wlast = unit.m_axi_wlast_o != 0;
    in->bready = unit.m_axi_bready_o != 0;
    in->arvalid = unit.m_axi_arvalid_o != 0;
    in->arid = unit.m_axi_arid_o;
    in->araddr = unit.m_axi_araddr_o;
    in->arlen = unit.m_axi_arlen_o;
    in->arsize = unit.m_axi_arsize_o;
    in->arburst = unit.m_axi_arburst_o;
    in->rready = unit.m_axi_rready_o != 0;
}

#endif
