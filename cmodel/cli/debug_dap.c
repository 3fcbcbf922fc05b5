// tandem debug --dap: an editor in front of the debugger. A warp is a thread of the protocol; its threads are variables.
// Requests are answered while the device stands: one that comes while it runs stops it for as long as the answer takes.
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "dap_stream.h"
#include "dap_variables.h"
#include "debug.h"
#include "interrupt.h"

struct front {
    struct debug_program *program;
    struct dap_stream *stream;
    struct dap_expanded expanded;
    struct json *launch;  // the request, until it is answered
    bool configured;      // breakpoints are set, the program may run
    bool stop_on_entry, paused, going, leaving;
    uint8_t owner[DEBUGGER_BREAKPOINTS_MAX + 1];  // of each breakpoint: who has set it
    char file[PATH_MAX];                          // of the source
};
enum owner { OWNER_NOBODY, OWNER_LINES, OWNER_FUNCTIONS };

#define WHY_MAX 512u

static void send_printed(struct front *front) {
    for (int errors = 0; errors < 2; errors++) {
        char *text = dap_printed(front->stream, errors != 0);
        if (text == NULL) continue;
        struct json_writer *event = dap_event(front->stream, "output");
        json_add_text(event, "category", errors ? "stderr" : "stdout");
        json_add_text(event, "output", text);
        dap_send(front->stream, event);
        free(text);
    }
}

static void send_plain(struct front *front, const struct json *request, const char *why) {
    dap_send(front->stream, dap_response(front->stream, request, why));
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

// ---- requests; each answers, why not by one line
static void initialize(struct front *front, const struct json *request) {
    struct json_writer *answer = dap_response(front->stream, request, NULL);
    json_add_truth(answer, "supportsConfigurationDoneRequest", true);
    json_add_truth(answer, "supportsFunctionBreakpoints", true);
    json_add_truth(answer, "supportsSteppingGranularity", true);
    json_add_truth(answer, "supportsEvaluateForHovers", true);
    json_add_truth(answer, "supportsTerminateRequest", true);
    dap_send(front->stream, answer);
}

static void forget_breakpoints(struct front *front, enum owner owner) {
    for (unsigned n = 1; n <= DEBUGGER_BREAKPOINTS_MAX; n++) {
        if (front->owner[n] != owner) continue;
        (void)debugger_delete(front->program->debugger, n);
        front->owner[n] = OWNER_NOBODY;
    }
}

static void answer_breakpoint(struct front *front, struct json_writer *answer, enum owner owner, const char *where,
                              const char *refused) {
    char why[DEBUGGER_TEXT_MAX] = "";
    struct debugger_breakpoint at;
    const unsigned number = refused == NULL ? debugger_break(front->program->debugger, where, why, sizeof why) : 0;
    json_open(answer, NULL, false);
    json_add_truth(answer, "verified", number != 0);
    if (number == 0) json_add_text(answer, "message", refused != NULL ? refused : why);
    if (number != 0 && debugger_breakpoint_of(front->program->debugger, number, &at)) {
        front->owner[number] = (uint8_t)owner;
        json_add_number(answer, "id", number);
        if (at.line != 0) json_add_number(answer, "line", at.line);
    }
    json_close(answer, false);
}

static void set_breakpoints(struct front *front, const struct json *request) {
    const struct json *arguments = json_member(request, "arguments"), *source = json_member(arguments, "source");
    const struct json *list = json_member(arguments, "breakpoints");
    char *path = json_text(json_member(source, "path"));
    if (path == NULL) path = json_text(json_member(source, "name"));
    const char *file = front->program->object->file;
    const bool ours = path != NULL && file != NULL && strcmp(base_name(path), base_name(file)) == 0;
    if (ours) forget_breakpoints(front, OWNER_LINES);
    struct json_writer *answer = dap_response(front->stream, request, NULL);
    json_open(answer, "breakpoints", true);
    for (size_t k = 0; k < json_count(list); k++) {
        char where[32];
        (void)snprintf(where, sizeof where, "%" PRId64, json_number(json_member(json_item(list, k), "line"), 0));
        answer_breakpoint(front, answer, OWNER_LINES, where, ours ? NULL : "the program has no such file");
    }
    json_close(answer, true);
    dap_send(front->stream, answer);
    free(path);
}

static void set_function_breakpoints(struct front *front, const struct json *request) {
    const struct json *list = json_member(json_member(request, "arguments"), "breakpoints");
    forget_breakpoints(front, OWNER_FUNCTIONS);
    struct json_writer *answer = dap_response(front->stream, request, NULL);
    json_open(answer, "breakpoints", true);
    for (size_t k = 0; k < json_count(list); k++) {
        char *name = json_text(json_member(json_item(list, k), "name"));
        answer_breakpoint(front, answer, OWNER_FUNCTIONS, name, name == NULL ? "a name is missing" : NULL);
        free(name);
    }
    json_close(answer, true);
    dap_send(front->stream, answer);
}

static const struct ppu *ppu_of(const struct front *front) {
    return debugger_ppu(front->program->debugger);
}

static int64_t thread_of(const struct front *front, unsigned sm, unsigned warp) {
    return (int64_t)sm * ppu_get_config(ppu_of(front))->warps + warp + 1;
}

// Commands and variables then mean this warp. False: there is none that runs.
static bool choose_thread(struct front *front, int64_t thread) {
    const struct ppu_config *config = ppu_get_config(ppu_of(front));
    struct warp_place place;
    if (thread < 1 || thread > (int64_t)config->sms * config->warps) return false;
    const unsigned sm = (unsigned)(thread - 1) / config->warps, warp = (unsigned)(thread - 1) % config->warps;
    if (!ppu_look_place(ppu_of(front), sm, warp, &place)) return false;
    debug_choose(front->program, sm, warp);
    return true;
}

static void threads(struct front *front, const struct json *request) {
    const struct ppu_config *config = ppu_get_config(ppu_of(front));
    struct json_writer *answer = dap_response(front->stream, request, NULL);
    json_open(answer, "threads", true);
    for (unsigned sm = 0; sm < config->sms; sm++) {
        for (unsigned w = 0; w < config->warps; w++) {
            struct warp_look warp;
            char name[64 + LOOK_WHY_MAX];
            if (!ppu_look_warp(ppu_of(front), sm, w, &warp)) continue;
            (void)snprintf(name, sizeof name, "warp %u.%u, group (%u,%u,%u)%s%s", sm, w, warp.cta[0], warp.cta[1],
                           warp.cta[2], warp.why[0] != '\0' ? ", waits for " : "", warp.why);
            json_open(answer, NULL, false);
            json_add_number(answer, "id", thread_of(front, sm, w));
            json_add_text(answer, "name", name);
            json_close(answer, false);
        }
    }
    json_close(answer, true);
    dap_send(front->stream, answer);
}

static void stack_trace(struct front *front, const struct json *request) {
    const int64_t thread = json_number(json_member(json_member(request, "arguments"), "threadId"), 0);
    struct warp_place place;
    char text[128];
    if (!choose_thread(front, thread)) {
        send_plain(front, request, "no such warp runs");
        return;
    }
    const struct debugger_thread *at = &front->program->at;
    (void)ppu_look_place(ppu_of(front), at->sm, at->warp, &place);
    struct json_writer *answer = dap_response(front->stream, request, NULL);
    json_open(answer, "stackFrames", true);
    json_open(answer, NULL, false);
    json_add_number(answer, "id", thread);
    debugger_symbol(front->program->debugger, 8 * place.pc, text, sizeof text);
    json_add_text(answer, "name", text);
    json_add_number(answer, "line", debugger_line(front->program->debugger, 8 * place.pc));
    json_add_number(answer, "column", 0);
    (void)snprintf(text, sizeof text, "0x%x", 8 * place.pc);
    json_add_text(answer, "instructionPointerReference", text);
    if (front->file[0] != '\0') {
        json_open(answer, "source", false);
        json_add_text(answer, "name", base_name(front->file));
        json_add_text(answer, "path", front->file);
        json_close(answer, false);
    }
    json_close(answer, false);
    json_close(answer, true);
    json_add_number(answer, "totalFrames", 1);
    dap_send(front->stream, answer);
}

static void scopes(struct front *front, const struct json *request) {
    const int64_t frame = json_number(json_member(json_member(request, "arguments"), "frameId"), 0);
    if (!choose_thread(front, frame)) {
        send_plain(front, request, "no such warp runs");
        return;
    }
    struct json_writer *answer = dap_response(front->stream, request, NULL);
    json_open(answer, "scopes", true);
    dap_scopes(front->program, answer, frame);
    json_close(answer, true);
    dap_send(front->stream, answer);
}

static void variables(struct front *front, const struct json *request) {
    const int64_t reference = json_number(json_member(json_member(request, "arguments"), "variablesReference"), 0);
    if (!choose_thread(front, dap_frame_of(&front->expanded, reference))) {
        send_plain(front, request, "no such variables, or their warp has ended");
        return;
    }
    struct json_writer *answer = dap_response(front->stream, request, NULL);
    json_open(answer, "variables", true);
    dap_variables(front->program, &front->expanded, answer, reference);
    json_close(answer, true);
    dap_send(front->stream, answer);
}

// In the debug console: any command of the command line, but those that go on, for which the editor has buttons.
static void evaluate(struct front *front, const struct json *request) {
    const struct json *arguments = json_member(request, "arguments");
    char *text = json_text(json_member(arguments, "expression")),
         *context = json_text(json_member(arguments, "context"));
    char value[VARIABLE_TEXT_MAX] = "", why[WHY_MAX] = "an expression is missing", *printed = NULL;
    bool good = false;
    const int64_t frame = json_number(json_member(arguments, "frameId"), 0);
    int64_t parts = 0;
    if (frame != 0) (void)choose_thread(front, frame);
    if (text != NULL && context != NULL && strcmp(context, "repl") == 0) {
        static const char *const shows[] = {"info",      "i", "print",  "p", "row",    "rw", "locals",      "lo",
                                            "registers", "r", "memory", "x", "where",  "bt", "disassemble", "dis",
                                            "list",      "l", "warp",   "w", "thread", "t",  "help",        "h"};
        (void)snprintf(why, sizeof why, "this command shows nothing; help lists those that do");
        for (size_t k = 0; k < sizeof shows / sizeof *shows && !good; k++) {
            const size_t length = strlen(shows[k]);
            if (strncmp(text, shows[k], length) != 0 || (text[length] != '\0' && text[length] != ' ')) continue;
            send_printed(front);
            good = debug_command(front->program, text) == DEBUG_DONE;
            printed = dap_printed(front->stream, !good);
            if (!good) (void)snprintf(why, sizeof why, "%s", printed != NULL ? printed : "");
            break;
        }
    } else if (text != NULL) {
        good = debug_print(front->program, text, value, sizeof value, why, sizeof why);
        if (good) parts = dap_expanded_of(&front->expanded, front->program, frame, text);
    }
    struct json_writer *answer = dap_response(front->stream, request, good ? NULL : why);
    if (good) {
        json_add_text(answer, "result",
                      printed != NULL                                   ? printed
                      : context != NULL && strcmp(context, "repl") == 0 ? ""
                                                                        : value);
        json_add_number(answer, "variablesReference", parts);
    }
    dap_send(front->stream, answer);
    free(printed);
    free(text);
    free(context);
}

static void go(struct front *front, enum debugger_goal goal) {
    dap_expanded_forget(&front->expanded);
    front->going = true;
    debugger_go(front->program->debugger, goal, &front->program->at, UINT64_MAX);
}

static void go_on(struct front *front, const struct json *request) {
    struct json_writer *answer = dap_response(front->stream, request, NULL);
    json_add_truth(answer, "allThreadsContinued", true);
    dap_send(front->stream, answer);
    front->program->goal = DEBUGGER_CONTINUE;
    go(front, DEBUGGER_CONTINUE);
}

static void step(struct front *front, const struct json *request) {
    const struct json *arguments = json_member(request, "arguments");
    char *granularity = json_text(json_member(arguments, "granularity"));
    if (!choose_thread(front, json_number(json_member(arguments, "threadId"), 0))) {
        send_plain(front, request, "no such warp runs");
    } else {
        const bool lines =
            front->program->object->lines != NULL && (granularity == NULL || strcmp(granularity, "instruction") != 0);
        send_plain(front, request, NULL);
        front->program->goal = lines ? DEBUGGER_LINE : DEBUGGER_INSTRUCTION;
        go(front, front->program->goal);
    }
    free(granularity);
}

static void pause_all(struct front *front, const struct json *request) {
    send_plain(front, request, NULL);
    front->paused = true;
}

static void configuration_done(struct front *front, const struct json *request) {
    send_plain(front, request, NULL);
    front->configured = true;
}

static void disconnect(struct front *front, const struct json *request) {
    send_plain(front, request, NULL);
    front->leaving = true;
}

static void nothing(struct front *front, const struct json *request) {
    send_plain(front, request, NULL);
}

enum when { ALWAYS, STANDING, STOPPED };  // there is a program; it stands at a stop that was told

static const struct {
    const char *command;
    enum when when;
    void (*answer)(struct front *front, const struct json *request);
} requests[] = {
    {"initialize", ALWAYS, initialize},
    {"setBreakpoints", STANDING, set_breakpoints},
    {"setFunctionBreakpoints", STANDING, set_function_breakpoints},
    {"setExceptionBreakpoints", ALWAYS, nothing},
    {"configurationDone", STANDING, configuration_done},
    {"threads", STANDING, threads},
    {"stackTrace", STOPPED, stack_trace},
    {"scopes", STOPPED, scopes},
    {"variables", STOPPED, variables},
    {"evaluate", STANDING, evaluate},
    {"continue", STOPPED, go_on},
    {"next", STOPPED, step},
    {"stepIn", STOPPED, step},
    {"pause", STANDING, pause_all},
    {"disconnect", ALWAYS, disconnect},
    {"terminate", ALWAYS, disconnect},
};

// told: the editor knows that the program stands.
static void answer(struct front *front, const struct json *request, bool told) {
    char *type = json_text(json_member(request, "type")), *command = json_text(json_member(request, "command"));
    size_t k = 0;
    while (command != NULL && k < sizeof requests / sizeof *requests && strcmp(requests[k].command, command) != 0)
        k++;
    if (type == NULL || command == NULL || strcmp(type, "request") != 0) {
        send_plain(front, request, "not a request with a command");
    } else if (k == sizeof requests / sizeof *requests) {
        char why[WHY_MAX];
        (void)snprintf(why, sizeof why, "%.200s: not supported", command);
        send_plain(front, request, why);
    } else if (requests[k].when != ALWAYS && front->program->debugger == NULL) {
        send_plain(front, request, "no program is loaded");
    } else if (requests[k].when == STOPPED && !told) {
        send_plain(front, request, "the program runs; pause it first");
    } else {
        requests[k].answer(front, request);
    }
    free(type);
    free(command);
}

// Answers until the program goes on, or the editor leaves.
static void converse(struct front *front) {
    char why[WHY_MAX];
    front->going = false;
    while (!front->going && !front->leaving) {
        struct json *request = dap_take(front->stream, true, why, sizeof why);
        if (request == NULL) {
            front->leaving |= dap_ended(front->stream);
            continue;
        }
        answer(front, request, true);
        json_free(request);
        send_printed(front);
    }
}

// ---- what the run calls
static void tell_stop(struct front *front, const struct debugger_stop *stop) {
    static const char *const reasons[] = {[DEBUGGER_BREAKPOINT] = "breakpoint",
                                          [DEBUGGER_STEPPED] = "step",
                                          [DEBUGGER_WARP_ENDED] = "step",
                                          [DEBUGGER_FAULT] = "exception",
                                          [DEBUGGER_STANDS] = "pause",
                                          [DEBUGGER_INTERRUPTED] = "pause",
                                          [DEBUGGER_LIMIT] = "pause"};
    send_printed(front);
    debug_tell_stop(front->program, stop);
    char *text = dap_printed(front->stream, false);
    struct json_writer *event = dap_event(front->stream, "stopped");
    json_add_text(event, "reason", front->stop_on_entry ? "entry" : reasons[stop->event]);
    if (text != NULL) {
        text[strcspn(text, "\n")] = '\0';
        json_add_text(event, stop->event == DEBUGGER_FAULT ? "text" : "description", text);
    }
    json_add_number(event, "threadId", thread_of(front, stop->sm, stop->warp));
    json_add_truth(event, "allThreadsStopped", true);
    if (stop->event == DEBUGGER_BREAKPOINT) {
        json_open(event, "hitBreakpointIds", true);
        json_add_number(event, NULL, stop->breakpoint);
        json_close(event, true);
    }
    dap_send(front->stream, event);
    front->stop_on_entry = false;
    free(text);
}

// A message has come while the program ran: it stands for as long as the answers take.
static bool only_asked(struct front *front) {
    char why[WHY_MAX];
    struct json *request;
    while (!front->leaving && (request = dap_take(front->stream, false, why, sizeof why)) != NULL) {
        answer(front, request, front->paused);
        json_free(request);
    }
    if (dap_ended(front->stream)) front->leaving = true;
    return !front->leaving && !front->paused;
}

static void leave(struct front *front) {
    dap_interrupts(front->stream, NULL);
    debug_leave(front->program);
}

static void stopped(void *context, const struct debugger_stop *stop) {
    struct front *front = context;
    debug_choose(front->program, stop->sm, stop->warp);
    send_printed(front);
    if (stop->event == DEBUGGER_INTERRUPTED && only_asked(front)) {
        debugger_go(front->program->debugger, front->program->goal, &front->program->at, UINT64_MAX);
        return;
    }
    front->paused = false;
    if (!front->leaving) {
        tell_stop(front, stop);
        converse(front);
    }
    if (front->leaving) leave(front);
}

static bool begin(void *context, struct tandem_device *device, const struct code_object *object) {
    struct front *front = context;
    char why[WHY_MAX];
    if (!debug_open(front->program, device, object, stopped, front)) return false;
    if (object->file == NULL || realpath(object->file, front->file) == NULL) front->file[0] = '\0';
    front->stop_on_entry = json_truth(json_member(json_member(front->launch, "arguments"), "stopOnEntry"), false);
    send_plain(front, front->launch, NULL);
    json_free(front->launch);
    front->launch = NULL;
    dap_send(front->stream, dap_event(front->stream, "initialized"));
    while (!front->configured && !front->leaving) {
        struct json *request = dap_take(front->stream, true, why, sizeof why);
        if (request != NULL) answer(front, request, false);
        if (request == NULL && dap_ended(front->stream)) front->leaving = true;
        json_free(request);
    }
    front->paused = false;
    if (front->leaving) {
        front->program->watch.left = true;
        return false;
    }
    front->program->goal = front->stop_on_entry ? DEBUGGER_INSTRUCTION : DEBUGGER_CONTINUE;
    go(front, front->program->goal);
    dap_interrupts(front->stream, front->program->debugger);
    return true;
}

static void end(void *context, bool good) {
    struct front *front = context;
    (void)good;
    dap_interrupts(front->stream, NULL);
    debug_shut(front->program);
}

// ---- the session
// Waits for the launch request, answering what comes before. False: the editor has left.
static bool await_launch(struct front *front) {
    char why[WHY_MAX];
    while (!front->leaving && front->launch == NULL) {
        struct json *request = dap_take(front->stream, true, why, sizeof why);
        if (request == NULL) {
            front->leaving |= dap_ended(front->stream);
            continue;
        }
        char *command = json_text(json_member(request, "command"));
        if (command != NULL && strcmp(command, "launch") == 0) {
            front->launch = request;
        } else {
            answer(front, request, false);
            json_free(request);
        }
        free(command);
    }
    return front->launch != NULL;
}

// Words of the command line, then those of the request. The words are the caller's, one after the other; NULL: the host
// has no memory.
static char **words_of(const struct json *launch, int argc, char **argv, int *count) {
    const struct json *arguments = json_member(launch, "arguments"), *list = json_member(arguments, "args");
    char **words = calloc((size_t)argc + json_count(list) + 2, sizeof *words);
    *count = 0;
    if (words == NULL) return NULL;
    for (int k = 0; k < argc; k++)
        words[(*count)++] = strdup(argv[k]);
    char *program = json_text(json_member(arguments, "program"));
    if (program != NULL) words[(*count)++] = program;
    for (size_t k = 0; k < json_count(list); k++) {
        char *word = json_text(json_item(list, k));
        if (word != NULL) words[(*count)++] = word;
    }
    return words;
}

// A launch that has come to nothing is answered with what was complained of.
static void finish(struct front *front, int result) {
    if (front->launch != NULL) {
        char *why = dap_printed(front->stream, true);
        if (why != NULL) why[strcspn(why, "\n")] = '\0';
        send_plain(front, front->launch, why != NULL ? why : "the program could not be started");
        json_free(front->launch);
        front->launch = NULL;
        free(why);
    }
    send_printed(front);
    struct json_writer *event = dap_event(front->stream, "exited");
    json_add_number(event, "exitCode", result);
    dap_send(front->stream, event);
    dap_send(front->stream, dap_event(front->stream, "terminated"));
    if (!front->leaving) converse(front);
}

int debug_dap(struct debug_program *program, int argc, char **argv) {
    struct front front = {.program = program, .stream = dap_stream_open()};
    char why[WHY_MAX] = "";
    int result = EXIT_OK;
    if (front.stream == NULL) return EXIT_FAILED;
    if (await_launch(&front)) {
        int count;
        char **words = words_of(front.launch, argc, argv, &count);
        result = words != NULL ? run_options_parse(count, words, &program->run) : EXIT_FAILED;
        if (result == EXIT_OK) result = debug_check_again(&program->run);
        if (result == EXIT_OK) {
            program->watch = (struct run_watch){.context = &front, .begin = begin, .end = end};
            result = run_file(&program->run, &program->watch);
            if (program->debugger != NULL) debug_shut(program);
        }
        finish(&front, result);
        for (int k = 0; words != NULL && k < count; k++)
            free(words[k]);
        free(words);
    }
    (void)dap_take(front.stream, false, why, sizeof why);
    dap_expanded_forget(&front.expanded);
    dap_stream_close(front.stream);
    if (why[0] == '\0') return result;
    complain("debug", "--dap: %s", why);
    return EXIT_FAILED;
}
