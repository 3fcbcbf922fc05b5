// The formats of OpenCL C's printf: taken apart by the compiler, which checks them and says what a record holds, by the
// readers of code objects and by the driver, which makes text of records.
//
// A record is 32-bit words: the format's number + 1, then the arguments. What they are stands in the format's types,
// one item an argument: a count for vectors (2, 3, 4, 8 or 16), then a letter:
//   i  an integer of up to 32 bits: a word        l  one of 64 bits: two words, the low one first
//   f  single precision: a word                   d  double precision: two words, the low one first
//   p  a pointer: a word
//   s  a string: the number of the format entry that holds it
#ifndef TANDEM_ISA_PRINTF_FORMAT_H
#define TANDEM_ISA_PRINTF_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What stands in place of types where an entry is not a format but a string that %s names.
#define PRINTF_STRING "="
#define PRINTF_WORDS_MAX 1024u  // of a record
#define PRINTF_TYPES_MAX 250u   // characters of types
#define PRINTF_WIDTH_MAX 4095   // width and precision
#define PRINTF_ERROR_SIZE 160u

enum printf_length { LENGTH_NONE, LENGTH_CHAR, LENGTH_SHORT, LENGTH_VECTOR_INT, LENGTH_LONG };

struct printf_conversion {
    const char *text;  // from the percent sign on
    size_t size;
    char flags[6];         // each at most once
    int width, precision;  // -1: none
    unsigned vector;       // elements, 0: a scalar
    enum printf_length length;
    char letter;  // '%': a percent sign, without an argument
};

enum printf_step { PRINTF_END, PRINTF_CONVERSION, PRINTF_WRONG };

// The next conversion from *at on, which is then behind it. PRINTF_WRONG: error (PRINTF_ERROR_SIZE bytes) says why.
enum printf_step printf_next(const char **at, struct printf_conversion *conversion, char *error);
// Which type letters may stand for the conversion's argument: "i", "il", "fd", ..
const char *printf_letters(const struct printf_conversion *conversion);
// One item of types; false at their end or where there is none (*at then stands before what is wrong).
bool printf_type(const char **at, unsigned *count, char *letter);
// Words of an argument's item.
unsigned printf_type_words(unsigned count, char letter);
// Words of a record, the first included; 0: types are not in order or do not fit the format (error says why).
unsigned printf_record_words(const char *format, const char *types, char *error);

#endif
