/* throwing_models.h - models whose callbacks throw where throw_script.h says: mechanisms of both formalisms with every
 * optional callback, and a general DAE. */
#ifndef RESIDA_TEST_THROWING_MODELS_H
#define RESIDA_TEST_THROWING_MODELS_H

#include <resida/all.h>

namespace throwing {

/** One way to set up and run: a mechanism, or a DAE. */
struct setting {
    resida_mechanism m;
    resida_dae d;
    resida_problem_options problem;
    resida_solver_options solver;
    const double *start, *rates; /**< at t = 0; of a DAE rates are found */
    bool is_dae, is_threaded, examines;
};

/** The fewest callbacks, and all. */
setting basic();
setting everything();

setting with_invariants();
setting explicitly();
setting with_derivatives();
setting residually_by_lam();
setting explicitly_by_lam();
setting own_projection();

/** Other integrators and strategies. */
setting by_fixed_steps();
setting by_columns();
setting extended();
setting by_threads();

setting dae();
setting dae_with_jacobian();
setting dae_with_products();
setting with_products();

} // namespace throwing

#endif
