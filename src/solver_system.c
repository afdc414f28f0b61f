/* solver_system.c - what the Jacobian engine gets of a problem: F and its parts through the guard, the known entries, the
 * excitations. */
#include "solver_impl.h"

static int whole(double t, const double *y, const double *yp, double *r, void *user)
{
    return rsd_guard_residual(t, y, yp, r, &((resida_solver *)user)->guard);
}

static int dear(double t, const double *y, const double *yp, double *r, void *user)
{
    return rsd_guard_dear(t, y, yp, r, &((resida_solver *)user)->guard);
}

static int cheap(double t, const double *y, const double *yp, double *r, void *user)
{
    return rsd_guard_cheap(t, y, yp, r, &((resida_solver *)user)->guard);
}

static int known(double t, const double *y, const double *yp, double *dy, double *dyp, void *user)
{
    (void)yp;
    resida_solver *s = user;
    rsd_guard_expect(&s->guard);
    int verdict = rsd_structure_known(&s->structure, t, y, dy, dyp);
    verdict = rsd_guard_judge(&s->guard, t, verdict, dy, s->structure.n_y);
    return verdict ? verdict : rsd_guard_judge(&s->guard, t, 0, dyp, s->structure.n_yp);
}

static int inputs(double t, double *u, void *user)
{
    resida_solver *s = user;
    rsd_guard_expect(&s->guard);
    int verdict = rsd_problem_inputs(s->problem, t, u);
    return rsd_guard_judge(&s->guard, t, verdict, u, 3L * s->problem->layout.n_u);
}

static void move_input(int i, double delta, void *user)
{
    rsd_problem_move_input(((resida_solver *)user)->problem, i, delta);
}

/* A general DAE: algebraic components have no derivative in F. */
static void mark_columns_of_dae(resida_solver *s)
{
    for (int i = 0; i < s->problem->layout.n; i++) {
        int has_derivative = s->problem->kinds[i] == RESIDA_DIFFERENTIAL;
        s->dae_columns[i] = (unsigned char)(RESIDA_COLUMN_DEAR | (has_derivative ? RESIDA_COLUMN_YP : 0));
    }
}

resida_status rsd_solver_system(resida_solver *s, resida_system *system, resida_message *why)
{
    resida_problem *problem = s->problem;
    RSD_TRY(rsd_structure_create(&s->structure, problem, why));
    const rsd_structure *q = &s->structure;
    resida_system_init(system);
    system->n = problem->layout.n;
    system->user = s;
    system->F = whole;
    system->n_inputs = 3 * problem->layout.n_u;
    system->inputs = inputs;
    system->move_input = move_input;
    if (!problem->mechanism) {
        s->dae_columns = rsd_calloc(&s->alloc, system->n, 1);
        if (!s->dae_columns) return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for the columns of J");
        mark_columns_of_dae(s);
        system->columns = s->dae_columns;
        return RESIDA_OK;
    }
    system->dear = dear;
    system->cheap = cheap;
    system->known = known;
    system->n_y = q->n_y;
    system->n_yp = q->n_yp;
    system->y_row = q->y_row;
    system->y_column = q->y_column;
    system->yp_row = q->yp_row;
    system->yp_column = q->yp_column;
    system->columns = q->columns;
    return RESIDA_OK;
}
