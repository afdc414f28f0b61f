/* row_profile.c - writes the parts of resida_profile: callbacks by their names, then parts of the library. */
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
    {"iteration", "vector operations of the iteration", offsetof(resida_profile, iteration)},
    {"rows", "F beside the model", offsetof(resida_profile, rows)},
    {"differences", "differences for J", offsetof(resida_profile, differences)},
    {"assembly", "assembly of J", offsetof(resida_profile, assembly)},
    {"factors", "factors", offsetof(resida_profile, factors)},
    {"solutions", "solutions", offsetof(resida_profile, solutions)},
    {"rest", "rest", offsetof(resida_profile, rest)},
};
enum { N_PARTS = sizeof parts / sizeof *parts };

static double get_part_time(const resida_profile *p, size_t offset)
{
    double seconds;
    memcpy(&seconds, (const char *)p + offset, sizeof seconds);
    return seconds;
}

static double get_callback_time(const resida_profile *p, int i)
{
    return get_part_time(p, offsetof(resida_profile, callbacks) + (size_t)i * sizeof(double));
}

/** Return 1 if there is a profile. */
static int has_profile(const resida_profile *p)
{
    return p->total > 0;
}

static void put_line(const resida_profile *p, const char *kind, const char *text, double seconds, FILE *stream)
{
    const int used = fprintf(stream, "%*s%s%s", MARGIN, "", kind, text);
    fprintf(stream, "%*s%*.3f ms %6.1f %%\n", used < MARGIN + NAME + 2 ? MARGIN + NAME + 2 - used : 1, "", MILLIS,
            1e3 * seconds, 100 * seconds / p->total);
}

void cmd_profile_text(const resida_stats *s, FILE *stream)
{
    const resida_profile *p = &s->profile;
    const char *name;
    if (!has_profile(p)) return;
    fprintf(stream, "  %-*s%.3f ms of wall-clock time in the solver\n", MARGIN - 2, "profile", 1e3 * p->total);
    for (int i = 0; (name = resida_callback_at(i)); i++)
        if (get_callback_time(p, i) > 0) put_line(p, "model: ", name, get_callback_time(p, i), stream);
    for (int i = 0; i < N_PARTS; i++)
        if (get_part_time(p, parts[i].offset) > 0)
            put_line(p, "", parts[i].text, get_part_time(p, parts[i].offset), stream);
}

static json_t *callbacks_json(const resida_profile *p)
{
    json_t *object = json_object();
    const char *name;
    for (int i = 0; (name = resida_callback_at(i)); i++)
        object = cmd_json_put(object, name, cmd_json_real(get_callback_time(p, i)));
    return object;
}

json_t *cmd_profile_json(const resida_stats *s)
{
    const resida_profile *p = &s->profile;
    if (!has_profile(p)) return json_null();
    json_t *object = CMD_OBJECT({"total", cmd_json_real(p->total)}, {"callbacks", callbacks_json(p)});
    for (int i = 0; i < N_PARTS; i++)
        object = cmd_json_put(object, parts[i].name, cmd_json_real(get_part_time(p, parts[i].offset)));
    return object;
}

void cmd_limits_text(const cmd_row *row, FILE *stream)
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

static json_t *limit_json(const cmd_row *row, int i)
{
    const resida_limit *l = &row->stats.limits[i];
    return CMD_OBJECT({"component", cmd_json_text(row->limited[i])}, {"steps", cmd_json_count(l->steps)},
                      {"tight_steps", cmd_json_count(l->tight_steps)},
                      {"error_test_fails", cmd_json_count(l->error_test_fails)},
                      {"newton_fails", cmd_json_count(l->newton_fails)});
}

json_t *cmd_limits_json(const cmd_row *row)
{
    if (!has_profile(&row->stats.profile)) return json_null();
    json_t *list = json_array();
    for (int i = 0; i < row->stats.n_limits; i++) list = cmd_json_append(list, limit_json(row, i));
    return list;
}
