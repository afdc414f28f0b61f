/* output.c - the chosen variables of an FMU (output_choice.c) as outputs of the model. Outputs of double precision are
 * read first, in one call. Other outputs are converted to numbers: a Boolean to 0 or 1, an enumeration to the number of
 * its item. A text is converted to its index among all texts of the outputs so far, and also returned as a text. A
 * 64-bit integer that a double cannot represent is rounded, and its digits are also returned as a text. */
#include "adapters/fmu/base/fail.h"
#include "model.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TEXTS = 10000 }; /* max. number of different texts */

/* Append the names of the values of a variable. @return 0, or -1 if there is no memory */
static int name_values(fmu_model *m, const fmu_chosen *c)
{
    const fmu_variable *v = c->variable;
    for (int k = 0; k < v->size; k++) {
        char element[FMU_ELEMENT];
        const int at = m->n_outputs++;
        fmu_element_name(v, k, element);
        m->output_names[at] = fmu_pool_format(&m->pool, "%s%s", c->name, element);
        m->output_units[at] = v->unit && *v->unit ? v->unit : NULL;
        if (!m->output_names[at]) return -1;
    }
    return 0;
}

static int allocate_stored(fmu_model *m, fmu_kept *kept, size_t n)
{
    *kept = (fmu_kept){fmu_pool_get(&m->pool, n, sizeof *kept->values), fmu_pool_get(&m->pool, n, sizeof *kept->words),
                       INFINITY};
    return kept->values && kept->words ? 0 : -1;
}

static int allocate_outputs(fmu_model *m)
{
    enum { LISTS = 4 };
    size_t n = (size_t)m->n_chosen + 1, n_values = 1;
    for (int i = 0; i < m->n_chosen; i++) n_values += (size_t)m->chosen[i].variable->size;
    m->reals = (fmu_references){.of = fmu_pool_get(&m->pool, n, sizeof *m->reals.of)};
    m->others = fmu_pool_get(&m->pool, n, sizeof *m->others);
    m->output_names = fmu_pool_get(&m->pool, LISTS * n_values, sizeof *m->output_names);
    m->was_finite = fmu_pool_get(&m->pool, n_values, sizeof *m->was_finite);
    m->wholes = fmu_pool_get(&m->pool, n_values, sizeof *m->wholes);
    if (allocate_stored(m, &m->held, n_values) < 0 || allocate_stored(m, &m->left, n_values) < 0) return -1;
    if (!m->reals.of || !m->others || !m->output_names || !m->was_finite || !m->wholes) return -1;
    m->output_units = m->output_names + n_values, m->output_words = m->output_units + n_values;
    m->words_now = m->output_words + n_values;
    return 0;
}

int fmu_outputs_find(fmu_model *m, const char *columns, resida_message *why)
{
    if (fmu_outputs_choose(m, columns, why) < 0) return -1;
    int listed = allocate_outputs(m);
    for (int i = 0; i < m->n_chosen && listed == 0; i++) {
        const fmu_variable *v = m->chosen[i].variable;
        if (v->type != FMU_FLOAT64) continue;
        m->reals.of[m->reals.n++] = v->reference;
        m->reals.n_values += v->size;
        listed = name_values(m, &m->chosen[i]);
    }
    for (int i = 0; i < m->n_chosen && listed == 0; i++) {
        if (m->chosen[i].variable->type == FMU_FLOAT64) continue;
        m->others[m->n_others++] = m->chosen[i].variable;
        listed = name_values(m, &m->chosen[i]);
    }
    return listed < 0 ? fmu_no_memory(why) : 0;
}

int fmu_outputs_place(const fmu_model *m, const fmu_variable *v)
{
    int at = 0;
    for (int is_real = 1; is_real >= 0; is_real--)
        for (int i = 0; i < m->n_chosen; i++) {
            const fmu_variable *w = m->chosen[i].variable;
            if ((w->type == FMU_FLOAT64) != is_real) continue;
            if (w == v) return at;
            at += w->size;
        }
    return -1;
}

/* Convert a text to its index among all texts so far. It is stored until the model is destroyed. */
static int find_text_number(fmu_model *m, const char *text, int at, double *value)
{
    for (int k = 0; k < m->n_texts; k++)
        if (strcmp(m->texts[k], text) == 0) {
            m->words_now[at] = m->texts[k];
            *value = k;
            return 0;
        }
    *value = NAN;
    m->words_now[at] = "(too many texts)";
    if (m->n_texts == MAX_TEXTS) return 0;
    m->texts = fmu_pool_grow(&m->pool, m->texts, (size_t)m->n_texts, sizeof *m->texts);
    if (!m->texts || !(m->texts[m->n_texts] = fmu_pool_text(&m->pool, text))) return -1;
    m->words_now[at] = m->texts[m->n_texts];
    *value = m->n_texts++;
    return 0;
}

static int get_integers(fmu_model *m, const fmu_variable *v, int at, double *out)
{
    enum { DIGITS = 24 };
    uint64_t *bits = m->wholes;
    const int verdict = m->instance.binary->port.get_whole(&m->instance, v->type, v->reference, bits, (size_t)v->size);
    for (int k = 0; k < v->size && verdict == 0; k++) {
        char digits[DIGITS];
        double number;
        out[k] = v->type == FMU_UINT64 ? (double)bits[k] : (double)(int64_t)bits[k];
        m->words_now[at + k] = NULL;
        if (fabs(out[k]) <= FMU_WHOLE_LIMIT) continue;
        if (v->type == FMU_UINT64)
            snprintf(digits, sizeof digits, "%" PRIu64, bits[k]);
        else
            snprintf(digits, sizeof digits, "%" PRId64, (int64_t)bits[k]);
        if (find_text_number(m, digits, at + k, &number) < 0) return -1;
    }
    return verdict;
}

static int get_converted(fmu_model *m, const fmu_variable *v, int at, double *out)
{
    const fmu_port *port = &m->instance.binary->port;
    const char *text = NULL;
    if (fmu_type_is_long(v->type) && port->get_whole) return get_integers(m, v, at, out);
    if (v->type != FMU_STRING) return fmu_variable_get(&m->instance, v, out);
    const int verdict = port->get_text(&m->instance, v->reference, &text);
    return verdict == 0 ? find_text_number(m, text ? text : "", at, out) : verdict;
}

static int get_outputs(fmu_model *m, double *out)
{
    int at = m->reals.n_values, verdict = fmu_reals_get(&m->instance, &m->reals, out);
    for (int i = 0; i < m->n_others && verdict == 0; i++) {
        verdict = fmu_prefix_variable(&m->instance, m->others[i]->name, get_converted(m, m->others[i], at, out + at));
        at += m->others[i]->size;
    }
    return verdict;
}

/* Return the first real output that was finite and is infinite or NaN now, or -1. A repeated call fails again. */
static int find_lost_output(fmu_model *m, const double *values)
{
    int lost = -1;
    for (int k = 0; k < m->reals.n_values; k++) {
        if (m->was_finite[k] && !isfinite(values[k]) && lost < 0) lost = k;
        if (isfinite(values[k])) m->was_finite[k] = 1;
    }
    return lost;
}

int fmu_outputs_store(fmu_model *m, fmu_kept *kept, double t)
{
    kept->t = t;
    const int verdict = get_outputs(m, kept->values);
    if (verdict != 0) return verdict;
    memcpy(kept->words, m->words_now, (size_t)m->n_outputs * sizeof *kept->words);
    const int lost = m->h > 0 ? find_lost_output(m, kept->values) : -1;
    if (lost < 0) return 0;
    return fmu_fail(&m->instance.said, "%.100s = %g after a communication step", m->output_names[lost],
                    kept->values[lost]);
}

double fmu_outputs_copy_stored(fmu_model *m, double t, double *out)
{
    const fmu_kept *kept = m->left.t < INFINITY && !fmu_is_earlier(t, m->left.t) ? &m->left : &m->held;
    memcpy(out, kept->values, (size_t)m->n_outputs * sizeof *out);
    memcpy(m->output_words, kept->words, (size_t)m->n_outputs * sizeof *m->output_words);
    return kept->t;
}

void fmu_outputs_check_finite(int n, const char *const *names, double t, const double *values, resida_message *warning)
{
    warning->text[0] = 0;
    for (int k = 0; k < n && !warning->text[0]; k++)
        if (!isfinite(values[k])) fmu_fail(warning, "output %.100s = %g at t = %.9g", names[k], values[k], t);
}

int fmu_value_get(fmu_model *m, int is_at_point, const char *name, double *value)
{
    int element = 0;
    const fmu_variable *v = fmu_number_find(&m->file->about, name, &element);
    if (!v) return 1;
    if (!is_at_point && v->causality == FMU_LOCAL && !v->is_fixed)
        return fmu_fail(&m->instance.said, "%.100s is known only at communication points: add it to outputs", name);
    double *all = calloc((size_t)v->size, sizeof *all);
    const int verdict = all ? fmu_variable_get(&m->instance, v, all) : -1;
    if (verdict == 0) *value = all[element];
    free(all);
    return fmu_prefix_variable(&m->instance, name, verdict) == 0 ? 0 : -1;
}
