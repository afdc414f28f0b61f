/* model.c - creates a model of a class: sets the defaults, then the settings by name, then calls create() of the class.
 *
 * The following is checked here, so that no class has to do so: the class itself (class_check.c), each setting (a known
 * name, set once, inside min .. max, an integer where required), and the result of create() (sizes, start vectors,
 * interval, tolerances). A value is never adjusted.
 *
 * resida_problem_create() checks the callbacks and sizes of the mechanism or DAE against each other. */
#include "model_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/callback.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"

/* Report an unknown parameter, with as many of the existing names as fit. */
static resida_status report_unknown_parameter(const resida_model_class *cls, const char *name, resida_message *why)
{
    resida_message text = {""};
    rsd_fail(&text, RESIDA_ERR_ARGUMENT, "%.60s has no parameter \"%.60s\"; it has %s", cls->name, name,
             cls->n_parameters ? "" : "none");
    for (int i = 0; i < cls->n_parameters; i++) {
        const char *known = cls->parameters[i].name;
        if (strlen(text.text) + strlen(known) + sizeof ", , ..." > sizeof text.text) {
            rsd_message_append(&text, "%s...", i ? ", " : "");
            break;
        }
        rsd_message_append(&text, "%s%s", i ? ", " : "", known);
    }
    return rsd_fail(why, RESIDA_ERR_ARGUMENT, "%s", text.text);
}

static resida_status check_value(const resida_model_class *cls, const resida_parameter *p, double value,
                                 resida_message *why)
{
    if (!(p->min <= value && value <= p->max)) /* the condition is false for NaN */
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "%.60s: %.40s = %.10g is outside its range %.10g .. %.10g [%.20s]",
                        cls->name, p->name, value, p->min, p->max, p->unit);
    if (p->whole && !rsd_is_integer(value))
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "%.60s: %.40s = %.10g, must be a whole number", cls->name, p->name,
                        value);
    return RESIDA_OK;
}

/** Values of all parameters of a class. */
typedef struct value_table {
    double *numbers;    /**< [n_parameters] values of numbers */
    const char **words; /**< [n_parameters] values of texts; NULL: a number */
} value_table;

static resida_status set_value(const resida_model_class *cls, const resida_setting *s, value_table *all,
                               resida_message *why)
{
    int i = 0;
    while (i < cls->n_parameters && strcmp(cls->parameters[i].name, s->name) != 0) i++;
    if (i == cls->n_parameters) return report_unknown_parameter(cls, s->name, why);
    const resida_parameter *p = &cls->parameters[i];
    if (!s->word != !p->word)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "%.60s: %.40s is a %s, not a %s", cls->name, p->name,
                        p->word ? "text" : "number", p->word ? "number" : "text");
    const char *defect = p->word ? rsd_text_find_defect(s->word) : NULL;
    if (defect)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "%.60s: the text of %.40s has %s", cls->name, p->name, defect);
    if (!p->word) RSD_TRY(check_value(cls, p, s->value, why));
    all->numbers[i] = s->value;
    all->words[i] = s->word;
    return RESIDA_OK;
}

/* Set all parameters of the class to their defaults, then apply the n settings. */
static resida_status set_parameter_values(const resida_model_class *cls, int n, const resida_setting *settings,
                                          value_table *all, resida_message *why)
{
    for (int i = 0; i < cls->n_parameters; i++) {
        all->numbers[i] = cls->parameters[i].value;
        all->words[i] = cls->parameters[i].word;
    }
    for (int k = 0; k < n; k++) {
        for (int before = 0; before < k; before++)
            if (strcmp(settings[before].name, settings[k].name) == 0)
                return rsd_fail(why, RESIDA_ERR_ARGUMENT, "%.60s: %.40s is set twice", cls->name, settings[k].name);
        RSD_TRY(set_value(cls, &settings[k], all, why));
    }
    return RESIDA_OK;
}

static int is_text_valid(const char *text)
{
    return !text || !rsd_text_find_defect(text);
}

static int are_texts_valid(const char *const *names, long n)
{
    for (long i = 0; names && i < n; i++)
        if (!is_text_valid(names[i])) return 0;
    return 1;
}

/* Return the name of the first text that cannot be displayed, or NULL. */
static const char *find_text_error(const resida_model *m)
{
    const resida_mechanism *k = &m->mechanism;
    if (!is_text_valid(m->reference_source)) return "reference_source with control characters or no UTF-8";
    if (!is_text_valid(m->is_dae ? m->dae.name : k->name)) return "a name with control characters or no UTF-8";
    int fine = m->is_dae
                   ? are_texts_valid(m->dae.names, m->dae.n) && are_texts_valid(m->y_units, m->dae.n)
                   : are_texts_valid(k->p_names, k->n_p) && are_texts_valid(k->v_names, k->n_v) &&
                         are_texts_valid(k->g_names, (long)k->n_g + k->n_h) && are_texts_valid(m->p_units, k->n_p) &&
                         are_texts_valid(m->v_units, k->n_v) && are_texts_valid(m->lam_units, (long)k->n_g + k->n_h);
    fine = fine && are_texts_valid(m->excitation_units, m->is_dae ? m->dae.n_u : k->n_u);
    const int n_root = m->is_dae ? m->dae.n_root : k->n_root;
    for (int i = 0; m->root_names && i < n_root; i++)
        if (rsd_text_is_empty(m->root_names[i]) || !is_text_valid(m->root_names[i]))
            return "root_names with one that is empty, with control characters or no UTF-8";
    return fine ? NULL : "names or units of components with control characters or no UTF-8";
}

const char *rsd_model_find_contact_error(const resida_model *m)
{
    const resida_model_contacts *c = m->contacts;
    if (!c || m->is_dae) return c ? "contacts of a general DAE, which has no masses" : NULL;
    if (c->size != sizeof *c) return "contacts.size is not sizeof(resida_model_contacts)";
    if (c->n < 1) return "contacts.n not positive";
    if (c->first < 0 || c->first > m->mechanism.n_root - c->n) return "contacts without root functions for their gaps";
    if (!c->restitution) return "contacts.restitution NULL";
    for (int i = 0; i < c->n; i++)
        if (!(c->restitution[i] >= 0 && c->restitution[i] <= 1)) return "contacts.restitution not from 0 to 1";
    if (c->friction && !c->holds) return "contacts.friction without contacts.holds";
    return are_texts_valid(c->names, c->n) ? NULL : "names of contacts with control characters or no UTF-8";
}

/* Return the first error in a model that create() returned, or NULL. */
static const char *find_model_error(const resida_model *m)
{
    if (m->size != sizeof *m) return "size overwritten";
    if (m->is_dae) {
        if (m->dae.size != sizeof m->dae) return "dae.size overwritten";
        if (m->dae.n <= 0) return "dae.n not positive";
        if (!m->y0) return "y0 NULL";
        if (m->y_is_time && m->dae.n != 1) return "y_is_time with dae.n that is not 1";
    } else {
        if (m->mechanism.size != sizeof m->mechanism) return "mechanism.size overwritten";
        if (m->mechanism.n_p <= 0 || m->mechanism.n_v <= 0) return "mechanism.n_p or n_v not positive";
        if (!m->p0 || !m->v0) return m->p0 ? "v0 NULL" : "p0 NULL";
    }
    if (!isfinite(m->t0) || !isfinite(m->t_end) || !(m->t0 < m->t_end)) return "t_end not after t0";
    if (!(isfinite(m->rtol) && m->rtol > 0)) return "rtol not positive";
    if (!(isfinite(m->atol) && m->atol >= 0)) return "atol negative or not finite";
    if (m->asks_steps && !m->event) return "asks_steps set without event";
    if (m->state_size > 0 && !m->state) return "state NULL, with a size";
    if (rsd_model_find_contact_error(m)) return rsd_model_find_contact_error(m);
    const int n_tolerances = m->is_dae ? m->dae.n : m->mechanism.n_p + m->mechanism.n_v;
    for (int i = 0; m->atol_each && i < n_tolerances; i++)
        if (!(isfinite(m->atol_each[i]) && m->atol_each[i] >= 0)) return "atol_each negative or not finite";
    if (m->atol_each && m->atol == 0) return "atol_each without atol";
    if (m->y_is_time && !m->is_dae) return "y_is_time of a mechanism";
    if (m->n_breakpoints < 0) return "n_breakpoints negative";
    if (m->n_breakpoints > 0 && !m->breakpoints) return "breakpoints NULL";
    for (int i = 0; i < m->n_breakpoints; i++)
        if (!isfinite(m->breakpoints[i]) || (i > 0 && !(m->breakpoints[i] > m->breakpoints[i - 1])))
            return "breakpoints that do not ascend";
    return find_text_error(m);
}

static const char *find_output_error(const resida_model *m)
{
    if (m->n_outputs < 0) return "n_outputs negative";
    if (m->n_outputs == 0) return NULL;
    if (!m->output_names || !m->output) return m->output ? "output_names NULL" : "output NULL, with n_outputs";
    if (!are_texts_valid(m->output_names, m->n_outputs) || !are_texts_valid(m->output_units, m->n_outputs))
        return "names or units of outputs with control characters or no UTF-8";
    const resida_allocator allocator = rsd_allocator(NULL);
    const char **names = rsd_calloc(&allocator, m->n_outputs, sizeof *names);
    if (!names) return "no memory for its outputs";
    int all = 0;
    while (all < m->n_outputs && !rsd_text_is_empty(m->output_names[all])) names[all] = m->output_names[all], all++;
    const char *twice = rsd_find_duplicate(names, all);
    rsd_free(&allocator, names);
    if (all < m->n_outputs) return "an output without a name";
    return twice ? "two outputs of one name" : NULL;
}

void resida_model_init(resida_model *model)
{
    if (!model) return;
    *model = (resida_model){.size = sizeof *model};
    resida_mechanism_init(&model->mechanism);
    resida_dae_init(&model->dae);
}

static resida_status call_create(const resida_model_class *cls, const value_table *all, resida_model *model,
                                 resida_message *why)
{
    resida_message own = {""}; /* a message that the class can always write to */
    resida_model_init(model);
    model->words = all->words;
    model->cls = cls;
    rsd_thrown thrown = {0, ""};
    int verdict = rsd_call_create(all->numbers, model, &own, &thrown, cls);
    own.text[sizeof own.text - 1] = 0;
    model->words = NULL;
    if (verdict != 0) {
        memset(model, 0, sizeof *model);
        if (thrown.is_new) rsd_fail(&own, RESIDA_ERR_MODEL, "create() threw %s", thrown.text);
        if (!own.text[0]) rsd_fail(&own, RESIDA_ERR_MODEL, "create() returned %d without a message", verdict);
        return rsd_fail(why, RESIDA_ERR_MODEL, "%.60s: %s", cls->name, own.text);
    }
    const char *broken = find_model_error(model);
    if (!broken) broken = find_output_error(model);
    if (!broken) broken = rsd_model_find_shape_error(model);
    if (broken) {
        model->size = sizeof *model;
        resida_model_destroy(cls, model);
        return rsd_fail(why, RESIDA_ERR_MODEL, "%.60s: create() succeeded, but left %s", cls->name, broken);
    }
    return RESIDA_OK;
}

static resida_status create_model(const resida_model_class *cls, int n, const resida_setting *settings,
                                  resida_model *model, resida_message *why)
{
    RSD_TRY(rsd_model_check_head(cls, why));
    RSD_TRY(rsd_model_class_check(cls, why));
    resida_allocator allocator = rsd_allocator(NULL);
    value_table all = {.numbers = rsd_doubles(&allocator, cls->n_parameters),
                       .words = rsd_calloc(&allocator, cls->n_parameters + 1L, sizeof *all.words)};
    resida_status status = RESIDA_OK;
    if (!all.numbers || !all.words)
        status = rsd_fail(why, RESIDA_ERR_MEMORY, "%.60s: no memory for %d parameters", cls->name, cls->n_parameters);
    if (status == RESIDA_OK) status = set_parameter_values(cls, n, settings, &all, why);
    if (status == RESIDA_OK) status = call_create(cls, &all, model, why);
    RSD_FREE(&allocator, all.numbers, all.words);
    return status;
}

/* Check the arguments. `what` is the name of a missing array of settings, or NULL. */
static resida_status check_model_arguments(const char *call, const resida_model_class *cls, int n, const char *what,
                                           const resida_model *model, resida_message *why)
{
    const char *missing = !cls ? "cls" : !model ? "model" : n > 0 ? what : NULL;
    if (missing) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "%s: %s is NULL", call, missing);
    if (n < 0) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "%s: n = %d, must not be negative", call, n);
    return RESIDA_OK;
}

resida_status resida_model_create_with(const resida_model_class *cls, int n, const resida_setting *settings,
                                       resida_model *model, resida_message *why)
{
    static const char call[] = "resida_model_create_with";
    if (model) memset(model, 0, sizeof *model); /* so that resida_model_destroy() is valid after any failure */
    RSD_TRY(check_model_arguments(call, cls, n, settings ? NULL : "settings", model, why));
    for (int i = 0; i < n; i++)
        if (!settings[i].name) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "%s: settings[%d].name is NULL", call, i);
    return create_model(cls, n, settings, model, why);
}

resida_status resida_model_create(const resida_model_class *cls, int n, const char *const *names, const double *values,
                                  resida_model *model, resida_message *why)
{
    static const char call[] = "resida_model_create";
    if (model) memset(model, 0, sizeof *model);
    RSD_TRY(check_model_arguments(call, cls, n, !names ? "names" : !values ? "values" : NULL, model, why));
    for (int i = 0; i < n; i++)
        if (!names[i]) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "%s: names[%d] is NULL", call, i);
    resida_allocator allocator = rsd_allocator(NULL);
    resida_setting *settings = rsd_calloc(&allocator, n + 1L, sizeof *settings);
    if (!settings) return rsd_fail(why, RESIDA_ERR_MEMORY, "%s: no memory for %d settings", call, n);
    for (int i = 0; i < n; i++) settings[i] = (resida_setting){.name = names[i], .value = values[i]};
    resida_status status = create_model(cls, n, settings, model, why);
    rsd_free(&allocator, settings);
    return status;
}

int resida_model_reference(const resida_model *model, double t, double *p, double *v, double *lam)
{
    if (!model) return RESIDA_ERR_ARGUMENT;
    return model->reference ? rsd_call_reference(model, t, p, v, lam, NULL) : 1;
}

int resida_model_shape(const resida_model *model, double t, const double *p, double *xyz)
{
    if (!model || !p || !xyz) return RESIDA_ERR_ARGUMENT;
    return model->shape ? rsd_call_shape(model, t, p, xyz, NULL) : 1;
}

int resida_model_happens(const resida_model *model, resida_model_event *event)
{
    if (!model || !event) return RESIDA_ERR_ARGUMENT;
    return model->event ? rsd_call_event(model, event, NULL) : 0;
}

int resida_model_output(const resida_model *model, const resida_model_point *at, double *out)
{
    if (!model || !at || !out) return RESIDA_ERR_ARGUMENT;
    return model->output ? rsd_call_output(model, at, out, NULL) : 1;
}

void resida_model_destroy(const resida_model_class *cls, resida_model *model)
{
    if (!cls || !model || model->size == 0) return;
    if (cls->destroy) rsd_call_destroy(model, NULL, cls);
    memset(model, 0, sizeof *model);
}
