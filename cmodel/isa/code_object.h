// A code object: what the compiler and the assembler make and the driver loads. ELF32, little-endian, ET_EXEC,
// e_machine EM_TANDEM. Sections: .text (all kernels, 8-byte instructions), .rodata (constant buffer 1) and .data
// (variables of the program in global memory), which may be absent, .tandem.pointers (which of their words are addresses),
// .tandem.kernels (text, one kernel a line block, see code_object.c), .symtab (a global STT_FUNC per kernel, a local
// one per function inside a kernel's code), and for tools .tandem.lines. .tandem.printf, which may be absent too, has
// the program's formats of printf and the strings that they name: for each entry its types and its text, both ending in
// a 0 (printf_format.h). .tandem.again, which may be absent, is what the compiler needs to compile the program once more
// for known arguments; only the compiler knows its form (compiler/again_section.h). Each kernel's code, with the functions it calls, is one piece of .text: [entry, entry +
// code_size).
#ifndef TANDEM_ISA_CODE_OBJECT_H
#define TANDEM_ISA_CODE_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EM_TANDEM 0x544Du
#define CODE_OBJECT_NAME_MAX 256u
#define CODE_OBJECT_HINTS_MAX 128u

// Constant buffer 0 of a launch, as the driver fills it in: 64 bytes of geometry, then the arguments at their offsets.
//
// A range whose global size is no multiple of its local size is several launches: one of its full work-groups, and for
// each side and corner one of the smaller groups there. Along a dimension a launch is then the full groups, with what is
// left behind them as "items beside"; or the one smaller group, with all before it as "groups before" and "items beside".
// Both are 0 in launches that are a whole range.
enum launch_constant {
    LAUNCH_WORK_DIM = 0x00,       // bits 1:0; above them the local size asked for (compiler/library/range_part.h)
    LAUNCH_GLOBAL_OFFSET = 0x04,  // x y z: the global id of the launch's first work-item
    LAUNCH_GROUPS_BEFORE = 0x10,  // x y z: of the range, before the launch's first
    LAUNCH_WARP_THREADS = 0x1C,   // 16 bits, of the device; above them the channel's number + 1
    LAUNCH_ITEMS_BESIDE = 0x20,   // x y z: of the range along the dimension, that are not the launch's
    LAUNCH_PRINTF = 0x2C,         // address of the program's struct printf_buffer, 0: it does not print
    // 0x30 to 0x3B: what a thread needs that makes work itself (compiler/library/work_queue.h), else 0
    LAUNCH_DATA = 0x3C,  // address of the program's variables in device memory, 0: it has none
    LAUNCH_ARGUMENTS =
        0x40,  // argument offsets in struct code_argument count from the buffer's start, so the first is >= 0x40
};

// ARG_IMAGE: the address of the words of compiler/library/image.h; ARG_SAMPLER: the number of a sampler there;
// ARG_PIPE: the address of the words of compiler/library/pipe.h.
enum code_argument_kind { ARG_VALUE, ARG_GLOBAL, ARG_CONSTANT, ARG_LOCAL, ARG_IMAGE, ARG_SAMPLER, ARG_PIPE, ARG_KINDS };
#define ARG_KINDS_TEXT "value, global, constant, local, image, sampler or pipe"
const char *code_argument_kind_name(enum code_argument_kind kind);
// As the source has them in front of and behind what a pointer points to; the values are OpenCL's. Of images: what the
// kernel may do with them.
enum code_qualifier {
    QUALIFIER_CONST = 1,
    QUALIFIER_RESTRICT = 2,
    QUALIFIER_VOLATILE = 4,
    QUALIFIERS = 7,  // those of pointers
    QUALIFIER_READ = 8,
    QUALIFIER_WRITE = 16,
};

struct code_argument {
    char name[64];
    enum code_argument_kind kind;  // pointers are 4-byte addresses in the channel's space
    uint32_t offset;               // in constant buffer 0
    uint32_t size;                 // bytes
    char type[64];                 // as in the source, for messages ("__global uchar *"), may be empty
    uint32_t qualifiers;           // enum code_qualifier, added up
};

struct code_kernel {
    char name[CODE_OBJECT_NAME_MAX];
    uint32_t entry;      // byte offset in .text, multiple of 8
    uint32_t code_size;  // bytes, multiple of 8
    uint32_t registers;  // vector registers a thread needs, 1..255
    uint32_t shared_rows, shared_bytes, local_bytes, barriers;
    uint32_t spill_bytes;     // of local_bytes, for values that found no register: for reports
    uint32_t wavefront;       // 0: runs with any warp width, else the width it was compiled for
    uint32_t constant_bytes;  // size of constant buffer 0
    uint32_t work_queue;      // 1: makes work itself, so a launch needs a PPU-owned queue
    uint32_t non_uniform;     // 1: the work-groups of a range may differ in size
    uint32_t saves;           // 1: its CTAs can step aside; the text begins with the handler (save_handler.h)
    uint32_t reqd_local[3];   // reqd_work_group_size, or zeros
    // The source's other attributes, for whoever asks, with blanks between: "vec_type_hint(float4)". May be empty.
    char hints[CODE_OBJECT_HINTS_MAX];
    size_t argument_count;
    struct code_argument *arguments;
};

// A function inside a kernel's code, which the kernel calls: for tools.
struct code_function {
    char *name;
    uint32_t entry, code_size;  // as of a kernel
};

// A section of debug information, which nobody reads here.
struct code_section {
    char name[24];
    uint8_t *bytes;
    size_t size;
};

// What printf prints: a format, or a string that formats name.
struct code_format {
    char *types;  // see printf_format.h; PRINTF_STRING: a string
    char *text;
};

struct code_object {
    uint64_t *text;
    size_t text_words;  // instructions
    uint8_t *rodata;
    size_t rodata_size;
    uint8_t *data;  // what the program's variables in global memory hold at first; the driver gives them a place
    size_t data_size;
    // Where .data holds addresses of its own bytes: offsets of words, 4 bytes each, little-endian. Such a word holds an
    // offset in .data, to which the driver adds where .data lies.
    uint8_t *pointers;
    size_t pointers_size;  // bytes, 4 for each
    struct code_kernel *kernels;
    size_t kernel_count;
    struct code_function *functions;  // several kernels may have one of a name, each its own
    size_t function_count, function_capacity;
    struct code_format *formats;
    size_t format_count;
    uint8_t *again;  // for a second compile, NULL: the program cannot be compiled again
    size_t again_size;
    // Line table: instruction index -> line of the source; may be absent (lines == NULL). file: its name.
    uint32_t *lines;
    char *file;
    // Debug information as other tools read it, DWARF's sections .debug_*; and when there is any in a file that was read,
    // the whole file, for whoever reads DWARF.
    struct code_section *debug;
    size_t debug_count, debug_capacity;
    uint8_t *image;
    size_t image_size;
};

// Reading checks everything (bounds, alignment, kernels inside .text, names unique, counts): on a malformed file
// returns false with one line in error that says what and where. On success the caller owns *to: code_object_free().
bool code_object_read(const void *elf, size_t size, struct code_object *to, char *error, size_t error_size);
bool code_object_read_file(const char *path, struct code_object *to, char *error, size_t error_size);
// Writes an ELF to malloc'ed memory (*elf, *size; the caller frees).
bool code_object_write(const struct code_object *from, void **elf, size_t *size, char *error, size_t error_size);
bool code_object_write_file(const struct code_object *from, const char *path, char *error, size_t error_size);
void code_object_free(struct code_object *object);
const struct code_kernel *code_object_find(const struct code_object *object, const char *name);
// Is it what the compiler makes of a block, for enqueue_kernel? The host launches none of those.
bool code_kernel_is_block(const struct code_kernel *kernel);

#ifdef __cplusplus
}
#endif

#endif
