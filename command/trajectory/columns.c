/* columns.c - selects the columns of a list from a table of all quantities with their names. An acceleration is named
 * after its velocity. Both are named after the position if the name of the velocity is that of the position with a
 * prime. A multiplier is named after its constraint. */
#include "columns.h"

#include "program/base/complain.h"
#include "program/base/suggest.h"
#include "program/cli/list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 128, FULL = NAME + 16, WORD = 256, SHOWN = 8 };

static const char *const groups[] = {"p", "v", "a", "lam", "y", "yp", "out"};

/** A quantity that can be a column. */
typedef struct candidate {
    cmd_place_of of;
    int is_usual;                     /**< a column of files without a list */
    char plain[NAME + 2], full[FULL]; /**< "x'", "v.x"; for a derivative the names of the differentiated quantity */
} candidate;

typedef enum naming { PLAIN, IN_FULL, GROUPED, N_NAMINGS } naming;

enum { LONGEST = NAME + FULL + WORD };

typedef struct catalogue {
    const resida_model *model;
    candidate *all;
    int n;
} catalogue;

/** Set the full name "v.x". A name such as v[3] is kept. */
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
    *c = (candidate){.of = {.quantity = quantity, .i = i, .of = quantity}, .is_usual = is_usual};
    cmd_unit_of(k->model, quantity, i, c->of.unit);
    return c;
}

/** Write the name of a column: "x", "p.x", "d(p.x)/d(L)". @return text */
static const char *format_column_name(const candidate *c, naming how, char *text)
{
    const char *by = c->of.by, *group = how == GROUPED ? groups[c->of.of] : "";
    snprintf(text, LONGEST, "%s%s%s%s%s%.*s%s", by ? "d(" : "", group, *group ? "." : "",
             how == IN_FULL ? c->full : c->plain, by ? ")/d(" : "", WORD, by ? by : "", by ? ")" : "");
    return text;
}

/** Add a component of y with its name in the problem. */
static void add_component(catalogue *k, const resida_problem *problem, cmd_quantity quantity, int first, int i)
{
    candidate *c = add(k, quantity, i, 1);
    if (resida_problem_component_name(problem, first + i, c->plain, NAME) < 0) c->plain[0] = 0;
    put_full(c, c->plain);
}

/** Set the full name of x' to v.x if p.x is its position. */
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

static void add_dae(catalogue *k, const resida_problem *problem, const resida_layout *l, int is_usual)
{
    for (int i = 0; i < l->n; i++) {
        add_component(k, problem, CMD_OF_Y, 0, i);
        k->all[i].is_usual = is_usual;
    }
    for (int i = 0; i < l->n; i++) {
        const candidate y = k->all[i];
        candidate *c = add(k, CMD_OF_YP, i, 0);
        snprintf(c->plain, sizeof c->plain, "%.*s'", NAME, y.plain);
        put_full(c, y.plain);
        if (strncmp(y.plain, "y[", strlen("y[")) == 0) snprintf(c->full, FULL, "yp%.*s", NAME, y.plain + 1);
    }
}

/** Add the derivatives of all candidates so far. */
static void add_derivatives(catalogue *k, const cmd_derivatives *d)
{
    const int n = k->n;
    for (int by = 0; d && by < d->n; by++)
        for (int i = 0; i < n; i++) {
            const cmd_place_of of = k->all[i].of;
            const int at = cmd_derivatives_get_index(d, by, (int)of.quantity - CMD_OF_P, of.i);
            if (at < 0) continue;
            candidate *c = &k->all[k->n++];
            *c = k->all[i];
            c->of.quantity = CMD_OF_DERIVATIVE, c->of.i = at, c->of.by = d->names[by];
            cmd_unit_ratio(of.unit, cmd_unit_of_parameter(k->model->cls, c->of.by), c->of.unit);
        }
}

/** Fill the catalogue with all quantities. @return -1 without memory */
static int fill_catalogue(catalogue *k, const resida_problem *problem, const cmd_derivatives *d)
{
    const resida_model *m = k->model;
    resida_layout l;
    if (resida_problem_layout(problem, &l) < 0) return -1;
    const size_t n = m->is_dae ? 2 * (size_t)l.n : (size_t)l.n_p + 2 * (size_t)l.n_v + (size_t)(l.n_g + l.n_h);
    k->all = calloc((n + (size_t)m->n_outputs) * (1 + (d ? (size_t)d->n : 0)) + 1, sizeof *k->all);
    if (!k->all) return -1;
    const int has_outputs = m->y_is_time && m->n_outputs > 0; /* then y is only t, which has its own column */
    if (m->is_dae)
        add_dae(k, problem, &l, !has_outputs);
    else
        add_mechanism(k, problem, &l, m->mechanism.g_names);
    for (int i = 0; i < m->n_outputs; i++) {
        candidate *c = add(k, CMD_OF_OUT, i, has_outputs);
        snprintf(c->plain, NAME, "%s", m->output_names[i]);
        put_full(c, c->plain);
    }
    add_derivatives(k, d);
    return 0;
}

static int is_word_for(const candidate *c, const char *word)
{
    char name[LONGEST];
    for (int how = 0; how < N_NAMINGS; how++)
        if (cmd_word_matches(word, format_column_name(c, (naming)how, name))) return 1;
    return 0;
}

/** Complain about an unknown name, with a similar name or the first names. */
static int complain_unknown_column(const catalogue *k, const char *word, const char *option, const cmd_derivatives *d)
{
    if (!d && strncmp(word, "d(", 2) == 0 && strstr(word, ")/d("))
        return cmd_complain(CMD_EXIT_USAGE, "--%s: no '%s'; use --sensitivity NAME for derivatives", option, word);
    const char **names = calloc((size_t)k->n + 1, sizeof *names);
    char *texts = malloc(((size_t)k->n + 1) * LONGEST);
    const int has_room = names && texts;
    for (int i = 0; has_room && i < k->n; i++)
        names[i] = format_column_name(&k->all[i], IN_FULL, texts + (size_t)i * LONGEST);
    const int code = has_room ? cmd_list_refuse(word, option, names, k->n, SHOWN) : cmd_no_memory();
    free(names);
    free(texts);
    return code;
}

static int reserve_columns(cmd_columns *c, int n)
{
    c->of = calloc((size_t)n + 1, sizeof *c->of);
    c->names = calloc((size_t)n + 1, sizeof *c->names);
    c->units = calloc((size_t)n + 1, sizeof *c->units);
    return c->of && c->names && c->units ? 0 : cmd_no_memory();
}

static int append_column(cmd_columns *c, const candidate *from, naming how)
{
    char name[LONGEST];
    c->names[c->n] = strdup(format_column_name(from, how, name));
    if (!c->names[c->n]) return cmd_no_memory();
    c->of[c->n] = from->of;
    c->units[c->n] = c->of[c->n].unit[0] ? c->of[c->n].unit : NULL;
    c->n++;
    return 0;
}

static int has_column(const cmd_columns *c, cmd_quantity quantity, int i)
{
    for (int k = 0; k < c->n; k++)
        if (c->of[k].quantity == quantity && c->of[k].i == i) return 1;
    return 0;
}

static int select_columns(cmd_columns *c, const catalogue *k, const char *list, const char *option)
{
    char word[WORD];
    int code = 0;
    while (code == 0 && cmd_list_next(&list, word, WORD)) {
        if (cmd_list_has(list, word)) return cmd_complain(CMD_EXIT_USAGE, "--%s: '%s' is given twice", option, word);
        int found = strcmp(word, "t") == 0; /* t is always a column */
        for (int i = 0; i < k->n && code == 0; i++) {
            if (!is_word_for(&k->all[i], word)) continue;
            found = 1;
            if (!has_column(c, k->all[i].of.quantity, k->all[i].of.i)) code = append_column(c, &k->all[i], IN_FULL);
        }
        if (code == 0 && !found) code = complain_unknown_column(k, word, option, c->derivatives);
    }
    return code;
}

/** Select the default columns of files. Multipliers have full names, because they may share names with positions. */
static int select_default_columns(cmd_columns *c, const catalogue *k)
{
    int code = 0;
    for (int i = 0; i < k->n && code == 0; i++)
        if (k->all[i].is_usual) code = append_column(c, &k->all[i], k->all[i].of.of == CMD_OF_LAM ? IN_FULL : PLAIN);
    return code;
}

/** Select p, v, y, y' and outputs. */
static int select_state_columns(cmd_columns *c, const catalogue *k)
{
    int code = 0;
    for (int i = 0; i < k->n && code == 0; i++) {
        const cmd_quantity q = k->all[i].of.quantity;
        if (q == CMD_OF_P || q == CMD_OF_V || q == CMD_OF_Y || q == CMD_OF_YP || q == CMD_OF_OUT)
            code = append_column(c, &k->all[i], IN_FULL);
    }
    return code;
}

/** Create the catalogue of the job's model, and allocate columns for all its entries. */
static int open_all(cmd_columns *c, catalogue *k, const cmd_job *job, const cmd_derivatives *d)
{
    resida_problem *problem = NULL;
    resida_message why = {""};
    *c = (cmd_columns){.model = &job->model->model, .derivatives = d};
    *k = (catalogue){.model = &job->model->model};
    if (cmd_problem_open(job, &problem, &why) < 0)
        return cmd_complain_model(CMD_EXIT_FAILED, job->model->cls->name, why.text);
    const int failed = fill_catalogue(k, problem, d);
    resida_problem_free(problem);
    return failed ? cmd_no_memory() : reserve_columns(c, k->n);
}

/** Append the derivatives of the selected columns, unless the list contains a derivative. */
static int append_derivatives(cmd_columns *c, const catalogue *k, naming how)
{
    const int n = c->n;
    int code = 0;
    for (int i = 0; i < n; i++)
        if (c->of[i].by) return 0;
    for (int by = 0; c->derivatives && by < c->derivatives->n; by++)
        for (int i = 0; i < n; i++) {
            const cmd_place_of of = c->of[i];
            const int at = cmd_derivatives_get_index(c->derivatives, by, (int)of.quantity - CMD_OF_P, of.i);
            for (int j = 0; at >= 0 && j < k->n && code == 0; j++)
                if (k->all[j].of.by && k->all[j].of.i == at) code = append_column(c, &k->all[j], how);
        }
    return code;
}

int cmd_columns_make(cmd_columns *c, const cmd_job *job, const char *list, const char *option)
{
    catalogue k;
    int code = open_all(c, &k, job, job->followed);
    if (code == 0) code = list ? select_columns(c, &k, list, option) : select_default_columns(c, &k);
    if (code == 0) code = append_derivatives(c, &k, list ? IN_FULL : PLAIN);
    free(k.all);
    return code;
}

int cmd_columns_states(cmd_columns *c, const cmd_job *job)
{
    catalogue k;
    int code = open_all(c, &k, job, NULL);
    if (code == 0) code = select_state_columns(c, &k);
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
