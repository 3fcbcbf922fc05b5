// A SystemC part of one's own in the platform: a monitor between the PPU and its memory, while the demo runs through it.
// usage: memory_monitor IN.pgm OUT.pgm [DEVICE] [--delay NS] [--vcd FILE]
// It counts what the PPU reads and writes, tells which pages are the busiest, makes the memory slower by --delay (of the
// model: the RTL's memory has a timing of its own), and draws each transaction as a wave.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "systemc/between.h"

extern "C" {
#include "../../demo/picture.h"
#include "../../demo/ride.h"
}

namespace {

constexpr uint64_t PAGE = 4096;

class MemoryMonitor : public PlatformBetween {
   public:
    tlm_utils::simple_target_socket<MemoryMonitor> from_ppu{"from_ppu"};
    tlm_utils::simple_initiator_socket<MemoryMonitor> to_memory{"to_memory"};

    // delay: of each transaction. vcd: a file for waves without its ending, or empty.
    MemoryMonitor(sc_core::sc_module_name name, const sc_core::sc_time &delay, const std::string &vcd)
        : PlatformBetween(name), delay_(delay) {
        from_ppu.register_b_transport(this, &MemoryMonitor::b_transport);
        if (vcd.empty()) return;
        waves_ = sc_core::sc_create_vcd_trace_file(vcd.c_str());
        waves_->set_time_unit(1, sc_core::SC_NS);
        sc_core::sc_trace(waves_, number_, "number");
        sc_core::sc_trace(waves_, address_, "address");
        sc_core::sc_trace(waves_, length_, "length");
        sc_core::sc_trace(waves_, write_, "write");
    }
    ~MemoryMonitor() override {
        if (waves_ != nullptr) sc_core::sc_close_vcd_trace_file(waves_);
    }
    tlm::tlm_target_socket<> &ppu_side() override {
        return from_ppu;
    }
    tlm::tlm_initiator_socket<> &memory_side() override {
        return to_memory;
    }

    // False: nothing has come past.
    bool print() const {
        std::printf("%-8s %12s %14s %12s\n", "", "transactions", "bytes", "bytes each");
        for (const bool write : {false, true}) {
            const Traffic &traffic = traffic_[write];
            std::printf("%-8s %12llu %14llu %12.1f\n", write ? "writes" : "reads", number(traffic.transactions),
                        number(traffic.bytes),
                        traffic.transactions != 0
                            ? static_cast<double>(traffic.bytes) / static_cast<double>(traffic.transactions)
                            : 0.0);
        }
        std::vector<std::pair<uint64_t, uint64_t>> pages;
        for (const auto &[page, transactions] : pages_)
            pages.emplace_back(transactions, page);
        std::sort(pages.rbegin(), pages.rend());
        if (pages.size() > 4) pages.resize(4);
        for (const auto &[transactions, page] : pages)
            std::printf("page 0x%08llx %9llu of them\n", number(page * PAGE), number(transactions));
        return !pages.empty();
    }

   private:
    struct Traffic {
        uint64_t transactions = 0, bytes = 0;
    };
    static unsigned long long number(uint64_t value) {
        return value;
    }
    void b_transport(tlm::tlm_generic_payload &transaction, sc_core::sc_time &delay) {
        Traffic &traffic = traffic_[transaction.is_write()];
        traffic.transactions++;
        traffic.bytes += transaction.get_data_length();
        pages_[transaction.get_address() / PAGE]++;
        number_++;
        address_ = transaction.get_address();
        length_ = transaction.get_data_length();
        write_ = transaction.is_write();
        delay += delay_;
        to_memory->b_transport(transaction, delay);
        // It would go past here.
        transaction.set_dmi_allowed(false);
    }

    sc_core::sc_time delay_;
    sc_core::sc_trace_file *waves_ = nullptr;
    Traffic traffic_[2];
    std::map<uint64_t, uint64_t> pages_;
    uint64_t number_ = 0, address_ = 0;
    uint32_t length_ = 0;
    bool write_ = false;
};

struct Options {
    const char *in = nullptr, *out = nullptr, *device = "systemc:small";
    uint64_t delay = 0;
    std::string vcd;
};

constexpr const char *USAGE = "usage: memory_monitor IN.pgm OUT.pgm [DEVICE] [--delay NS] [--vcd FILE]\n";

bool parse(int argc, char **argv, Options &options) {
    std::vector<const char *> words;
    for (int i = 1; i < argc; i++) {
        if (std::strcmp(argv[i], "--delay") == 0 && i + 1 < argc) {
            char *end = nullptr;
            options.delay = std::strtoull(argv[++i], &end, 10);
            if (*end != 0 || end == argv[i] || argv[i][0] == '-' || options.delay > 1000000) {
                std::fprintf(stderr, "memory_monitor: --delay %s: nanoseconds, 0 to 1000000\n", argv[i]);
                return false;
            }
        } else if (std::strcmp(argv[i], "--vcd") == 0 && i + 1 < argc) {
            options.vcd = argv[++i];
            // SystemC puts the ending there by itself.
            const size_t stem = options.vcd.size() - std::min<size_t>(options.vcd.size(), 4);
            if (options.vcd.substr(stem) == ".vcd") options.vcd.resize(stem);
        } else if (argv[i][0] == '-') {
            std::fprintf(stderr, "memory_monitor: option %s is unknown, or has no value\n%s", argv[i], USAGE);
            return false;
        } else {
            words.push_back(argv[i]);
        }
    }
    if (words.size() < 2 || words.size() > 3) {
        std::fprintf(stderr, "memory_monitor: a picture to read, and one to write\n%s", USAGE);
        return false;
    }
    options.in = words[0];
    options.out = words[1];
    if (words.size() == 3) options.device = words[2];
    return true;
}

// The demo, and the same in plain C to check it with.
bool run(const Options &options, picture &photograph) {
    std::vector<uint8_t> expected(photograph.size), got(photograph.size);
    equalize_plainly(photograph.samples, expected.data(), photograph.size);
    ride demo{};
    bool good = ride_begin(&demo, options.device, "tests/kernels") &&
                ride_equalize(&demo, photograph.samples, got.data(), photograph.size);
    tandem_statistics statistics{};
    good = ride_end(&demo, &statistics) && good;
    if (good && got != expected) {
        std::fprintf(stderr, "memory_monitor: the picture differs from the plain C computation\n");
        good = false;
    }
    std::printf("%s: %s cycles=%llu\n", options.device, good ? "PASS" : "FAIL",
                static_cast<unsigned long long>(statistics.cycles));
    std::copy(got.begin(), got.end(), photograph.samples);
    return good;
}

}  // namespace

int main(int argc, char **argv) {
    if (argc == 2 && std::strcmp(argv[1], "--help") == 0) {
        std::fputs(USAGE, stdout);
        return 0;
    }
    Options options;
    if (!parse(argc, argv, options)) return 2;
    char message[1024];
    picture photograph;
    if (!picture_read(options.in, &photograph, message, sizeof message)) {
        std::fprintf(stderr, "memory_monitor: %s\n", message);
        return 1;
    }
    MemoryMonitor monitor("monitor", sc_core::sc_time(static_cast<double>(options.delay), sc_core::SC_NS), options.vcd);
    bool good = photograph.size <= RIDE_SAMPLES_MAX && run(options, photograph);
    if (good && !picture_write(options.out, &photograph, message, sizeof message)) {
        std::fprintf(stderr, "memory_monitor: %s\n", message);
        good = false;
    }
    if (good && !monitor.print()) {
        std::fprintf(stderr, "memory_monitor: nothing came past: %s is no device systemc:\n", options.device);
        good = false;
    }
    picture_free(&photograph);
    return good ? 0 : 1;
}
