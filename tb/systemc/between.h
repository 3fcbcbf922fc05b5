// A part of a program's own between the PPU and its memory: a bus, a monitor, another memory controller.
//
// A program makes one, not inside of another module, before it opens its first device `systemc:`; the platform, when it
// is made, finds it in SystemC's kernel and binds the PPU's memory socket to its one side and the memory to the other.
// It must outlive every device. Without direct memory (a target socket that has no get_direct_mem_ptr) all of the
// model's accesses are transactions; the RTL's always are. What it adds to a transaction's delay, the model waits; the
// RTL's memory has its own timing (`latency=`). It may call wait().
#ifndef TANDEM_TB_SYSTEMC_BETWEEN_H
#define TANDEM_TB_SYSTEMC_BETWEEN_H

#include <systemc>
#include <tlm>

class PlatformBetween : public sc_core::sc_module {
   public:
    explicit PlatformBetween(sc_core::sc_module_name name) : sc_core::sc_module(name) {}
    virtual tlm::tlm_target_socket<> &ppu_side() = 0;
    virtual tlm::tlm_initiator_socket<> &memory_side() = 0;
};

#endif
