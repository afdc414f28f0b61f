/* newton_timed.c - a table of functions of an iteration that charges each call to an activity of the profile. Without a
 * profile the iteration calls the integrator's own table. */
#include "newton.h"

static void begin_timed(void *self, int tries)
{
    const rsd_newton_timed *t = self;
    t->own->begin(t->self, tries);
}

static int evaluate_timed(void *self, double *F)
{
    const rsd_newton_timed *t = self;
    const int back = rsd_profile_switch(t->profile, RSD_IN_ROWS), verdict = t->own->evaluate(t->self, F);
    rsd_profile_leave(t->profile, back);
    return verdict;
}

static int set_up_timed(void *self, rsd_renewal renewal, rsd_setup_facts *J)
{
    const rsd_newton_timed *t = self;
    const int back = rsd_profile_switch(t->profile, RSD_IN_ASSEMBLY), verdict = t->own->set_up(t->self, renewal, J);
    rsd_profile_leave(t->profile, back);
    return verdict;
}

static int factor_timed(void *self)
{
    const rsd_newton_timed *t = self;
    const int back = rsd_profile_switch(t->profile, RSD_IN_FACTORS), verdict = t->own->factor(t->self);
    rsd_profile_leave(t->profile, back);
    return verdict;
}

static void solve_with_timer(void *self, double *b)
{
    const rsd_newton_timed *t = self;
    const int back = rsd_profile_switch(t->profile, RSD_IN_SOLUTIONS);
    t->own->solve(t->self, b);
    rsd_profile_leave(t->profile, back);
}

static double norm_timed(void *self, const double *delta)
{
    const rsd_newton_timed *t = self;
    return t->own->norm(t->self, delta);
}

static int is_far_timed(void *self, const double *delta)
{
    const rsd_newton_timed *t = self;
    return t->own->is_far(t->self, delta);
}

void rsd_newton_time(rsd_newton_system *system, rsd_newton_timed *timed)
{
    rsd_profile *profile = system->guard->tally.profile;
    if (!profile) return;
    const rsd_newton_ops *own = system->ops;
    *timed = (rsd_newton_timed){.own = own, .self = system->self, .profile = profile};
    timed->ops = (rsd_newton_ops){.begin = begin_timed,
                                  .evaluate = evaluate_timed,
                                  .set_up = set_up_timed,
                                  .factor = factor_timed,
                                  .solve = solve_with_timer,
                                  .norm = own->norm ? norm_timed : NULL,
                                  .is_far = own->is_far ? is_far_timed : NULL};
    system->ops = &timed->ops;
    system->self = timed;
}
