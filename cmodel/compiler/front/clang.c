// Runs clang over the source, in a process of its own with pipes for its three streams: OpenCL C goes in, LLVM bitcode
// and diagnostics come out. Nothing is written to disk.
#include "compiler/front/clang.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compiler/base/watch.h"
#include "compiler/ir/names.h"

enum { BITCODE_MAX = 256 << 20, MESSAGES_MAX = 1 << 20 };

// What clang's header says of every target of this kind, and is not so here.
static const char absent_macros[] =
    "#undef cl_khr_gl_msaa_sharing\n#undef cl_khr_mipmap_image\n"
    "#undef cl_khr_mipmap_image_writes\n#undef cl_khr_srgb_image_writes\n"
    "#undef cl_khr_subgroup_ballot\n#undef cl_khr_subgroup_clustered_reduce\n#undef cl_khr_subgroup_extended_types\n"
    "#undef cl_khr_subgroup_non_uniform_arithmetic\n"
    "#undef cl_khr_subgroup_rotate\n"
    "#undef cl_khr_kernel_clock\n#undef __opencl_c_kernel_clock_scope_device\n"
    "#undef __opencl_c_kernel_clock_scope_work_group\n#undef __opencl_c_kernel_clock_scope_sub_group\n"
    "#undef cl_khr_extended_bit_ops\n#undef cl_khr_integer_dot_product\n"
    "#undef __opencl_c_integer_dot_product_input_4x8bit\n"
    "#undef __opencl_c_integer_dot_product_input_4x8bit_packed\n#undef __opencl_c_ext_fp32_global_atomic_add\n"
    "#undef __opencl_c_ext_fp32_local_atomic_add\n#undef __opencl_c_ext_fp32_global_atomic_min_max\n"
    "#undef __opencl_c_ext_fp32_local_atomic_min_max\n#undef __opencl_c_ext_image_raw10_raw12\n"
    "#undef __opencl_c_atomic_scope_all_devices\n";

struct arguments {
    char **list;  // NULL-terminated
    size_t count, capacity;
};

static void add_argument(struct arguments *to, const char *text, size_t size) {
    to->list = grow(to->list, to->count + 1, &to->capacity, sizeof *to->list);
    char *copy = take(size + 1, 1);
    memcpy(copy, text, size);
    to->list[to->count++] = copy;
    to->list[to->count] = NULL;
}

static void add(struct arguments *to, const char *text) {
    add_argument(to, text, strlen(text));
}

// Options that change what comes out (-o, -S, -emit-..) are not the caller's to give.
static bool option_allowed(const char *option) {
    static const char *const starts_with[] = {"-D", "-U", "-I", "-isystem", "-include", "-cl-", "-W", "-O", "-g", "-f"};
    if (strcmp(option, "-w") == 0) return true;
    for (size_t k = 0; k < sizeof starts_with / sizeof *starts_with; k++)
        if (starts(option, starts_with[k])) return true;
    return false;
}

static bool takes_next(const char *option) {
    static const char *const with_value[] = {"-D", "-U", "-I", "-isystem", "-include"};
    for (size_t k = 0; k < sizeof with_value / sizeof *with_value; k++)
        if (strcmp(option, with_value[k]) == 0) return true;
    return false;
}

static void check_options(struct compilation *compilation, const struct arguments *from, size_t first) {
    for (size_t k = first; k < from->count; k++) {
        if (!option_allowed(from->list[k]))
            report_fatal(compilation,
                         "compiler option '%s' is not known; there are -D, -U, -I, -isystem, -include, -cl-*, -w, -W*, "
                         "-O*, -g*, -f*",
                         from->list[k]);
        if (!takes_next(from->list[k])) continue;
        if (k + 1 >= from->count) report_fatal(compilation, "compiler option '%s' needs a value", from->list[k]);
        k++;
    }
}

// Splits clBuildProgram's option string at white space; quotes of either kind keep white space together.
static void add_split(struct arguments *to, const char *options) {
    struct text word = {0};
    bool within = false;
    for (const char *at = options;; at++) {
        bool space = *at == ' ' || *at == '\t' || *at == '\n' || *at == '\r' || *at == 0;
        if (space && within) add_argument(to, word.data, word.size);
        if (space) within = false, word.size = 0;
        if (*at == 0) break;
        if (space) continue;
        if (!within) text_add(&word, "", 0);
        within = true;
        if (*at == '"' || *at == '\'') {
            const char *end = strchr(at + 1, *at);
            size_t length = end != NULL ? (size_t)(end - at - 1) : strlen(at + 1);
            text_add(&word, at + 1, length);
            at += end != NULL ? length + 1 : length;
        } else {
            text_add(&word, at, 1);
        }
    }
    free(word.data);
}

static struct arguments make_arguments(struct compilation *compilation) {
    const struct compiler_options *options = compilation->options;
    struct arguments to = {0};
    static const char *const fixed[] = {"-x",
                                        "cl",
                                        "-target",
                                        "spir",
                                        "-cl-std=CL1.2",
                                        "-O2",
                                        "-Xclang",
                                        "-disable-llvm-passes",
                                        "-cl-kernel-arg-info",
                                        "-gline-tables-only",
                                        "-D__OPENCL_VERSION__=120",
                                        "-DFP_FAST_FMAF=1",
                                        "-DTANDEM_ENQUEUE_LEVEL(n)=(((n)+1)<<8)",  // library/work_queue.h
                                        "-Wno-atomic-alignment",
                                        "-fno-color-diagnostics",
                                        "-fdebug-compilation-dir=."};
    add(&to, options->clang != NULL ? options->clang : "clang-19");
    for (size_t k = 0; k < sizeof fixed / sizeof *fixed; k++)
        add(&to, fixed[k]);
    const char *slash = strrchr(compilation->name, '/');
    add(&to, "-iquote");
    if (slash != NULL) {
        add_argument(&to, compilation->name, slash == compilation->name ? 1 : (size_t)(slash - compilation->name));
    } else {
        add(&to, ".");
    }
    size_t first = to.count;
    if (options->clang_options != NULL) add_split(&to, options->clang_options);
    for (const char *const *at = options->arguments; at != NULL && *at != NULL; at++)
        add(&to, *at);
    check_options(compilation, &to, first);
    add(&to, "-emit-llvm");
    add(&to, "-c");
    add(&to, "-o");
    add(&to, "-");
    add(&to, "-");
    return to;
}

// The source with what every program finds declared before it, and a line marker, so that messages and debug locations
// carry the source's name.
static struct text marked_source(const struct compilation *compilation) {
    struct text marked = {0};
    const bool byte_order_mark = compilation->source_size >= 3 && memcmp(compilation->source, "\xEF\xBB\xBF", 3) == 0;
    const size_t begin = byte_order_mark ? 3 : 0;
    text_format(&marked, "%s%s\n# 1 \"", absent_macros, DECLARED_FUNCTIONS);
    for (const char *at = compilation->name; *at != 0; at++) {
        if (*at == '"' || *at == '\\') text_add(&marked, "\\", 1);
        if (*at != '\n') text_add(&marked, at, 1);
    }
    text_add(&marked, "\"\n", 2);
    text_add(&marked, compilation->source + begin, compilation->source_size - begin);
    return marked;
}

struct child_process {
    pid_t pid;
    int in, out, err;
};

static struct child_process start(struct compilation *compilation, const struct arguments *arguments) {
    int in[2], out[2], err[2], failed[2];
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0 ||
        pipe2(failed, O_CLOEXEC) != 0)
        report_fatal(compilation, "cannot make pipes for the front end: %s", strerror(errno));
    pid_t pid = fork();
    if (pid < 0) report_fatal(compilation, "cannot start the front end: %s", strerror(errno));
    if (pid == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        dup2(err[1], STDERR_FILENO);
        signal(SIGPIPE, SIG_DFL);
        execvp(arguments->list[0], arguments->list);
        int reason = errno;
        ssize_t ignored = write(failed[1], &reason, sizeof reason);
        (void)ignored;
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    close(err[1]);
    close(failed[1]);
    int reason = 0;
    if (read(failed[0], &reason, sizeof reason) == sizeof reason)
        report_fatal(compilation, "cannot run the front end '%s': %s; install clang-19 or name it in the options",
                     arguments->list[0], strerror(reason));
    close(failed[0]);
    return (struct child_process){.pid = pid, .in = in[1], .out = out[0], .err = err[0]};
}

static void receive(struct compilation *compilation, struct pollfd *from, struct text *to, size_t limit) {
    char buffer[65536];
    ssize_t got = read(from->fd, buffer, sizeof buffer);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (got <= 0) {
        close(from->fd);
        from->fd = -1;
        return;
    }
    if (to->size + (size_t)got > limit)
        report_fatal(compilation, "the front end's output is too long (over %zu bytes)", limit);
    text_add(to, buffer, (size_t)got);
}

// Feeds and reads all three streams until the front end has closed them.
static void exchange(struct compilation *compilation, const struct child_process *child, const struct text *source,
                     struct text *out, struct text *err) {
    struct pollfd streams[3] = {{.fd = child->in, .events = POLLOUT},
                                {.fd = child->out, .events = POLLIN},
                                {.fd = child->err, .events = POLLIN}};
    size_t sent = 0;
    signal(SIGPIPE, SIG_IGN);
    fcntl(child->in, F_SETFL, O_NONBLOCK);
    while (streams[1].fd >= 0 || streams[2].fd >= 0) {
        watch_pause(true);
        const int ready = poll(streams, 3, -1);
        watch_pause(false);
        if (ready < 0) {
            if (errno == EINTR) continue;
            report_fatal(compilation, "waiting for the front end failed: %s", strerror(errno));
        }
        if (streams[0].fd >= 0 && streams[0].revents != 0) {
            ssize_t done = write(streams[0].fd, source->data + sent, source->size - sent);
            if (done > 0) sent += (size_t)done;
            bool broken = done < 0 && errno != EINTR && errno != EAGAIN;
            if (broken || sent == source->size) {
                close(streams[0].fd);
                streams[0].fd = -1;
            }
        }
        if (streams[1].fd >= 0 && streams[1].revents != 0) receive(compilation, &streams[1], out, BITCODE_MAX);
        if (streams[2].fd >= 0 && streams[2].revents != 0) receive(compilation, &streams[2], err, MESSAGES_MAX);
    }
    if (streams[0].fd >= 0) close(streams[0].fd);
}

// Memory that is short is no defect, and clang's account of where it stood (dozens of lines) helps nobody then. Other
// breakdowns are told in one line too: the first, or where it stood.
static void check_breakdown(struct compilation *compilation, const struct text *err) {
    if (err->size == 0) return;
    if (strstr(err->data, "LLVM ERROR: out of memory") != NULL || strstr(err->data, "std::bad_alloc") != NULL)
        report_fatal(compilation, "out of memory while the front end was running");
    const char *first = err->data, *dump = strstr(err->data, "Stack dump:\n");
    if (dump == NULL) return;
    if (starts(first, "PLEASE")) {  // asks for a report before it says where it stood
        first = strstr(dump, "\n1.\t");
        first = first != NULL ? first + 4 : "no reason given";
    }
    report_fatal(compilation, "the front end broke down: %.*s", (int)strcspn(first, "\n"), first);
}

void frontend_run(struct compilation *compilation, void **bitcode, size_t *size) {
    struct arguments arguments = make_arguments(compilation);
    struct text source = marked_source(compilation), out = {0}, err = {0};
    struct child_process child = start(compilation, &arguments);
    watch_front_end(child.pid);
    exchange(compilation, &child, &source, &out, &err);
    int status = 0;
    watch_pause(true);
    while (waitpid(child.pid, &status, 0) < 0 && errno == EINTR)
        continue;
    watch_front_end(0);
    watch_pause(false);
    check_breakdown(compilation, &err);
    if (err.size > 0) text_add(&compilation->messages, err.data, err.size);
    if (WIFSIGNALED(status))
        report_fatal(compilation, "the front end died of signal %d (%s)", WTERMSIG(status),
                     strsignal(WTERMSIG(status)));
    if (WEXITSTATUS(status) != 0) {
        if (err.size == 0) report_fatal(compilation, "the front end failed with status %d", WEXITSTATUS(status));
        compilation->errors++;
        compilation_end(compilation);
    }
    if (out.size == 0) report_fatal(compilation, "the front end produced nothing");
    free(source.data);
    for (size_t k = 0; k < arguments.count; k++)
        free(arguments.list[k]);
    free(arguments.list);
    *bitcode = out.data;
    *size = out.size;
}
