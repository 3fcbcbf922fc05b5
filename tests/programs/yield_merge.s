// Threads that yield at the same place converge again.
// launch: grid 2 1 1 cta 48 1 1
// shows: TD-11
// arg out global 384 zero
// arg shared global 4 zero
// expect out: 41 42 43 44 45 46 47 48 41 42 43 44 45 46 47 48 41 42 43 44 45 46 47 48 41 42 43 44 45 46 47 48 41 42 43 44 45
// more: 46 47 48 41 42 43 44 45 46 47 48 41 42 43 44 45 46 47 48 41 42 43 44 45 46 47 48 41 42 43 44 45 46 47 48 41 42 43 44
// more: 45 46 47 48 41 42 43 44 45 46 47 48 41 42 43 44 45 46 47 48
// expect shared: 96
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
    LDC.32 R5, c[0][68]
    MOV R6, 1
    AND R7, R0, 7                // threads come to the YIELD in groups, by different ways
    MOV R8, 0
round:
    IADD R8, R8, 1
    ISETP.GT P0, R8, R7
    @P0 BRA meet
    BRA round
meet:
    YIELD
    ATOMG.ADD RZ, [R5], R6
    YIELD
    IADD R9, R8, 40
    STG.32 [R3], R9
    EXIT
