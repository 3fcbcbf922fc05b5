// Code objects in memory: the checks, and reading them from ELF. The text of .tandem.kernels is code_object_kernels.c.
//
// .tandem.lines holds one little-endian 32-bit line number for each instruction, then the source's file name and a 0.
#include "code_object.h"

#include <errno.h>
#include <libelf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code_object_internal.h"
#include "gen/save_handler.h"

bool refuse(struct message message, const char *format, ...) {
    if (message.size > 0) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(message.text, message.size, format, arguments);
        va_end(arguments);
        // One line, whatever the file has in its texts.
        for (char *at = message.text; *at != '\0'; at++)
            if ((unsigned char)*at < ' ' || *at == '\x7F') *at = '?';
    }
    return false;
}

void code_object_free(struct code_object *object) {
    if (object == NULL) return;
    for (size_t i = 0; i < object->kernel_count; i++)
        free(object->kernels[i].arguments);
    free(object->kernels);
    for (size_t i = 0; i < object->function_count; i++)
        free(object->functions[i].name);
    free(object->functions);
    formats_free(object);
    free(object->text);
    free(object->rodata);
    free(object->data);
    free(object->pointers);
    free(object->again);
    free(object->lines);
    free(object->file);
    for (size_t i = 0; i < object->debug_count; i++)
        free(object->debug[i].bytes);
    free(object->debug);
    free(object->image);
    memset(object, 0, sizeof *object);
}

const struct code_kernel *code_object_find(const struct code_object *object, const char *name) {
    for (size_t i = 0; i < object->kernel_count; i++) {
        if (strcmp(object->kernels[i].name, name) == 0) return &object->kernels[i];
    }
    return NULL;
}

bool code_kernel_is_block(const struct code_kernel *kernel) {
    return strncmp(kernel->name, "__", 2) == 0 && strstr(kernel->name, "_block_invoke") != NULL;
}

// A name or a type: it ends within its array and can stand in a line of text; blanks: whether it may have some.
static bool is_text(const char *text, size_t size, bool blanks) {
    const char *end = memchr(text, 0, size);
    if (end == NULL) return false;
    for (const char *c = text; c < end; c++) {
        unsigned char byte = (unsigned char)*c;
        if (byte < 0x20 || byte == 0x7F || (byte == ' ' && !blanks)) return false;
    }
    return true;
}

static bool check_arguments(const struct code_kernel *kernel, struct message message) {
    if (kernel->argument_count > MAX_ARGUMENTS) {
        return refuse(message, "kernel %s: more than %u arguments", kernel->name, MAX_ARGUMENTS);
    }
    uint32_t free_from = LAUNCH_ARGUMENTS;
    for (size_t i = 0; i < kernel->argument_count; i++) {
        const struct code_argument *argument = &kernel->arguments[i];
        if (!is_text(argument->name, sizeof argument->name, false) || strcmp(argument->name, "-") == 0 ||
            !is_text(argument->type, sizeof argument->type, true)) {
            return refuse(message, "kernel %s: argument %zu: bad name or type", kernel->name, i);
        }
        if ((unsigned)argument->kind >= ARG_KINDS) {
            return refuse(message, "kernel %s: argument %zu: unknown kind %u", kernel->name, i,
                          (unsigned)argument->kind);
        }
        if (argument->size == 0) return refuse(message, "kernel %s: argument %zu: size 0", kernel->name, i);
        if (argument->kind != ARG_VALUE && (argument->size != 4 || argument->offset % 4 != 0)) {
            return refuse(message, "kernel %s: argument %zu: an address has 4 bytes and stands at a multiple of 4",
                          kernel->name, i);
        }
        if (argument->offset < free_from) {
            return refuse(message, "kernel %s: argument %zu: offset %u overlaps what is before it (up to %u)",
                          kernel->name, i, argument->offset, free_from);
        }
        if (argument->offset > kernel->constant_bytes || argument->size > kernel->constant_bytes - argument->offset) {
            return refuse(message, "kernel %s: argument %zu: offset %u, size %u is past constant_bytes %u",
                          kernel->name, i, argument->offset, argument->size, kernel->constant_bytes);
        }
        free_from = argument->offset + argument->size;
    }
    return true;
}

// What the handler needs of the kernels that it stores.
static bool check_saves(const struct code_kernel *kernel, struct message message) {
    const char *name = kernel->name;
    if (kernel->registers % SAVE_REGISTER_STEP != 0 || kernel->registers < SAVE_LEAST_REGISTERS) {
        return refuse(message, "kernel %s: registers %u; a kernel that saves has a multiple of %u, %u or more", name,
                      kernel->registers, SAVE_REGISTER_STEP, SAVE_LEAST_REGISTERS);
    }
    if (kernel->local_bytes < SAVE_OWN_BYTES) {
        return refuse(message, "kernel %s: local_bytes %u; of a kernel that saves the first %u are the handler's", name,
                      kernel->local_bytes, SAVE_OWN_BYTES);
    }
    if (kernel->shared_rows != 0) return refuse(message, "kernel %s: saves, and has shared_rows", name);
    if (kernel->entry == 0) {
        return refuse(message, "kernel %s: saves, and stands at the beginning of .text, where the handler has to be",
                      name);
    }
    return true;
}

static bool check_kernel(const struct code_object *object, const struct code_kernel *kernel, struct message message) {
    const char *name = kernel->name;
    if (!is_text(name, sizeof kernel->name, false) || name[0] == 0) {
        return refuse(message, "kernel %zu: bad name", (size_t)(kernel - object->kernels));
    }
    for (const struct code_kernel *other = object->kernels; other < kernel; other++) {
        if (strcmp(other->name, name) == 0) return refuse(message, "kernel %s stands twice", name);
    }
    size_t text_bytes = object->text_words * 8;
    if (kernel->entry % 8 != 0)
        return refuse(message, "kernel %s: entry %u is not a multiple of 8", name, kernel->entry);
    if (kernel->code_size == 0 || kernel->code_size % 8 != 0) {
        return refuse(message, "kernel %s: code_size %u is zero or not a multiple of 8", name, kernel->code_size);
    }
    if (kernel->entry > text_bytes || kernel->code_size > text_bytes - kernel->entry) {
        return refuse(message, "kernel %s: entry %u, code_size %u is outside .text (%zu bytes)", name, kernel->entry,
                      kernel->code_size, text_bytes);
    }
    if (kernel->registers < 1 || kernel->registers > 255) {
        return refuse(message, "kernel %s: registers %u is outside 1..255", name, kernel->registers);
    }
    if (kernel->wavefront > MAX_WAVEFRONT) {
        return refuse(message, "kernel %s: wavefront %u is above %u", name, kernel->wavefront, MAX_WAVEFRONT);
    }
    if (kernel->constant_bytes < LAUNCH_ARGUMENTS || kernel->constant_bytes > MAX_CONSTANT_BYTES) {
        return refuse(message, "kernel %s: constant_bytes %u is outside %u..%u", name, kernel->constant_bytes,
                      (unsigned)LAUNCH_ARGUMENTS, MAX_CONSTANT_BYTES);
    }
    if (kernel->saves != 0 && !check_saves(kernel, message)) return false;
    unsigned zeros = 0;
    for (int i = 0; i < 3; i++)
        zeros += kernel->reqd_local[i] == 0;
    if (zeros != 0 && zeros != 3) return refuse(message, "kernel %s: reqd_local has a zero beside other sizes", name);
    if (!is_text(kernel->hints, sizeof kernel->hints, true)) return refuse(message, "kernel %s: bad hints", name);
    return check_arguments(kernel, message);
}

static uint32_t get32(const uint8_t *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static bool check_pointers(const struct code_object *object, struct message message) {
    if (object->pointers_size % 4 != 0 || object->pointers_size > object->data_size)
        return refuse(message, ".tandem.pointers: %zu bytes, must be 4 for each word of .data (%zu bytes) at most",
                      object->pointers_size, object->data_size);
    for (size_t i = 0; i < object->pointers_size; i += 4) {
        const uint32_t place = get32(object->pointers + i);
        if (place % 4 != 0 || place >= object->data_size || object->data_size - place < 4)
            return refuse(message, ".tandem.pointers: offset %u is no word of .data (%zu bytes)", place,
                          object->data_size);
        if (get32(object->data + place) > object->data_size)
            return refuse(message, ".data: the address at %u is %u, outside (%zu bytes)", place,
                          get32(object->data + place), object->data_size);
    }
    return true;
}

bool code_object_check(const struct code_object *object, struct message message) {
    if (object->text_words > MAX_TEXT_WORDS)
        return refuse(message, ".text has more than %u instructions", MAX_TEXT_WORDS);
    if (object->rodata_size > MAX_RODATA_BYTES)
        return refuse(message, ".rodata has more than %u bytes", MAX_RODATA_BYTES);
    if (object->data_size > MAX_DATA_BYTES) return refuse(message, ".data has more than %u bytes", MAX_DATA_BYTES);
    if (!check_pointers(object, message)) return false;
    if (object->again_size > MAX_AGAIN_BYTES)
        return refuse(message, ".tandem.again has more than %u bytes", MAX_AGAIN_BYTES);
    if (object->kernel_count > MAX_KERNELS) return refuse(message, "more than %u kernels", MAX_KERNELS);
    for (size_t i = 0; i < object->kernel_count; i++) {
        if (!check_kernel(object, &object->kernels[i], message)) return false;
    }
    return formats_check(object, message);
}

// ---- reading ----

struct section {
    Elf_Scn *scn;
    const uint8_t *bytes;
    size_t size;
    uint32_t link;
};

enum { TEXT, RODATA, DATA, POINTERS, KERNELS, PRINTF, AGAIN, LINES, SYMTAB, SECTION_COUNT };
static const struct {
    const char *name;
    uint32_t type;
    bool needed;
} wanted[SECTION_COUNT] = {
    [TEXT] = {".text", SHT_PROGBITS, true},
    [RODATA] = {".rodata", SHT_PROGBITS, false},
    [DATA] = {".data", SHT_PROGBITS, false},
    [POINTERS] = {".tandem.pointers", SHT_PROGBITS, false},
    [KERNELS] = {".tandem.kernels", SHT_PROGBITS, true},
    [LINES] = {".tandem.lines", SHT_PROGBITS, false},
    [SYMTAB] = {".symtab", SHT_SYMTAB, true},
    [PRINTF] = {".tandem.printf", SHT_PROGBITS, false},
    [AGAIN] = {".tandem.again", SHT_PROGBITS, false},
};

static bool check_header(Elf *elf, size_t size, struct message message) {
    const Elf32_Ehdr *header = elf_kind(elf) == ELF_K_ELF ? elf32_getehdr(elf) : NULL;
    if (header == NULL) return refuse(message, "not an ELF32 file, or its header is cut off");
    if (header->e_ident[EI_DATA] != ELFDATA2LSB) return refuse(message, "not little-endian");
    if (header->e_ident[EI_VERSION] != EV_CURRENT || header->e_version != EV_CURRENT) {
        return refuse(message, "ELF version %u is not %u", (unsigned)header->e_version, EV_CURRENT);
    }
    if (header->e_machine != EM_TANDEM) {
        return refuse(message, "machine 0x%X is not Tandem (0x%X)", (unsigned)header->e_machine, EM_TANDEM);
    }
    if (header->e_type != ET_EXEC) return refuse(message, "ELF type %u is not ET_EXEC", (unsigned)header->e_type);
    if (header->e_shentsize != sizeof(Elf32_Shdr)) {
        return refuse(message, "section headers have %u bytes, not %zu", (unsigned)header->e_shentsize,
                      sizeof(Elf32_Shdr));
    }
    size_t table = (size_t)header->e_shnum * sizeof(Elf32_Shdr);
    if (header->e_shnum == 0 || header->e_shoff > size || table > size - header->e_shoff || header->e_shoff % 4 != 0) {
        return refuse(message, "the section headers (offset %u, %u of them) are missing or outside the file",
                      (unsigned)header->e_shoff, (unsigned)header->e_shnum);
    }
    if (header->e_shstrndx >= header->e_shnum) return refuse(message, "the section names' section does not exist");
    return true;
}

// The raw bytes of a section, with its bounds checked. A section without contents has none.
static bool get_section(Elf_Scn *scn, size_t file_size, const char *name, struct section *to, struct message message) {
    const Elf32_Shdr *header = elf32_getshdr(scn);
    if (header == NULL) return refuse(message, "%s: its header cannot be read", name);
    if (header->sh_offset > file_size || header->sh_size > file_size - header->sh_offset) {
        return refuse(message, "%s (offset %u, size %u) is outside the file", name, (unsigned)header->sh_offset,
                      (unsigned)header->sh_size);
    }
    const Elf_Data *data = header->sh_size > 0 ? elf_rawdata(scn, NULL) : NULL;
    if (header->sh_size > 0 && (data == NULL || data->d_buf == NULL || data->d_size != header->sh_size)) {
        return refuse(message, "%s cannot be read", name);
    }
    *to = (struct section){
        .scn = scn, .bytes = data != NULL ? data->d_buf : NULL, .size = header->sh_size, .link = header->sh_link};
    return true;
}

// The text at an offset of a string section, or NULL when it is outside or does not end.
static const char *string_at(const struct section *strings, uint32_t offset) {
    // The analyzer does not see that libelf has filled in the section's size.
    if (offset >= strings->size) return NULL;  // NOLINT(clang-analyzer-core.UndefinedBinaryOperatorResult)
    const char *text = (const char *)strings->bytes + offset;
    return memchr(text, 0, strings->size - offset) != NULL ? text : NULL;
}

static bool find_sections(Elf *elf, size_t size, struct section sections[SECTION_COUNT], bool *debug,
                          struct message message) {
    const Elf32_Ehdr *header = elf32_getehdr(elf);
    struct section names = {0};
    Elf_Scn *scn = elf_getscn(elf, header->e_shstrndx);
    if (scn == NULL || !get_section(scn, size, "the section names", &names, message)) {
        return scn == NULL ? refuse(message, "the section names cannot be read") : false;
    }
    for (size_t i = 1; i < header->e_shnum; i++) {
        scn = elf_getscn(elf, i);
        const Elf32_Shdr *section = scn != NULL ? elf32_getshdr(scn) : NULL;
        if (section == NULL) return refuse(message, "section %zu: its header cannot be read", i);
        const char *name = string_at(&names, section->sh_name);
        if (name == NULL) return refuse(message, "section %zu: its name is outside the section names", i);
        if (strcmp(name, ".debug_info") == 0) *debug = true;
        for (size_t w = 0; w < SECTION_COUNT; w++) {
            if (strcmp(name, wanted[w].name) != 0) continue;
            if (sections[w].scn != NULL) return refuse(message, "%s stands twice", name);
            if (section->sh_type != wanted[w].type) {
                return refuse(message, "%s: section type %u is not %u", name, (unsigned)section->sh_type,
                              wanted[w].type);
            }
            if (!get_section(scn, size, name, &sections[w], message)) return false;
        }
    }
    for (size_t w = 0; w < SECTION_COUNT; w++) {
        if (wanted[w].needed && sections[w].scn == NULL) return refuse(message, "no section %s", wanted[w].name);
    }
    return true;
}

static bool read_text(const struct section *section, struct code_object *to, struct message message) {
    if (section->size % 8 != 0) return refuse(message, ".text: %zu bytes is not a multiple of 8", section->size);
    if (section->size / 8 > MAX_TEXT_WORDS)
        return refuse(message, ".text has more than %u instructions", MAX_TEXT_WORDS);
    to->text_words = section->size / 8;
    if (to->text_words == 0) return true;
    to->text = malloc(section->size);
    if (to->text == NULL) return refuse(message, "out of memory");
    for (size_t i = 0; i < to->text_words; i++) {
        to->text[i] = (uint64_t)get32(section->bytes + 8 * i + 4) << 32 | get32(section->bytes + 8 * i);
    }
    return true;
}

static bool read_bytes(const struct section *section, const char *name, size_t most, uint8_t **to, size_t *size,
                       struct message message) {
    if (section->size == 0) return true;
    if (section->size > most) return refuse(message, "%s has more than %zu bytes", name, most);
    *to = malloc(section->size);
    if (*to == NULL) return refuse(message, "out of memory");
    memcpy(*to, section->bytes, section->size);
    *size = section->size;
    return true;
}

static bool read_lines(const struct section *section, struct code_object *to, struct message message) {
    if (section->scn == NULL) return true;
    size_t table = to->text_words * 4;
    if (section->size <= table) return refuse(message, ".tandem.lines: %zu bytes is too short", section->size);
    const char *file = (const char *)section->bytes + table;
    size_t length = section->size - table - 1;
    if (memchr(file, 0, length + 1) != file + length) {
        return refuse(message, ".tandem.lines: the file name does not end at the section's end");
    }
    to->lines = malloc(table > 0 ? table : 1);
    to->file = malloc(length + 1);
    if (to->lines == NULL || to->file == NULL) return refuse(message, "out of memory");
    for (size_t i = 0; i < to->text_words; i++)
        to->lines[i] = get32(section->bytes + 4 * i);
    memcpy(to->file, file, length + 1);
    return true;
}

// A function that is no kernel is for tools; it must lie in .text.
static bool add_function(struct code_object *object, const char *name, const uint8_t *symbol, struct message message) {
    uint32_t entry = get32(symbol + offsetof(Elf32_Sym, st_value)), size = get32(symbol + offsetof(Elf32_Sym, st_size));
    if (entry % 8 != 0 || size % 8 != 0 || (uint64_t)entry + size > (uint64_t)object->text_words * 8)
        return refuse(message, "function %s: [%u, +%u) is not inside .text", name, entry, size);
    if (object->function_count == object->function_capacity) {
        size_t capacity = object->function_capacity * 2 + 8;
        struct code_function *more = realloc(object->functions, capacity * sizeof *more);
        if (more == NULL) return refuse(message, "out of memory");
        object->functions = more;
        object->function_capacity = capacity;
    }
    char *copy = strdup(name);
    if (copy == NULL) return refuse(message, "out of memory");
    object->functions[object->function_count++] =
        (struct code_function){.name = copy, .entry = entry, .code_size = size};
    return true;
}

// Each kernel has one STT_FUNC of its name, entry and size, and each STT_FUNC that has a kernel's name is that one.
static bool check_symbols(Elf *elf, size_t file_size, const struct section *section, struct code_object *object,
                          struct message message) {
    struct section strings;
    Elf_Scn *scn = elf_getscn(elf, section->link);
    if (scn == NULL || section->link == 0) return refuse(message, ".symtab: its string section does not exist");
    if (!get_section(scn, file_size, ".strtab", &strings, message)) return false;
    if (section->size % sizeof(Elf32_Sym) != 0)
        return refuse(message, ".symtab: %zu bytes is not a multiple of %zu", section->size, sizeof(Elf32_Sym));
    size_t count = section->size / sizeof(Elf32_Sym);
    if (count > MAX_SYMBOLS) return refuse(message, ".symtab: more than %u symbols", MAX_SYMBOLS);
    bool *seen = calloc(object->kernel_count + 1, sizeof *seen);
    if (seen == NULL) return refuse(message, "out of memory");
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        const uint8_t *symbol = section->bytes + i * sizeof(Elf32_Sym);
        const char *name = string_at(&strings, get32(symbol));
        if (name == NULL && (i > 0 || get32(symbol) != 0)) {
            good = refuse(message, ".symtab: symbol %zu: its name is outside .strtab", i);
        } else if (name != NULL && ELF32_ST_TYPE(symbol[offsetof(Elf32_Sym, st_info)]) == STT_FUNC) {
            const struct code_kernel *kernel = code_object_find(object, name);
            if (kernel == NULL) {
                good = i == 0 || add_function(object, name, symbol, message);
                continue;
            }
            if (kernel->entry != get32(symbol + offsetof(Elf32_Sym, st_value)) ||
                kernel->code_size != get32(symbol + offsetof(Elf32_Sym, st_size)) || seen[kernel - object->kernels]) {
                good = refuse(message, "kernel %s: .symtab says another entry or size, or names it twice", name);
            } else {
                seen[kernel - object->kernels] = true;
            }
        }
    }
    for (size_t i = 0; i < object->kernel_count && good; i++) {
        if (!seen[i])
            good = refuse(message, "kernel %s: .symtab has no function of that name", object->kernels[i].name);
    }
    free(seen);
    return good;
}

static bool read_object(Elf *elf, size_t size, struct code_object *to, bool *debug, struct message message) {
    struct section sections[SECTION_COUNT] = {0};
    return check_header(elf, size, message) && find_sections(elf, size, sections, debug, message) &&
           read_text(&sections[TEXT], to, message) &&
           read_bytes(&sections[RODATA], ".rodata", MAX_RODATA_BYTES, &to->rodata, &to->rodata_size, message) &&
           read_bytes(&sections[DATA], ".data", MAX_DATA_BYTES, &to->data, &to->data_size, message) &&
           read_bytes(&sections[POINTERS], ".tandem.pointers", MAX_DATA_BYTES, &to->pointers, &to->pointers_size,
                      message) &&
           read_bytes(&sections[AGAIN], ".tandem.again", MAX_AGAIN_BYTES, &to->again, &to->again_size, message) &&
           kernels_parse((const char *)sections[KERNELS].bytes, sections[KERNELS].size, to, message) &&
           formats_parse((const char *)sections[PRINTF].bytes, sections[PRINTF].size, to, message) &&
           code_object_check(to, message) && read_lines(&sections[LINES], to, message) &&
           check_symbols(elf, size, &sections[SYMTAB], to, message);
}

bool code_object_read(const void *elf, size_t size, struct code_object *to, char *error, size_t error_size) {
    struct message message = {error, error_size};
    memset(to, 0, sizeof *to);
    if (size < sizeof(Elf32_Ehdr)) return refuse(message, "not an ELF32 file, or its header is cut off");
    if (size > MAX_FILE_BYTES) return refuse(message, "the file is larger than %u bytes", MAX_FILE_BYTES);
    if (elf_version(EV_CURRENT) == EV_NONE) return refuse(message, "libelf is too old: %s", elf_errmsg(-1));
    char *copy = malloc(size);  // libelf wants memory that it may write to
    if (copy == NULL) return refuse(message, "out of memory");
    memcpy(copy, elf, size);
    Elf *file = elf_memory(copy, size);
    bool debug = false;
    bool good = file != NULL ? read_object(file, size, to, &debug, message)
                             : refuse(message, "not an ELF file: %s", elf_errmsg(-1));
    elf_end(file);
    if (good && debug) {
        memcpy(copy, elf, size);  // libelf has turned parts of it into its own form
        to->image = (uint8_t *)copy;
        to->image_size = size;
    } else {
        free(copy);
    }
    if (!good) code_object_free(to);
    return good;
}

bool code_object_read_file(const char *path, struct code_object *to, char *error, size_t error_size) {
    struct message message = {error, error_size};
    memset(to, 0, sizeof *to);
    FILE *file = fopen(path, "rb");
    if (file == NULL) return refuse(message, "%s: cannot be opened: %s", path, strerror(errno));
    uint8_t *bytes = NULL;
    size_t size = 0, room = 0;
    bool good = true;
    for (;;) {
        if (size == room) {
            room = room == 0 ? 65536 : 2 * room;
            uint8_t *more = room <= 2 * (size_t)MAX_FILE_BYTES ? realloc(bytes, room) : NULL;
            if (more == NULL) {
                good = refuse(message, "%s: too large", path);
                break;
            }
            bytes = more;
        }
        size_t got = fread(bytes + size, 1, room - size, file);
        if (got == 0) break;
        size += got;
    }
    if (good && ferror(file) != 0) good = refuse(message, "%s: cannot be read: %s", path, strerror(errno));
    fclose(file);
    if (good) {
        char why[512];
        good = code_object_read(bytes, size, to, why, sizeof why) || refuse(message, "%s: %s", path, why);
    }
    free(bytes);
    return good;
}
