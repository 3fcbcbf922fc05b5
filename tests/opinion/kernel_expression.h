// Types and expressions of random kernels: what a statement is made of. Shared by kernel_*.c.
#ifndef TANDEM_TESTS_KERNEL_EXPRESSION_H
#define TANDEM_TESTS_KERNEL_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel_maker.h"

#define VARIABLES_MAX 14u
#define FUNCTIONS_MAX 3u
#define FIELDS_MAX 4u

enum base { CHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG, FLOAT };

struct type {
    enum base base;
    unsigned width;  // elements: 1, 2, 3, 4, 8, 16
};

struct base_info {
    const char *name, *is_unsigned;  // the unsigned type that arithmetic goes through
    unsigned bytes;
    bool is_signed;
};
extern const struct base_info bases[];

struct maker {
    char *text;  // grows; NULL when memory is short
    size_t used, size;
    uint64_t random, seed;
    unsigned features;
    unsigned depth, loops, statements;
    unsigned turns;  // of all loops around a statement together, at most
    struct type variables[VARIABLES_MAX];
    unsigned count;
    bool uniform;    // all work-items of the group are here
    bool in_helper;  // inside a function that the kernel calls: no n, k, l, arrays there
    uint32_t local;
    // Functions of the program that may be called: each `TYPE f<number>_<seed>(TYPE, TYPE)`.
    struct type functions[FUNCTIONS_MAX];
    unsigned function_count;
    // `struct record_<seed>`, of which the kernel has rows[4]: fields m0, m1, ..; times: elements of an array, 1: none.
    struct field {
        struct type type;
        unsigned times;
    } fields[FIELDS_MAX];
    unsigned field_count;
};

uint32_t pick(struct maker *m, uint32_t below);
void put(struct maker *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *type_name(struct type type, char to[16]);
struct type any_type(struct maker *m);

// Each writes one whose value has exactly this type. noipa: gcc 12 clones such a recursion for a constant type at -O3,
// and then takes that type for others too.
__attribute__((noipa)) void expression(struct maker *m, struct type type, unsigned depth);
void condition(struct maker *m, unsigned depth);
// A uint that differs from work-item to work-item.
void own_number(struct maker *m);

#endif
