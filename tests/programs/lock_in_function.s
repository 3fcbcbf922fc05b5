// A lock taken in a function that both arms of an if call: threads of both wait in it, and each returns to its own caller.
// launch: grid 2 1 1 cta 48 1 1
// shows: TD-11 TD-12 TD-16 TD-18
// arg out global 384 zero
// arg shared global 12 zero
// expect out: 207 107 207 107 207 107 207 107 207 107 207 107 207 107 207 107 207 107 207 107 207 107 207 107 207 107 207 107
// more: 207 107 207 107 207 107 207 107 207 107 207 107 207 107 207 107 207 107 207 107 207 107 207 107 207 107 207 107 207
// more: 107 207 107 207 107 207 107 207 107 207 107 207 107 207 107 207 107 207 107 207 107 207 107 207 107 207 107 207 107
// more: 207 107 207 107 207 107 207 107 207 107
// expect shared: 0 48 x 2
//
// variant no_yield: without YIELD
// shows: TD-16
// deadline 60000
// hangs
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
    LDC.32 R5, c[0][68]          // lock, counter of odd threads, of even ones
    MOV R6, 1
    AND R7, R0, 1
    MOV R11, 4
    SSY join
    ISETP.EQ P0, R7, 0
    @P0 BRA even
    CAL R10, locked_add
    IADD R12, R12, 100
    SYNC join                    // where to go when the token is gone
even:
    MOV R11, 8
    CAL R10, locked_add
    IADD R12, R12, 200
    SYNC join
join:
    STG.32 [R3], R12
    EXIT
locked_add:                      // adds 1 to the word at R5 + R11 under the lock
    IADD R13, R5, R11
take:
    ATOMG.CAS R8, [R5], RZ, R6
    ISETP.EQ P1, R8, 0
    @P1 BRA inside
    YIELD
    BRA take
inside:
    LDG.32 R9, [R13]
    IADD R9, R9, 1
    STG.32 [R13], R9
    MOV R12, 7
    MEMBAR
    ATOMG.XCHG RZ, [R5], RZ
    RET R10
