/* columns.c - a table of all that there is, with the names that each goes by, from which a list picks. An acceleration
 * is called after its velocity, and both after the position where the velocity's name is that with a prime; a
 * multiplier after its constraint. */
#include "columns.h"

#include "program/base/complain.h"
#include "program/cli/list.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 128, FULL = NAME + 16, WORD = 256, SHOWN = 8, N_WAYS = 3 };

static const char *const groups[] = {"p", "v", "a", "lam", "y", "yp", "out"};

/** A column that may be asked for. */
typedef struct candidate {
    cmd_place_of of;
    const char *unit;
    int is_usual;                     /**< in files without a list */
    char plain[NAME + 2], full[FULL]; /**< "x'", "v.x" */
} candidate;

typedef struct catalogue {
    candidate *all;
    int n;
} catalogue;

/** "v.x"; what the library calls v[3] is called so. */
static void put_full(candidate *c, const char *base)
{
    const char *group = groups[c->of.quantity];
    const size_t n = strlen(group);
    if (strncmp(base, group, n) == 0 && base[n] == '[')
        snprintf(c->full, FULL, "%.*s", NAME, base);
    else
        snprintf(c->full, FULL, "%s.%.*s", group, NAME, base);
}

static candidate *add(catalogue *k, cmd_quantity quantity, int i, int is_usual)
{
    candidate *c = &k->all[k->n++];
    *c = (candidate){.of = {quantity, i}, .is_usual = is_usual};
    return c;
}

/** A component of y by the name that the problem has for it. */
static void add_component(catalogue *k, const resida_problem *problem, cmd_quantity quantity, int first, int i)
{
    candidate *c = add(k, quantity, i, 1);
    if (resida_problem_component_name(problem, first + i, c->plain, NAME) < 0) c->plain[0] = 0;
    put_full(c, c->plain);
}

/** x' is v.x where p.x is a position. */
static void rename_velocity(candidate *v, const candidate *p)
{
    const candidate position = *p;
    const size_t n = strlen(position.plain);
    if (strncmp(v->plain, position.plain, n) == 0 && strcmp(v->plain + n, "'") == 0) put_full(v, position.plain);
}

static void add_acceleration(catalogue *k, candidate v, int i)
{
    char plain[32];
    candidate *a = add(k, CMD_OF_A, i, 1);
    snprintf(plain, sizeof plain, "v[%d]", i);
    if (strcmp(v.plain, plain) == 0) {
        snprintf(a->plain, NAME, "a[%d]", i);
        put_full(a, a->plain);
        return;
    }
    snprintf(a->plain, sizeof a->plain, "%.*s'", NAME, v.plain);
    put_full(a, v.full + strlen("v."));
}

static void add_mechanism(catalogue *k, const resida_problem *problem, const resida_layout *l,
                          const char *const *g_names)
{
    for (int i = 0; i < l->n_p; i++) add_component(k, problem, CMD_OF_P, l->p, i);
    for (int i = 0; i < l->n_v; i++) {
        add_component(k, problem, CMD_OF_V, l->v, i);
        if (i < l->n_p) rename_velocity(&k->all[l->n_p + i], &k->all[i]);
    }
    for (int i = 0; i < l->n_v; i++) add_acceleration(k, k->all[l->n_p + i], i);
    for (int i = 0; l->lam >= 0 && i < l->n_g + l->n_h; i++) {
        add_component(k, problem, CMD_OF_LAM, l->lam, i);
        if (g_names && g_names[i]) put_full(&k->all[k->n - 1], g_names[i]);
    }
}

static void add_dae(catalogue *k, const resida_problem *problem, const resida_layout *l)
{
    for (int i = 0; i < l->n; i++) add_component(k, problem, CMD_OF_Y, 0, i);
    for (int i = 0; i < l->n; i++) {
        const candidate y = k->all[i];
        candidate *c = add(k, CMD_OF_YP, i, 0);
        snprintf(c->plain, sizeof c->plain, "%.*s'", NAME, y.plain);
        put_full(c, y.plain);
        if (strncmp(y.plain, "y[", strlen("y[")) == 0) snprintf(c->full, FULL, "yp%.*s", NAME, y.plain + 1);
    }
}

/** All that there is. @return -1 without memory */
static int fill(catalogue *k, const resida_problem *problem, const resida_model *m)
{
    resida_layout l;
    if (resida_problem_layout(problem, &l) < 0) return -1;
    const size_t n = m->is_dae ? 2 * (size_t)l.n : (size_t)l.n_p + 2 * (size_t)l.n_v + (size_t)(l.n_g + l.n_h);
    k->all = calloc(n + (size_t)m->n_outputs + 1, sizeof *k->all);
    if (!k->all) return -1;
    if (m->is_dae)
        add_dae(k, problem, &l);
    else
        add_mechanism(k, problem, &l, m->mechanism.g_names);
    for (int i = 0; i < m->n_outputs; i++) {
        candidate *c = add(k, CMD_OF_OUT, i, 0);
        snprintf(c->plain, NAME, "%s", m->output_names[i]);
        put_full(c, c->plain);
        c->unit = m->output_units ? m->output_units[i] : NULL;
    }
    return 0;
}

int cmd_word_fits(const char *word, const char *name)
{
    char escaped[2 * WORD + 1];
    int n = 0;
    if (!strpbrk(word, "*?")) return strcmp(word, name) == 0;
    for (; *word && n < 2 * WORD - 1; word++) {
        if (*word == '[' || *word == '\\') escaped[n++] = '\\';
        escaped[n++] = *word;
    }
    escaped[n] = 0;
    return fnmatch(escaped, name, 0) == 0;
}

static int is_meant(const candidate *c, const char *word)
{
    char grouped[NAME + FULL];
    snprintf(grouped, sizeof grouped, "%s.%s", groups[c->of.quantity], c->plain);
    return cmd_word_fits(word, c->full) || cmd_word_fits(word, c->plain) || cmd_word_fits(word, grouped);
}

/** There is no such name; one that is near, or the first ones. */
static int refuse(const catalogue *k, const char *word, const char *option)
{
    const char **names = calloc((size_t)k->n + 1, sizeof *names);
    if (!names) return cmd_no_memory();
    for (int i = 0; i < k->n; i++) names[i] = k->all[i].full;
    const int code = cmd_list_refuse(word, option, names, k->n, SHOWN);
    free(names);
    return code;
}

static int room(cmd_columns *c, int n)
{
    c->of = calloc((size_t)n + 1, sizeof *c->of);
    c->names = calloc((size_t)n + 1, sizeof *c->names);
    c->units = calloc((size_t)n + 1, sizeof *c->units);
    return c->of && c->names && c->units ? 0 : cmd_no_memory();
}

static int append(cmd_columns *c, const candidate *from, const char *name)
{
    c->names[c->n] = strdup(name);
    if (!c->names[c->n]) return cmd_no_memory();
    c->of[c->n] = from->of;
    c->units[c->n++] = from->unit;
    return 0;
}

static int is_there(const cmd_columns *c, const candidate *k)
{
    for (int i = 0; i < c->n; i++)
        if (c->of[i].quantity == k->of.quantity && c->of[i].i == k->of.i) return 1;
    return 0;
}

static int pick(cmd_columns *c, const catalogue *k, const char *list, const char *option)
{
    char word[WORD];
    int code = 0;
    while (code == 0 && cmd_list_next(&list, word, WORD)) {
        int found = strcmp(word, "t") == 0; /* which is there in any case */
        for (int i = 0; i < k->n && code == 0; i++) {
            if (!is_meant(&k->all[i], word)) continue;
            found = 1;
            if (!is_there(c, &k->all[i])) code = append(c, &k->all[i], k->all[i].full);
        }
        if (code == 0 && !found) code = refuse(k, word, option);
    }
    return code;
}

/** Those of files without a list. */
static int take_usual(cmd_columns *c, const catalogue *k)
{
    int code = 0;
    for (int i = 0; i < k->n && code == 0; i++)
        if (k->all[i].is_usual) code = append(c, &k->all[i], k->all[i].plain);
    return code;
}

/** p, v, y, y'. */
static int take_states(cmd_columns *c, const catalogue *k)
{
    int code = 0;
    for (int i = 0; i < k->n && code == 0; i++) {
        const cmd_quantity q = k->all[i].of.quantity;
        if (q == CMD_OF_P || q == CMD_OF_V || q == CMD_OF_Y || q == CMD_OF_YP || q == CMD_OF_OUT)
            code = append(c, &k->all[i], k->all[i].full);
    }
    return code;
}

/** The catalogue of the job's model, and room for all of it. */
static int open_all(cmd_columns *c, catalogue *k, const cmd_job *job)
{
    resida_problem *problem = NULL;
    resida_message why = {""};
    *c = (cmd_columns){.model = &job->model->model};
    *k = (catalogue){NULL, 0};
    if (cmd_problem_open(job, &problem, &why) < 0)
        return cmd_complain_model(CMD_EXIT_FAILED, job->model->cls->name, why.text);
    const int failed = fill(k, problem, &job->model->model);
    resida_problem_free(problem);
    return failed ? cmd_no_memory() : room(c, k->n);
}

/** Derivatives of the columns so far. */
static int add_derivatives(cmd_columns *c, const cmd_derivatives *d)
{
    char name[FULL + WORD];
    const cmd_columns of = *c;
    if (!d || d->n == 0) return 0;
    int code = room(c, of.n * (1 + d->n));
    c->n = 0;
    for (int i = 0; i < of.n && code == 0; i++) {
        const candidate same = {.of = of.of[i], .unit = of.units[i]};
        code = append(c, &same, of.names[i]);
    }
    for (int by = 0; by < d->n; by++)
        for (int i = 0; i < of.n && code == 0; i++) {
            const int at = cmd_derivatives_place(d, by, (int)of.of[i].quantity - CMD_OF_P, of.of[i].i);
            if (at < 0) continue;
            const candidate one = {.of = {CMD_OF_DERIVATIVE, at}};
            snprintf(name, sizeof name, "d(%s)/d(%s)", of.names[i], d->names[by]);
            code = append(c, &one, name);
        }
    c->derivatives = d;
    cmd_columns before = of;
    cmd_columns_free(&before);
    return code;
}

int cmd_columns_make(cmd_columns *c, const cmd_job *job, const char *list, const char *option)
{
    catalogue k;
    int code = open_all(c, &k, job);
    if (code == 0) code = list ? pick(c, &k, list, option) : take_usual(c, &k);
    if (code == 0) code = add_derivatives(c, job->followed);
    free(k.all);
    return code;
}

int cmd_columns_states(cmd_columns *c, const cmd_job *job)
{
    catalogue k;
    int code = open_all(c, &k, job);
    if (code == 0) code = take_states(c, &k);
    free(k.all);
    return code;
}

void cmd_columns_values(const cmd_columns *c, const resida_state *state, const double *outputs, double *x)
{
    const double *const arrays[] = {state->p, state->v,  state->a, state->lam,
                                    state->y, state->yp, outputs,  c->derivatives ? c->derivatives->values : NULL};
    for (int i = 0; i < c->n; i++) {
        const double *of = arrays[c->of[i].quantity];
        x[i] = of ? of[c->of[i].i] : NAN;
    }
}

const char *cmd_columns_word(const cmd_columns *c, int i)
{
    const char *const *words = c->model->output_words;
    return words && c->of[i].quantity == CMD_OF_OUT ? words[c->of[i].i] : NULL;
}

void cmd_columns_free(cmd_columns *c)
{
    for (int i = 0; i < c->n; i++) free(c->names[i]);
    free(c->of);
    free(c->names);
    free(c->units);
    *c = (cmd_columns){.n = 0};
}
