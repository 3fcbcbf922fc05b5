// A verilated ppu behind struct rtl_ops. Compiled once per configuration: -DRTL_NAME=nano -DRTL_CONFIG=nano (RTL_NAME:
// the library's name and Verilator's --prefix Vppu_<RTL_NAME>), -DRTL_INJECT=1 when verilated with -GINJECT=1.
#include "rtl_device.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include <unistd.h>
#include <verilated.h>
#include <verilated_fst_c.h>
#include <verilated_save.h>

extern "C" {
#include "base/image.h"
}
#include "axi_memory.h"
#include "coverage_file.h"
#include "gen/trace_ports.h"
#include "wave_file.h"

#define RTL_PASTE_(a, b) a##b
#define RTL_PASTE(a, b) RTL_PASTE_(a, b)
#define RTL_TEXT_(a) #a
#define RTL_TEXT(a) RTL_TEXT_(a)
#define RTL_TOP RTL_PASTE(Vppu_, RTL_NAME)

#include RTL_TEXT(RTL_TOP.h)
#include RTL_TEXT(RTL_PASTE(RTL_TOP, __layout.h))

#ifndef RTL_INJECT
#define RTL_INJECT 0
#endif

namespace {

// Sizes that the trace readers need; checked against gen/config.h when a device is made.
constexpr unsigned THREADS = RTL_THREADS, LANES = RTL_LANES, SMS = RTL_SMS, AXI_DATA_W = RTL_AXI_DATA_W;

constexpr unsigned RESET_CYCLES = 4;
constexpr uint32_t DEFAULT_LATENCY = 12;

// A port up to 256 bits and an array of words.
template <typename Port>
void port_to_words(const Port &port, uint32_t *words, unsigned bits) {
    if constexpr (std::is_integral_v<Port>) {
        for (unsigned i = 0; i < bits / 32; i++)
            words[i] = static_cast<uint32_t>(static_cast<uint64_t>(port) >> (32 * i));
    } else {
        for (unsigned i = 0; i < bits / 32; i++)
            words[i] = port[i];
    }
}

template <typename Port>
void words_to_port(const uint32_t *words, Port &port, unsigned bits) {
    if constexpr (std::is_integral_v<Port>) {
        uint64_t value = 0;
        for (unsigned i = 0; i < bits / 32; i++)
            value |= static_cast<uint64_t>(words[i]) << (32 * i);
        port = static_cast<Port>(value);
    } else {
        for (unsigned i = 0; i < bits / 32; i++)
            port[i] = words[i];
    }
}

// Verilator's save and restore, to and from memory instead of a file.
class StateWriter final : public VerilatedSerialize {
   public:
    std::vector<uint8_t> &bytes() {
        flush();
        return bytes_;
    }
    void flush() override {
        bytes_.insert(bytes_.end(), m_bufp, m_cp);
        m_cp = m_bufp;
    }

   private:
    std::vector<uint8_t> bytes_;
};

class StateReader final : public VerilatedDeserialize {
   public:
    explicit StateReader(const std::vector<uint8_t> &bytes) : bytes_(bytes) {
        m_endp = m_bufp;
    }
    // What stands behind the end is zeros.
    void fill() override {
        std::memmove(m_bufp, m_cp, static_cast<size_t>(m_endp - m_cp));
        m_endp = m_bufp + (m_endp - m_cp);
        m_cp = m_bufp;
        const size_t room = static_cast<size_t>(m_bufp + bufferSize() - m_endp);
        const size_t left = bytes_.size() - at_, size = left < room ? left : room;
        std::memcpy(m_endp, bytes_.data() + at_, size);
        std::memset(m_endp + size, 0, room - size);
        at_ += size;
        m_endp += room;
    }

   private:
    const std::vector<uint8_t> &bytes_;
    size_t at_ = 0;
};

class Device {
   public:
    Device(const rtl_options &options, axi_memory *memory)
        : memory_(memory), bus_cycles_(rtl_bus_cycles(options.latency)) {
        // Uninitialized state is random, but the same for the same seed: a missing reset shows, and can be replayed.
        context_->randReset(2);
        context_->randSeed(static_cast<int>(options.seed * 2654435761u >> 1 & 0x7ffffffe) | 1);
        context_->fatalOnError(false);
        context_->traceEverOn(true);
        context_->assertOn(false);  // nothing holds before the reset
        top_ = std::make_unique<RTL_TOP>(context_.get(), "ppu");
        idle_inputs();
        top_->clk_i = 0;
        top_->take_i = 0;
        top_->eval();  // an edge is a difference to what was evaluated before
        axi_memory_reset(memory_);
        drive().rst_i = 1;
        for (unsigned i = 0; i < RESET_CYCLES; i++)
            clock();
        drive().rst_i = 0;
        context_->assertOn(true);
        cycle_ = 0;
    }

    ~Device() {
        static_cast<void>(end_wave());
        top_->final();
        write_coverage(*context_);
        axi_memory_destroy(memory_);
    }

    void set_sink(rtl_event_sink *sink, void *context) {
        sink_ = sink;
        sink_context_ = context;
    }

    uint64_t run(uint64_t cycles) {
        uint64_t done = 0;
        while (done < cycles && !broken()) {
            done++;
            if (!clock()) break;
        }
        return done;
    }

    // One AXI-Lite read. The bus is left idle whatever happens.
    bool reg_read(uint32_t offset, uint32_t *value) {
        bool address_taken = false, answered = false, good = false;
        drive().s_axil_araddr_i = offset;
        drive().s_axil_arvalid_i = 1;
        drive().s_axil_rready_i = 1;
        for (unsigned i = 0; i < bus_cycles_ && !answered && !broken(); i++) {
            bool ar = false;
            clock([&] {
                ar = top_->s_axil_arvalid_i != 0 && top_->s_axil_arready_o != 0;
                if ((address_taken || ar) && top_->s_axil_rvalid_o != 0) {
                    answered = true;
                    good = top_->s_axil_rresp_o == 0;
                    *value = top_->s_axil_rdata_o;
                }
            });
            if (ar) {
                address_taken = true;
                drive().s_axil_arvalid_i = 0;
            }
        }
        drive().s_axil_arvalid_i = 0;
        drive().s_axil_rready_i = 0;
        return answered && good;
    }

    bool reg_write(uint32_t offset, uint32_t value) {
        bool answered = false, good = false;
        drive().s_axil_awaddr_i = offset;
        drive().s_axil_awvalid_i = 1;
        drive().s_axil_wdata_i = value;
        drive().s_axil_wstrb_i = 15;
        drive().s_axil_wvalid_i = 1;
        drive().s_axil_bready_i = 1;
        for (unsigned i = 0; i < bus_cycles_ && !answered && !broken(); i++) {
            bool aw = false, w = false;
            clock([&] {
                aw = top_->s_axil_awvalid_i != 0 && top_->s_axil_awready_o != 0;
                w = top_->s_axil_wvalid_i != 0 && top_->s_axil_wready_o != 0;
                if (top_->s_axil_bvalid_o != 0) {
                    answered = true;
                    good = top_->s_axil_bresp_o == 0;
                }
            });
            if (aw) drive().s_axil_awvalid_i = 0;
            if (w) drive().s_axil_wvalid_i = 0;
        }
        drive().s_axil_awvalid_i = 0;
        drive().s_axil_wvalid_i = 0;
        drive().s_axil_bready_i = 0;
        return answered && good;
    }

    bool irq() const {
        return top_->irq_o != 0;
    }
    bool rmw_busy() const {
        return top_->rmw_busy_o != 0 || axi_memory_failing(memory_);
    }
    uint64_t cycle() const {
        return cycle_;
    }
    axi_memory *memory() const {
        return memory_;
    }
    // The PPU is told in the next cycle.
    void memory_changed() {
        drive().memory_changed_i = 1;
    }

    const char *error() const {
        if (context_->gotError()) return "an assertion of the RTL failed (it has been printed)";
        if (context_->gotFinish()) return "the RTL executed $finish";
        return axi_memory_error(memory_);
    }

    bool wave(const char *path, char *why, size_t why_size) {
        if (path == nullptr) {
            if (end_wave()) return true;
            std::snprintf(why, why_size, "not all of the file could be written");
            return false;
        }
        char place[4096];
        if (!wave_file_prepare(path, place, sizeof place, why, why_size)) return false;
        wave_ = std::make_unique<VerilatedFstC>();
        wave_path_ = place;
        top_->trace(wave_.get(), 99);
        wave_->open(place);
        std::fflush(nullptr);  // the writer's streams are its own
        if (wave_file_begun(place)) return true;
        abandon_wave();
        std::snprintf(why, why_size, "the names of the signals could not be written; is the disk full?");
        return false;
    }

    bool inject(unsigned defect) {
        if (RTL_INJECT == 0 || defect > 255) return defect == 0;
        drive().inject_i = static_cast<CData>(defect);
        return true;
    }

    void image(struct image *image) {
        uint32_t layout = RTL_LAYOUT;
        image_part(image, &layout, sizeof layout);
        image_must(image, layout == RTL_LAYOUT);
        image_state(image);
        image_part(image, &cycle_, sizeof cycle_);
        image_part(image, &time_, sizeof time_);
        image_part(image, &driven_, sizeof driven_);
        axi_memory_image(memory_, image);
    }

   private:
    void image_state(struct image *image) {
        std::vector<uint8_t> bytes;
        if (!image->loading) {
            StateWriter writer;
            writer << context_.get();
            writer << *top_;
            bytes.swap(writer.bytes());
        }
        uint64_t size = bytes.size();
        image_part(image, &size, sizeof size);
        image_must(image, size <= image->size - image->at);
        if (image->failed) return;
        bytes.resize(size);
        image_part(image, bytes.data(), bytes.size());
        if (!image->loading || image->failed) return;
        StateReader reader(bytes);
        reader >> context_.get();
        reader >> *top_;
    }

    // False: not all of it could be written.
    bool end_wave() {
        if (!wave_) return true;
        wave_->close();
        wave_.reset();
        return wave_file_whole(wave_path_.c_str());
    }

    // A writer that cannot be closed stays in memory.
    void abandon_wave() {
        static_cast<void>(wave_.release());
        std::remove(wave_path_.c_str());
        std::remove((wave_path_ + ".hier").c_str());
    }

    bool broken() const {
        return context_->gotFinish();
    }

    // Inputs that the next cycle is to see, all but clocks and the memory's answers.
    RTL_TOP &drive() {
        driven_ = true;
        return *top_;
    }

    void idle_inputs() {
        RTL_TOP &top = drive();
        top.s_axil_awvalid_i = 0;
        top.s_axil_awaddr_i = 0;
        top.s_axil_wvalid_i = 0;
        top.s_axil_wdata_i = 0;
        top.s_axil_wstrb_i = 0;
        top.s_axil_bready_i = 0;
        top.s_axil_arvalid_i = 0;
        top.s_axil_araddr_i = 0;
        top.s_axil_rready_i = 0;
        top.h_axil_awvalid_i = 0;
        top.h_axil_awaddr_i = 0;
        top.h_axil_wvalid_i = 0;
        top.h_axil_wdata_i = 0;
        top.h_axil_wstrb_i = 0;
        top.h_axil_bready_i = 0;
        top.h_axil_arvalid_i = 0;
        top.h_axil_araddr_i = 0;
        top.h_axil_rready_i = 0;
        top.inject_i = 0;
        top.memory_changed_i = 0;
    }

    // What the memory answers in the next cycle: it is seen behind the edge (ppu_clocked).
    void drive_memory() {
        const struct axi_memory_out *out = axi_memory_out(memory_);
        top_->m_axi_awready_i = out->awready;
        top_->m_axi_wready_i = out->wready;
        top_->m_axi_arready_i = out->arready;
        top_->m_axi_bvalid_i = out->bvalid;
        top_->m_axi_bid_i = static_cast<std::decay_t<decltype(top_->m_axi_bid_i)>>(out->bid);
        top_->m_axi_bresp_i = static_cast<CData>(out->bresp);
        top_->m_axi_rvalid_i = out->rvalid;
        top_->m_axi_rid_i = static_cast<std::decay_t<decltype(top_->m_axi_rid_i)>>(out->rid);
        words_to_port(out->rdata, top_->m_axi_rdata_i, AXI_DATA_W);
        top_->m_axi_rresp_i = static_cast<CData>(out->rresp);
        top_->m_axi_rlast_i = out->rlast;
    }

    void clock_memory() {
        axi_memory_in in{};
        in.awvalid = top_->m_axi_awvalid_o != 0;
        in.awid = top_->m_axi_awid_o;
        in.awaddr = top_->m_axi_awaddr_o;
        in.awlen = top_->m_axi_awlen_o;
        in.awsize = top_->m_axi_awsize_o;
        in.awburst = top_->m_axi_awburst_o;
        in.wvalid = top_->m_axi_wvalid_o != 0;
        if (in.wvalid) port_to_words(top_->m_axi_wdata_o, in.wdata, AXI_DATA_W);
        in.wstrb = top_->m_axi_wstrb_o;
        in.wlast = top_->m_axi_wlast_o != 0;
        in.bready = top_->m_axi_bready_o != 0;
        in.arvalid = top_->m_axi_arvalid_o != 0;
        in.arid = top_->m_axi_arid_o;
        in.araddr = top_->m_axi_araddr_o;
        in.arlen = top_->m_axi_arlen_o;
        in.arsize = top_->m_axi_arsize_o;
        in.arburst = top_->m_axi_arburst_o;
        in.rready = top_->m_axi_rready_o != 0;
        axi_memory_clock(memory_, &in);
    }

    // Hands the cycle's events over; false: the sink said stop.
    bool hand_over() {
        if (sink_ == nullptr) return true;
        bool go_on = true;
        const auto emit = [&](trace_event &event) {
            event.cycle = cycle_;
            if (!sink_(sink_context_, &event)) go_on = false;
        };
        trace_read_all<LANES, SMS>(*top_, emit);
        return go_on;
    }

    // A cycle: everything settles with the clock low, what is seen then happens at the edge that ends the cycle.
    template <typename Look>
    bool clock(Look look) {
        if (driven_) {
            driven_ = false;
            top_->take_i = 1;
            top_->eval();
            top_->take_i = 0;
        }
        top_->clk_i = 0;
        top_->eval();
        if (wave_) wave_->dump(time_);
        look();
        bool go_on = top_->rst_i != 0 || hand_over();
        if (top_->rst_i == 0) clock_memory();
        drive_memory();
        top_->clk_i = 1;
        top_->eval();
        if (wave_) wave_->dump(time_ + 1);
        time_ += 2;
        cycle_++;
        if (top_->memory_changed_i != 0) drive().memory_changed_i = 0;
        return go_on;
    }
    bool clock() {
        return clock([] {});
    }

    axi_memory *memory_;
    const uint32_t bus_cycles_;
    std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
    std::unique_ptr<RTL_TOP> top_;
    std::unique_ptr<VerilatedFstC> wave_;
    std::string wave_path_;
    rtl_event_sink *sink_ = nullptr;
    void *sink_context_ = nullptr;
    uint64_t cycle_ = 0, time_ = 0;
    bool driven_ = false;
};

Device *self(void *device) {
    return static_cast<Device *>(device);
}
const Device *self(const void *device) {
    return static_cast<const Device *>(device);
}

void *create(const rtl_options *options, char *message, size_t message_size) {
    const ppu_config *config = ppu_config_find(RTL_TEXT(RTL_CONFIG));
    if (config == nullptr || config->threads != THREADS || config->lanes != LANES || config->sms != SMS ||
        config->axi_data_w != AXI_DATA_W) {
        std::snprintf(message, message_size, "the RTL library %s was built for another configuration table: rebuild it",
                      RTL_TEXT(RTL_NAME));
        return nullptr;
    }
    axi_memory_options memory_options{};
    memory_options.seed = options->seed;
    memory_options.data_width = AXI_DATA_W;
    memory_options.latency = options->latency != 0 ? options->latency : DEFAULT_LATENCY;
    memory_options.backpressure = RTL_BACKPRESSURE;
    memory_options.reorder = true;  // as on a board
    memory_options.outside = options->outside;
    axi_memory *memory = axi_memory_create(options->mem_bytes, &memory_options);
    if (memory == nullptr) {
        std::snprintf(message, message_size, "no memory for %zu MiB of device memory", options->mem_bytes >> 20);
        return nullptr;
    }
    return new Device(*options, memory);
}

}  // namespace

extern "C" const rtl_ops RTL_PASTE(rtl_ops_, RTL_NAME) = {
    /* name */ RTL_TEXT(RTL_NAME),
    /* config */ RTL_TEXT(RTL_CONFIG),
    /* can_inject */ RTL_INJECT != 0,
    create,
    [](void *device) { delete self(device); },
    [](void *device, rtl_event_sink *sink, void *context) { self(device)->set_sink(sink, context); },
    [](void *device, uint64_t cycles) { return self(device)->run(cycles); },
    [](const void *device) { return self(device)->cycle(); },
    [](void *device, uint32_t offset, uint32_t *value) { return self(device)->reg_read(offset, value); },
    [](void *device, uint32_t offset, uint32_t value) { return self(device)->reg_write(offset, value); },
    [](const void *device) { return self(device)->irq(); },
    [](void *device, uint64_t addr, void *to, size_t size) {
        return axi_memory_cpu_read(self(device)->memory(), addr, to, size);
    },
    [](void *device, uint64_t addr, const void *from, size_t size) {
        self(device)->memory_changed();
        return axi_memory_cpu_write(self(device)->memory(), addr, from, size);
    },
    [](void *device) -> const uint8_t * {
        axi_memory_settle(self(device)->memory());
        return axi_memory_bytes(self(device)->memory());
    },
    [](const void *device) { return self(device)->rmw_busy(); },
    [](void *device, uint64_t base, uint64_t size, bool writes_only) {
        axi_memory_set_errors(self(device)->memory(), base, size, writes_only);
    },
    [](const void *device) { return self(device)->error(); },
    [](void *device, const char *path, char *why, size_t why_size) { return self(device)->wave(path, why, why_size); },
    [](void *device, struct image *image) { self(device)->image(image); },
    [](void *device, unsigned defect) { return self(device)->inject(defect); },
};
