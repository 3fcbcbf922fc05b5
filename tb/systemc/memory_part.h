// Device memory as a TLM-2.0 target: bytes, byte enables, and direct access for who may take it.
#ifndef TANDEM_TB_SYSTEMC_MEMORY_PART_H
#define TANDEM_TB_SYSTEMC_MEMORY_PART_H

#include <cstdint>
#include <vector>

#include <tlm_utils/simple_target_socket.h>
#include <systemc>
#include <tlm>

class MemoryPart : public sc_core::sc_module {
   public:
    tlm_utils::simple_target_socket<MemoryPart> socket{"socket"};

    explicit MemoryPart(sc_core::sc_module_name name);

    // Zeroed; size 0: none. What was granted before is invalidated.
    void set_size(size_t size);
    // Whether direct access is granted; false invalidates what was.
    void grant_direct(bool granted);
    uint8_t *bytes() {
        return bytes_.data();
    }

    uint64_t transactions = 0, transferred = 0, granted = 0, invalidated = 0;

   private:
    void b_transport(tlm::tlm_generic_payload &transaction, sc_core::sc_time &delay);
    bool get_direct_mem_ptr(tlm::tlm_generic_payload &transaction, tlm::tlm_dmi &dmi);
    void invalidate();

    std::vector<uint8_t> bytes_;
    bool may_grant_ = true;
};

#endif
