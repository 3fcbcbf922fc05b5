// The parts put together, and the C interface. The platform itself is an object of SystemC's kernel, which finds it by
// name: nothing global is kept here.
#include "systemc/platform.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <mutex>
#include <string>

#include <tlm_utils/simple_initiator_socket.h>
#include <systemc>
#include <tlm>

#include "systemc/between.h"
#include "systemc/link_part.h"
#include "systemc/memory_part.h"
#include "systemc/ppu_part.h"

// libsystemc has a main() of its own that wants this; a program with one of its own never calls it.
extern "C" __attribute__((weak)) int sc_main(int, char **) {
    return 0;
}

namespace {

constexpr int STACK_BYTES = 8 << 20;
constexpr const char *NAME = "tandem_platform";
constexpr uint64_t CHUNK_BYTES = 1 << 20;  // of an access of the host's

// What the program has put between the PPU and its memory, or nullptr.
PlatformBetween *find_between() {
    for (sc_core::sc_object *object : sc_core::sc_get_top_level_objects()) {
        if (auto *between = dynamic_cast<PlatformBetween *>(object)) return between;
    }
    return nullptr;
}

class Platform : public sc_core::sc_module {
   public:
    MemoryPart memory{"memory"};
    PpuPart ppu{"ppu"};
    LinkPart link{"link"};
    // Whoever was in the core last has written it: the clock, or an access in the same delta cycle.
    sc_core::sc_signal<bool, sc_core::SC_UNCHECKED_WRITERS> irq{"irq"};
    tlm_utils::simple_initiator_socket<Platform> to_link{"to_link"};

    explicit Platform(sc_core::sc_module_name name) : sc_core::sc_module(name) {
        to_link.bind(link.host);
        link.device.bind(ppu.host);
        if (PlatformBetween *between = find_between()) {
            ppu.memory.bind(between->ppu_side());
            between->memory_side().bind(memory.socket);
        } else {
            ppu.memory.bind(memory.socket);
        }
        ppu.irq(irq);
        link.irq(irq);
        SC_THREAD(serve);
        set_stack_size(STACK_BYTES);
    }

    // Does work in the host's process, and lets time go on until it is done. False: it never will be.
    bool in_process(const std::function<void()> &work) {
        work_ = &work;
        asked_.notify(sc_core::SC_ZERO_TIME);
        try {
            sc_core::sc_start();
        } catch (const std::exception &error) {
            fail(error.what());
        }
        if (work_ == nullptr) return true;
        work_ = nullptr;
        fail("systemc: nothing goes on in the platform, and an access has no answer");
        return false;
    }

    void pass(const sc_core::sc_time &time) {
        try {
            sc_core::sc_start(time);
        } catch (const std::exception &error) {
            fail(error.what());
        }
    }

    void fail(const char *why) {
        if (!failed_.empty()) return;
        failed_ = why;
        std::replace(failed_.begin(), failed_.end(), '\n', ' ');
    }

    const char *failed() {
        if (!failed_.empty()) return failed_.c_str();
        if (ppu.failed() != nullptr) return ppu.failed();
        // Differences first: they may be the cause of what the link finds.
        if (ppu.has_core() && ppu.ops().failed(ppu.core()) != nullptr) return ppu.ops().failed(ppu.core());
        return link.failed();
    }

    bool taken = false;
    sc_core::sc_time period, opened;
    std::string failed_;

   private:
    SC_HAS_PROCESS(Platform);
    void serve() {
        for (;;) {
            while (work_ == nullptr)
                wait(asked_);
            (*work_)();
            work_ = nullptr;
            sc_core::sc_pause();
            wait(asked_);
        }
    }

    const std::function<void()> *work_ = nullptr;
    sc_core::sc_event asked_;
};

// The kernel's one context has one lock.
std::mutex &kernel_lock() {
    static std::mutex lock;
    return lock;
}

Platform *find() {
    return dynamic_cast<Platform *>(sc_core::sc_find_object(NAME));
}

Platform *self(void *platform) {
    return static_cast<Platform *>(platform);
}

// The platform, made when it is wanted first: it lives as long as the kernel.
Platform *find_or_make() {
    Platform *platform = find();
    if (platform != nullptr) return platform;
    platform = new Platform(NAME);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    return platform;
}

bool open_parts(Platform &platform, const backend_options &options, char *message, size_t message_size) {
    link_options link{};
    link.seed = options.seed;
    link.latency = options.link_ns * UINT64_C(1000) / 2;
    link.rate = options.link_rate;
    link.errors = options.platform.link_errors;
    link.credits = options.platform.link_credits;
    bool good = false;
    try {
        platform.memory.set_size(options.mem_bytes);
    } catch (const std::bad_alloc &) {
        std::snprintf(message, message_size, "device systemc: the host has no memory for %zu bytes of device memory",
                      options.mem_bytes);
        return false;
    }
    if (!platform.link.open(link, options.platform.link_tags)) {
        std::snprintf(message, message_size, "device systemc: out of memory for the link");
        return false;
    }
    platform.period = sc_core::sc_time(static_cast<double>(options.config->ns_per_cycle), sc_core::SC_NS);
    platform.opened = sc_core::sc_time_stamp();
    const bool done =
        platform.in_process([&] { good = platform.ppu.open(options, platform.memory.bytes(), message, message_size); });
    if (!done) std::snprintf(message, message_size, "%s", platform.failed());
    return done && good;
}

void *open(const backend_options *options, char *message, size_t message_size) {
    Platform *platform = nullptr;
    {
        const std::lock_guard<std::mutex> guard(kernel_lock());
        try {
            platform = find_or_make();
        } catch (const std::exception &error) {
            std::snprintf(message, message_size, "device systemc: %s", error.what());
            return nullptr;
        }
        if (platform->taken) {
            std::snprintf(message, message_size,
                          "device systemc: there is one already, and SystemC has one simulation in a process");
            return nullptr;
        }
        platform->taken = true;
    }
    platform->failed_.clear();
    if (open_parts(*platform, *options, message, message_size)) return platform;
    platform->memory.set_size(0);
    const std::lock_guard<std::mutex> guard(kernel_lock());
    platform->taken = false;
    return nullptr;
}

bool close(void *context) {
    Platform *platform = self(context);
    // Posted writes come to their end; what is left then is told.
    while (!platform->link.idle() && platform->failed() == nullptr)
        platform->pass(sc_core::sc_time(1, sc_core::SC_US));
    const char *wrong = platform->ppu.ops().failed(platform->ppu.core()) == nullptr ? platform->failed() : nullptr;
    if (wrong != nullptr) std::fprintf(stderr, "systemc: %s\n", wrong);
    bool good = false;
    const bool done = platform->in_process([&] {
        platform->ppu.in_core.lock();
        good = platform->ppu.close();
        platform->ppu.in_core.unlock();
    });
    platform->memory.set_size(0);
    const std::lock_guard<std::mutex> guard(kernel_lock());
    platform->taken = false;
    return done && good && wrong == nullptr;
}

bool transport(void *context, platform_socket socket, platform_transaction *asked) {
    Platform *platform = self(context);
    tlm::tlm_generic_payload transaction;
    transaction.set_command(asked->command == PLATFORM_READ    ? tlm::TLM_READ_COMMAND
                            : asked->command == PLATFORM_WRITE ? tlm::TLM_WRITE_COMMAND
                                                               : tlm::TLM_IGNORE_COMMAND);
    transaction.set_address(asked->addr);
    transaction.set_data_ptr(asked->data);
    transaction.set_data_length(asked->length);
    transaction.set_streaming_width(asked->streaming_width != 0 ? asked->streaming_width : asked->length);
    transaction.set_byte_enable_ptr(const_cast<uint8_t *>(asked->byte_enables));
    transaction.set_byte_enable_length(asked->byte_enables != nullptr ? asked->byte_enable_length : 0);
    transaction.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    const bool done = platform->in_process([&] {
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        switch (socket) {
            case PLATFORM_LINK: platform->to_link->b_transport(transaction, delay); break;
            case PLATFORM_PPU: platform->link.device->b_transport(transaction, delay); break;
            case PLATFORM_MEMORY_PART: platform->ppu.memory->b_transport(transaction, delay); break;
        }
        if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(delay);
    });
    asked->response = static_cast<int>(transaction.get_response_status());
    asked->dmi_allowed = transaction.is_dmi_allowed();
    return done;
}

bool access(void *context, platform_command command, uint64_t addr, void *data, size_t size) {
    for (size_t at = 0; at < size;) {
        const size_t left = size - at, part = left < CHUNK_BYTES ? left : CHUNK_BYTES;
        platform_transaction transaction{};
        transaction.command = command;
        transaction.addr = addr + at;
        transaction.data = static_cast<uint8_t *>(data) + at;
        transaction.length = static_cast<uint32_t>(part);
        if (!transport(context, PLATFORM_LINK, &transaction)) return false;
        if (transaction.response != tlm::TLM_OK_RESPONSE) return false;
        at += part;
    }
    return true;
}

// Cycles in which the core did something, or all of them while something is under way.
uint64_t run(void *context, uint64_t cycles) {
    Platform *platform = self(context);
    if (platform->failed() != nullptr) return 0;
    const uint64_t before = platform->ppu.cycles();
    const bool resting = platform->ppu.idle() && platform->link.idle();
    if (!resting) platform->pass(platform->period * static_cast<double>(cycles));
    const uint64_t done = platform->ppu.cycles() - before;
    if (platform->ppu.idle() && platform->link.idle()) return done < cycles ? done : cycles;
    return cycles;
}

// Cycles are those of the RTL's clock; loosely timed they are the time that has passed.
void statistics(void *context, tandem_statistics *to) {
    Platform *platform = self(context);
    platform->ppu.ops().statistics(platform->ppu.core(), to);
    if (!platform->ppu.cycle_by_cycle())
        to->cycles = (sc_core::sc_time_stamp() - platform->opened).value() / platform->period.value();
}

void figures(void *context, platform_figures *to) {
    const Platform *platform = self(context);
    *to = {};
    platform->link.figures(&to->link);
    to->memory_transactions = platform->memory.transactions;
    to->memory_bytes = platform->memory.transferred;
    to->direct = platform->ppu.direct;
    to->dmi_granted = platform->memory.granted;
    to->dmi_invalidated = platform->memory.invalidated;
    to->interrupts = platform->link.interrupts;
}

bool direct(void *context, platform_socket socket, uint64_t addr, uint64_t *start, uint64_t *end) {
    Platform *platform = self(context);
    tlm::tlm_generic_payload transaction;
    transaction.set_address(addr);
    transaction.set_read();
    tlm::tlm_dmi dmi;
    bool granted = false;
    switch (socket) {
        case PLATFORM_LINK: granted = platform->to_link->get_direct_mem_ptr(transaction, dmi); break;
        case PLATFORM_PPU: granted = platform->link.device->get_direct_mem_ptr(transaction, dmi); break;
        case PLATFORM_MEMORY_PART: granted = platform->ppu.memory->get_direct_mem_ptr(transaction, dmi); break;
    }
    *start = dmi.get_start_address();
    *end = dmi.get_end_address();
    return granted;
}

}  // namespace

const struct platform_ops platform_ops = {
    open,
    close,
    [](void *context, uint64_t addr, void *to, size_t size) { return access(context, PLATFORM_READ, addr, to, size); },
    [](void *context, uint64_t addr, const void *from, size_t size) {
        return access(context, PLATFORM_WRITE, addr, const_cast<void *>(from), size);
    },
    run,
    [](void *context, uint64_t base, uint64_t size, bool writes_only) {
        PpuPart &ppu = self(context)->ppu;
        static_cast<void>(self(context)->in_process([&] {
            ppu.in_core.lock();
            ppu.ops().bus_errors(ppu.core(), base, size, writes_only);
            ppu.in_core.unlock();
        }));
    },
    statistics,
    [](void *context) { return self(context)->link.interrupt(); },
    [](void *context) { return self(context)->failed(); },
    []() -> void * {
        Platform *platform = find();
        return platform != nullptr && platform->taken ? platform : nullptr;
    },
    transport,
    direct,
    [](void *context, bool granted) { self(context)->memory.grant_direct(granted); },
    figures,
};
