// Writing a code object as ELF.
#include <errno.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "code_object_internal.h"

// A growing string section; offset 0 is the empty string.
struct strings {
    char *bytes;
    size_t size;
};

static bool strings_add(struct strings *strings, const char *text, uint32_t *offset) {
    size_t length = strlen(text) + 1, start = strings->size;
    char *more = realloc(strings->bytes, start + length);
    if (more == NULL) return false;
    memcpy(more + start, text, length);
    strings->bytes = more;
    strings->size = start + length;
    *offset = (uint32_t)start;
    return true;
}

// Everything that libelf points to until the file is written.
struct image {
    uint8_t *text, *lines;
    char *kernels, *formats;
    Elf32_Sym *symbols;
    struct strings names, symbol_names;
    size_t lines_size, kernels_size, formats_size;
};

static void image_free(struct image *image) {
    free(image->text);
    free(image->lines);
    free(image->kernels);
    free(image->formats);
    free(image->symbols);
    free(image->names.bytes);
    free(image->symbol_names.bytes);
}

static void put32(uint8_t *to, uint32_t value) {
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static bool image_make(const struct code_object *from, struct image *image) {
    uint32_t zero;
    if (!strings_add(&image->names, "", &zero) || !strings_add(&image->symbol_names, "", &zero)) return false;
    image->text = malloc(from->text_words * 8 + 1);
    if (image->text == NULL) return false;
    for (size_t i = 0; i < from->text_words; i++) {
        put32(image->text + 8 * i, (uint32_t)from->text[i]);
        put32(image->text + 8 * i + 4, (uint32_t)(from->text[i] >> 32));
    }
    if (from->lines != NULL) {
        const char *file = from->file != NULL ? from->file : "";
        image->lines_size = from->text_words * 4 + strlen(file) + 1;
        image->lines = malloc(image->lines_size);
        if (image->lines == NULL) return false;
        for (size_t i = 0; i < from->text_words; i++)
            put32(image->lines + 4 * i, from->lines[i]);
        memcpy(image->lines + from->text_words * 4, file, strlen(file) + 1);
    }
    image->kernels = kernels_print(from, &image->kernels_size);
    image->symbols = calloc(from->kernel_count + from->function_count + 1, sizeof(Elf32_Sym));
    image->formats = formats_print(from, &image->formats_size);
    if (image->kernels == NULL || image->symbols == NULL || image->formats == NULL) return false;
    for (size_t i = 0; i < from->function_count; i++) {  // local symbols come first
        uint32_t name;
        if (!strings_add(&image->symbol_names, from->functions[i].name, &name)) return false;
        image->symbols[i + 1] = (Elf32_Sym){.st_name = name,
                                            .st_value = from->functions[i].entry,
                                            .st_size = from->functions[i].code_size,
                                            .st_info = ELF32_ST_INFO(STB_LOCAL, STT_FUNC),
                                            .st_shndx = 1};
    }
    for (size_t i = 0; i < from->kernel_count; i++) {
        Elf32_Sym *symbol = &image->symbols[from->function_count + i + 1];
        uint32_t name;
        if (!strings_add(&image->symbol_names, from->kernels[i].name, &name)) return false;
        *symbol = (Elf32_Sym){.st_name = name,
                              .st_value = from->kernels[i].entry,
                              .st_size = from->kernels[i].code_size,
                              .st_info = ELF32_ST_INFO(STB_GLOBAL, STT_FUNC),
                              .st_shndx = 1};  // .text is the first section
    }
    return true;
}

struct section_options {
    const char *name;
    uint32_t type, flags, align, link, info, entry_size;
    Elf_Type data;
};

static bool add_section(Elf *elf, struct image *image, struct section_options options, const void *bytes, size_t size) {
    Elf_Scn *scn = elf_newscn(elf);
    Elf_Data *data = scn != NULL ? elf_newdata(scn) : NULL;
    Elf32_Shdr *header = scn != NULL ? elf32_getshdr(scn) : NULL;
    uint32_t name;
    if (data == NULL || header == NULL || !strings_add(&image->names, options.name, &name)) return false;
    union {
        const void *given;
        void *wanted;
    } pointer = {.given = bytes};  // libelf takes a plain pointer and only reads it
    data->d_buf = size > 0 ? pointer.wanted : NULL;
    data->d_size = size;
    data->d_align = options.align;
    data->d_type = options.data;
    data->d_version = EV_CURRENT;
    header->sh_name = name;
    header->sh_type = options.type;
    header->sh_flags = options.flags;
    header->sh_link = options.link;
    header->sh_info = options.info;
    header->sh_entsize = options.entry_size;
    return true;
}

static bool fill_elf(Elf *elf, const struct code_object *from, struct image *image) {
    Elf32_Ehdr *header = elf32_newehdr(elf);
    if (header == NULL) return false;
    header->e_ident[EI_DATA] = ELFDATA2LSB;
    header->e_type = ET_EXEC;
    header->e_machine = EM_TANDEM;
    header->e_version = EV_CURRENT;
    unsigned count = 1;  // section 0 is libelf's
    struct section_options text = {
        .name = ".text", .type = SHT_PROGBITS, .flags = SHF_ALLOC | SHF_EXECINSTR, .align = 8, .data = ELF_T_BYTE};
    struct section_options rodata = {
        .name = ".rodata", .type = SHT_PROGBITS, .flags = SHF_ALLOC, .align = 16, .data = ELF_T_BYTE};
    struct section_options variables = {
        .name = ".data", .type = SHT_PROGBITS, .flags = SHF_ALLOC | SHF_WRITE, .align = 16, .data = ELF_T_BYTE};
    struct section_options pointers = {
        .name = ".tandem.pointers", .type = SHT_PROGBITS, .align = 4, .data = ELF_T_BYTE};
    struct section_options kernels = {.name = ".tandem.kernels", .type = SHT_PROGBITS, .align = 1, .data = ELF_T_BYTE};
    struct section_options formats = {.name = ".tandem.printf", .type = SHT_PROGBITS, .align = 1, .data = ELF_T_BYTE};
    struct section_options again = {.name = ".tandem.again", .type = SHT_PROGBITS, .align = 4, .data = ELF_T_BYTE};
    struct section_options lines = {.name = ".tandem.lines", .type = SHT_PROGBITS, .align = 4, .data = ELF_T_BYTE};
    if (!add_section(elf, image, text, image->text, from->text_words * 8)) return false;
    count++;
    if (from->rodata_size > 0) {
        if (!add_section(elf, image, rodata, from->rodata, from->rodata_size)) return false;
        count++;
    }
    if (from->data_size > 0) {
        if (!add_section(elf, image, variables, from->data, from->data_size)) return false;
        count++;
    }
    if (from->pointers_size > 0) {
        if (!add_section(elf, image, pointers, from->pointers, from->pointers_size)) return false;
        count++;
    }
    if (!add_section(elf, image, kernels, image->kernels, image->kernels_size)) return false;
    count++;
    if (from->format_count > 0) {
        if (!add_section(elf, image, formats, image->formats, image->formats_size)) return false;
        count++;
    }
    if (from->again_size > 0) {
        if (!add_section(elf, image, again, from->again, from->again_size)) return false;
        count++;
    }
    if (image->lines != NULL) {
        if (!add_section(elf, image, lines, image->lines, image->lines_size)) return false;
        count++;
    }
    for (size_t k = 0; k < from->debug_count; k++, count++) {
        struct section_options debug = {
            .name = from->debug[k].name, .type = SHT_PROGBITS, .align = 1, .data = ELF_T_BYTE};
        if (!add_section(elf, image, debug, from->debug[k].bytes, from->debug[k].size)) return false;
    }
    struct section_options symtab = {.name = ".symtab",
                                     .type = SHT_SYMTAB,
                                     .align = 4,
                                     .link = count + 1,
                                     .info = (uint32_t)from->function_count + 1,
                                     .entry_size = sizeof(Elf32_Sym),
                                     .data = ELF_T_SYM};
    struct section_options strtab = {.name = ".strtab", .type = SHT_STRTAB, .align = 1, .data = ELF_T_BYTE};
    struct section_options names = {.name = ".shstrtab", .type = SHT_STRTAB, .align = 1, .data = ELF_T_BYTE};
    if (!add_section(elf, image, symtab, image->symbols,
                     (from->kernel_count + from->function_count + 1) * sizeof(Elf32_Sym)) ||
        // image_free() gives the names back; the analyzer loses them in libelf.
        // NOLINTNEXTLINE(clang-analyzer-unix.Malloc)
        !add_section(elf, image, strtab, image->symbol_names.bytes, image->symbol_names.size) ||
        !add_section(elf, image, names, NULL, 0)) {
        return false;
    }
    count += 3;
    Elf_Scn *last = elf_getscn(elf, count - 1);
    Elf_Data *data = last != NULL ? elf_getdata(last, NULL) : NULL;
    if (data == NULL) return false;
    data->d_buf = image->names.bytes;  // complete only now
    data->d_size = image->names.size;
    header->e_shstrndx = (Elf32_Half)(count - 1);
    return elf_update(elf, ELF_C_WRITE) >= 0;
}

static bool read_back(int file, void **bytes, size_t *size) {
    off_t end = lseek(file, 0, SEEK_END);
    if (end <= 0) return false;
    *size = (size_t)end;
    *bytes = malloc(*size);
    if (*bytes == NULL) return false;
    for (size_t done = 0; done < *size;) {
        ssize_t got = pread(file, (char *)*bytes + done, *size - done, (off_t)done);
        if (got <= 0) {
            free(*bytes);
            return false;
        }
        done += (size_t)got;
    }
    return true;
}

bool code_object_write(const struct code_object *from, void **elf, size_t *size, char *error, size_t error_size) {
    struct message message = {error, error_size};
    *elf = NULL;
    *size = 0;
    if (!code_object_check(from, message)) return false;
    if (elf_version(EV_CURRENT) == EV_NONE) return refuse(message, "libelf is too old: %s", elf_errmsg(-1));
    struct image image = {0};
    int file = memfd_create("tandem-code-object", MFD_CLOEXEC);
    Elf *to = file >= 0 ? elf_begin(file, ELF_C_WRITE, NULL) : NULL;
    bool good = to != NULL && image_make(from, &image) && fill_elf(to, from, &image);
    if (!good) {
        const int why = elf_errno();  // forgets it
        refuse(message, "the code object cannot be made: %s",
               file < 0   ? strerror(errno)
               : why != 0 ? elf_errmsg(why)
                          : "out of memory");
    }
    elf_end(to);
    if (good && !read_back(file, elf, size)) {
        *elf = NULL;
        *size = 0;
        good = refuse(message, "the code object cannot be read back: %s", strerror(errno));
    }
    if (file >= 0) close(file);
    image_free(&image);
    return good;
}

bool code_object_write_file(const struct code_object *from, const char *path, char *error, size_t error_size) {
    struct message message = {error, error_size};
    void *elf;
    size_t size;
    if (!code_object_write(from, &elf, &size, error, error_size)) return false;
    FILE *file = fopen(path, "wb");
    bool good = file != NULL && fwrite(elf, 1, size, file) == size;
    int why = errno;
    if (file != NULL && fclose(file) != 0 && good) {
        good = false;
        why = errno;
    }
    free(elf);
    return good || refuse(message, "%s: cannot be written: %s", path, strerror(why));
}
