// JSON for protocols: LLVM's reader and writer, for C.
#ifndef TANDEM_CLI_JSON_H
#define TANDEM_CLI_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- reading
struct json;  // any value
// NULL: why says in one line what is wrong. The caller owns it: json_free(); all that is found in it is part of it.
struct json *json_parse(const char *text, size_t size, char *why, size_t why_size);
void json_free(struct json *value);
// NULL where there is none, or the value is no object, no list; value may be NULL.
const struct json *json_member(const struct json *value, const char *name);
const struct json *json_item(const struct json *value, size_t number);
size_t json_count(const struct json *value);  // items of a list; 0: it is none
// The member as text, as a number, as a truth; `otherwise` where it is none.
char *json_text(const struct json *value);  // of a string, malloc'ed; NULL: it is none, or memory is short
int64_t json_number(const struct json *value, int64_t otherwise);
bool json_truth(const struct json *value, bool otherwise);

// ---- writing: values one after the other; name: of the member, NULL in a list and for the outermost value
struct json_writer;
struct json_writer *json_writer_create(void);  // never NULL
void json_open(struct json_writer *writer, const char *name, bool list);
void json_close(struct json_writer *writer, bool list);
void json_add_text(struct json_writer *writer, const char *name,
                   const char *text);  // bytes that are no UTF-8 are replaced
void json_add_number(struct json_writer *writer, const char *name, int64_t number);
void json_add_truth(struct json_writer *writer, const char *name, bool truth);
// What has been written, the writer's until it is destroyed.
const char *json_written(struct json_writer *writer, size_t *size);
void json_writer_destroy(struct json_writer *writer);

#ifdef __cplusplus
}
#endif

#endif
