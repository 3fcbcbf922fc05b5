// Barriers: in each round every thread takes what another thread of its CTA has; the last warps are partial; MEMBAR.
// launch: grid 3 1 1 cta 48 1 1
// arg out global 576 zero
// expect out: 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48
// more: 49 50 51 52 53 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40
// more: 41 42 43 44 45 46 47 48 49 50 51 52 53 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
// more: 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 6 7 8 9 10 11
.kernel main
.arg global out
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    S2R R2, SR_NTID_X
    IMAD R0, R1, R2, R0          // thread of the grid
    LDC.32 R3, c[0][64]
    IMUL R4, R1, 192
    IADD R3, R3, R4              // the CTA's words
    S2R R4, SR_TID_X
    SHL R5, R4, 2
    IADD R5, R5, R3              // mine
    IADD R6, R4, 17
    ISETP.GE P0, R6, 48
    @P0 ISUB R6, R6, 48
    SHL R6, R6, 2
    IADD R6, R6, R3              // my neighbour's
    STG.32 [R5], R4
    MOV R7, 0
round:
    MEMBAR
    BAR
    LDG.32 R8, [R6]
    IADD R8, R8, 1
    BAR
    STG.32 [R5], R8
    IADD R7, R7, 1
    ISETP.LT P1, R7, 6
    @P1 BRA round
    EXIT
