/* Forces that begin within a step: rebounds from walls of any stiffness are right by every strategy, and what is kept
 * of J costs accuracy neither when contacts close nor when they open again. Judged beside J of every setup ("dense"),
 * over 41 tolerances where single errors scatter. With an argument that many random scenes of each kind instead of a
 * few. */
#include <resida/resida.h>

#include "test/fixtures/bench_fixture.h"
#include "impact_scene.h"

enum { FEW = 12, TOLERANCES = 41, AROUND = 2, SCENES = 4 };
#define BY_CHANCE 0.0125 /* of runs at neighbouring tolerances that may stick out, as those of dense do */
#define WRONG     1e-3   /* of the speed, at 1e-6 */

static int n_scenes = FEW;

static const char *const strategies[] = {"auto", "dense", "sparse", "sparse+partitioned", "dense+partitioned", "fresh"};
enum { N_STRATEGIES = sizeof strategies / sizeof *strategies };

static const double tolerances[] = {1e-4, 1e-6, 1e-8};
static const double allowed[] = {0.1, WRONG, 1e-4}; /* parts of the speed, which is 0.05 m/s at the least */

/** How a scene is shown. */
typedef enum view { PLAIN, WITH_ROOT, WITHOUT_MASS } view;

/* Residual calls of a run, in the mean. */
static double rebounds_of(impact_kind kind, const char *strategy, resida_formalism formalism, int level, view how)
{
    const double tolerance = tolerances[level];
    double worst = 0;
    long calls = 0, jumps = 0;
    for (int k = 0; k < n_scenes; k++) {
        impact_scene s;
        impact_make(&s, kind, (uint64_t)k);
        s.n_root = how == WITH_ROOT;
        s.hides_mass = how == WITHOUT_MASS;
        impact_run r = impact_solve(&s, strategy, formalism, tolerance);
        if (r.status < 0) fail_msg("%s %d, %s: %s", impact_names[kind], k, strategy, r.message);
        if (r.error > allowed[level])
            fail_msg("%s %d (k = %.3g, %.3g m/s), %s at %g: wrong by %.2g", impact_names[kind], k, s.k, s.v0[0],
                     strategy, tolerance, r.error);
        if (how == WITH_ROOT) assert_true(r.stats.events > 0);
        worst = fmax(worst, r.error);
        calls += r.stats.residual_calls.total;
        jumps += r.stats.jumps;
    }
    print_message("  %-8s %-18s %s %g%s: worst %.1e, %.0f calls, %.1f jumps\n", impact_names[kind], strategy,
                  formalism == RESIDA_FORMALISM_EXPLICIT ? "explicit" : "residual", tolerance,
                  how == WITH_ROOT      ? " with root"
                  : how == WITHOUT_MASS ? " without mass matrix"
                                        : "",
                  worst, (double)calls / n_scenes, (double)jumps / n_scenes);
    return (double)calls / n_scenes;
}

CLAIM(rebounds_are_right_by_every_strategy)
{
    for (int kind = 0; kind < IMPACT_N_REBOUNDS; kind++)
        for (int i = 0; i < N_STRATEGIES; i++)
            for (int j = 0; j < 3; j++) {
                rebounds_of((impact_kind)kind, strategies[i], RESIDA_FORMALISM_RESIDUAL, j, PLAIN);
                rebounds_of((impact_kind)kind, strategies[i], RESIDA_FORMALISM_EXPLICIT, j, PLAIN);
            }
}

CLAIM(rebounds_with_events_are_right)
{
    for (int kind = 0; kind < IMPACT_N_REBOUNDS; kind++)
        for (int i = 0; i < 2; i++)
            rebounds_of((impact_kind)kind, strategies[i], RESIDA_FORMALISM_RESIDUAL, 1, WITH_ROOT);
}

/* M is found by differences, where a force of 1e6 N hides it. */
CLAIM(rebounds_without_a_mass_matrix_are_right)
{
    for (int kind = 0; kind < IMPACT_N_REBOUNDS; kind++)
        for (int i = 0; i < N_STRATEGIES; i++)
            rebounds_of((impact_kind)kind, strategies[i], RESIDA_FORMALISM_RESIDUAL, 1, WITHOUT_MASS);
}

/* Entries that were lost would be looked for, at a fifth more calls. */
CLAIM(masses_found_by_differences_cost_little)
{
    const double found = rebounds_of(IMPACT_CARTS, "auto", RESIDA_FORMALISM_RESIDUAL, 1, WITHOUT_MASS);
    const double given = rebounds_of(IMPACT_CARTS, "auto", RESIDA_FORMALISM_RESIDUAL, 1, PLAIN);
    assert_true(found <= 1.1 * given);
}

/* Here the mass was lost, J singular, and looked for again and again. */
CLAIM(inertia_that_a_force_hides_is_not_lost)
{
    const int lost = 255;
    for (int i = 0; i < N_STRATEGIES; i++) {
        impact_scene s;
        impact_make(&s, IMPACT_CARTS, (uint64_t)lost);
        s.hides_mass = 1;
        impact_run r = impact_solve(&s, strategies[i], RESIDA_FORMALISM_RESIDUAL, 1e-6);
        if (r.status < 0) fail_msg("%s: %s", strategies[i], r.message);
        assert_true(r.error < WRONG);
        assert_in_range(r.stats.residual_calls.total, 1, 2000);
    }
}

/* Ten seconds of flight without any force, then a contact of 3e-6 s. */
CLAIM(a_wall_after_a_long_flight_gives_back_the_speed)
{
    for (int i = 0; i < N_STRATEGIES; i++) {
        impact_scene s = {
            .kind = IMPACT_WALL, .n = 1, .m = {1}, .v0 = {0.1}, .k = 1e12, .at = 1, .t_end = 20, .scale = 0.1};
        s.exact[0] = NAN;
        s.exact[1] = -0.1;
        impact_run r = impact_solve(&s, strategies[i], RESIDA_FORMALISM_RESIDUAL, 1e-6);
        assert_true(r.status == RESIDA_OK && r.error < WRONG);
        if (i == 0) assert_true(r.stats.jumps >= 1);
    }
}

static double median(const double *x, int n)
{
    double sorted[TOLERANCES * SCENES];
    for (int i = 0; i < n; i++) sorted[i] = x[i];
    qsort(sorted, (size_t)n, sizeof *sorted, bench_by_size);
    return sorted[n / 2];
}

/* Errors at all tolerances. */
static void errors_of(impact_scene *s, const char *strategy, double *error)
{
    for (int i = 0; i < TOLERANCES; i++) {
        impact_run r = impact_solve(s, strategy, RESIDA_FORMALISM_RESIDUAL, pow(10, -4 - 0.1 * i));
        if (r.status < 0)
            fail_msg("%s, %s at %.17g: %s", impact_names[s->kind], strategy, pow(10, -4 - 0.1 * i), r.message);
        error[i] = r.error;
    }
}

/* Against those of "dense", medians of five neighbours; how many are above ten times it. */
static int compare(const double *error, const double *dense, double *ratio)
{
    int above = 0;
    for (int i = 0; i < TOLERANCES; i++) {
        int from = i < AROUND ? 0 : i - AROUND, to = i + AROUND < TOLERANCES ? i + AROUND : TOLERANCES - 1;
        ratio[i] = error[i] / median(dense + from, to - from + 1);
        above += ratio[i] > 10;
    }
    return above;
}

CLAIM(a_kept_J_does_not_reduce_accuracy_when_contacts_close_and_open)
{
    static const char *const kept[] = {"auto", "sparse+partitioned", "dense+partitioned"};
    for (int kind = IMPACT_N_REBOUNDS; kind < IMPACT_N_KINDS; kind++) {
        impact_scene s[SCENES];
        double dense[SCENES][TOLERANCES], own[TOLERANCES];
        int scatter = 0;
        for (int k = 0; k < SCENES; k++) {
            impact_make(&s[k], (impact_kind)kind, (uint64_t)k);
            errors_of(&s[k], "dense", dense[k]);
            scatter += compare(dense[k], dense[k], own);
        }
        for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
            double ratio[SCENES * TOLERANCES], error[TOLERANCES];
            int above = 0;
            for (int k = 0; k < SCENES; k++) {
                errors_of(&s[k], kept[i], error);
                above += compare(error, dense[k], ratio + k * TOLERANCES);
            }
            double middle = median(ratio, SCENES * TOLERANCES);
            print_message("  %-8s %-18s: errors %.2f of those of dense; above ten times %d of %d (dense itself %d)\n",
                          impact_names[kind], kept[i], middle, above, SCENES * TOLERANCES, scatter);
            assert_true(middle <= 2);
            assert_true(above <= 2 * scatter + BY_CHANCE * SCENES * TOLERANCES);
        }
    }
}

int main(int n, char **arguments)
{
    if (n > 1) n_scenes = atoi(arguments[1]);
    return claims_run(NULL, NULL);
}
