// CRC-32 (IEEE 802.3, reflected), for files that must be found whole.
#ifndef TANDEM_BASE_CHECKSUM_H
#define TANDEM_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

// Goes on from what the bytes before gave; 0 at the start.
uint32_t checksum(uint32_t before, const void *bytes, size_t size);

#endif
