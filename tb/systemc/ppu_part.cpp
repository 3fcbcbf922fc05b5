#include "systemc/ppu_part.h"

#include <cstdio>
#include <cstring>

#include "systemc/platform.h"

namespace {

// Verilated code and reports of differences are deep.
constexpr int STACK_BYTES = 8 << 20;
// Of the register port (20 bits of address).
constexpr uint64_t REGISTER_SPACE_BYTES = 1 << 20;
// The largest burst of the RTL.
constexpr size_t BURST_BYTES = 1024;

}  // namespace

PpuPart::PpuPart(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    host.register_b_transport(this, &PpuPart::b_transport);
    memory.register_invalidate_direct_mem_ptr(this, &PpuPart::invalidate_direct_mem_ptr);
    outside_.context = this;
    outside_.read = [](void *self, uint64_t addr, void *to, size_t size) {
        static_cast<PpuPart *>(self)->must_access(tlm::TLM_READ_COMMAND, addr, static_cast<uint8_t *>(to), size);
    };
    outside_.write = [](void *self, uint64_t addr, const void *from, size_t size) {
        static_cast<PpuPart *>(self)->must_access(tlm::TLM_WRITE_COMMAND, addr,
                                                  static_cast<uint8_t *>(const_cast<void *>(from)), size);
    };
    outside_.read_burst = [](void *self, uint64_t addr, uint8_t *to, size_t size) {
        return static_cast<PpuPart *>(self)->access(tlm::TLM_READ_COMMAND, addr, to, size, nullptr) ==
               tlm::TLM_OK_RESPONSE;
    };
    outside_.write_burst = [](void *self, uint64_t addr, const uint8_t *from, const bool *strobe, size_t size) {
        uint8_t enables[BURST_BYTES];
        for (size_t i = 0; i < size; i++)
            enables[i] = strobe[i] ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
        return static_cast<PpuPart *>(self)->access(tlm::TLM_WRITE_COMMAND, addr, const_cast<uint8_t *>(from), size,
                                                    enables) == tlm::TLM_OK_RESPONSE;
    };
    SC_THREAD(go_on);
    set_stack_size(STACK_BYTES);
}

bool PpuPart::open(const backend_options &options, uint8_t *bytes, char *message, size_t message_size) {
    options_ = options;
    outside_.bytes = bytes;
    options_.outside = &outside_;
    options_.link_ns = 0;
    mem_bytes_ = options.mem_bytes;
    failed_.clear();
    direct = 0;
    have_dmi_ = false;
    memory_delay_ = sc_core::SC_ZERO_TIME;
    ops_ = options.platform.core;
    core_ = ops_->open(&options_, message, message_size);
    if (core_ == nullptr) return false;
    cycle_by_cycle_ = ops_ != &backend_model;
    quantum_ = cycle_by_cycle_ ? 1 : options.platform.quantum;
    period_ = sc_core::sc_time(static_cast<double>(options.config->ns_per_cycle), sc_core::SC_NS);
    busy_until_ = sc_core::sc_time_stamp();
    cycles_ = 0;
    idle_ = false;
    wake_.notify(sc_core::SC_ZERO_TIME);
    return true;
}

bool PpuPart::close() {
    void *core = core_;
    const bool good = ops_->close(core);
    core_ = nullptr;
    have_dmi_ = false;
    idle_ = true;
    irq.write(false);
    return good;
}

// Loosely timed the core runs a quantum ahead and then waits until time has come there; cycle by cycle the quantum is
// one.
void PpuPart::go_on() {
    for (;;) {
        if (core_ == nullptr || idle_) {
            wait(wake_);
            continue;
        }
        if (sc_core::sc_time_stamp() < busy_until_) {
            wait(busy_until_ - sc_core::sc_time_stamp());
            continue;
        }
        in_core.lock();
        uint64_t done = 0;
        if (core_ != nullptr) {
            memory_delay_ = sc_core::SC_ZERO_TIME;
            done = ops_->run(core_, quantum_);
            irq.write(ops_->irq(core_));
        }
        in_core.unlock();
        cycles_ += done;
        idle_ = done == 0;
        busy_until_ = sc_core::sc_time_stamp() + period_ * static_cast<double>(done);
        if (!cycle_by_cycle_) busy_until_ += memory_delay_;
    }
}

uint64_t PpuPart::core_cycles() const {
    tandem_statistics statistics{};
    ops_->statistics(core_, &statistics);
    return statistics.cycles;
}

// An access to the RTL takes cycles of its own, which the clock then leaves out.
void PpuPart::b_transport(tlm::tlm_generic_payload &transaction, sc_core::sc_time &delay) {
    const uint64_t addr = transaction.get_address();
    in_core.lock();
    if (core_ == nullptr) {
        transaction.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        in_core.unlock();
        return;
    }
    const uint64_t before = cycle_by_cycle_ ? core_cycles() : 0;
    if (addr >= PLATFORM_MEMORY) {
        through_to_memory(transaction, addr - PLATFORM_MEMORY);
    } else {
        registers(transaction);
    }
    if (cycle_by_cycle_) {
        const sc_core::sc_time taken = period_ * static_cast<double>(core_cycles() - before);
        cycles_ += core_cycles() - before;
        const sc_core::sc_time now = sc_core::sc_time_stamp() + delay;
        busy_until_ = (busy_until_ > now ? busy_until_ : now) + taken;
        delay += taken;
    }
    irq.write(ops_->irq(core_));
    in_core.unlock();
    idle_ = false;
    wake_.notify(sc_core::SC_ZERO_TIME);
}

void PpuPart::registers(tlm::tlm_generic_payload &transaction) {
    const uint64_t offset = transaction.get_address() - PLATFORM_REGISTERS;
    const uint32_t length = transaction.get_data_length();
    if (offset % 4 != 0 || offset >= REGISTER_SPACE_BYTES) {
        transaction.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    } else if (transaction.get_byte_enable_ptr() != nullptr) {
        transaction.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    } else if (length != 4 || transaction.get_streaming_width() < length) {
        transaction.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    } else {
        uint32_t value;
        if (transaction.is_read()) {
            value = ops_->reg_read(core_, static_cast<uint32_t>(offset));
            std::memcpy(transaction.get_data_ptr(), &value, 4);
        } else if (transaction.is_write()) {
            std::memcpy(&value, transaction.get_data_ptr(), 4);
            ops_->reg_write(core_, static_cast<uint32_t>(offset), value);
        }
        transaction.set_response_status(tlm::TLM_OK_RESPONSE);
    }
}

void PpuPart::through_to_memory(tlm::tlm_generic_payload &transaction, uint64_t addr) {
    const uint32_t length = transaction.get_data_length();
    if (addr > mem_bytes_ || length > mem_bytes_ - addr) {
        transaction.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    } else if (transaction.get_byte_enable_ptr() != nullptr) {
        transaction.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    } else if (length == 0 || transaction.get_streaming_width() < length) {
        transaction.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    } else {
        bool good = true;
        if (transaction.is_read()) good = ops_->mem_read(core_, addr, transaction.get_data_ptr(), length);
        if (transaction.is_write()) good = ops_->mem_write(core_, addr, transaction.get_data_ptr(), length);
        transaction.set_response_status(good ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE);
    }
}

void PpuPart::invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) {
    if (have_dmi_ && start <= dmi_.get_end_address() && end >= dmi_.get_start_address()) have_dmi_ = false;
}

// A transaction at the memory socket. enables: size bytes, or nullptr.
tlm::tlm_response_status PpuPart::access(tlm::tlm_command command, uint64_t addr, uint8_t *data, size_t size,
                                         const uint8_t *enables) {
    tlm::tlm_generic_payload transaction;
    transaction.set_command(command);
    transaction.set_address(addr);
    transaction.set_data_ptr(data);
    transaction.set_data_length(static_cast<unsigned>(size));
    transaction.set_streaming_width(static_cast<unsigned>(size));
    transaction.set_byte_enable_ptr(const_cast<uint8_t *>(enables));
    transaction.set_byte_enable_length(enables != nullptr ? static_cast<unsigned>(size) : 0);
    transaction.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    memory->b_transport(transaction, memory_delay_);
    // The RTL's bursts are what it is about: they are always transactions.
    if (!cycle_by_cycle_ && transaction.is_dmi_allowed() && !have_dmi_)
        have_dmi_ = memory->get_direct_mem_ptr(transaction, dmi_) && dmi_.is_read_write_allowed();
    return transaction.get_response_status();
}

// What cannot fail, because the address is inside.
void PpuPart::must_access(tlm::tlm_command command, uint64_t addr, uint8_t *data, size_t size) {
    if (have_dmi_ && addr >= dmi_.get_start_address() && addr + size - 1 <= dmi_.get_end_address()) {
        uint8_t *place = dmi_.get_dmi_ptr() + (addr - dmi_.get_start_address());
        direct++;
        if (command == tlm::TLM_READ_COMMAND) {
            std::memcpy(data, place, size);
        } else {
            std::memcpy(place, data, size);
        }
        return;
    }
    const tlm::tlm_response_status status = access(command, addr, data, size, nullptr);
    if (status == tlm::TLM_OK_RESPONSE) return;
    if (command == tlm::TLM_READ_COMMAND) std::memset(data, 0, size);
    if (failed_.empty()) {
        char line[160];
        std::snprintf(line, sizeof line, "systemc: the memory answered %d to %zu bytes at 0x%llx",
                      static_cast<int>(status), size, static_cast<unsigned long long>(addr));
        failed_ = line;
    }
}
