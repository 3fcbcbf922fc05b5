// Comparisons (register and immediate), predicate logic, SEL, P2R, R2P, guards; two CTAs of 48 threads.
// launch: grid 2 1 1 cta 48 1 1
// arg in global words 0 1 2 3 31 32 33 127 128 255 32768 65535 65536 0x7fffffff 0x80000000 0x80000001 0xfffffffe 0xffffffff
// more: 0x55555555 0xaaaaaaaa 0 1 2 3 31 32 33 127 128 255 32768 65535 65536 0x7fffffff 0x80000000 0x80000001 0xfffffffe
// more: 0xffffffff 0x55555555 0xaaaaaaaa 0 1 2 3 31 32 33 127 128 255 32768 65535 65536 0x7fffffff 0x80000000 0x80000001
// more: 0xfffffffe 0xffffffff 0x55555555 0xaaaaaaaa 0x3ceb3ffd 0x97b75092 0x8b529b4a 0x21636369 0x5eb561a4 0xea7b5bf5
// more: 0x9a9a80fd 0x795b929e 0xa02f34a6 0x94b2b8fd 0x10c67fd9 0x9b08923d 0x035efa25 0xe8a8529f 0xd6645fa9 0x781f9c58
// more: 0x42650644 0x8d0038ec 0x3bfd1d33 0x31162427 0xfee29476 0xb7970386 0x78633074 0x8a7d43b5 0xd6225675 0x8cb4a0d7
// more: 0x79f248b0 0x65aa9c82 0xa399f82a 0xdc6bf1e1 0x268ecc45 0x3b5f3d86 0xa2863a7f 0x26d0b944 0xde383784 0xed038db4 0 127
// more: 0x80000000 3 128 0x80000001 33 255 0xfffffffe 255 32768 0xffffffff 65536 65535 0x55555555 0x80000001 65536 0xaaaaaaaa
// more: 0x55555555 0x7fffffff 1 x 2 0x80000001 2 31 0xfffffffe 3 127 0xffffffff 31 32768 0x55555555 32 0x7fffffff 0xaaaaaaaa
// more: 33 0xfffffffe 0 127 0xaaaaaaaa 2 255 2 3 32768 32 31 65535 128 32 65536 65535 33 0x7fffffff 0x80000000 127 0x80000000
// more: 0xffffffff 128 0x80000001 0x3ceb3ffd 0x63d2e490 0xbdc2ae99 0x21636369 0xabe19f58 0xc6f8da3e 0x9a9a80fd 0x28ce6f24
// more: 0xc21b6092 0x94b2b8fd 40 x 2 0x035efa25 0xc7b317d9 0x07f062ce 0x781f9c58 0xdd933160 0x44f9794c 0x3bfd1d33 0x98418117
// more: 0xb804d820 0xb7970386 0xe0f9e038 0x633a50ee 0xd6225675 0xc9c18070 0xebcd1f5e 0x65aa9c82 0x651c5253 0xba6676b3
// more: 0x268ecc45 0x93b05a04 0x71d2af72 0x26d0b944 0xef829c88 0x2257989f
// arg out global 5760 zero
// expect out: 2 0 x 2 2 0 x 2 2 0 4 2 x 2 0 2 0 x 2 2 0 x 2 2 0 x 2 2 0 x 2 2 0 x 2 2 4 0 2 0 x 2 2 0 x 2 2 0 x 2 2 0 x 2
// more: 2 x 2 0 2 0 x 2 6 0 x 2 2 0 2 x 2 0 x 2 2 0 x 2 2 0 x 2 2 0 x 2 2 0 x 2 2 0 x 2 2 0 x 2 2 0 x 2 2 0 x 2 2 0 x 2 2
// more: 0 x 2 2 0 x 2 2 0 x 2 2 0 x 2 4 6 x 2 4 6 x 2 4 6 2 4 x 2 6 4 6 x 2 4 6 x 2 4 6 x 2 4 6 x 2 4 6 x 2 4 2 6 4 6 x 2 4
// more: 6 x 2 4 6 x 2 4 6 x 2 4 x 2 6 4 6 x 2 0 6 x 2 4 6 4 x 2 6 x 2 4 6 x 2 4 6 x 2 4 6 x 2 4 6 x 2 4 6 x 2 4 6 x 2 4 6 x 2
// more: 4 6 x 2 4 6 x 2 4 6 x 2 4 6 x 2 4 6 x 2 4 6 x 2 4 6 4 x 2 6 4 x 2 6 0 x 6 6 4 6 4 0 6 x 2 4 x 7 0 x 3 2 0 x 2 6 x 2 4
// more: 6 0 4 6 x 2 4 x 2 6 4 x 2 6 0 x 2 2 0 x 3 4 6 4 x 2 0 4 0 6 x 2 0 x 2 4 x 2 0 6 4 0 6 0 4 6 0 x 2 6 0 x 2 4 x 2 0 6 4
// more: 6 0 x 2 6 4 0 x 2 6 0 6 x 4 4 6 x 2 4 6 x 2 4 2 x 2 0 2 0 6 x 3 4 2 6 x 3 4 x 2 6 4 x 2 6 4 0 2 x 2 0 2 6 x 4 0 6 x 7
// more: 4 6 x 2 0 2 x 2 0 2 6 x 2 4 6 0 4 2 6 x 2 2 0 4 6 0 6 x 2 0 6 2 4 6 2 0 6 2 0 4 6 0 6 x 3 0 2 6 4 2 0 6 2 6 x 2 0 x 2
// more: 2 0 x 2 2 0 x 2 2 4 x 2 6 4 6 0 x 3 2 4 0 x 3 2 x 2 0 2 x 2 0 2 6 4 x 2 6 4 0 x 4 6 0 x 7 2 0 x 2 6 4 x 2 6 4 0 x 2 2
// more: 0 6 2 4 0 x 2 4 6 2 0 6 0 x 2 6 0 4 2 0 4 6 0 4 6 2 0 6 0 x 3 6 4 0 2 4 6 0 4 0 x 2 2 0 2 x 2 0 2 x 2 0 6 x 6 0 2 0 2
// more: 6 0 x 2 2 x 7 6 x 3 4 6 x 2 0 x 2 2 0 6 2 0 x 2 2 x 2 0 2 x 2 0 6 x 2 4 6 x 3 2 0 2 x 2 6 2 6 0 x 2 6 x 2 2 x 2 6 0 2
// more: 6 0 6 2 0 6 x 2 0 6 x 2 2 x 2 6 0 2 0 6 x 2 0 2 6 x 2 0 6 0 x 2 4 6 x 2 4 6 x 2 4 6 2 0 x 2 2 0 x 8 6 4 6 4 x 2 6
// more: 4 x 2 2 0 x 2 2 0 x 2 2 0 x 5 6 x 2 4 x 2 6 4 x 2 6 0 x 2 2 0 x 11 2 0 2 0 x 3 2 0 x 7 2 0 x 2 2 0 x 2 2 0 x 2 2 x 2
// more: 0 x 4 2 0 x 2 2 0 6 x 9 2 x 4 0 x 2 2 0 x 2 2 0 6 x 3 4 6 x 2 4 6 x 2 0 2 x 2 0 2 x 2 0 2 0 x 2 2 6 x 6 4 6 x 2 0
// more: 2 x 2 0 2 x 2 0 x 2 2 0 x 2 2 0 2 x 3 0 2 0 2 x 2 0 x 2 2 0 x 2 2 x 2 0 2 x 2 0 2 x 2 0 2 x 4 0 x 2 2 x 2 0 2 x 2
// more: 0 x 10 4 x 4 6 x 2 4 6 x 2 4 6 0 x 3 2 0 x 2 2 0 x 2 6 4 x 2 6 4 x 2 6 4 6 x 2 4 0 x 6 2 0 x 2 6 4 x 2 6 4 x 2 6 x 2
// more: 4 6 x 2 4 6 4 x 3 6 4 6 4 x 2 6 x 2 4 6 x 2 4 x 2 6 4 x 2 6 4 x 2 6 4 x 4 6 x 2 4 x 2 6 4 x 2 6 2 0 x 2 2 0 x 2 2 0 4
// more: 6 x 2 4 6 x 8 0 2 0 2 x 2 0 2 x 2 4 6 x 2 4 6 x 2 4 6 x 5 0 x 2 2 x 2 0 2 x 2 0 6 x 2 4 6 x 11 4 6 4 6 x 3 4 6 x 7 4
// more: 6 x 2 4 6 x 2 4 6 x 2 4 x 2 6 x 4 4 6 x 2 4 6 115 8 1 115 8 1 115 8 68 118 x 2 68 118 102 79 118 79 102 118 79 8 115
// more: 1 35 115 1 35 115 68 102 118 77 102 118 77 79 118 79 102 118 8 x 2 115 x 2 8 115 35 8 118 102 77 118 102 118 x 2 79
// more: 102 118 102 x 2 118 79 77 118 68 102 118 102 77 118 102 79 118 102 79 118 68 79 118 68 102 118 68 79 118 77 68 118 79
// more: 102 118 68 79 118 77 79 0 127 2 3 128 32 33 255 0xfffffffe 255 32768 0xffffffff 65536 65535 0x80000000 0x80000001
// more: 0xfffffffe 0xaaaaaaaa 0x55555555 0xaaaaaaaa 1 x 2 2 3 31 32 33 127 0xffffffff 31 32768 65535 32 0x7fffffff 0x80000000
// more: 0x80000001 0xfffffffe 0xffffffff 127 0xaaaaaaaa 2 255 2 3 32768 32 33 65535 128 32 32768 65535 33 0x7fffffff
// more: 0x80000000 0x80000001 0x80000000 0xffffffff 128 0x80000001 0x3ceb3ffd 0x97b75092 0x8b529b4a 0x21636369 0xabe19f58
// more: 0xc6f8da3e 0x9a9a80fd 0x28ce6f24 0xa02f34a6 0x94b2b8fd 40 0x9b08923d 0x035efa25 0xc7b317d9 0xd6645fa9 0x781f9c58
// more: 0xdd933160 0x8d0038ec 0x3bfd1d33 0x98418117 0xb804d820 0xb7970386 0xe0f9e038 0x8a7d43b5 0xd6225675 0x8cb4a0d7
// more: 0xebcd1f5e 0x65aa9c82 0xa399f82a 0xba6676b3 0x268ecc45 0x93b05a04 0xa2863a7f 0x26d0b944 0xde383784 0xed038db4 77 1 2
// more: 77 31 32 77 127 128 77 x 2 65535 77 x 2 0x80000000 77 0xfffffffe 77 x 2 0xaaaaaaaa 0 77 2 77 x 2 32 77 x 2 128 77 x 2
// more: 65535 77 x 2 0x80000000 0x80000001 77 0xffffffff 77 x 2 0 1 77 x 2 31 77 x 2 127 77 x 2 32768 77 x 4 0x80000001
// more: 77 x 5 0x97b75092 0x8b529b4a 77 0x5eb561a4 77 x 3 0xa02f34a6 77 x 2 0x9b08923d 77 x 2 0xd6645fa9 77 0x42650644
// more: 0x8d0038ec 77 0x31162427 77 x 2 0x78633074 0x8a7d43b5 77 0x8cb4a0d7 0x79f248b0 77 0xa399f82a 77 x 2 0x3b5f3d86
// more: 0xa2863a7f 77 0xde383784 0xed038db4 81 0 3 83 10 33 113 42 68 126 84 110 84 110 69 84 111 110 84 111 0 81 3 x 2 91
// more: 33 x 2 123 68 110 84 111 68 126 69 x 2 126 111 68 126 0 x 2 83 x 2 10 113 33 42 84 110 69 126 68 126 84 69 110 126 68
// more: 110 124 71 79 124 100 x 2 124 78 103 124 76 109 116 78 109 92 68 109 118 102 x 2 86 100 101 116 71 100 86 111 100 84
// more: 70 111 84 69 101 16 0 x 2 16 0 x 2 16 0 x 2 5 x 2 0 5 0 x 2 5 0 x 2 5 0 x 2 16 0 x 2 16 0 x 2 16 0 x 2 5 0 x 2 5
// more: 0 x 2 5 0 x 2 5 0 x 2 16 x 2 0 16 0 x 2 5 0 x 2 5 0 5 x 2 0 x 2 5 0 x 2 5 0 x 2 5 0 x 2 5 0 x 2 5 0 x 2 5 0 x 2 5
// more: 0 x 2 5 0 x 2 5 0 x 2 5 0 x 2 5 0 x 2 5 0 x 2 5 0 x 2
.kernel main
.arg global in
.arg global out
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    S2R R2, SR_NTID_X
    IMAD R0, R1, R2, R0          // thread of the grid
    SHL R3, R0, 2
    LDC.32 R4, c[0][64]
    IADD R5, R4, R3
    LDG.32 R4, [R5]
    LDG.32 R5, [R5 + 384]
    LDC.32 R6, c[0][68]
    IADD R3, R3, R6              // &out[thread]
    ISETP.EQ P1, R4, R5
    ISETP.EQ P2, R4, 0x80
    P2R R6
    STG.32 [R3 + 0], R6
    ISETP.NE P1, R4, R5
    ISETP.NE P2, R4, 0x80
    P2R R6
    STG.32 [R3 + 384], R6
    ISETP.LT P1, R4, R5
    ISETP.LT P2, R4, 0x80
    P2R R6
    STG.32 [R3 + 768], R6
    ISETP.LE P1, R4, R5
    ISETP.LE P2, R4, 0x80
    P2R R6
    STG.32 [R3 + 1152], R6
    ISETP.GT P1, R4, R5
    ISETP.GT P2, R4, 0x80
    P2R R6
    STG.32 [R3 + 1536], R6
    ISETP.GE P1, R4, R5
    ISETP.GE P2, R4, 0x80
    P2R R6
    STG.32 [R3 + 1920], R6
    ISETP.ULT P1, R4, R5
    ISETP.ULT P2, R4, 0x80
    P2R R6
    STG.32 [R3 + 2304], R6
    ISETP.ULE P1, R4, R5
    ISETP.ULE P2, R4, 0x80
    P2R R6
    STG.32 [R3 + 2688], R6
    ISETP.UGT P1, R4, R5
    ISETP.UGT P2, R4, 0x80
    P2R R6
    STG.32 [R3 + 3072], R6
    ISETP.UGE P1, R4, R5
    ISETP.UGE P2, R4, 0x80
    P2R R6
    STG.32 [R3 + 3456], R6
    ISETP.LT P3, R4, R5
    ISETP.EQ P4, R4, R5
    PSETP.AND P5, P1, !P3
    PSETP.OR P6, P2, P4
    PSETP.XOR P0, P3, !P2
    PSETP.AND PT, P1, P1
    P2R R6
    STG.32 [R3 + 3840], R6
    SEL R6, R4, R5, P0
    STG.32 [R3 + 4224], R6
    SEL R6, R4, 77, !P5
    STG.32 [R3 + 4608], R6
    R2P R4, 0x2A                 // P1, P3, P5
    P2R R6
    STG.32 [R3 + 4992], R6
    MOV R6, 5
    @P0 MOV R6, 6
    @!P2 IADD R6, R6, 10
    @!PT MOV R6, 99
    @P4 STG.32 [R3 + 5376], R6
    EXIT
