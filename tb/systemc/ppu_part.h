// The PPU as a TLM-2.0 part: model, RTL or both behind the same sockets. Which it is, a backend of the driver says; here
// it gets time, registers and memory.
#ifndef TANDEM_TB_SYSTEMC_PPU_PART_H
#define TANDEM_TB_SYSTEMC_PPU_PART_H

#include <cstdint>
#include <string>

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <systemc>
#include <tlm>

#include "backend/backend.h"
#include "backend/memory_outside.h"

class PpuPart : public sc_core::sc_module {
   public:
    // Registers, words at PLATFORM_REGISTERS, and what the CPU does to memory, at PLATFORM_MEMORY: it goes through the
    // PPU, which then knows what its caches may keep.
    tlm_utils::simple_target_socket<PpuPart> host{"host"};
    tlm_utils::simple_initiator_socket<PpuPart> memory{"memory"};
    sc_core::sc_out<bool> irq{"irq"};

    explicit PpuPart(sc_core::sc_module_name name);

    // A core from now on, in the process that calls. False with one line in message. bytes: those of the memory part.
    bool open(const backend_options &options, uint8_t *bytes, char *message, size_t message_size);
    bool close();
    bool has_core() const {
        return core_ != nullptr;
    }
    const backend_ops &ops() const {
        return *ops_;
    }
    void *core() const {
        return core_;
    }
    // Nothing can go on until somebody reaches the PPU.
    bool idle() const {
        return idle_;
    }
    bool cycle_by_cycle() const {
        return cycle_by_cycle_;
    }
    uint64_t cycles() const {
        return cycles_;
    }
    const char *failed() const {
        return failed_.empty() ? nullptr : failed_.c_str();
    }
    // One process at a time is in the core: memory may make it wait.
    sc_core::sc_mutex in_core;

    uint64_t direct = 0;  // accesses past the sockets

   private:
    SC_HAS_PROCESS(PpuPart);
    void go_on();
    void b_transport(tlm::tlm_generic_payload &transaction, sc_core::sc_time &delay);
    void registers(tlm::tlm_generic_payload &transaction);
    void through_to_memory(tlm::tlm_generic_payload &transaction, uint64_t addr);
    void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end);
    tlm::tlm_response_status access(tlm::tlm_command command, uint64_t addr, uint8_t *data, size_t size,
                                    const uint8_t *enables);
    void must_access(tlm::tlm_command command, uint64_t addr, uint8_t *data, size_t size);
    uint64_t core_cycles() const;

    const backend_ops *ops_ = nullptr;
    void *core_ = nullptr;
    memory_outside outside_{};
    backend_options options_{};
    uint32_t quantum_ = 1;
    bool cycle_by_cycle_ = false, idle_ = true;
    uint64_t cycles_ = 0, mem_bytes_ = 0;
    sc_core::sc_time period_, busy_until_, memory_delay_;
    sc_core::sc_event wake_;
    tlm::tlm_dmi dmi_;
    bool have_dmi_ = false;
    std::string failed_;
};

#endif
