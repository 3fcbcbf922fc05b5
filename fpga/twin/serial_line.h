// A serial line at pin level, 8 data bits, no parity, one stop bit: bytes to the board's pin and back.
#ifndef TANDEM_FPGA_TWIN_SERIAL_LINE_H
#define TANDEM_FPGA_TWIN_SERIAL_LINE_H

#include <cstdint>

// Drives the board's receiving pin.
class SerialSender {
   public:
    explicit SerialSender(unsigned clocks_per_bit) : bit_(clocks_per_bit) {}
    bool idle() const {
        return bits_left_ == 0;
    }
    void send(uint8_t byte) {
        frame_ = static_cast<uint32_t>(byte) << 1 | 1u << 9;
        bits_left_ = 10;
        clocks_ = 0;
    }
    // The pin in this clock cycle.
    bool clock() {
        if (bits_left_ == 0) return true;
        const bool pin = (frame_ & 1) != 0;
        if (++clocks_ == bit_) {
            clocks_ = 0;
            frame_ >>= 1;
            bits_left_--;
        }
        return pin;
    }

   private:
    unsigned bit_, bits_left_ = 0, clocks_ = 0;
    uint32_t frame_ = 0;
};

// Looks at the board's sending pin.
class SerialReceiver {
   public:
    explicit SerialReceiver(unsigned clocks_per_bit) : bit_(clocks_per_bit) {}
    // True: a byte is complete.
    bool clock(bool pin, uint8_t *byte) {
        if (!busy_) {
            if (!pin) {
                busy_ = true;
                clocks_ = 0;
                value_ = 0;
            }
            return false;
        }
        clocks_++;
        if (clocks_ % bit_ != bit_ / 2) return false;
        const unsigned number = clocks_ / bit_;  // 0: start, 1 to 8: data, 9: stop
        if (number >= 1 && number <= 8) value_ |= static_cast<uint32_t>(pin) << (number - 1);
        if (number < 9) return false;
        busy_ = false;
        *byte = static_cast<uint8_t>(value_);
        return true;
    }

   private:
    unsigned bit_, clocks_ = 0;
    uint32_t value_ = 0;
    bool busy_ = false;
};

#endif
