// The twin of a board: what goes onto the FPGA, verilated down to the pins of the serial line and of the memory chip, behind a pseudo-terminal.
// The tools that open a board open it likewise. With a command it runs that and ends with it; its faults are those of real wires.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <verilated.h>

#include "Vtwin_top.h"
#include "serial_line.h"

namespace {

constexpr unsigned CLOCKS_PER_BIT = TWIN_CLOCKS_PER_BIT, CHUNK = 2048;

const char usage[] =
    "usage: twin [options] [-- COMMAND ...]\n"
    "The board's top behind a pseudo-terminal. COMMAND runs with the terminal's name in place of %% in its words and "
    "in TANDEM_TTY;\n"
    "the twin ends with it and with its status. Without a command the name is printed and the twin runs until a "
    "signal.\n"
    "  --link PATH     a symbolic link to the terminal\n"
    "  --lose N        every Nth byte to the board is lost\n"
    "  --flip N        in every Nth byte to the board a bit is turned over\n"
    "  --flip-back N   in every Nth byte from the board a bit is turned over\n"
    "  --unplug N      after N bytes to the board the line is dead\n"
    "  --inject N      the PPU has its deliberate defect N (rtl/*/README.md)\n"
    "  --stats         at the end, a line with clock cycles and bytes\n"
    "  --help          this text\n";

struct Options {
    std::string link;
    uint64_t lose = 0, flip = 0, flip_back = 0, unplug = 0, inject = 0;
    bool stats = false;
};

volatile sig_atomic_t stop;
void on_signal(int) {
    stop = 1;
}

[[noreturn]] void die(const char *what) {
    std::fprintf(stderr, "twin: %s: %s\n", what, std::strerror(errno));
    std::exit(1);
}

uint64_t number(const char *option, const char *text) {
    char *end;
    errno = 0;
    const unsigned long long value = std::strtoull(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || value == 0 || text[0] == '-') {
        std::fprintf(stderr, "twin: --%s %s: a number from 1 on is wanted\n", option, text);
        std::exit(2);
    }
    return value;
}

Options parse(int argc, char **argv) {
    Options options;
    const option table[] = {{"link", required_argument, nullptr, 'l'},
                            {"lose", required_argument, nullptr, 'o'},
                            {"flip", required_argument, nullptr, 'f'},
                            {"flip-back", required_argument, nullptr, 'b'},
                            {"unplug", required_argument, nullptr, 'u'},
                            {"inject", required_argument, nullptr, 'i'},
                            {"stats", no_argument, nullptr, 's'},
                            {"help", no_argument, nullptr, 'h'},
                            {nullptr, 0, nullptr, 0}};
    int c;
    while ((c = getopt_long(argc, argv, "+", table, nullptr)) != -1) {
        switch (c) {
            case 'l': options.link = optarg; break;
            case 'o': options.lose = number("lose", optarg); break;
            case 'f': options.flip = number("flip", optarg); break;
            case 'b': options.flip_back = number("flip-back", optarg); break;
            case 'u': options.unplug = number("unplug", optarg); break;
            case 'i': options.inject = number("inject", optarg); break;
            case 's': options.stats = true; break;
            case 'h': std::fputs(usage, stdout); std::exit(0);
            default: std::fprintf(stderr, "twin: see --help\n"); std::exit(2);
        }
    }
    return options;
}

// The host's end: a pseudo-terminal in raw mode whose slave stays open, so that a client may come and go.
class Terminal {
   public:
    Terminal() {
        if (openpty(&master_, &slave_, name_, nullptr, nullptr) != 0) die("no pseudo-terminal");
        termios mode;
        if (tcgetattr(slave_, &mode) != 0) die(name_);
        cfmakeraw(&mode);
        if (tcsetattr(slave_, TCSANOW, &mode) != 0) die(name_);
        if (fcntl(master_, F_SETFL, O_NONBLOCK) != 0 || fcntl(slave_, F_SETFD, FD_CLOEXEC) != 0 ||
            fcntl(master_, F_SETFD, FD_CLOEXEC) != 0)
            die(name_);
    }
    const char *name() const {
        return name_;
    }
    bool get(uint8_t *byte) {
        if (next_ == filled_) {
            const ssize_t got = read(master_, buffer_, sizeof buffer_);
            if (got <= 0) return false;
            next_ = 0;
            filled_ = static_cast<size_t>(got);
        }
        *byte = buffer_[next_++];
        return true;
    }
    void put(uint8_t byte) {
        if (write(master_, &byte, 1) != 1 && errno != EAGAIN) die(name_);
    }
    // Up to some milliseconds without work for anybody.
    void rest(int milliseconds) const {
        pollfd wait = {master_, POLLIN, 0};
        (void)poll(&wait, 1, milliseconds);
    }

   private:
    int master_ = -1, slave_ = -1;
    char name_[128];
    uint8_t buffer_[4096];
    size_t next_ = 0, filled_ = 0;
};

class Board {
   public:
    Board(Terminal &terminal, const Options &options) : terminal_(terminal), options_(options) {
        context_->randReset(0);
        context_->fatalOnError(false);
        top_ = std::make_unique<Vtwin_top>(context_.get(), "board");
        top_->rx_i = 1;
        top_->rst_i = 1;
        top_->inject_i = static_cast<uint8_t>(options.inject);
        for (unsigned i = 0; i < 32; i++)
            clock();
        top_->rst_i = 0;
    }
    ~Board() {
        top_->final();
    }
    // Some cycles; false: an error of the board itself, which has been printed.
    bool run(unsigned cycles) {
        for (unsigned i = 0; i < cycles; i++) {
            if (sender_.idle()) feed();
            top_->rx_i = sender_.clock();
            clock();
            uint8_t byte;
            if (receiver_.clock(top_->tx_o != 0, &byte)) take(byte);
        }
        quiet_ += cycles;
        return top_->memory_error_o == 0 && !context_->gotError();
    }
    // No byte for a while: the client thinks, or there is none.
    bool quiet() const {
        return quiet_ > 400000;
    }
    bool unplugged() const {
        return options_.unplug != 0 && in_ > options_.unplug;
    }
    // Nothing that it does can be seen any more: the line is emptied, and no time passes.
    void swallow() {
        uint8_t byte;
        while (terminal_.get(&byte))
            in_++;
    }
    void statistics() const {
        std::fprintf(stderr, "twin: %llu cycles, %llu bytes to the board, %llu from it\n",
                     static_cast<unsigned long long>(cycles_), static_cast<unsigned long long>(in_),
                     static_cast<unsigned long long>(out_));
    }

   private:
    void clock() {
        top_->clk_i = 0;
        top_->eval();
        top_->clk_i = 1;
        top_->eval();
        cycles_++;
    }
    void feed() {
        uint8_t byte;
        // The terminal is asked now and then only: a byte takes ten bits anyway.
        if (--patience_ > 0 || !terminal_.get(&byte)) {
            if (patience_ <= 0) patience_ = 64;
            return;
        }
        patience_ = 0;
        quiet_ = 0;
        in_++;
        if (unplugged()) return;
        if (options_.lose != 0 && in_ % options_.lose == 0) return;
        if (options_.flip != 0 && in_ % options_.flip == 0) byte ^= static_cast<uint8_t>(1u << in_ / options_.flip % 8);
        sender_.send(byte);
    }
    void take(uint8_t byte) {
        out_++;
        if (unplugged()) return;
        if (options_.flip_back != 0 && out_ % options_.flip_back == 0)
            byte ^= static_cast<uint8_t>(1u << out_ / options_.flip_back % 8);
        terminal_.put(byte);
    }

    Terminal &terminal_;
    const Options &options_;
    std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
    std::unique_ptr<Vtwin_top> top_;
    SerialSender sender_{CLOCKS_PER_BIT};
    SerialReceiver receiver_{CLOCKS_PER_BIT};
    uint64_t cycles_ = 0, in_ = 0, out_ = 0, quiet_ = 0;
    int patience_ = 0;
};

pid_t start(char **words, const char *terminal) {
    setenv("TANDEM_TTY", terminal, 1);
    const pid_t child = fork();
    if (child < 0) die("fork");
    if (child > 0) return child;
    for (char **word = words; *word != nullptr; word++) {
        std::string text = *word;
        for (size_t at; (at = text.find('%')) != std::string::npos;)
            text.replace(at, 1, terminal);
        *word = strdup(text.c_str());
    }
    execvp(words[0], words);
    std::fprintf(stderr, "twin: %s: %s\n", words[0], std::strerror(errno));
    _exit(127);
}

}  // namespace

int main(int argc, char **argv) {
    const Options options = parse(argc, argv);
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
    std::signal(SIGHUP, on_signal);
    Terminal terminal;
    if (!options.link.empty()) {
        (void)unlink(options.link.c_str());
        if (symlink(terminal.name(), options.link.c_str()) != 0) die(options.link.c_str());
    }
    Board board(terminal, options);
    pid_t child = 0;
    if (optind < argc) {
        child = start(argv + optind, terminal.name());
    } else {
        std::printf("%s\n", terminal.name());
        std::fflush(stdout);
    }
    int status = 0;
    while (stop == 0) {
        if (board.unplugged()) {
            board.swallow();
            terminal.rest(20);
        } else if (!board.run(CHUNK)) {
            std::fprintf(stderr, "twin: the board broke a rule of its own (see above)\n");
            if (child != 0) kill(child, SIGTERM);
            status = 1 << 8;
            break;
        }
        if (board.quiet()) terminal.rest(5);
        if (child != 0 && waitpid(child, &status, WNOHANG) == child) break;
    }
    if (stop != 0 && child != 0) kill(child, SIGTERM);
    if (options.stats) board.statistics();
    if (!options.link.empty()) (void)unlink(options.link.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
