// Indirect calls of functions that yield: call tokens are thrown away, each thread returns to the call by its register.
// launch: grid 2 1 1 cta 48 1 1
// shows: TD-7 TD-11 TD-12 TD-18
// arg out global 384 zero
// expect out: 3 31 302 3003 7 35 306 3007 11 39 310 3011 15 43 314 3015 19 47 318 3019 23 51 322 3023 27 55 326 3027 31 59
// more: 330 3031 35 63 334 3035 39 67 338 3039 43 71 342 3043 47 75 346 3047 51 79 350 3051 55 83 354 3055 59 87 358
// more: 3059 63 91 362 3063 67 95 366 3067 71 99 370 3071 75 103 374 3075 79 107 378 3079 83 111 382 3083 87 115 386
// more: 3087 91 119 390 3091 95 123 394 3095
.kernel main
.arg global out
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    S2R R2, SR_NTID_X
    IMAD R0, R1, R2, R0          // thread of the grid
    LDC.32 R3, c[0][64]
    SHL R4, R0, 2
    IADD R3, R3, R4              // &out[thread]
    MOV R6, 0
    MOV R7, 3
    AND R5, R0, 3
    SHL R5, R5, 2
again:
    JCALX R10, R5, f0
    ISUB R7, R7, 1
    ISETP.NE P0, R7, 0
    @P0 BRA again
    IADD R6, R6, R0
    STG.32 [R3], R6
    EXIT
f0:
    YIELD
    IADD R6, R6, 1
    NOP
    RET R10
f1:
    YIELD
    IADD R6, R6, 10
    YIELD
    RET R10
f2:
    YIELD
    IADD R6, R6, 100
    NOP
    RET R10
f3:
    YIELD
    IADD R6, R6, 1000
    YIELD
    RET R10
