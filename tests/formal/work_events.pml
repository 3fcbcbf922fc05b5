/* How launches by threads wait for events (cmodel/driver/work_queue.md, 'Events'), for the model checker spin: threads that name their launches
   in events, ends that the task unit counts, references, relays, errors of user events told on, over all interleavings of single memory accesses.
   scripts/run-spin has the cases, and the broken variants that must be found.

   ADDERS   threads; each makes a launch that waits for a user's event
   CHAIN    0: without an event; 1: with one, and a second launch that waits for that; 2: for a marker of that
   SLOTS    of the task unit, tasks that end at the same time
   EVENTS   places for events and relays
   LOW      the user's event ends with an error (1), or well (0)
   EARLY    launches that the user's event has in it from the start (0 to 2), so that relays are needed sooner
   BREAK    0: the protocol as it is; else a mistake */
#ifndef ADDERS
#define ADDERS 2
#endif
#ifndef EVENTS
#define EVENTS 5
#endif
#ifndef LOW
#define LOW 0
#endif
#ifndef EARLY
#define EARLY 0
#endif
#ifndef CHAIN
#define CHAIN 1
#endif
#ifndef SLOTS
#define SLOTS 1
#endif
#ifndef BREAK
#define BREAK 0
#endif

#define NONE 255
#define FIRST EVENTS              /* the first launches of the threads, */
#define SECOND (EVENTS + ADDERS)  /* their second ones, */
#define OTHERS (EVENTS + 2 * ADDERS)
#define TMDS (OTHERS + EARLY)
#define IS_EVENT(x) ((x) < EVENTS)
#define USER 0

#define OF_LAUNCHES 0
#define OF_USER 1
#define RELAY 2
#define MARK 3

/* device memory: TMDs of events, then of launches */
typedef tmd { byte counter; byte dependent[2]; byte kind; byte error; byte own; byte walk; bool cancelled }
tmd t[TMDS];
byte references[EVENTS];

/* what is only for the proof */
byte started[TMDS];       /* how often; of launches */
bool ran[TMDS];           /* it was not cancelled, and has ended */
bool refused[TMDS];       /* its thread was told that there is no memory */
bool told[TMDS];          /* its thread is through with it */
bool user_ended = false;  /* the user's event may come from now on */
byte use[EVENTS];         /* which use of the place this is */

chan queue = [TMDS + EVENTS] of { byte };  /* the launch queue */

inline launch(x) { queue!x }

inline count_off(x) {
    atomic { assert(t[x].counter > 0); t[x].counter--; last = (t[x].counter == 0) };
    if :: last -> launch(x) :: else -> skip fi
}

/* A slot of the task unit. It reads the TMD when the task starts, and never again. */
active [SLOTS] proctype slot() {
    byte x, a, b, k;
    bool last, cancelled;
endslot:
    do
    :: atomic {
        queue?x;
        a = t[x].dependent[0]; b = t[x].dependent[1]; cancelled = t[x].cancelled;
        started[x]++;
        assert(t[x].counter == 0);
        if
        :: IS_EVENT(x) -> assert(references[x] > 0); started[x] = 0
        :: else ->
            assert(started[x] == 1);
            assert(user_ended || refused[x]);  /* not before what it waits for */
            assert(cancelled || x < SECOND || x >= OTHERS || ran[x - ADDERS]);
            assert(cancelled || !LOW)                                                  /* nothing runs that waited for an error */
        fi };
        if
        :: IS_EVENT(x) ->  /* the release */
            if
            :: BREAK == 7 -> skip
            :: else -> atomic { assert(references[x] > 0); references[x]--; use[x] = use[x] + (references[x] == 0) }
            fi
        :: else -> ran[x] = !cancelled
        fi;
        if :: a != NONE -> count_off(a) :: else -> skip fi;
        if :: b != NONE -> count_off(b) :: else -> skip fi;
        d_step { a = NONE; b = NONE; x = 0; last = false; cancelled = false }
    od
}

/* A free place, NONE: there is none. Whoever finds references 0 has it. */
inline take(count) {
    event = NONE;
    atomic {
        k = 0;
        do :: k < EVENTS && event == NONE -> if :: references[k] == 0 -> references[k] = count; event = k :: else -> skip fi; k++ :: else -> break od;
        k = 0
    }
}

/* The TMD is written before anybody can know of it. */
inline fill(what, pending) {
    d_step {
        t[event].kind = what; t[event].error = 0; t[event].counter = pending; t[event].dependent[0] = NONE; t[event].dependent[1] = NONE
    }
}

/* Names x in the event `e`, which is held. known: there was memory for it. */
inline name(e, x) {
    known = false;
    atomic { if :: t[e].dependent[0] == NONE -> t[e].dependent[0] = x; known = true :: else -> skip fi };
    if
    :: known -> skip
    :: else -> atomic { if :: t[e].dependent[1] == NONE -> t[e].dependent[1] = x; known = true :: else -> skip fi }
    fi;
    if
    :: known -> skip
    :: else ->
        take(1);
        if
        :: event != NONE ->
            fill(RELAY, 1);
            t[event].dependent[1] = x;
            found = t[e].dependent[1];
            do
            :: seen = found;
                t[event].dependent[0] = seen;
                if
                :: BREAK == 4 -> t[e].dependent[1] = event; found = seen
                :: else -> atomic { found = t[e].dependent[1]; if :: found == seen -> t[e].dependent[1] = event :: else -> skip fi }
                fi;
                if :: found == seen -> known = true; break :: else -> skip fi
            od
        :: else -> skip
        fi
    fi
}

/* x has counted the event `e`. come: it has come already, or there was no memory. */
inline wait(x, e) {
    come = false;
    refuse = false;
    seen = t[e].counter;
    do
    :: seen == 0 -> come = true; break
    :: seen != 0 && BREAK == 1 -> break                                    /* named without holding it */
    :: seen != 0 && BREAK != 1 ->
        atomic { found = t[e].counter; if :: found == seen -> t[e].counter++ :: else -> skip fi };
        if :: found == seen -> break :: else -> seen = found fi
    od;
    if
    :: !come ->
        if :: BREAK == 6 -> error = t[e].error :: else -> skip fi;
        name(e, x);
        if :: !known -> come = true; refuse = true :: else -> skip fi;
        if
        :: BREAK == 1 -> skip
        :: BREAK == 2 -> atomic { t[e].counter-- }                         /* nobody starts it when this was the last */
        :: else -> count_off(e)
        fi
    :: else -> skip
    fi;
    if :: BREAK == 6 && !come -> skip :: else -> error = t[e].error fi
}

/* The launch will end without running. Its own event gets the error. */
inline cancel(x, status) {
    if
    :: status != 0 && t[x].own != NONE -> atomic { if :: t[t[x].own].error == 0 -> t[t[x].own].error = status :: else -> skip fi }
    :: else -> skip
    fi;
    t[x].cancelled = true
}

/* Waits for `e`, has counted it and one more; goes when all have come. */
inline go(x, e) {
    wait(x, e);
    if :: refuse -> refused[x] = true; cancel(x, 0) :: !refuse && error != 0 -> cancel(x, error) :: else -> skip fi;
    atomic { k = 1 + come; assert(t[x].counter >= k); t[x].counter = t[x].counter - k; last = (t[x].counter == 0); k = 0 };
    if :: last -> launch(x) :: else -> skip fi
}

inline release(e) { atomic { assert(references[e] > 0); references[e]--; use[e] = use[e] + (references[e] == 0) } }

proctype adder(byte number) {
    byte event, own, marker, seen, found, k, error, was;
    bool known, come, refuse, last;
    /* the first launch, with an event, for the user's */
    if :: CHAIN -> take(2) :: else -> event = NONE fi;
    own = event;
    if
    :: CHAIN == 0 -> t[FIRST + number].counter = 2; go(FIRST + number, USER)
    :: CHAIN && own == NONE -> d_step { refused[FIRST + number] = true; refused[SECOND + number] = true }
    :: CHAIN && own != NONE ->
        was = use[own];
        fill(OF_LAUNCHES, 1);
        d_step { t[FIRST + number].own = own; t[FIRST + number].dependent[0] = own; t[FIRST + number].counter = 2 };
        go(FIRST + number, USER);
        refused[SECOND + number] = refused[FIRST + number];
        /* the second, for the first one's event or for a marker of it */
        marker = own;
        if
        :: CHAIN == 2 && !refused[SECOND + number] ->
            take(2);
            marker = event;
            if
            :: marker == NONE -> marker = own
            :: else ->
                fill(MARK, 2);
                wait(marker, own);
                if :: error != 0 -> t[marker].error = error :: else -> skip fi;
                if :: refuse -> refused[SECOND + number] = true :: else -> skip fi;
                if :: come -> atomic { t[marker].counter-- } :: else -> skip fi;
                count_off(marker)
            fi
        :: else -> skip
        fi;
        assert(was == use[own]);   /* it is this one still while its thread has a reference */
        if
        :: !refused[SECOND + number] -> t[SECOND + number].counter = 2; go(SECOND + number, marker)
        :: else -> skip
        fi;
        if :: marker != own -> release(marker) :: else -> skip fi;
        release(own)
    fi;
    release(USER);
    told[FIRST + number] = true;
    event = 0; own = 0; marker = 0; seen = 0; found = 0; error = 0; was = 0
}

/* Tells one of those that wait; puts into the list what has had no error. */
inline tell(x) {
    own = NONE;
    if
    :: x == NONE -> skip
    :: x != NONE && IS_EVENT(x) -> own = x
    :: else -> own = t[x].own
    fi;
    if
    :: own != NONE ->
        atomic { if :: t[own].error == 0 -> t[own].error = 1 :: else -> own = NONE fi };
    :: else -> skip
    fi;
    if :: x != NONE && !IS_EVENT(x) -> t[x].cancelled = true :: else -> skip fi;
    if :: own != NONE -> t[own].walk = list; list = own :: else -> skip fi
}

/* The user's event ends. */
proctype setter() {
    byte list, now, at, next, own;
    bool last;
    if
    :: LOW && BREAK != 5 ->
        t[USER].error = 1;
        t[USER].walk = NONE;
        list = USER;
        do
        :: list != NONE ->
            now = list;
            list = t[now].walk;
            at = t[now].dependent[1];
            next = t[now].dependent[0];
            do
            :: at != NONE || next != NONE ->
                tell(next);
                if
                :: at != NONE && IS_EVENT(at) && t[at].kind == RELAY ->
                    if :: BREAK == 8 -> next = NONE :: else -> next = t[at].dependent[1] fi;
                    at = t[at].dependent[0]
                :: else -> next = at; at = NONE
                fi
            :: else -> break
            od
        :: else -> break
        od
    :: else -> skip
    fi;
    if
    :: BREAK == 3 -> atomic { last = (t[USER].counter == 1) }; user_ended = true; t[USER].counter--; if :: last -> launch(USER) :: else -> skip fi
    :: else -> user_ended = true; count_off(USER)
    fi;
    if :: LOW && BREAK == 5 -> t[USER].error = 1 :: else -> skip fi;
    release(USER)
}

init {
    byte k;
    d_step {
        k = 0;
        do
        :: k < TMDS -> t[k].dependent[0] = NONE; t[k].dependent[1] = NONE; t[k].own = NONE; k++
        :: else -> break
        od;
        t[USER].kind = OF_USER;
        t[USER].counter = 1;
        references[USER] = 2 + ADDERS;  /* its own, the setter's, a thread's each */
        k = 0;
        do
        :: k < EARLY -> t[USER].dependent[k] = OTHERS + k; t[OTHERS + k].counter = 1; k++
        :: else -> break
        od
    };
    atomic {
        k = 0;
        do :: k < ADDERS -> run adder(k); k++ :: else -> break od;
        run setter()
    };
    /* nothing moves any more */
    timeout;
    k = 0;
    do
    :: k < ADDERS ->
        assert(told[FIRST + k]);
        assert(refused[FIRST + k] || started[FIRST + k] == 1);
        assert(refused[SECOND + k] || started[SECOND + k] == 1 || !CHAIN);
        assert(LOW || refused[FIRST + k] || ran[FIRST + k]);
        assert(LOW || refused[FIRST + k] || refused[SECOND + k] || ran[SECOND + k] || !CHAIN);
        k++
    :: else -> break
    od;
    k = 0;
    do :: k < EARLY -> assert(started[OTHERS + k] == 1); k++ :: else -> break od;
    k = 0;
    do :: k < EVENTS -> assert(references[k] == 0); k++ :: else -> break od
}
