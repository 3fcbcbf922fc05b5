// Device-side enqueue of OpenCL C 2.0 (-cl-std=CL2.0): blocks, captured variables, ranges, flags, local memory, events.
// -DTEST_kernel chooses one of them, to have less to compile.

#ifdef TEST_captures
// Each work-item launches a block over 8 work-items that captures four variables of different sizes.
__kernel void captures(__global uint *out, uint base) {
    const uint i = (uint)get_global_id(0);
    const uchar small = (uchar)(i + 1);
    const ushort middle = (ushort)(1000 + i);
    __global uint *mine = out + 8 * i;
    int result = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(8),
                                ^{ mine[get_global_id(0)] = base + middle * 100 + small * 10 + (uint)get_global_id(0); });
    out[8 * get_global_size(0) + i] = (uint)result;
}
#endif

#ifdef TEST_straight
// Launches without events: many of one kind behind each other; then of all kinds, the last one refused.
__kernel void straight_many(__global uint *out, uint n) {
    for (uint i = 0; i < n; i++)
        while (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ out[i] += 2 * i + 1; }) != 0)
            ;
}

// Two kernels by turns, of other sizes and offsets each time, so that what one has left in a piece is not what the next one wants.
__kernel void straight_changes(__global uint *out, uint n) {
    queue_t q = get_default_queue();
    const uint flags = CLK_ENQUEUE_FLAGS_NO_WAIT;
    for (uint i = 0; i < n; i++) {
        while (enqueue_kernel(q, flags, ndrange_1D(i % 3, 2 + i % 2 * 2, 2), ^{ atomic_add(&out[get_global_id(0)], get_local_size(0)); }) != 0)
            ;
        while (enqueue_kernel(q, flags, ndrange_1D(1 + i % 2), ^{ atomic_add(&out[16 + get_global_id(0)], i + get_global_offset(0) * 1000); }) != 0)
            ;
    }
}

__kernel void straight_kinds(__global uint *out) {
    queue_t q = get_default_queue();
    const uint flags = CLK_ENQUEUE_FLAGS_NO_WAIT;
    const size_t g2[2] = {2, 2};
    out[16] = (uint)enqueue_kernel(q, flags, ndrange_1D(3, 12, 4), ^{ if (get_global_id(0) >= 3) atomic_inc(&out[0]); });
    out[17] = (uint)enqueue_kernel(q, flags, ndrange_2D(g2), ^{ atomic_inc(&out[1]); });
    out[18] = (uint)enqueue_kernel(q, flags, ndrange_1D(1), ^{
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ out[2] = 99; });
    });
    out[19] = (uint)enqueue_kernel(q, flags, ndrange_1D(3, 1), ^{ atomic_inc(&out[3]); });
    out[20] = (uint)enqueue_kernel(
        q, flags, ndrange_1D(1), ^(__local void *memory) {
          *(__local uint *)memory = 5;
          out[4] = *(__local uint *)memory;
        },
        4);
    out[21] = (uint)enqueue_kernel(q, flags, ndrange_1D(4096, 4096), ^{ out[5] = 1; });
}
#endif

#ifdef TEST_private
// Threads with private memory of their own, in the launch from the CPU, in what it launches and in what that launches: one
// kernel that makes no work, one that launches the other. Each thread's words are its own while the others run.
static uint turned(uint seed, uint n) {
    uint words[24];
    for (uint k = 0; k < 24; k++) words[k] = seed * 100 + k;
    for (uint k = 0; k < n; k++) {
        const uint from = (seed + 7 * k) % 24, to = (5 * k + 3) % 24, word = words[from];
        words[from] = words[to];
        words[to] = word;
    }
    uint sum = 0;
    for (uint k = 0; k < 24; k++) sum = sum * 31 + words[(k + n) % 24];
    return sum;
}

__kernel void private_memory(__global uint *out, uint n) {
    const uint i = (uint)get_global_id(0);
    out[128 + i] = (uint)enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4, 2),
                                        ^{ out[32 + 4 * i + get_global_id(0)] = turned(1000 + 4 * i + (uint)get_global_id(0), n); });
    out[136 + i] = (uint)enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(2), ^{
        out[64 + 2 * i + get_global_id(0)] = turned(2000 + 2 * i + (uint)get_global_id(0), n);
      });
      out[96 + i] = turned(3000 + i, n);
    });
    out[i] = turned(i, n);
}

// The same threads' work by a kernel that makes none: its launch has the channel's memory in place of the program's.
__kernel void private_plain(__global uint *out, uint n) {
    const uint i = (uint)get_global_id(0);
    out[i] = turned(i, n);
}
#endif

#ifdef TEST_ranges
// Ranges of one to three dimensions; each work-item counts its place.
static void visit(__global uint *out) {
    const size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    atomic_add(&out[(z * 4 + y) * 8 + x], 1u + get_local_size(0) * 100u + get_work_dim() * 10000u);
}

__kernel void ranges(__global uint *out) {
    queue_t q = get_default_queue();
    const size_t g2[2] = {4, 2}, l2[2] = {2, 1}, o3[3] = {1, 1, 1}, g3[3] = {4, 2, 2}, l3[3] = {4, 1, 2};
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(2, 6, 3), ^{ visit(out); });
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_2D(g2, l2), ^{ visit(out + 128); });
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_3D(o3, g3, l3), ^{ visit(out + 256); });
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(6, 4), ^{ visit(out + 384); });
    out[392] = (uint)enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4096, 4096), ^{ visit(out); });
    out[393] = (uint)enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(0), ^{ visit(out); });
}
#endif

#ifdef TEST_flags
// Flags: what waits for the parent's end sees all that the parent wrote. The group's size is said, so that its registers fit on nano.
__kernel __attribute__((reqd_work_group_size(40, 1, 1))) void flags(__global uint *out) {
    queue_t q = get_default_queue();
    const uint i = (uint)get_global_id(0), n = (uint)get_global_size(0);
    if (i == 0) {
        enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
          uint sum = 0;
          for (uint k = 0; k < n; k++) sum += out[k];
          out[n] = sum;
        });
        enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, ndrange_1D(1), ^{ out[n + 1] = out[0]; });
    }
    for (uint k = 0; k < 20; k++) atomic_add(&out[i], i + 1);
}
#endif

#ifdef TEST_local_arguments
// Local memory as arguments of the block, with a barrier.
__kernel void local_arguments(__global uint *out, uint n) {
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(2 * n, n),
                   ^(__local void *a, __local void *b) {
                     __local uint *from = (__local uint *)a, *to = (__local uint *)b;
                     const uint i = (uint)get_local_id(0);
                     from[i] = i * i + (uint)get_group_id(0);
                     barrier(CLK_LOCAL_MEM_FENCE);
                     to[i] = from[n - 1 - i];
                     barrier(CLK_LOCAL_MEM_FENCE);
                     out[get_global_id(0)] = to[i];
                   },
                   4 * n, 4 * n);
}
#endif

#ifdef TEST_events
// A user event, and events of launches: third after second after first after the user's, made in another order.
__kernel void events(__global uint *out) {
    queue_t q = get_default_queue();
    clk_event_t start = create_user_event(), first, second, both[2];
    out[8] = is_valid_event(start);
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4), 1, &start, &first, ^{ atomic_add(&out[0], 1u); });
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &first, &second, ^{ out[1] = out[0] * 10; });
    both[0] = first;
    both[1] = second;
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 2, both, 0, ^{ out[2] = out[1] + 5; });
    out[3] = out[0];
    retain_event(start);
    release_event(start);
    set_user_event_status(start, CL_COMPLETE);
    release_event(start);
    release_event(first);
    release_event(second);
}
#endif

#ifdef TEST_tree
// A tree of launches: each piece splits until it is one word long.
static void split(__global uint *out, uint from, uint count) {
    if (count == 1) {
        out[from] = from + 1;
        return;
    }
    const uint half_way = count / 2;
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ split(out, from, half_way); });
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),
                   ^{ split(out, from + half_way, count - half_way); });
}

__kernel void tree(__global uint *out, uint count) { split(out, 0, count); }
#endif

#ifdef TEST_questions
// A block without captures, and what is known of a kernel.
__kernel void questions(__global uint *out) {
    void (^nothing)(void) = ^{};
    out[0] = get_kernel_work_group_size(nothing);
    out[1] = get_kernel_preferred_work_group_size_multiple(nothing);
    out[2] = (uint)enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(3), ^{});
}
#endif

#ifdef TEST_bad_ranges
// Sizes that no launch can have: products that wrap, too many threads, work-groups of nothing, ranges past the end.
__kernel void bad_ranges(__global uint *out) {
    queue_t q = get_default_queue();
    const size_t square[2] = {65536, 65536}, cube[3] = {4096, 4096, 256}, wide[2] = {1, 70000}, ones[2] = {1, 1};
    const size_t flat[2] = {2, 2}, none[2] = {2, 0}, many[3] = {65535, 65535, 65535}, one[3] = {1, 1, 1};
    const uint flags = CLK_ENQUEUE_FLAGS_NO_WAIT;
    out[0] = (uint)enqueue_kernel(q, flags, ndrange_2D(square, square), ^{ out[16] = 1; });
    out[1] = (uint)enqueue_kernel(q, flags, ndrange_3D(cube, cube), ^{ out[17] = 1; });
    out[2] = (uint)enqueue_kernel(q, flags, ndrange_2D(wide, ones), ^{ out[18] = 1; });
    out[3] = (uint)enqueue_kernel(q, flags, ndrange_2D(flat, none), ^{ out[19] = 1; });
    out[4] = (uint)enqueue_kernel(q, flags, ndrange_1D(3000, 3000), ^{ out[20] = 1; });
    out[5] = (uint)enqueue_kernel(q, flags, ndrange_3D(many, one), ^{ out[21] = 1; });
    out[6] = (uint)enqueue_kernel(q, flags, ndrange_1D(0xFFFFFFFF, 2, 1), ^{ out[22] = 1; });
    out[7] = (uint)enqueue_kernel(q, flags, ndrange_1D(0xFFFFFFFE, 2, 1), ^{ atomic_inc(&out[23]); });
}
#endif

#ifdef TEST_markers
// Markers: of launches, of markers, of nothing; and such as are refused.
__kernel void markers(__global uint *out) {
    queue_t q = get_default_queue();
    clk_event_t e[3], of_all, of_both, of_none, pair[2];
    const uint flags = CLK_ENQUEUE_FLAGS_NO_WAIT;
    for (int i = 0; i < 3; i++)
        enqueue_kernel(q, flags, ndrange_1D(4), 0, (clk_event_t *)0, &e[i], ^{ atomic_inc(&out[8]); });
    out[0] = (uint)enqueue_marker(q, 3, e, &of_all);
    out[1] = (uint)enqueue_marker(q, 0, (clk_event_t *)0, &of_none);
    pair[0] = of_all;
    pair[1] = of_none;
    out[2] = (uint)enqueue_marker(q, 2, pair, &of_both);
    enqueue_kernel(q, flags, ndrange_1D(1), 1, &of_both, 0, ^{ out[9] = out[8] + 100; });
    out[3] = (uint)enqueue_marker(q, 3, e, (clk_event_t *)0);
    out[4] = (uint)enqueue_marker(q, 3, (clk_event_t *)0, &pair[0]);
    out[5] = (uint)enqueue_marker(q, 0, e, &pair[0]);
    out[6] = is_valid_event(pair[0]);
    for (int i = 0; i < 3; i++) release_event(e[i]);
    release_event(of_all);
    release_event(of_both);
    release_event(of_none);
}
#endif

#ifdef TEST_one_variable
// One variable for the event that is waited for and for the one that is made, all the ways that launches go.
__kernel void one_variable(__global uint *out) {
    queue_t q = get_default_queue();
    clk_event_t e, made[4];
    const uint flags = CLK_ENQUEUE_FLAGS_NO_WAIT;
    const size_t plane[2] = {1, 1};
    out[0] = (uint)enqueue_kernel(q, flags, ndrange_1D(1), 0, (clk_event_t *)0, &e, ^{ out[8] = 1; });
    made[0] = e;
    out[1] = (uint)enqueue_kernel(q, flags, ndrange_1D(1), 1, &e, &e, ^{ out[8] = 10 * out[8] + 2; });
    made[1] = e;
    out[2] = (uint)enqueue_kernel(q, flags, ndrange_2D(plane), 1, &e, &e, ^{ out[8] = 10 * out[8] + 3; });
    made[2] = e;
    out[3] = (uint)enqueue_marker(q, 1, &e, &e);
    made[3] = e;
    out[4] = (uint)enqueue_kernel(q, flags, ndrange_1D(3, 2), 1, &e, &e, ^{ atomic_add(&out[9], out[8]); });
    out[5] = (uint)enqueue_kernel(q, flags, ndrange_1D(1), 1, &e, (clk_event_t *)0, ^{ out[10] = out[9] + 1; });
    for (int i = 0; i < 4; i++) release_event(made[i]);
    release_event(e);
}
#endif

#ifdef TEST_errors
// A user event that ends with an error: what waits for it does not run, neither does what waits for that.
__kernel void errors(__global uint *out) {
    queue_t q = get_default_queue();
    clk_event_t bad = create_user_event(), good = create_user_event(), first, marker, both[2];
    const uint flags = CLK_ENQUEUE_FLAGS_NO_WAIT;
    enqueue_kernel(q, flags, ndrange_1D(1), 1, &bad, &first, ^{ out[0] = 1; });
    enqueue_marker(q, 1, &first, &marker);
    enqueue_kernel(q, flags, ndrange_1D(1), 1, &marker, 0, ^{ out[1] = 1; });
    both[0] = bad;
    both[1] = good;
    enqueue_kernel(q, flags, ndrange_1D(1), 2, both, 0, ^{ out[2] = 1; });
    enqueue_kernel(q, flags, ndrange_1D(1), 1, &good, 0, ^{ out[3] = 1; });
    set_user_event_status(good, CL_COMPLETE);
    set_user_event_status(bad, -5);
    // Made when the error is there.
    enqueue_kernel(q, flags, ndrange_1D(1), 1, &bad, 0, ^{ out[4] = 1; });
    release_event(bad);
    release_event(good);
    release_event(first);
    release_event(marker);
}
#endif

#ifdef TEST_queue_argument
// A queue as an argument is the launch's own; also where nothing is done with it.
static int launch(queue_t on, __global uint *out) {
    return enqueue_kernel(on, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4), ^{ out[get_global_id(0)] = 7; });
}

__kernel void queue_argument(__global uint *out, queue_t q) { out[4] = (uint)launch(q, out) + 9u; }

__kernel void queue_left_alone(__global uint *out, queue_t q) { out[0] = 5; }
#endif

#ifdef TEST_large_captures
// Blocks that capture large structures, one of them with local memory as an argument too.
struct hundred {
    uint words[100];
};
struct thousand {
    uint words[1000];
};

__kernel void large_captures(__global uint *out, uint n) {
    struct hundred few;
    struct thousand many;
    for (uint k = 0; k < 100; k++) few.words[k] = k * n;
    for (uint k = 0; k < 1000; k++) many.words[k] = k * n;
    out[0] = (uint)enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(100),
                                  ^{ out[8 + get_global_id(0)] = few.words[get_global_id(0)]; });
    out[1] = (uint)enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(104, 8),
                                  ^(__local void *memory) {
                                    const uint i = (uint)get_global_id(0), lane = (uint)get_local_id(0);
                                    __local uint *words = (__local uint *)memory;
                                    words[lane] = lane;
                                    barrier(CLK_LOCAL_MEM_FENCE);
                                    if (i < 100) out[128 + i] = many.words[900 + i] + words[lane];
                                  },
                                  32u);
}
#endif

#ifdef TEST_teams
// 32 work-items of a warp launch together. out: answers, then a word of each launch.
__kernel void team_plain(__global uint *out) {
    const uint i = (uint)get_global_id(0);
    const uint number = 1000 + i;
    out[i] = (uint)enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(i % 8 == 5 ? 0 : 1),
                                  ^{ out[32 + i] = number; });
}

// Local memory of different sizes.
__kernel void team_local(__global uint *out) {
    const uint i = (uint)get_global_id(0);
    out[i] = (uint)enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4, 4),
                                  ^(__local void *memory) {
                                    __local uint *words = (__local uint *)memory;
                                    const uint lane = (uint)get_local_id(0);
                                    words[i + lane] = 500 + lane;
                                    barrier(CLK_LOCAL_MEM_FENCE);
                                    if (lane == 0) out[32 + i] = words[i] + words[i + 3] - 3 + 1000 + i;
                                  },
                                  4u * (i + 4));
}

// Each launch waits for an event of its own, then all of these come together.
__kernel void team_waits(__global uint *out) {
    const uint i = (uint)get_global_id(0);
    clk_event_t start = create_user_event();
    out[i] = (uint)enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &start, 0,
                                  ^{ out[32 + i] = 3000 + i; });
    set_user_event_status(start, CL_COMPLETE);
    release_event(start);
}
#endif

#ifdef TEST_profiling
// What a launch takes: 40 additions by each of its work-items, then what it launches itself. The times are there when the
// event has come. out: word 8 on: end - start and complete - start, 64 bits each.
__kernel void profiling(__global uint *out) {
    queue_t q = get_default_queue();
    const uint flags = CLK_ENQUEUE_FLAGS_NO_WAIT;
    clk_event_t done, none = create_user_event();
    enqueue_kernel(q, flags, ndrange_1D(32), 0, (clk_event_t *)0, &done, ^{
      for (uint k = 0; k < 40; k++) atomic_inc(&out[0]);
      if (get_global_id(0) == 0)
          enqueue_kernel(q, flags, ndrange_1D(1), ^{ for (uint k = 0; k < 200; k++) atomic_inc(&out[1]); });
    });
    capture_event_profiling_info(done, CLK_PROFILING_COMMAND_EXEC_TIME, out + 8);
    capture_event_profiling_info(none, CLK_PROFILING_COMMAND_EXEC_TIME, out + 12);  // not of a launch: nothing is written
    enqueue_kernel(q, flags, ndrange_1D(1), 1, &done, 0, ^{
      out[2] = out[0];
      out[3] = out[1];
      out[4] = out[8];
      out[5] = out[10];
    });
    release_event(done);
    release_event(none);
}
#endif

#ifdef TEST_validity
// Events that are none: given back, never made, any word.
__kernel void validity(__global uint *out) {
    queue_t q = get_default_queue();
    const uint flags = CLK_ENQUEUE_FLAGS_NO_WAIT;
    clk_event_t user = create_user_event(), gone = create_user_event(), result;
    out[0] = is_valid_event(user);
    release_event(gone);
    out[1] = is_valid_event(gone);
    retain_event(user);
    release_event(user);
    out[2] = is_valid_event(user);
    out[3] = (uint)enqueue_kernel(q, flags, ndrange_1D(1), 1, &gone, &result, ^{ out[8] = 1; });
    out[4] = is_valid_event(result);
    release_event(gone);
    retain_event(gone);
    set_user_event_status(gone, CL_COMPLETE);
    set_user_event_status(user, CL_RUNNING);  // no end
    enqueue_kernel(q, flags, ndrange_1D(1), 1, &user, 0, ^{ out[9] += 1; });
    set_user_event_status(user, CL_COMPLETE);
    set_user_event_status(user, CL_COMPLETE);  // the first is the one that counts
    release_event(user);
}
#endif
