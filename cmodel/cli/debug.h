// `tandem debug`: a program on a device under the debugger, and what its faces share.
#ifndef TANDEM_CLI_DEBUG_H
#define TANDEM_CLI_DEBUG_H

#include "debugger/debugger.h"
#include "debugger/variables.h"
#include "run.h"

#define DEBUG_SCRIPTS_MAX 64u

struct debug_script {
    const char *text;
    bool file;  // its name, else a command
};

// Where commands come from: scripts in their order, then standard input.
struct debug_input {
    struct debug_script scripts[DEBUG_SCRIPTS_MAX];
    size_t count, next;
    FILE *open;  // the script that is being read, or NULL
    bool dap;    // none of it: an editor
    bool batch;  // nothing after the scripts, and the first wrong command is the last
    bool wrong;  // there was one, with batch
    char *line;
    size_t room;
};

struct debug_program {
    struct run_options run;
    struct run_watch watch;
    struct debug_input input;
    const struct code_object *object;  // while it is loaded
    struct debugger *debugger;
    struct variables *variables;  // of the source, NULL: the program has none
    char *source;                 // the text of the source file, NULL: not found
    struct debugger_thread at;    // that commands mean
    enum debugger_goal goal;      // of the last step
    uint64_t times;               // that it is to be reached, with the next one
    bool over;                    // the program has ended
};

// ---- debug_program.c
// The program's run is watched: at each stop commands are taken until one goes on.
void debug_watch(struct debug_program *program);
// What the watchers of a run do. False after a complaint. context: of stopped.
bool debug_open(struct debug_program *program, struct tandem_device *device, const struct code_object *object,
                void (*stopped)(void *context, const struct debugger_stop *stop), void *context);
void debug_shut(struct debug_program *program);
void debug_leave(struct debug_program *program);  // the run ends, the device is closed
// Commands now mean this warp; the thread stays if it takes part, else it is the first that does.
void debug_choose(struct debug_program *program, unsigned sm, unsigned warp);
void debug_tell_stop(const struct debug_program *program, const struct debugger_stop *stop);  // on standard output
// SIGTERM has come.
int debug_terminated(void);
// A line of the source, without its end; false: it is not there.
bool debug_source_line(const struct debug_program *program, uint32_t line, const char **text, size_t *length);
// "0.1" of a warp.
void debug_where(const struct debug_program *program, unsigned sm, unsigned warp, char *to, size_t size);

// ---- debug_input.c
// Takes commands until one goes on (DEBUG_GO) or ends the session (DEBUG_QUIT, also where there are no more).
enum debug_result debug_converse(struct debug_program *program);
void debug_input_free(struct debug_input *input);

// ---- command_debug.c
// EXIT_OK, or EXIT_USAGE after a complaint: what runs must be what was read.
int debug_check_again(struct run_options *run);

// ---- debug_dap.c
// The same for an editor, by the Debug Adapter Protocol on standard input and output. argv: options of `tandem run` that
// are given before those of the launch request. The exit code.
int debug_dap(struct debug_program *program, int argc, char **argv);

// ---- debug_commands.c
// DEBUG_WRONG after a line on standard error; DEBUG_GO: debugger_go() has been called.
enum debug_result { DEBUG_DONE, DEBUG_WRONG, DEBUG_GO, DEBUG_QUIT };
// One line of a user.
enum debug_result debug_command(struct debug_program *program, const char *line);
void debug_commands_help(FILE *to);

// ---- debug_show.c: what is shown; false after a complaint
bool debug_show(struct debug_program *program, const char *what, const char *rest);
void debug_show_help(FILE *to);
bool debug_show_registers(struct debug_program *program, const char *rest);
bool debug_show_memory(struct debug_program *program, const char *rest);
bool debug_show_code(struct debug_program *program, const char *rest);
bool debug_show_source(struct debug_program *program, const char *rest);

// ---- debug_variables.c; false after a complaint
bool debug_show_print(struct debug_program *program, const char *expression);
bool debug_show_row(struct debug_program *program, const char *expression);
bool debug_show_locals(struct debug_program *program, const char *rest);
bool debug_show_args(struct debug_program *program);
// What an expression, an argument or a register is in the chosen thread. False: why.
bool debug_print(struct debug_program *program, const char *expression, char *to, size_t size, char *why,
                 size_t why_size);

// ---- debug_show.c
// The value of R<n>, P<n>, S<n> or a kernel argument's name; kind and bytes of the argument else 4. False: there is none.
bool debug_value(struct debug_program *program, const char *name, char *to, size_t size);

#endif
