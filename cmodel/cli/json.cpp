#include "json.h"

#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdio>
#include <cstring>
#include <string>

namespace {

namespace js = llvm::json;

const js::Value *value_of(const struct json *value) {
    return reinterpret_cast<const js::Value *>(value);
}

const struct json *opaque(const js::Value *value) {
    return reinterpret_cast<const struct json *>(value);
}

}  // namespace

struct json_writer {
    std::string text;
    llvm::raw_string_ostream stream{text};
    js::OStream to{stream};

    // fn writes a value.
    template <class Write>
    void put(const char *name, Write fn) {
        if (name != nullptr) to.attributeBegin(name);
        fn();
        if (name != nullptr) to.attributeEnd();
    }
    std::string names;  // of what is open: one letter each, whether it is a member
};

struct json *json_parse(const char *text, size_t size, char *why, size_t why_size) {
    llvm::Expected<js::Value> parsed = js::parse(llvm::StringRef(text, size));
    if (parsed) return reinterpret_cast<struct json *>(new js::Value(std::move(*parsed)));
    const std::string error = llvm::toString(parsed.takeError());
    std::snprintf(why, why_size, "%s", error.c_str());
    return nullptr;
}

void json_free(struct json *value) {
    delete reinterpret_cast<js::Value *>(value);
}

const struct json *json_member(const struct json *value, const char *name) {
    if (value == nullptr) return nullptr;
    const js::Object *object = value_of(value)->getAsObject();
    return object == nullptr ? nullptr : opaque(object->get(name));
}

const struct json *json_item(const struct json *value, size_t number) {
    return number < json_count(value) ? opaque(&(*value_of(value)->getAsArray())[number]) : nullptr;
}

size_t json_count(const struct json *value) {
    if (value == nullptr) return 0;
    const js::Array *list = value_of(value)->getAsArray();
    return list == nullptr ? 0 : list->size();
}

char *json_text(const struct json *value) {
    if (value == nullptr) return nullptr;
    const auto text = value_of(value)->getAsString();
    return text ? strndup(text->data(), text->size()) : nullptr;
}

int64_t json_number(const struct json *value, int64_t otherwise) {
    if (value == nullptr) return otherwise;
    const auto number = value_of(value)->getAsInteger();
    return number ? *number : otherwise;
}

bool json_truth(const struct json *value, bool otherwise) {
    if (value == nullptr) return otherwise;
    const auto truth = value_of(value)->getAsBoolean();
    return truth ? *truth : otherwise;
}

struct json_writer *json_writer_create() {
    return new json_writer;
}

void json_open(struct json_writer *writer, const char *name, bool list) {
    if (name != nullptr) writer->to.attributeBegin(name);
    writer->names.push_back(name != nullptr ? 'm' : '-');
    if (list) {
        writer->to.arrayBegin();
    } else {
        writer->to.objectBegin();
    }
}

void json_close(struct json_writer *writer, bool list) {
    if (list) {
        writer->to.arrayEnd();
    } else {
        writer->to.objectEnd();
    }
    if (writer->names.back() == 'm') writer->to.attributeEnd();
    writer->names.pop_back();
}

void json_add_text(struct json_writer *writer, const char *name, const char *text) {
    const std::string whole = js::isUTF8(text) ? std::string(text) : js::fixUTF8(text);
    writer->put(name, [&] { writer->to.value(whole); });
}

void json_add_number(struct json_writer *writer, const char *name, int64_t number) {
    writer->put(name, [&] { writer->to.value(number); });
}

void json_add_truth(struct json_writer *writer, const char *name, bool truth) {
    writer->put(name, [&] { writer->to.value(truth); });
}

const char *json_written(struct json_writer *writer, size_t *size) {
    writer->to.flush();
    *size = writer->text.size();
    return writer->text.c_str();
}

void json_writer_destroy(struct json_writer *writer) {
    delete writer;
}
