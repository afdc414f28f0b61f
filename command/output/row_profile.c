/* row_profile.c - the parts of resida_profile by their names: callbacks as the model calls them, then the library. */
#include "row_profile.h"

#include <string.h>

enum { MARGIN = 15, NAME = 34, MILLIS = 12 };

/** A part of the library. */
typedef struct part {
    const char *name, *text;
    size_t offset; /**< in resida_profile */
} part;

static const part parts[] = {
    {"start", "consistent start", offsetof(resida_profile, start)},
    {"steps", "integrator: steps, orders, outputs", offsetof(resida_profile, steps)},
    {"iteration", "vectors of the iteration", offsetof(resida_profile, iteration)},
    {"rows", "F beside the model", offsetof(resida_profile, rows)},
    {"differences", "differences for J", offsetof(resida_profile, differences)},
    {"assembly", "assembly of J", offsetof(resida_profile, assembly)},
    {"factors", "factors", offsetof(resida_profile, factors)},
    {"solutions", "solutions", offsetof(resida_profile, solutions)},
    {"rest", "rest", offsetof(resida_profile, rest)},
};
enum { N_PARTS = sizeof parts / sizeof *parts };

static double at(const resida_profile *p, size_t offset)
{
    double seconds;
    memcpy(&seconds, (const char *)p + offset, sizeof seconds);
    return seconds;
}

static double of_callback(const resida_profile *p, int i)
{
    return at(p, offsetof(resida_profile, callbacks) + (size_t)i * sizeof(double));
}

/** Without time there is no profile. */
static int is_there(const resida_profile *p)
{
    return p->total > 0;
}

static void put_line(const resida_profile *p, const char *kind, const char *text, double seconds, FILE *stream)
{
    const int used = fprintf(stream, "%*s%s%s", MARGIN, "", kind, text);
    fprintf(stream, "%*s%*.3f ms %6.1f %%\n", used < MARGIN + NAME + 2 ? MARGIN + NAME + 2 - used : 1, "", MILLIS,
            1e3 * seconds, 100 * seconds / p->total);
}

void bench_profile_text(const resida_stats *s, FILE *stream)
{
    const resida_profile *p = &s->profile;
    const char *name;
    if (!is_there(p)) return;
    fprintf(stream, "  %-*s%.3f ms of the clock within the solver\n", MARGIN - 2, "profile", 1e3 * p->total);
    for (int i = 0; (name = resida_callback_at(i)); i++)
        if (of_callback(p, i) > 0) put_line(p, "model: ", name, of_callback(p, i), stream);
    for (int i = 0; i < N_PARTS; i++)
        if (at(p, parts[i].offset) > 0) put_line(p, "", parts[i].text, at(p, parts[i].offset), stream);
}

static json_t *callbacks_json(const resida_profile *p)
{
    json_t *object = json_object();
    const char *name;
    int failed = !object;
    for (int i = 0; (name = resida_callback_at(i)); i++)
        failed |= bench_json_put(object, name, bench_json_real(of_callback(p, i))) != 0;
    if (!failed) return object;
    json_decref(object);
    return NULL;
}

json_t *bench_profile_json(const resida_stats *s)
{
    const resida_profile *p = &s->profile;
    if (!is_there(p)) return json_null();
    json_t *object = json_object();
    int failed = !object || bench_json_put(object, "total", bench_json_real(p->total)) != 0 ||
                 bench_json_put(object, "callbacks", callbacks_json(p)) != 0;
    for (int i = 0; i < N_PARTS; i++)
        failed |= bench_json_put(object, parts[i].name, bench_json_real(at(p, parts[i].offset))) != 0;
    if (!failed) return object;
    json_decref(object);
    return NULL;
}

void bench_limits_text(const bench_row *row, FILE *stream)
{
    const resida_stats *s = &row->stats;
    for (int i = 0; i < s->n_limits; i++) {
        const resida_limit *l = &s->limits[i];
        fprintf(stream, "  %-*s%s: %.1f %% of steps, %ld of %ld failed error tests, %ld of %ld failed iterations\n",
                MARGIN - 2, i == 0 ? "limited by" : "", row->limited[i],
                s->steps > 0 ? 100 * (double)l->steps / (double)s->steps : 0, l->error_test_fails, s->error_test_fails,
                l->newton_fails, s->newton_fails);
    }
}

static json_t *limit_json(const bench_row *row, int i)
{
    const resida_limit *l = &row->stats.limits[i];
    json_t *object = json_object();
    if (object && bench_json_put(object, "component", bench_json_text(row->limited[i])) == 0 &&
        bench_json_put(object, "steps", bench_json_count(l->steps)) == 0 &&
        bench_json_put(object, "tight_steps", bench_json_count(l->tight_steps)) == 0 &&
        bench_json_put(object, "error_test_fails", bench_json_count(l->error_test_fails)) == 0 &&
        bench_json_put(object, "newton_fails", bench_json_count(l->newton_fails)) == 0)
        return object;
    json_decref(object);
    return NULL;
}

json_t *bench_limits_json(const bench_row *row)
{
    if (!is_there(&row->stats.profile)) return json_null();
    json_t *list = json_array();
    for (int i = 0; list && i < row->stats.n_limits; i++) {
        json_t *limit = limit_json(row, i);
        if (limit && json_array_append_new(list, limit) == 0) continue;
        json_decref(list);
        return NULL;
    }
    return list;
}
