// Flow that no nesting of ifs and loops describes: a loop with two entries and jumps between its parts. Each thread is alone right; they need not meet.
// launch: grid 2 1 1 cta 48 1 1
// shows: TD-7 TD-18
// arg out global 384 zero
// expect out: 2952 1725 1025 1655 2234 2945 955 934 3094 2869 1241 948 2164 2969 1371 2875 3166 2157 1085 1020 3530 864 1587
// more: 1078 3024 2373 1673 1871 4178 3017 1171 1150 3310 2893 1889 1164 2812 3041 2019 2899 3382 2805 1301 1236 5474 936
// more: 2235 1294 3096 3021 2321 2087 6122 3089 1387 1366 3526 2917 2537 1380 3460 3113 2667 2923 3598 3453 1517 1452 7418
// more: 1008 2883 1510 3168 3669 2969 2303 8066 3161 1603 1582 3742 2941 3185 1596 4108 3185 3315 2947 3814 4101 1733 1668
// more: 9362 1080 3531 1726
.kernel main
.arg global out
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    S2R R2, SR_NTID_X
    IMAD R0, R1, R2, R0          // thread of the grid
    LDC.32 R3, c[0][64]
    SHL R4, R0, 2
    IADD R3, R3, R4              // &out[thread]
    UMULHI R5, R0, 0x55555556
    IMUL R5, R5, 3
    ISUB R5, R0, R5
    MOV R6, 0                    // sum
    MOV R7, 0                    // times in C
    MOV R8, R0                   // x
    ISETP.NE P0, R5, 0
    @P0 BRA B
A:
    IADD R6, R6, 1
    IADD R8, R8, 5
    AND R9, R8, 1
    ISETP.EQ P0, R9, 0
    @P0 BRA C
B:
    IADD R6, R6, 10
    IMUL R8, R8, 3
    AND R9, R8, 3
    ISETP.EQ P0, R9, 1
    @P0 BRA C
    ISETP.LT P0, R6, 60
    @P0 BRA A
    BRA D
C:
    IADD R6, R6, 100
    IADD R7, R7, 1
    AND R9, R8, 7
    IADD R8, R8, 3
    ISETP.EQ P0, R7, 4
    ISETP.GT P1, R6, 500
    PSETP.OR P0, P0, P1
    @P0 BRA D
    ISETP.LT P1, R9, 4
    @P1 JMP B
    JMP A
D:
    IMUL R6, R6, 7
    IADD R6, R6, R8
    STG.32 [R3], R6
    EXIT
