// Numbers of 16 bits on the host.
#ifndef TANDEM_HALF_NUMBER_H
#define TANDEM_HALF_NUMBER_H

#include <stdint.h>

// The nearest half's bits, of two the even one.
uint16_t half_of_double(double x);
double half_to_double(uint16_t bits);

#endif
