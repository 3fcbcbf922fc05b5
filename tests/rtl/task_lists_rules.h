// What task_lists does in each cycle, said list by list: one look at all of them, and a count of cycles until it is known. For the benches of task_lists and
// of task_management, which has one inside.
#ifndef TANDEM_TESTS_RTL_TASK_LISTS_RULES_H
#define TANDEM_TESTS_RTL_TASK_LISTS_RULES_H

#include <cstdint>

struct lists_seen {
    uint32_t halt, suspend;  // a bit for each channel
    bool reset, round_robin, read, write, taken;
    uint32_t read_channel, read_level, write_channel, write_level;
    uint32_t head, tail, count;  // that are written
};

struct pending_tasks {
    uint32_t head, tail, count;
};

class lists_rules {
   public:
    static constexpr uint32_t LEVELS = 64, KNOWN = 5;  // cycles until a choice is known
    struct pending_tasks list[CHANNELS][LEVELS], shown;
    uint32_t known, last_level, last_channel, pick_channel, pick_level, drop_channel, drop_level;

    bool any(uint32_t channel) const {
        for (uint32_t level = 0; level < LEVELS; level++)
            if (list[channel][level].count != 0) return true;
        return false;
    }
    bool settled(const struct lists_seen &in) const {
        return known == KNOWN && same(in);
    }
    // A list of a channel that stands is to be dropped: the highest one of the first such channel.
    bool drop(const struct lists_seen &in) {
        for (drop_channel = 0; drop_channel < CHANNELS; drop_channel++) {
            if ((in.halt >> drop_channel & 1) == 0 || !any(drop_channel)) continue;
            for (drop_level = LEVELS - 1; list[drop_channel][drop_level].count == 0;)
                drop_level--;
            return true;
        }
        return false;
    }
    // The list served next: from the highest level down, or from the one below the level served last and around.
    bool pick(const struct lists_seen &in) {
        for (uint32_t i = 1; i <= LEVELS; i++) {
            pick_level = ((in.round_robin ? last_level : 0) + LEVELS - i) % LEVELS;
            for (uint32_t k = 1; k <= CHANNELS; k++) {
                pick_channel = (last_channel + k) % CHANNELS;
                const bool closed = ((in.halt | in.suspend) >> pick_channel & 1) != 0;
                if (!closed && list[pick_channel][pick_level].count != 0) return true;
            }
        }
        return false;
    }

    void clock(const struct lists_seen &in) {
        const bool again = in.reset || in.write || in.taken || !same(in);
        // Two of the looks wait while the one place of a row is used for a read.
        const bool waits = in.read && (known == 0 || known == 2);
        known = again ? 0 : known + (known < KNOWN && !waits);
        if (in.taken) {
            last_level = read_level;
            last_channel = read_channel;
        }
        if (in.read) {
            shown = list[in.read_channel][in.read_level];
            read_channel = in.read_channel;
            read_level = in.read_level;
        }
        if (in.write) list[in.write_channel][in.write_level] = {in.head, in.tail, in.count};
        before = in;
        if (!in.reset) return;
        for (auto &channel : list)
            for (struct pending_tasks &l : channel)
                l.count = 0;
        shown.count = last_level = last_channel = 0;
    }

   private:
    struct lists_seen before;
    uint32_t read_channel, read_level;

    bool same(const struct lists_seen &in) const {
        return in.halt == before.halt && in.suspend == before.suspend && in.round_robin == before.round_robin;
    }
};

#endif
