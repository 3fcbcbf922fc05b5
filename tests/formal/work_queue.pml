/* How threads add work to a PPU-owned queue (cmodel/driver/work_queue.md), for the model checker spin: adders, the channel, the
   CPU's launches, laps, over all interleavings of single memory accesses. scripts/run-spin has the cases, and the broken variants that must
   be found.

   E         entries of the ring
   ADDERS    threads of the launch from the CPU, each of which adds a piece of N launches at once
   N         launches of an addition (the acquire makes N + 1 entries)
   MODE      what who finds no room does: 0 waits, 1 gives up, 2 parks the piece
   LAUNCHES  from the CPU
   CHILD     the first piece of every launch adds one more (MODE of it: CHILD_MODE)
   FULL_SM   pieces can start only when the launch from the CPU has ended (its threads hold the multiprocessor)
   REBASE    positions are taken back from here on
   BREAK     0: the protocol as it is; else a mistake */
#ifndef E
#define E 4
#endif
#ifndef ADDERS
#define ADDERS 2
#endif
#ifndef N
#define N 1
#endif
#ifndef MODE
#define MODE 0
#endif
#ifndef LAUNCHES
#define LAUNCHES 2
#endif
#ifndef CHILD
#define CHILD 0
#endif
#ifndef CHILD_MODE
#define CHILD_MODE MODE
#endif
#ifndef FULL_SM
#define FULL_SM 0
#endif
#ifndef REBASE
#define REBASE 200
#endif
#ifndef BREAK
#define BREAK 0
#endif

#define FIRST_ENTRY 1
#define LAUNCH 2
#define ACQUIRE 3
#define TAIL 4

#define PIECES (ADDERS + CHILD) /* of a launch from the CPU */

/* device memory */
typedef entry { byte kind; byte position; byte value; }
entry ring[E];
byte semaphore[E];
byte soft = E + 1, shadow = 2 * E - 1;
byte x = 0, y = 0, launch = 1, outstanding = 1;
byte parked = 0;  /* a set of pieces */

/* what is only for the proof */
byte get = E;               /* GP_GET as a position, never taken back: `shift` */
byte shift = 0;             /* what rebasing has taken off the positions */
byte moved_by = 0;          /* what the last TAIL takes off */
bool set_up = false;
byte pending = 0;           /* launches that have not started */
byte waiting[PIECES];       /* of each piece */
byte running = 0;           /* pieces launched on the PPU-owned channel that have not ended */
byte root = 0;              /* threads of the launch from the CPU that have not ended */
byte root_warps = 0;
byte accepted = 0, ran = 0; /* sets */
byte left[PIECES];          /* launches of the piece that have not run */

#define FREE(to) ((to) <= shadow)  /* positions stay small here; the code compares signed differences */
#define PLACE(p) ((p) % E)

inline write_entry(at, what, payload) {
    /* the entry of the lap before has been passed */
    d_step {
        assert((at) - E < get - shift);
        ring[PLACE(at)].kind = what;
        ring[PLACE(at)].position = (at);
        ring[PLACE(at)].value = payload;
    }
}

/* Takes `count` entries: first, or taken = false. */
inline take(count, mode) {
    taken = true;
    if
    :: (mode) != 0 && BREAK != 3 -> d_step { seen = soft }; d_step { if :: FREE(seen + (count)) -> skip :: else -> taken = false fi }
    :: else -> skip
    fi;
    if
    :: taken ->
        d_step { first = soft; soft = soft + (count) };
        if
        :: FREE(first + (count)) -> skip
        :: BREAK == 3 -> skip
        :: (mode) == 0 && !FREE(first + (count)) && BREAK != 6 -> x = launch; FREE(first + (count))
        :: (mode) != 0 && BREAK != 8 -> atomic { if :: FREE(first + (count)) -> skip :: soft == first + (count) -> soft = first; taken = false fi }
        :: (mode) != 0 && BREAK == 8 && !FREE(first + (count)) -> soft = first; taken = false
        fi
    :: else -> skip
    fi
}

#define VALUE(p) (BREAK == 4 -> 1 : (p))

inline hand_over() { semaphore[PLACE(first - 1)] = VALUE(first - 1) }

/* N launches of the piece, an acquire behind them. */
inline add(piece, mode) {
    take(N + 1, mode);
    if
    :: taken ->
        if :: BREAK == 1 -> hand_over() :: else -> skip fi;
        k = 0;
        do
        :: k < N -> write_entry(first + k, LAUNCH, piece); k++
        :: else -> break
        od;
        skip;
        write_entry(first + N, ACQUIRE, VALUE(first + N));
        if :: BREAK != 1 -> hand_over() :: else -> skip fi
    :: else -> skip
    fi
}

inline submit(piece, mode) {
    d_step { outstanding = outstanding + N; left[piece] = N };
    add(piece, mode);
    if
    :: taken -> d_step { accepted = accepted | (1 << piece) }
    :: !taken && mode == 2 -> d_step { accepted = accepted | (1 << piece); parked = parked | (1 << piece) }
    :: !taken && mode != 2 -> d_step { outstanding = outstanding - N }
    fi
}

inline unpark() {
    do
    :: atomic { parked != 0 && FREE(soft + N + 1) -> list = parked; parked = 0 };
        taken = true;
        do
        :: list != 0 && taken ->
            atomic { p = 0; do :: (list & (1 << p)) == 0 -> p++ :: else -> break od };
            add(p, 1);
            if :: taken -> list = list & ~(1 << p) :: else -> skip fi
        :: else -> break
        od;
        skip;
        d_step { parked = parked | list; list = 0 };
        if :: BREAK == 9 -> break :: else -> skip fi
    :: parked == 0 -> break
    :: !FREE(soft + N + 1) -> break
    od
}

inline tail() {
    take(2, 0);
    atomic {
        moved = 0;
        if
        :: first >= REBASE -> moved = first - E - PLACE(first); soft = first + 2 - moved; k = 0;
            if :: BREAK != 11 -> do :: k < E -> semaphore[k] = 0; k++ :: else -> break od :: else -> skip fi
        :: else -> skip
        fi
    };
    write_entry(first, TAIL, launch);
    moved_by = moved;
    write_entry(first + 1, ACQUIRE, VALUE(first + 1 - moved));
    ring[PLACE(first + 1)].position = first + 1 - moved;
    outstanding = 1;
    launch = launch + 1;
    hand_over()
}

/* The end of a launch, or of the launch from the CPU. */
inline end() {
    unpark();
    if
    :: BREAK == 5 -> seen = outstanding; outstanding = seen - 1; last = (seen == 1)
    :: else -> d_step { outstanding--; last = (outstanding == 0) }
    fi;
    if :: last -> tail() :: else -> skip fi
}

/* A thread of the launch from the CPU. The last of them ends it. */
proctype adder(byte number) {
    byte first, seen, k, list, p, moved;
    bool taken, last;
    submit(number, MODE);
    d_step { root_warps--; last = (root_warps == 0) };
    if :: last -> end() :: else -> skip fi;
    root--
}

/* A multiprocessor that runs what was launched. */
active [2] proctype runner() {
    byte first, seen, k, list, p, piece, moved;
    bool taken, last;
endwait:
    do
    :: atomic {
        pending != 0 && (!FULL_SM || root == 0) ->
        piece = 0;
        do :: waiting[piece] == 0 -> piece++ :: else -> break od;
        waiting[piece]--;
        pending--;
        ran = ran | (1 << piece)
       };
        if
        :: CHILD && piece == 0 && left[0] == 0 -> submit(ADDERS, CHILD_MODE)
        :: else -> skip
        fi;
        end();
        d_step { running--; list = 0; k = 0; p = 0; first = 0; seen = 0; moved = 0; taken = false; last = false; piece = 0 }
    od
}

/* The PPU-owned channel. */
active proctype channel() {
    byte kind, value;
    set_up;
endwait:
    do
    :: atomic {
        kind = ring[PLACE(get)].kind;
        value = ring[PLACE(get)].value;
        if
        :: kind == LAUNCH || kind == ACQUIRE || kind == TAIL || kind == FIRST_ENTRY -> assert(ring[PLACE(get)].position == get - shift)
        :: else -> assert(false) /* an entry that nobody has written */
        fi };
        if
        :: kind == LAUNCH ->
            if :: BREAK != 7 -> shadow = get - shift + E + (BREAK == 2 -> 1 : 0) :: else -> skip fi;
            d_step {
                assert(left[value] > 0);  /* none twice */
                left[value]--;
                waiting[value]++;
                pending++;
                running++
            };
            if :: BREAK == 7 -> shadow = get - shift + E :: else -> skip fi
        :: kind == ACQUIRE ->
endacquire: semaphore[PLACE(get)] == value
        :: kind == FIRST_ENTRY ->
endx:       x == 1;
            if :: BREAK != 10 ->
endfirst:       semaphore[0] == value
            :: else -> skip fi
        :: kind == TAIL ->
            running == 0;  /* WFI: also for the thread that made this block, if it runs here */
            if :: moved_by != 0 && BREAK != 12 -> semaphore[PLACE(get - 1)] = 0 :: else -> skip fi;
            d_step { shift = shift + moved_by; moved_by = 0; shadow = get - shift + E };
            y = value;
endtail:    x == value + 1
        fi;
        d_step { ring[PLACE(get)].kind = 0; get++ }
    od
}

/* The CPU-owned channel: launch; WFI; release X; acquire Y. */
init {
    byte l = 1, k;
    d_step {
        ring[0].kind = FIRST_ENTRY;
        ring[0].position = E;
        ring[0].value = VALUE(E);
        set_up = true
    };
    do
    :: l <= LAUNCHES ->
        atomic {
            accepted = 0; ran = 0; root = ADDERS; root_warps = ADDERS; k = 0;
            do :: k < ADDERS -> run adder(k); k++ :: else -> break od
        };
        root == 0;
        x = l;
        y == l;
        d_step {
            assert(ran == accepted);           /* none lost, none that was refused */
            assert(MODE == 1 || accepted == (1 << PIECES) - 1);
            assert(outstanding == 1 && parked == 0 && pending == 0 && running == 0);
            assert(launch == l + 1);
            assert(soft == get - shift + 2);   /* all entries taken have been passed */
            assert(shadow == get - shift + E)  /* and given back */
        };
        l++
    :: else -> break
    od
}
