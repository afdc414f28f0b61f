/* event_loop.c - an event loop of a program: single steps, root functions, a stop time at which an input changes, a rod
 * that breaks at a force, and a checkpoint that another process continues.
 *
 *     cc event_loop.c $(pkg-config --cflags --libs resida) -lm && ./a.out
 *
 * A mass of 1 kg falls from (1, 0) on a rod of 1 m. A horizontal wind begins at t = 0.3 s. The rod breaks at a tension
 * of 40 N, and the mass flies. The multiplier lam is the tension, because dg/dp is a unit vector. */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <resida/checkpoint.h>
#include <resida/resida.h>

enum { STORE = 1 << 16 };
static const double g = 9.81, wind_begins = 0.3, strength = 40, t_saved = 0.2, t_end = 1; /* SI */

typedef struct session {
    double wind; /* [N], user data of the callbacks */
    resida_problem *problem;
    resida_solver *solver;
    resida_message why;
} session;

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    const session *s = user;
    (void)t, (void)p, (void)v, (void)e;
    r[0] = a[0] - s->wind;
    r[1] = a[1] + g;
    return 0;
}

static int rod(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    (void)t, (void)e, (void)user;
    out[0] = (p[0] * p[0] + p[1] * p[1] - 1) / 2;
    return 0;
}

/* The root functions: the mass passes the vertical, and with the rod how much of its strength is left. */
static int vertical(double t, const double *p, const double *v, const resida_excitation *e, double *out, void *user)
{
    (void)t, (void)v, (void)e, (void)user;
    out[0] = p[0];
    return 0;
}

static int vertical_and_reserve(double t, const double *p, const double *v, const double *lam,
                                const resida_excitation *e, double *out, void *user)
{
    out[1] = strength - lam[0];
    return vertical(t, p, v, e, out, user);
}

/* Create a problem with or without the rod, and its solver. @return 0; 1 after a message */
static int open_session(session *s, int has_rod)
{
    resida_mechanism m;
    resida_problem_options po;
    resida_solver_options o;
    resida_mechanism_init(&m);
    resida_problem_options_init(&po);
    m.name = has_rod ? "mass on a rod" : "mass", m.n_p = m.n_v = 2, m.n_g = has_rod, m.user = s;
    m.residual = residual, m.constraint = has_rod ? rod : NULL;
    m.n_root = 1 + has_rod, m.root = has_rod ? NULL : vertical;
    po.root_lam = has_rod ? vertical_and_reserve : NULL;
    resida_solver_options_init(&o);
    o.rtol = o.atol = 1e-9;
    if (resida_problem_create(&s->problem, &m, &po, &s->why) >= 0 &&
        resida_solver_create(&s->solver, s->problem, &o, &s->why) >= 0)
        return 0;
    fprintf(stderr, "event_loop: %s\n", s->why.text);
    return 1;
}

static void close_session(session *s)
{
    resida_solver_free(s->solver);
    resida_problem_free(s->problem);
}

/* Integrate until the rod breaks. @return the time, with p and v in y; NAN after a failure, or if it does not break */
static double loop(session *s, double *y)
{
    resida_state now;
    resida_status status = resida_solver_state(s->solver, &now);
    if (status >= 0 && now.t < wind_begins) status = resida_solver_set_stop_time(s->solver, wind_begins);
    while (status >= 0 && now.t < t_end) {
        int direction[2] = {0, 0};
        status = resida_solver_step(s->solver, t_end);
        if (status < 0 || resida_solver_state(s->solver, &now) < 0) break;
        if (status == RESIDA_EVENT) resida_solver_event(s->solver, direction);
        if (direction[0] != 0) printf("  t = %.9f: the mass passes the vertical\n", now.t);
        if (direction[1] < 0) {
            for (int i = 0; i < 2; i++) y[i] = now.p[i], y[2 + i] = now.v[i];
            return now.t;
        }
        if (status != RESIDA_STOP_TIME) continue;
        printf("  t = %.9f: the wind begins\n", now.t);
        s->wind = -5;
        resida_solver_set_stop_time(s->solver, INFINITY);
        const double p[2] = {now.p[0], now.p[1]}, v[2] = {now.v[0], now.v[1]};
        status = resida_solver_start(s->solver, now.t, p, v, NULL, NULL);
    }
    if (status < 0) fprintf(stderr, "event_loop: %s\n", resida_solver_message(s->solver));
    return NAN;
}

/* Continue from y at t without the rod. @return 0, with the position at t_end in p [2] */
static int fly(double t, const double *y, double wind, double *p)
{
    session s = {.wind = wind};
    resida_state now;
    resida_status status = RESIDA_ERR_STATE;
    if (open_session(&s, 0) == 0) status = resida_solver_start(s.solver, t, y, y + 2, NULL, NULL);
    while (status >= 0 && (status = resida_solver_advance(s.solver, t_end)) == RESIDA_EVENT)
        printf("  the mass passes the vertical in flight\n");
    if (status >= 0) status = resida_solver_state(s.solver, &now);
    if (status >= 0) p[0] = now.p[0], p[1] = now.p[1];
    close_session(&s);
    return status < 0;
}

/* The loop and the flight. @return 0, with the time of the break and the final position in end [3] */
static int finish(session *s, double *end)
{
    double y[4];
    end[0] = loop(s, y);
    if (isnan(end[0])) return 1;
    const double dt = t_end - end[0], tension = y[2] * y[2] + y[3] * y[3] - g * y[1] + s->wind * y[0];
    printf("  t = %.9f: the rod breaks at v^2 - g y + w x = %.9f N\n", end[0], tension);
    if (fabs(tension - strength) > 1e-5 || fly(end[0], y, s->wind, end + 1) != 0) return 1;
    /* beside the parabola of the flight */
    const double x = y[0] + y[2] * dt + s->wind * dt * dt / 2, z = y[1] + y[3] * dt - g * dt * dt / 2;
    return hypot(end[1] - x, end[2] - z) > 1e-6;
}

/* Read a checkpoint and continue. The note is the wind. */
static int continue_from(const char *path)
{
    static char bytes[STORE];
    session s = {.wind = 0};
    double end[3];
    const void *note;
    FILE *f = fopen(path, "rb");
    const size_t size = f ? fread(bytes, 1, sizeof bytes, f) : 0;
    if (f) fclose(f);
    int failed = resida_checkpoint_note(bytes, size, &note, NULL, &s.why) < 0;
    if (!failed) memcpy(&s.wind, note, sizeof s.wind);
    failed = failed || open_session(&s, 1) != 0 || resida_solver_load(s.solver, NULL, bytes, size) < 0;
    if (!failed) failed = finish(&s, end);
    if (!failed) printf("end %.17g %.17g %.17g\n", end[0], end[1], end[2]);
    close_session(&s);
    return failed;
}

/* Write a checkpoint. @return 0 */
static int save(session *s, const char *path)
{
    static char bytes[STORE];
    size_t size;
    if (resida_solver_save(s->solver, &s->wind, sizeof s->wind, bytes, sizeof bytes, &size) < 0) return 1;
    FILE *f = fopen(path, "wb");
    const int failed = !f || fwrite(bytes, 1, size, f) != size;
    return (f && fclose(f) != 0) || failed;
}

/* Let another process continue from the checkpoint. @return 0, with its result in end [3] */
static int continue_elsewhere(const char *program, const char *path, double *end)
{
    char line[512];
    int n = 0;
    snprintf(line, sizeof line, "'%s' %s", program, path);
    FILE *f = popen(line, "r");
    while (f && fgets(line, sizeof line, f))
        if (n != 3) n = sscanf(line, "end %lf %lf %lf", &end[0], &end[1], &end[2]);
    return !f || pclose(f) != 0 || n != 3;
}

int main(int argc, char **argv)
{
    static const double p0[] = {1, 0}, v0[] = {0, 0};
    const char *path = "event_loop.checkpoint";
    session s = {.wind = 0};
    double here[3], there[3];
    char text[1200];
    resida_stats stats = {.size = sizeof stats};
    if (argc > 1) return continue_from(argv[1]);
    int failed = open_session(&s, 1) != 0 || resida_solver_start(s.solver, 0, p0, v0, NULL, NULL) < 0 ||
                 resida_solver_advance(s.solver, t_saved) < 0 || save(&s, path) != 0 || finish(&s, here) != 0 ||
                 continue_elsewhere(argv[0], path, there) != 0 || resida_solver_stats(s.solver, &stats) < 0;
    if (!failed && resida_stats_text(&stats, text, sizeof text) == RESIDA_OK) fputs(text, stdout);
    for (int i = 0; i < 3 && !failed; i++) failed = fabs(here[i] - there[i]) > 1e-6;
    if (!failed)
        printf("the other process differs by %.1e s, %.1e m\n", fabs(here[0] - there[0]),
               hypot(here[1] - there[1], here[2] - there[2]));
    close_session(&s);
    remove(path);
    return failed;
}
