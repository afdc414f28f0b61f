/* option_check.c - sets defaults, checks ranges, and rejects options without effect, from a table of options. The
 * message names the option that is rejected. */
#include "option_impl.h"

#include "base/message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const rsd_range rsd_above_0 = {"> 0", 0, INFINITY, 1, 0}, rsd_amount = {">= 0 and finite", 0, INFINITY, 0, 1};
const rsd_range rsd_at_least_0 = {">= 0", 0, INFINITY, 0, 0};
const rsd_range rsd_open_part = {"> 0 and < 1", 0, 1, 1, 1}, rsd_on_off = {"0 or 1", 0, 1, 0, 0};
const rsd_range rsd_first_two = {"in 0..1", 0, 1, 0, 0}, rsd_first_three = {"in 0..2", 0, 2, 0, 0};

static void set_default(const rsd_option *o, void *at)
{
    if (o->kind == RSD_REAL)
        *(double *)at = o->usual;
    else if (o->kind == RSD_INT)
        *(int *)at = (int)o->usual;
    else if (o->kind == RSD_LONG)
        *(long *)at = (long)o->usual;
    else if (o->kind == RSD_WORD)
        *(const char **)at = o->usual_word;
    else
        *(void **)at = NULL;
}

void rsd_option_set_defaults(const rsd_options *table, void *options)
{
    for (const rsd_option *o = table->lines; o < table->lines + table->n; o++)
        set_default(o, (char *)options + o->offset);
}

static const void *get_option_value(const rsd_option *o, const void *options)
{
    return (const char *)options + o->offset;
}

static double get_option_number(const rsd_option *o, const void *at)
{
    if (o->kind == RSD_REAL) return *(const double *)at;
    return o->kind == RSD_INT ? *(const int *)at : (double)*(const long *)at;
}

static int is_in_range(const rsd_range *r, double x)
{
    return (r->above ? x > r->min : x >= r->min) && (r->below ? x < r->max : x <= r->max);
}

int rsd_find_name(const char *const *names, const char *name)
{
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0) return i;
    return -1;
}

static resida_status check_word(const rsd_option *o, const char *word, resida_message *why)
{
    if (!word) return rsd_fail(why, RESIDA_ERR_OPTION, "%s = NULL, must be a name", o->about.name);
    if (!o->value_names || rsd_find_name(o->value_names, word) >= 0) return RESIDA_OK;
    rsd_fail(why, RESIDA_ERR_OPTION, "%s = %s, must be", o->about.name, word);
    for (int i = 0; o->value_names[i]; i++)
        rsd_message_append(why, "%s %s", i == 0 ? "" : o->value_names[i + 1] ? "," : " or", o->value_names[i]);
    return RESIDA_ERR_OPTION;
}

resida_status rsd_option_check_ranges(const rsd_options *table, const void *options, resida_message *why)
{
    for (const rsd_option *o = table->lines; o < table->lines + table->n; o++) {
        const void *at = get_option_value(o, options);
        if (o->kind == RSD_WORD) RSD_TRY(check_word(o, *(const char *const *)at, why));
        if (!o->range || is_in_range(o->range, get_option_number(o, at))) continue;
        return rsd_fail(why, RESIDA_ERR_OPTION, "%s = %g, must be %s", o->about.name, get_option_number(o, at),
                        o->range->text);
    }
    return RESIDA_OK;
}

/* Return 1 if two values are equal. A pointer may be a function pointer and is compared by its bytes. */
static int are_values_equal(const rsd_option *o, const void *a, const void *b)
{
    if (o->kind == RSD_POINTER) return memcmp(a, b, sizeof(void *)) == 0;
    if (o->kind == RSD_WORD) return strcmp(*(const char *const *)a, *(const char *const *)b) == 0;
    return get_option_number(o, a) == get_option_number(o, b);
}

static int is_option_set(const rsd_option *o, const void *options)
{
    union {
        double real;
        long integer;
        const char *word;
        void *pointer;
    } usual;
    set_default(o, &usual);
    return !are_values_equal(o, &usual, get_option_value(o, options));
}

resida_status rsd_option_check_changes(const rsd_options *table, const void *before, const void *options,
                                       resida_message *why)
{
    for (const rsd_option *o = table->lines; o < table->lines + table->n; o++)
        if (!o->may_change && !are_values_equal(o, get_option_value(o, before), get_option_value(o, options)))
            return rsd_fail(why, RESIDA_ERR_OPTION, "%s cannot be changed by this call: %s", o->about.name,
                            strcmp(o->about.name, "t_stop") == 0 ? "call resida_solver_set_stop_time()"
                                                                 : "create another solver");
    return RESIDA_OK;
}

void rsd_format_number(double x, char text[RSD_OPTION_VALUE])
{
    snprintf(text, RSD_OPTION_VALUE, "%.9g", x);
    if (strtod(text, NULL) != x) snprintf(text, RSD_OPTION_VALUE, "%.17g", x);
}

void rsd_option_format_value(const rsd_option *o, const void *options, char text[RSD_OPTION_VALUE])
{
    const void *at = get_option_value(o, options);
    const char *word = o->kind == RSD_WORD      ? *(const char *const *)at
                       : o->kind == RSD_POINTER ? "given"
                       : o->value_names         ? o->value_names[(int)get_option_number(o, at)]
                                                : NULL;
    if (word)
        rsd_write(text, RSD_OPTION_VALUE, "%s", word);
    else
        rsd_format_number(get_option_number(o, at), text);
}

/* Return RESIDA_ERR_OPTION with a message like "name = value has no effect with form index2: it is for ...". */
static resida_status reject_option_without_effect(const rsd_option *o, const rsd_names *methods, const void *options,
                                                  const char *with, const char *name, resida_message *why)
{
    char text[RSD_FAULT_TEXT], given[RSD_OPTION_VALUE];
    rsd_option_format_value(o, options, given);
    rsd_option_format_conditions(o, methods, text, sizeof text);
    return rsd_fail(why, RESIDA_ERR_OPTION, "%s = %s has no effect %s%s: it %s %s", o->about.name, given, with, name,
                    o->forms || o->methods ? "is for" : "applies", text);
}

resida_status rsd_option_check_effects(const rsd_options *table, const rsd_option_case *c, const char *method,
                                       resida_message *why)
{
    const char *form = c->problem->form ? c->problem->form->name : "dae";
    for (const rsd_option *o = table->lines; o < table->lines + table->n; o++) {
        if (!is_option_set(o, c->options)) continue;
        if (!rsd_option_has_effect(o, table->methods, form, NULL))
            return reject_option_without_effect(o, table->methods, c->options, "with form ", form, why);
        if (method && !rsd_option_has_effect(o, table->methods, NULL, method))
            return reject_option_without_effect(o, table->methods, c->options, "with method ", method, why);
        if (table->is_met && !table->is_met(c, o->condition))
            return reject_option_without_effect(o, table->methods, c->options, "here", "", why);
    }
    return RESIDA_OK;
}
