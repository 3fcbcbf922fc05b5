// In a sequence a barrier cannot be met by all threads: those of other portions wait.
// launch: grid 1 1 1 cta 64 1 1
// shows: SV-7
// fault BARRIER_DIVERGED pc 1
.kernel main
    SVSTART after
    BAR
    SVEND
after:
    EXIT
