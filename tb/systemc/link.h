// A link between host and device in the manner of PCI Express, as a state machine in its own time: packets of three
// kinds in both directions, what may overtake what, credits, and packets that are damaged on the way and sent again.
// Nothing here knows SystemC: whoever has a clock of picoseconds can drive it.
//
// What is simpler than PCI Express: a credit is a packet with all of its data; sequence numbers count on instead of
// wrapping at 4096; acknowledgements and credits come in one message, which takes no room on the wire.
#ifndef TANDEM_TB_SYSTEMC_LINK_H
#define TANDEM_TB_SYSTEMC_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LINK_PAYLOAD 256u  // bytes of data that a packet carries at most
#define LINK_QUEUE 16u     // packets of a kind that wait at a sender
#define LINK_WINDOW 32u    // packets that are sent and not acknowledged
#define LINK_CREDITS_MAX 64u
#define LINK_TAGS_MAX 32u
#define LINK_NEVER UINT64_MAX

enum link_direction { LINK_DOWN, LINK_UP, LINK_DIRECTIONS };  // down: from host to device
enum link_kind { LINK_POSTED, LINK_READ, LINK_COMPLETION, LINK_KINDS };

struct link_packet {
    enum link_kind kind;
    bool message;   // posted: no write but word of the interrupt line, whose level is data[0]
    bool refused;   // completion: the device has no such address
    uint32_t tag;   // of a read, and of all its completions
    uint64_t addr;  // of writes and reads
    uint32_t size;  // bytes asked for by a read; else bytes in data
    uint32_t left;  // completion: bytes that its read still misses, before this one
    uint8_t data[LINK_PAYLOAD];
};

struct link_options {
    uint64_t seed;
    uint64_t latency;  // picoseconds from one side to the other
    uint32_t rate;     // bytes a microsecond, each direction; at least 1
    uint32_t errors;   // of a million packets, and of a million acknowledgements, so many are damaged; 0 to 500000
    uint32_t credits;  // packets of each kind that a receiver has room for: 1 to LINK_CREDITS_MAX
};

struct link_figures {
    uint64_t sent, damaged, sent_again, twice, timeouts;  // packets; those received twice are thrown away
    uint64_t overtaken;                                   // packets that went before an older one of the same direction
    uint64_t stalls;                                      // packets that had to wait for a credit
};

struct link;

// NULL when memory is short or an option is out of range. The caller owns it: link_destroy.
struct link *link_create(const struct link_options *options);
void link_destroy(struct link *link);

// Hands a packet (copied) to a sender. False: LINK_QUEUE of its kind are waiting already; nothing is done.
bool link_send(struct link *link, enum link_direction direction, const struct link_packet *packet);
uint32_t link_room(const struct link *link, enum link_direction direction, enum link_kind kind);

// Does all that happens up to `now` (picoseconds, never less than before).
void link_advance(struct link *link, uint64_t now);
// When something happens next by itself, LINK_NEVER: nothing does.
uint64_t link_next(const struct link *link);

// The next packet of a kind that the receiver may look at: reads and completions stay behind posted packets that came
// before them. NULL: none. It is the link's until link_take gives its place, a credit, back.
const struct link_packet *link_received(const struct link *link, enum link_direction direction, enum link_kind kind);
void link_take(struct link *link, enum link_direction direction, enum link_kind kind);

// Nothing waits, is under way, or stands at a receiver.
bool link_idle(const struct link *link);
// NULL while all rules are kept; else one line: a receiver got more than it had room for.
const char *link_error(const struct link *link);
void link_get_figures(const struct link *link, struct link_figures *to);

#ifdef __cplusplus
}
#endif
#endif
