/* throw_script.h - which callback throws, and at which call: one script at a time. What is thrown is in turn one with
 * words, one that is no std::exception, one of the language's own. */
#ifndef RESIDA_TEST_THROW_SCRIPT_H
#define RESIDA_TEST_THROW_SCRIPT_H

#include <atomic>

namespace throwing {

/** Callbacks of a mechanism, and others, by the names that messages have. */
/* clang-format off */
#define THROWING_OF_MECHANISM(X) \
    X(residual) X(acceleration) X(residual_lam) X(acceleration_lam) X(constraint) X(constraint_matrix) \
    X(velocity_bias) X(acceleration_bias) X(mass_matrix) X(potential) X(derivatives) X(kinematic_matrix) \
    X(nonholonomic_matrix) X(nonholonomic_bias) X(nonholonomic_acceleration_bias) X(excitation) X(root) \
    X(invariant) X(invariant_matrix)
#define THROWING_OTHERS(X) \
    X(root_lam) X(jacobian) X(jacobian_times) X(residual_times) X(projection_matrix) X(monitor) X(accepted) X(observer)
/* clang-format on */

#define THROWING_ENUM(name) name,
enum callback { THROWING_OF_MECHANISM(THROWING_ENUM) THROWING_OTHERS(THROWING_ENUM) N_CALLBACKS };

/** Their names. */
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
