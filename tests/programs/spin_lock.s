// A spin lock taken by each thread in turn: the threads that go round yield to the one that holds it.
// launch: grid 2 1 1 cta 48 1 1
// shows: TD-11 TD-16
// arg out global 384 zero
// arg shared global 8 zero
// expect out: 1 x 96
// expect shared: 0 96
//
// variant no_yield: without YIELD
// The thread that holds the lock is switched off and never comes back.
// shows: TD-16
// deadline 60000
// hangs
//
// variant nth: YIELD.NTH 3 for YIELD
// shows: TD-13 TD-16
// Waiting threads yield at every third time round.
//
// variant nth_large: YIELD.NTH 70000 for YIELD
// YIELD.NTH counts to 256 at most, so a larger number does not keep a thread waiting for ever.
// launch: grid 1 1 1 cta 3 1 1
// shows: TD-13 TD-16
// expect out: 1 x 3
// expect shared: 0 3
//
// variant random: YIELD.RANDOM 8192 for YIELD
// shows: TD-13 TD-16
// A probability of 1 in 8.
//
// variant random_always: YIELD.RANDOM 65536 for YIELD
// A threshold that every number is below: it yields each time.
// shows: TD-13
//
// variant random_never: YIELD.RANDOM 0 for YIELD
// Threshold 0 never yields.
// hangs
// deadline 100000
// shows: TD-13 TD-16
.kernel main
.arg global out
.arg global shared
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    S2R R2, SR_NTID_X
    IMAD R0, R1, R2, R0          // thread of the grid
    LDC.32 R3, c[0][64]
    SHL R4, R0, 2
    IADD R3, R3, R4              // &out[thread]
    LDC.32 R5, c[0][68]          // lock, counter
    MOV R6, 1
take:
    ATOMG.CAS R7, [R5], RZ, R6
    ISETP.EQ P0, R7, 0
    @P0 BRA inside               // the others go round; those that have the lock wait in the deque
    YIELD
    BRA take
inside:
    LDG.32 R8, [R5 + 4]
    IADD R9, R8, 1
    STG.32 [R5 + 4], R9
    MOV R10, 1
    STG.32 [R3], R10
    MEMBAR
    ATOMG.XCHG RZ, [R5], RZ
    EXIT
