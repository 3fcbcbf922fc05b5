// The link as a TLM-2.0 part: transactions of the host become packets, and packets transactions at the device.
#ifndef TANDEM_TB_SYSTEMC_LINK_PART_H
#define TANDEM_TB_SYSTEMC_LINK_PART_H

#include <array>
#include <cstdint>
#include <string>

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <systemc>
#include <tlm>

#include "systemc/link.h"

class LinkPart : public sc_core::sc_module {
   public:
    // A write is answered when the link has taken all of it (posted), a read when all of its completions are back. Of
    // one process at a time.
    tlm_utils::simple_target_socket<LinkPart> host{"host"};
    tlm_utils::simple_initiator_socket<LinkPart> device{"device"};
    sc_core::sc_in<bool> irq{"irq"};

    explicit LinkPart(sc_core::sc_module_name name);
    ~LinkPart() override;

    // A new link, at rest. False: no memory. Only while the old one is idle or of no more use.
    bool open(const link_options &options, uint32_t tags);
    bool idle() const;
    const char *failed() const;
    bool interrupt() const {
        return interrupt_;
    }
    void figures(link_figures *to) const {
        if (link_ != nullptr) link_get_figures(link_, to);
    }
    uint64_t interrupts = 0;  // messages that rose

   private:
    SC_HAS_PROCESS(LinkPart);
    // A read of the host, in packets.
    struct Pending {
        bool used;
        uint8_t *to;
        uint32_t left;
    };
    void b_transport(tlm::tlm_generic_payload &transaction, sc_core::sc_time &delay);
    bool get_direct_mem_ptr(tlm::tlm_generic_payload &transaction, tlm::tlm_dmi &dmi);
    void write(uint64_t addr, const uint8_t *data, uint32_t size);
    bool read(uint64_t addr, uint8_t *data, uint32_t size);
    void pump();     // time of the link goes on
    void deliver();  // packets at the device
    void signal();   // the interrupt line as messages
    void come_back();
    void move();
    bool at_device(tlm::tlm_command command, uint64_t addr, uint8_t *data, uint32_t size);
    void answer(const link_packet &request);

    struct link *link_ = nullptr;
    uint64_t random_ = 1;
    uint32_t tags_ = 1;
    std::array<Pending, LINK_TAGS_MAX> pending_{};
    uint32_t pending_count_ = 0;
    bool refused_ = false, interrupt_ = false, told_ = false, busy_ = false;
    sc_core::sc_event turn_, moved_, opened_;
    std::string failed_;
};

#endif
