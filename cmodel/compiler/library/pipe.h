// What a kernel knows of a pipe: its argument is the address of these words, which the runtime writes when the pipe is
// made. Said once for the threads (pipes.cl) and the runtime (opencl/pipe.c); words only.
//
// Behind the head stand four words for each place of the ring (enum pipe_place), then the packets. Counters count packets
// modulo 2^31; a packet's place is its number modulo PIPE_PLACES, a power of two. Reservations end in the order in which
// they began: what is committed early waits in its place until those before are.
#ifndef TANDEM_PIPE_H
#define TANDEM_PIPE_H

#define PIPE_HEAD_WORDS 16u
#define PIPE_PLACE_WORDS 4u
#define PIPE_PLACES_MAX (1u << 30)
#define PIPE_COUNTER 0x7FFFFFFFu

enum pipe_word {
    PIPE_PACKET_BYTES,
    PIPE_PACKETS,      // that it holds at most
    PIPE_PLACES,       // at least as many
    PIPE_FIRST,        // of the first packet: bytes from the pipe's beginning
    PIPE_WRITE_TAKEN,  // packets that writers have reserved
    PIPE_WRITE_DONE,   // that are there for readers
    PIPE_READ_TAKEN,   // that readers have reserved
    PIPE_READ_DONE,    // whose places are free again
};

// Of a place: the packets of the reservation that begins there, and the number behind its last one, once it is committed.
enum pipe_place { PIPE_WRITE_COUNT, PIPE_WRITE_END, PIPE_READ_COUNT, PIPE_READ_END };

#endif
