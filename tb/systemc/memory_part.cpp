#include "systemc/memory_part.h"

#include <cstring>

MemoryPart::MemoryPart(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    socket.register_b_transport(this, &MemoryPart::b_transport);
    socket.register_get_direct_mem_ptr(this, &MemoryPart::get_direct_mem_ptr);
}

void MemoryPart::set_size(size_t size) {
    invalidate();
    std::vector<uint8_t>(size).swap(bytes_);
    may_grant_ = true;
    transactions = transferred = granted = invalidated = 0;
}

void MemoryPart::grant_direct(bool may_grant) {
    if (may_grant_ && !may_grant) invalidate();
    may_grant_ = may_grant;
}

void MemoryPart::invalidate() {
    invalidated++;
    socket->invalidate_direct_mem_ptr(0, UINT64_MAX);
}

void MemoryPart::b_transport(tlm::tlm_generic_payload &transaction, sc_core::sc_time &) {
    const uint64_t addr = transaction.get_address(), size = bytes_.size();
    const uint32_t length = transaction.get_data_length(), enables = transaction.get_byte_enable_length();
    const uint8_t *enable = transaction.get_byte_enable_ptr();
    uint8_t *data = transaction.get_data_ptr();
    if (addr > size || length > size - addr) {
        transaction.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return;
    }
    if (transaction.get_streaming_width() < length || length == 0) {
        transaction.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
        return;
    }
    if (enable != nullptr && enables == 0) {
        transaction.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        return;
    }
    if (!transaction.is_read() && !transaction.is_write()) {
        transaction.set_response_status(tlm::TLM_OK_RESPONSE);
        return;
    }
    uint8_t *to = transaction.is_read() ? data : &bytes_[addr];
    const uint8_t *from = transaction.is_read() ? &bytes_[addr] : data;
    if (enable == nullptr) {
        std::memcpy(to, from, length);
    } else {
        for (uint32_t i = 0; i < length; i++) {
            if (enable[i % enables] == TLM_BYTE_ENABLED) to[i] = from[i];
        }
    }
    transactions++;
    transferred += length;
    transaction.set_dmi_allowed(may_grant_);
    transaction.set_response_status(tlm::TLM_OK_RESPONSE);
}

bool MemoryPart::get_direct_mem_ptr(tlm::tlm_generic_payload &transaction, tlm::tlm_dmi &dmi) {
    dmi.init();
    if (!may_grant_ || transaction.get_address() >= bytes_.size()) return false;
    dmi.set_dmi_ptr(bytes_.data());
    dmi.set_start_address(0);
    dmi.set_end_address(bytes_.size() - 1);
    dmi.allow_read_write();
    granted++;
    return true;
}
