// Where a device differs from the model: the program is run again on both, with less and less that counts in their signatures, until one event of one
// warp is left.
#ifndef TANDEM_BACKEND_SIGNATURE_SEARCH_H
#define TANDEM_BACKEND_SIGNATURE_SEARCH_H

#include "backend/reference.h"

// The signatures differ at the end of journal entries [begin, end), and did not at `begin`, where both rest. What is found is written as a sentence
// to `line`, and in several lines to `text`. device and model are played again and again, and open or closed afterwards.
struct signature_search {
    struct signed_device *device;
    const struct backend_options *model;
    const struct journal *journal;
    size_t begin, end;
    unsigned runs;  // of the device
    char line[400], text[1600];
};

// False: no event was found; line says why.
bool signature_search(struct signature_search *search);

// From its reset on to `end`, what counts from `begin` on chosen by choice. log: NULL, or what listens from there on. False: device->why.
bool signature_ask(struct signed_device *device, const struct journal *journal, size_t begin, size_t end,
                   const struct signed_choice *choice, struct reference_log *log, struct signatures *to);

#endif
