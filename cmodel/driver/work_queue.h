// The PPU-owned queue of a channel (WQ-10 to WQ-17).
#ifndef TANDEM_DRIVER_WORK_QUEUE_H
#define TANDEM_DRIVER_WORK_QUEUE_H

#include "compiler/library/work_queue.h"
#include "driver/channel.h"
#include "driver/module.h"

// As the calls of tandem.h.
enum tandem_status work_queue_open(struct tandem_channel *channel, const struct tandem_work_queue *sizes);
enum tandem_status work_queue_state(struct tandem_channel *channel, struct tandem_work_queue_state *state);
// What threads need to launch the module's kernels; nothing when no kernel makes work itself.
enum tandem_status work_queue_load(struct tandem_module *module);
// A launch of a kernel that makes work itself: the queue is there, and `words` (those of constant buffer 0 from
// LAUNCH_CONSTANT_QUEUE on) and the program region of `task` are filled in.
enum tandem_status work_queue_prepare(struct tandem_channel *channel, const struct tandem_module *module,
                                      tandem_addr task_at, uint32_t words[3], struct work_task *task);
// Behind the launch: WFI; release X; acquire Y.
enum tandem_status work_queue_follow(struct tandem_channel *channel);
// All work that launches of the channel made has ended (true: it has no queue).
bool work_queue_idle(const struct tandem_channel *channel);
unsigned work_queue_channel(const struct tandem_channel *channel);
// The fault of the queue's own channel; its text names it. False: there is no queue, or it has none.
bool work_queue_fault(struct tandem_channel *channel, struct tandem_fault *fault);
// Threads that wait for room give up, and nothing more is added: before a reset or close of the channel.
void work_queue_stop(struct tandem_channel *channel);
// As it was when it was made: after a reset of the channel.
enum tandem_status work_queue_reset(struct tandem_channel *channel);
// turns: how often it waits a while for the tasks of the queue.
// False: its tasks do not end.
bool work_queue_close(struct tandem_channel *channel, unsigned turns);

#endif
