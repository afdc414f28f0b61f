/* throw_script.h - which callback throws, and at which call: one script at a time. What is thrown is in turn one with
 * words, one that is no std::exception, one of the language's own. */
#ifndef RESIDA_TEST_THROW_SCRIPT_H
#define RESIDA_TEST_THROW_SCRIPT_H

#include <atomic>

namespace throwing {

enum callback {
    RESIDUAL,
    ACCELERATION,
    RESIDUAL_LAM,
    ACCELERATION_LAM,
    CONSTRAINT,
    CONSTRAINT_MATRIX,
    VELOCITY_BIAS,
    ACCELERATION_BIAS,
    MASS_MATRIX,
    POTENTIAL,
    DERIVATIVES,
    KINEMATIC_MATRIX,
    NONHOLONOMIC_MATRIX,
    NONHOLONOMIC_BIAS,
    NONHOLONOMIC_ACCELERATION_BIAS,
    EXCITATION,
    ROOT,
    ROOT_LAM,
    JACOBIAN,
    JACOBIAN_TIMES,
    RESIDUAL_TIMES,
    PROJECTION_MATRIX,
    MONITOR,
    ACCEPTED,
    OBSERVER,
    INVARIANT,
    INVARIANT_MATRIX,
    N_CALLBACKS
};

/** Their names, as messages have them. */
extern const char *const names[N_CALLBACKS];

/** Calls later than this one are not tried. */
constexpr long last_call = 300;

enum { WITH_WORDS, OF_NO_CLASS, BAD_ALLOC, N_KINDS };

/** What a message says of each kind. */
extern const char *const said[N_KINDS];

[[noreturn]] void throw_one(long kind);

struct script {
    callback which = N_CALLBACKS;
    long at = 0;
    std::atomic<long> calls[N_CALLBACKS];
    std::atomic<long> after; /**< calls after it was thrown */
    std::atomic<bool> thrown;
};
extern script now;

/** The callback throws at that call, counted from here; N_CALLBACKS: none does. */
void arm(callback which, long at);

/** A call of c: counts it, and throws where it is its turn. @return 0 */
int passes(callback c);

} // namespace throwing

#endif
