/* engine_fixture.h - mechanisms at states where nothing is zero, with the Jacobian engine that the solver makes for
 * them, and Jacobians to compare with: differences of fourth order of F and of its two parts. Sees inner headers. */
#ifndef RESIDA_TEST_ENGINE_FIXTURE_H
#define RESIDA_TEST_ENGINE_FIXTURE_H

#include "jacobian_fixture.h"
#include "test/fixtures/mechanisms/with_states.h"
#include "src/core/solver/solver_impl.h"

/** A mechanism in a form, its solver (never started), and a state. */
typedef struct rig {
    const bench_subject *s;
    const char *form, *formalism, *strategy;
    bench b;
    cm c;
    with_states w;
    resida_problem *problem;
    resida_solver *solver;
    resida_layout l;
    int n;
    uint64_t seed;
    double *y, *yp, *F;            /* [n] F at the state */
    double *scale, *rate_of_scale; /* [n] sizes of the components of y, yp */
    resida_jacobian_point at;
} rig;

/** Small instances of all built-in mechanisms; "random" ones have T, nonholonomic rows, excitations. ", bare": no
 *  callback that is optional; ", free": no constraints; ", friction": forces depend on lam; ", invariant": with one,
 *  which T does not have; "states": three first-order ones; "plain": p' = v. */
extern const bench_subject rig_subjects[];
enum { RIG_SUBJECTS = 16 };

/** All formulations of mechanisms with constraints, first some that differ in what is known of J. */
enum { RIG_FIRST_FORMS = 3 };
const char *rig_form(int i);

/** Products that the mechanisms get which are opened from now on; NULL (at first): none. */
extern const resida_products *rig_products;

/** The subject of that name. */
const bench_subject *rig_subject(const char *name);

void rig_open(rig *r, const bench_subject *s, const char *form, resida_formalism formalism, const char *strategy);

/** The next random state; no component is near zero. */
void rig_move(rig *r);

/** F at the state after a change of t, y, yp, alpha by hand. */
void rig_refresh(rig *r);

/** check() on all subjects, both formalisms and the first forms, or all forms, at the first state. */
void rig_each(const char *strategy, void (*check)(rig *r, void *user), void *user);
void rig_each_form(const char *strategy, void (*check)(rig *r, void *user), void *user);

/** 1: the subject gives its mass matrix. */
int rig_has_mass(const rig *r);

/** d(part)/dy sy + d(part)/dyp syp at the state, J [n x n] column by column. */
void rig_differences(rig *r, rsd_rows_part part, double sy, double syp, double *J);

/** A part of F at the state with component c of y moved by dy, and of yp by dyp. */
void rig_part(rig *r, rsd_rows_part part, int c, double dy, double dyp, double *out);

/** Set up; *calls: what the formalism was called for it. "current". */
int rig_setup(rig *r, resida_setup_reason reason, long *calls);

/** J of the engine, which must be finite, full, column by column. */
void rig_full(rig *r, double *J);

resida_jacobian_counts rig_counts(const rig *r);

#endif
