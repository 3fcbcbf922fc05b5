#include "systemc/link_part.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "random_numbers.h"

namespace {

constexpr int STACK_BYTES = 8 << 20;
constexpr uint32_t PAGE_BYTES = 4096;      // no packet goes over the end of one
constexpr uint32_t COMPLETION_BYTES = 64;  // where a completion may be cut in two
constexpr uint32_t COMPLETIONS = LINK_PAYLOAD / COMPLETION_BYTES + 1;

// Of a transfer, what the next packet has.
uint32_t packet_size(uint64_t addr, uint32_t size) {
    return std::min({size, LINK_PAYLOAD, PAGE_BYTES - static_cast<uint32_t>(addr % PAGE_BYTES)});
}

}  // namespace

LinkPart::LinkPart(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    host.register_b_transport(this, &LinkPart::b_transport);
    host.register_get_direct_mem_ptr(this, &LinkPart::get_direct_mem_ptr);
    SC_METHOD(pump);
    sensitive << turn_;
    dont_initialize();
    SC_THREAD(deliver);
    set_stack_size(STACK_BYTES);
    SC_THREAD(signal);
}

LinkPart::~LinkPart() {
    link_destroy(link_);
}

bool LinkPart::open(const link_options &options, uint32_t tags) {
    link_destroy(link_);
    link_ = link_create(&options);
    if (link_ == nullptr) return false;
    link_advance(link_, sc_core::sc_time_stamp().value());
    random_ = options.seed;
    tags_ = tags;
    pending_.fill({});
    pending_count_ = 0;
    refused_ = interrupt_ = told_ = busy_ = false;
    interrupts = 0;
    failed_.clear();
    return true;
}

bool LinkPart::idle() const {
    return link_ == nullptr || (link_idle(link_) && !busy_);
}

const char *LinkPart::failed() const {
    if (link_ != nullptr && link_error(link_) != nullptr) return link_error(link_);
    return failed_.empty() ? nullptr : failed_.c_str();
}

// After anything that has changed the link from outside.
void LinkPart::move() {
    turn_.notify(sc_core::SC_ZERO_TIME);
}

void LinkPart::pump() {
    if (link_ == nullptr) return;
    link_advance(link_, sc_core::sc_time_stamp().value());
    come_back();
    moved_.notify(sc_core::SC_ZERO_TIME);
    const uint64_t next = link_next(link_);
    if (next != LINK_NEVER) next_trigger(sc_core::sc_time::from_value(next) - sc_core::sc_time_stamp(), turn_);
}

// What has come to the host: completions go where their reads want them.
void LinkPart::come_back() {
    while (const link_packet *packet = link_received(link_, LINK_UP, LINK_POSTED)) {
        const bool level = packet->data[0] != 0;
        if (level && !interrupt_) interrupts++;
        interrupt_ = level;
        link_take(link_, LINK_UP, LINK_POSTED);
    }
    while (const link_packet *packet = link_received(link_, LINK_UP, LINK_COMPLETION)) {
        Pending &pending = pending_[packet->tag % LINK_TAGS_MAX];
        if (!pending.used || packet->left != pending.left || packet->size > pending.left) {
            failed_ = "systemc: the link has brought a completion that no read waits for";
        } else {
            if (packet->refused) refused_ = true;
            std::memcpy(pending.to, packet->data, packet->size);
            pending.to += packet->size;
            pending.left -= packet->size;
            if (pending.left == 0) {
                pending.used = false;
                pending_count_--;
            }
        }
        link_take(link_, LINK_UP, LINK_COMPLETION);
    }
}

// ---- the host's side ----
void LinkPart::b_transport(tlm::tlm_generic_payload &transaction, sc_core::sc_time &delay) {
    const uint32_t length = transaction.get_data_length();
    if (transaction.get_byte_enable_ptr() != nullptr) {
        transaction.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        return;
    }
    if (length == 0 || transaction.get_streaming_width() < length) {
        transaction.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
        return;
    }
    wait(delay);
    delay = sc_core::SC_ZERO_TIME;
    bool good = true;
    if (transaction.is_write()) {
        write(transaction.get_address(), transaction.get_data_ptr(), length);
    } else if (transaction.is_read()) {
        good = read(transaction.get_address(), transaction.get_data_ptr(), length);
    }
    transaction.set_response_status(good ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

bool LinkPart::get_direct_mem_ptr(tlm::tlm_generic_payload &, tlm::tlm_dmi &dmi) {
    dmi.init();  // nothing gets past a link
    dmi.allow_none();
    return false;
}

void LinkPart::write(uint64_t addr, const uint8_t *data, uint32_t size) {
    link_packet packet{};
    packet.kind = LINK_POSTED;
    while (size != 0) {
        packet.addr = addr;
        packet.size = packet_size(addr, size);
        std::memcpy(packet.data, data, packet.size);
        while (!link_send(link_, LINK_DOWN, &packet))
            wait(moved_);
        move();
        addr += packet.size;
        data += packet.size;
        size -= packet.size;
    }
}

bool LinkPart::read(uint64_t addr, uint8_t *data, uint32_t size) {
    link_packet packet{};
    packet.kind = LINK_READ;
    refused_ = false;
    while (size != 0) {
        uint32_t tag = 0;
        while (tag < tags_ && pending_[tag].used)
            tag++;
        if (tag == tags_ || link_room(link_, LINK_DOWN, LINK_READ) == 0) {
            wait(moved_);
            continue;
        }
        packet.tag = tag;
        packet.addr = addr;
        packet.size = packet_size(addr, size);
        pending_[tag] = {true, data, packet.size};
        pending_count_++;
        link_send(link_, LINK_DOWN, &packet);
        move();
        addr += packet.size;
        data += packet.size;
        size -= packet.size;
    }
    while (pending_count_ != 0)
        wait(moved_);
    return !refused_;
}

// ---- the device's side ----
bool LinkPart::at_device(tlm::tlm_command command, uint64_t addr, uint8_t *data, uint32_t size) {
    tlm::tlm_generic_payload transaction;
    transaction.set_command(command);
    transaction.set_address(addr);
    transaction.set_data_ptr(data);
    transaction.set_data_length(size);
    transaction.set_streaming_width(size);
    transaction.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    device->b_transport(transaction, delay);
    if (delay != sc_core::SC_ZERO_TIME) wait(delay);
    return transaction.is_response_ok();
}

// Completions of a read, cut where PCI Express allows it, in the order of addresses.
void LinkPart::answer(const link_packet &request) {
    uint8_t data[LINK_PAYLOAD] = {};
    link_packet completion{};
    completion.kind = LINK_COMPLETION;
    completion.tag = request.tag;
    completion.refused = !at_device(tlm::TLM_READ_COMMAND, request.addr, data, request.size);
    for (uint32_t at = 0; at < request.size; at += completion.size) {
        completion.left = request.size - at;
        completion.size = completion.left;
        const uint32_t to_edge = COMPLETION_BYTES - static_cast<uint32_t>((request.addr + at) % COMPLETION_BYTES);
        if (completion.left > to_edge && random_below(&random_, 4) == 0) completion.size = to_edge;
        std::memcpy(completion.data, data + at, completion.size);
        link_send(link_, LINK_UP, &completion);
    }
}

// Posted packets first: they must get past reads that cannot be answered yet.
void LinkPart::deliver() {
    for (;;) {
        const link_packet *packet = link_ != nullptr ? link_received(link_, LINK_DOWN, LINK_POSTED) : nullptr;
        if (packet != nullptr) {
            link_packet write = *packet;
            busy_ = true;
            if (!at_device(tlm::TLM_WRITE_COMMAND, write.addr, write.data, write.size) && failed_.empty()) {
                char line[160];
                std::snprintf(line, sizeof line, "systemc: the device refused a posted write of %u bytes at 0x%llx",
                              write.size, static_cast<unsigned long long>(write.addr));
                failed_ = line;
            }
            busy_ = false;
            link_take(link_, LINK_DOWN, LINK_POSTED);
            move();
            continue;
        }
        packet = link_ != nullptr ? link_received(link_, LINK_DOWN, LINK_READ) : nullptr;
        if (packet != nullptr && link_room(link_, LINK_UP, LINK_COMPLETION) >= COMPLETIONS) {
            const link_packet request = *packet;
            busy_ = true;
            answer(request);
            busy_ = false;
            link_take(link_, LINK_DOWN, LINK_READ);
            move();
            continue;
        }
        wait(moved_);
    }
}

void LinkPart::signal() {
    for (;;) {
        wait(irq.value_changed_event() | moved_);
        link_packet packet{};
        packet.kind = LINK_POSTED;
        packet.message = true;
        packet.size = 1;
        packet.data[0] = irq.read();
        if (link_ == nullptr || irq.read() == told_ || !link_send(link_, LINK_UP, &packet)) continue;
        told_ = irq.read();
        move();
    }
}
