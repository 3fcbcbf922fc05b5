// Launches that wait for others, of all shapes (tests/device/test_linked.c). Every answer of enqueue_kernel is counted in `bad` where it
// should be good.
#define NO_WAIT CLK_ENQUEUE_FLAGS_NO_WAIT

static void good(__global uint *bad, int answer) {
    if (answer != 0) atomic_inc(bad);
}

// Each work-item makes a chain: out[i] is what only this order gives.
__kernel void chain(__global uint *out, __global uint *bad, uint links) {
    queue_t q = get_default_queue();
    __global uint *mine = out + get_global_id(0);
    clk_event_t last, next;
    good(bad, enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 0, 0, &last, ^{ *mine = 1; }));
    for (uint k = 0; k < links; k++) {
        good(bad, enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 1, &last, &next, ^{ *mine = *mine * 3 + k; }));
        release_event(last);
        last = next;
    }
    release_event(last);
}

// Many wait for one event; nothing of them has run before it ends. Odd ones are waited for again.
__kernel void fan(__global uint *out, __global uint *bad, uint count) {
    queue_t q = get_default_queue();
    clk_event_t start = create_user_event();
    for (uint k = 0; k < count; k++) {
        clk_event_t one;
        if (k % 2 == 0) {
            good(bad, enqueue_kernel(q, NO_WAIT, ndrange_1D(2), 1, &start, 0, ^{ atomic_add(&out[k], 1 + (uint)get_global_id(0)); }));
        } else {
            good(bad, enqueue_kernel(q, NO_WAIT, ndrange_1D(2), 1, &start, &one, ^{ atomic_add(&out[k], 1 + (uint)get_global_id(0)); }));
            good(bad, enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 1, &one, 0, ^{ out[k] *= 5; }));
            release_event(one);
        }
    }
    uint early = 0;
    for (uint k = 0; k < count; k++) early += atomic_add(&out[k], 0u);
    out[count] = early;
    set_user_event_status(start, CL_COMPLETE);
    release_event(start);
}

// One waits for as many as there may be in a list, one for one more than that.
__kernel void fan_in(__global uint *out, __global uint *bad) {
    queue_t q = get_default_queue();
    clk_event_t all[17], none;
    for (uint k = 0; k < 17; k++)
        good(bad, enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 0, 0, &all[k], ^{ atomic_add(&out[0], 1u << k); }));
    good(bad, enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 16, all, 0, ^{ out[1] = out[0] & 0xFFFF; }));
    out[2] = (uint)enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 17, all, &none, ^{ out[3] = 1; });
    out[4] = is_valid_event(none);
    out[5] = (uint)enqueue_marker(q, 17, all, &none);
    for (uint k = 0; k < 17; k++) release_event(all[k]);
}

// Each work-item: first, then two, then one that waits for both.
__kernel void diamond(__global uint *out, __global uint *bad) {
    queue_t q = get_default_queue();
    __global uint *mine = out + 4 * get_global_id(0);
    clk_event_t top, sides[2], bottom;
    good(bad, enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 0, 0, &top, ^{ mine[0] = 7; }));
    good(bad, enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 1, &top, &sides[0], ^{ mine[1] = mine[0] + 1; }));
    good(bad, enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 1, &top, &sides[1], ^{ mine[2] = mine[0] * 2; }));
    release_event(top);
    good(bad, enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 2, sides, &bottom, ^{ mine[3] = mine[1] * 100 + mine[2]; }));
    release_event(sides[0]);
    release_event(sides[1]);
    release_event(bottom);
}

// An event has come when all that its launch has launched has ended, and what that has launched.
static void grow(__global uint *out, __global uint *bad, uint depth) {
    atomic_inc(&out[0]);
    if (depth == 0) return;
    for (uint k = 0; k < 2; k++)
        good(bad, enqueue_kernel(get_default_queue(), k == 0 ? CLK_ENQUEUE_FLAGS_NO_WAIT : CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                                 ^{ grow(out, bad, depth - 1); }));
}
__kernel void children(__global uint *out, __global uint *bad, uint depth) {
    queue_t q = get_default_queue();
    clk_event_t all, then;
    good(bad, enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 0, 0, &all, ^{ grow(out, bad, depth); }));
    good(bad, enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 1, &all, &then, ^{
      out[1] = out[0];
      clk_event_t inside;
      good(bad, enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 0, 0, &inside, ^{ atomic_add(&out[3], 10u); }));
      good(bad, enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 1, &inside, 0, ^{ out[3] *= 3; }));
      release_event(inside);
    }));
    good(bad, enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 1, &then, 0, ^{ out[2] = out[1] * 1000 + out[3]; }));
    release_event(all);
    release_event(then);
}

// What waits for its parent and for an event: for both. Also through local memory and with an offset.
__kernel void behind(__global uint *out, __global uint *bad) {
    queue_t q = get_default_queue();
    clk_event_t one;
    if (get_local_id(0) == 0) {
        good(bad, enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 0, 0, &one, ^{ atomic_add(&out[0], 1000u); }));
        good(bad, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(3, 4, 2), 1, &one, 0, ^(__local void *a, __local void *b) {
          __local uint *words = (__local uint *)a, *others = (__local uint *)b;
          words[get_local_id(0)] = (uint)get_global_id(0);
          others[get_local_id(0)] = out[0];
          barrier(CLK_LOCAL_MEM_FENCE);
          out[get_global_id(0)] = words[get_local_id(0) ^ 1] * 10000 + others[get_local_id(0) ^ 1];
        }, 8, 16));
        good(bad, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, ndrange_1D(1), 1, &one, 0, ^{ out[1] = out[0]; }));
        release_event(one);
    }
    atomic_inc(&out[0]);
}

// The user's event ends with an error: nothing runs that waits for it, through launches, markers, fans and parts of ranges.
__kernel void error(__global uint *out, __global uint *bad, uint count) {
    queue_t q = get_default_queue();
    clk_event_t wrong = create_user_event(), right = create_user_event(), first, marker, both[2], fine;
    good(bad, enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 1, &wrong, &first, ^{ out[0] = 1; }));
    good(bad, enqueue_marker(q, 1, &first, &marker));
    for (uint k = 0; k < count; k++)
        good(bad, enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 1, k % 2 == 0 ? &marker : &first, 0, ^{ atomic_inc(&out[1]); }));
    both[0] = right;
    both[1] = wrong;
    good(bad, enqueue_kernel(q, NO_WAIT, ndrange_1D(5, 2), 2, both, 0, ^{ atomic_inc(&out[2]); }));
    good(bad, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), 1, &marker, 0, ^{ out[3] = 1; }));
    good(bad, enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 1, &right, &fine, ^{ atomic_inc(&out[4]); }));
    good(bad, enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 1, &fine, 0, ^{ atomic_inc(&out[4]); }));
    set_user_event_status(right, CL_COMPLETE);
    set_user_event_status(wrong, -7);
    set_user_event_status(wrong, CL_COMPLETE);  // too late
    // When the error is there.
    good(bad, enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 1, &marker, &both[0], ^{ out[5] = 1; }));
    good(bad, enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 1, &both[0], 0, ^{ out[6] = 1; }));
    release_event(both[0]);
    release_event(wrong);
    release_event(right);
    release_event(first);
    release_event(marker);
    release_event(fine);
}

// Words that are no events, alone and in a list of two: refused, and nothing else is touched.
static uint no_event(uint word, clk_event_t start) {
    const uint own = *(__private uint *)&start;
    return word == 1 ? own + 4 : word == 2 ? own + 65536 * 256 : word;
}
__kernel void no_events(__global uint *out, __global uint *bad, __global uint *words, uint count) {
    queue_t q = get_default_queue();
    clk_event_t start = create_user_event(), list[2];
    list[0] = start;
    for (uint k = 0; k < count; k++) {
        *(__private uint *)&list[1] = no_event(words[k], start);
        out[8 + 4 * k] = (uint)enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 1, &list[1], 0, ^{ atomic_inc(&out[1]); });
        release_event(list[1]);
        retain_event(list[1]);
        set_user_event_status(list[1], CL_COMPLETE);
    }
    set_user_event_status(start, CL_COMPLETE);
    release_event(start);
}
__kernel void no_events_in_lists(__global uint *out, __global uint *bad, __global uint *words, uint count) {
    queue_t q = get_default_queue();
    clk_event_t start = create_user_event(), list[2], result;
    list[0] = start;
    for (uint k = 0; k < count; k++) {
        *(__private uint *)&list[1] = no_event(words[k], start);
        out[9 + 4 * k] = (uint)enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 2, list, &result, ^{ atomic_inc(&out[1]); });
        out[10 + 4 * k] = is_valid_event(result);
        out[11 + 4 * k] = (uint)enqueue_marker(q, 2, list, &result);
    }
    good(bad, enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 1, &start, 0, ^{ atomic_inc(&out[0]); }));
    set_user_event_status(start, CL_COMPLETE);
    release_event(start);
}

// Lists and numbers that do not go together; the same list then, with its number.
__kernel void no_lists(__global uint *out, __global uint *bad) {
    queue_t q = get_default_queue();
    clk_event_t start = create_user_event();
    out[0] = (uint)enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 0, &start, 0, ^{ atomic_inc(&out[2]); });
    out[1] = (uint)enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 2, 0, 0, ^{ atomic_inc(&out[2]); });
    good(bad, enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 1, &start, 0, ^{ atomic_inc(&out[3]); }));
    set_user_event_status(start, CL_COMPLETE);
    release_event(start);
}

// A user's event that nobody ends.
__kernel void never(__global uint *out, __global uint *bad) {
    clk_event_t start = create_user_event();
    good(bad, enqueue_kernel(get_default_queue(), NO_WAIT, ndrange_1D(1), 1, &start, 0, ^{ out[0] = 1; }));
    out[1] = 5;
}

// Events until there is no memory for more.
__kernel void many(__global uint *out, __global uint *bad, uint most) {
    queue_t q = get_default_queue();
    clk_event_t start = create_user_event(), one;
    uint in = 0;
    int answer = 0;
    while (in < most && answer == 0) {
        answer = enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 1, &start, &one, ^{ atomic_inc(&out[0]); });
        if (answer == 0) {
            in++;
            release_event(one);
        }
    }
    out[1] = in;
    out[2] = (uint)answer;
    set_user_event_status(start, CL_COMPLETE);
    release_event(start);
}

// A launch in the middle of a chain stores where there is no memory.
__kernel void faulty(__global uint *out, __global uint *bad, uint place) {
    queue_t q = get_default_queue();
    clk_event_t first, second;
    good(bad, enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 0, 0, &first, ^{ out[0] = 1; }));
    good(bad, enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 1, &first, &second, ^{ *(__global uint *)place = 1; }));
    good(bad, enqueue_kernel(q, NO_WAIT, ndrange_1D(1), 1, &second, 0, ^{ out[1] = 1; }));
    release_event(first);
    release_event(second);
}
