/* Operations of the compiler's that are made of several of ours: the instrumenter names them, the runtime builds them.
 * None of them is in a trace. */
#ifndef PENUMBRA_TRACE_DERIVED_H
#define PENUMBRA_TRACE_DERIVED_H

/*  enum              the intrinsic's name behind "llvm.", before its type     operands */
#define PN_DERIVED(X)                                                                                                  \
    X(PN_ABS, "abs", 1)                                                                                                \
    X(PN_SMAX, "smax", 2)                                                                                              \
    X(PN_SMIN, "smin", 2)                                                                                              \
    X(PN_UMAX, "umax", 2)                                                                                              \
    X(PN_UMIN, "umin", 2)                                                                                              \
    X(PN_SCMP, "scmp", 2)                                                                                              \
    X(PN_UCMP, "ucmp", 2)                                                                                              \
    X(PN_BSWAP, "bswap", 1)                                                                                            \
    X(PN_BITREVERSE, "bitreverse", 1)                                                                                  \
    X(PN_CTPOP, "ctpop", 1)                                                                                            \
    X(PN_CTLZ, "ctlz", 1)                                                                                              \
    X(PN_CTTZ, "cttz", 1)                                                                                              \
    X(PN_FSHL, "fshl", 3)                                                                                              \
    X(PN_FSHR, "fshr", 3)                                                                                              \
    X(PN_SADD_SAT, "sadd.sat", 2)                                                                                      \
    X(PN_UADD_SAT, "uadd.sat", 2)                                                                                      \
    X(PN_SSUB_SAT, "ssub.sat", 2)                                                                                      \
    X(PN_USUB_SAT, "usub.sat", 2)                                                                                      \
    X(PN_SSHL_SAT, "sshl.sat", 2)                                                                                      \
    X(PN_USHL_SAT, "ushl.sat", 2)                                                                                      \
    X(PN_SADD_OVERFLOWS, "sadd.with.overflow", 2) /* of these six: whether, in one bit */                              \
    X(PN_UADD_OVERFLOWS, "uadd.with.overflow", 2)                                                                      \
    X(PN_SSUB_OVERFLOWS, "ssub.with.overflow", 2)                                                                      \
    X(PN_USUB_OVERFLOWS, "usub.with.overflow", 2)                                                                      \
    X(PN_SMUL_OVERFLOWS, "smul.with.overflow", 2)                                                                      \
    X(PN_UMUL_OVERFLOWS, "umul.with.overflow", 2)

enum pn_derived {
#define PN_DERIVED_ENUMERATOR(enumerator, name, operands) enumerator,
    PN_DERIVED(PN_DERIVED_ENUMERATOR)
#undef PN_DERIVED_ENUMERATOR
        PN_DERIVED_COUNT
};

#endif
