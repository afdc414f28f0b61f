/* model.c - makes a model of a class: defaults, then the settings by name, then the class's own create().
 *
 * What is checked, so that no class has to: the class itself (magic, ABI, sizes, names, parameter table), every
 * setting (a known name, once, inside min .. max, whole where it must be), and what create() gave back (sizes,
 * start vectors, interval, tolerances). A value is never changed to fit.
 *
 * What is not checked here: callbacks and sizes of the mechanism or DAE against each other; resida_problem_create()
 * does that. */
#include "model_class.h"

#include <math.h>
#include <string.h>

#include "src/base/callback.h"
#include "src/base/memory.h"
#include "src/base/message.h"
#include "src/base/text.h"

static int is_empty(const char *text)
{
    return !text || !*text;
}

static int is_whole(double value)
{
    return isfinite(value) && floor(value) == value;
}

resida_status rsd_model_head_check(const resida_model_class *cls, resida_message *why)
{
    if (cls->magic != RESIDA_PLUGIN_MAGIC)
        return rsd_fail(why, RESIDA_ERR_MODEL, "not a model class: magic number %08lx, expected %08lx",
                        (unsigned long)cls->magic, (unsigned long)RESIDA_PLUGIN_MAGIC);
    if (cls->abi != RESIDA_PLUGIN_ABI)
        return rsd_fail(why, RESIDA_ERR_MODEL, "ABI %lu, this resida reads ABI %d", (unsigned long)cls->abi,
                        RESIDA_PLUGIN_ABI);
    const struct {
        const char *name;
        size_t there, here;
    } sizes[] = {
        {"resida_model_class", cls->class_size, sizeof(resida_model_class)},
        {"resida_model", cls->model_size, sizeof(resida_model)},
        {"resida_parameter", cls->parameter_size, sizeof(resida_parameter)},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i].there != sizes[i].here)
            return rsd_fail(why, RESIDA_ERR_MODEL, "%s has %zu bytes, here %zu: compiled against other headers",
                            sizes[i].name, sizes[i].there, sizes[i].here);
    return RESIDA_OK;
}

/* A text to be shown; NULL is none. */
static resida_status check_text(const char *text, const char *what, const char *model, resida_message *why)
{
    const char *defect = text ? rsd_text_defect(text) : NULL;
    return defect ? rsd_fail(why, RESIDA_ERR_MODEL, "%.60s: %.60s: has %s", model, what, defect) : RESIDA_OK;
}

static resida_status check_parameter(const resida_model_class *cls, int i, resida_message *why)
{
    const resida_parameter *p = &cls->parameters[i];
    if (is_empty(p->name)) return rsd_fail(why, RESIDA_ERR_MODEL, "%.60s: parameter %d has no name", cls->name, i);
    if (is_empty(p->unit) || is_empty(p->text))
        return rsd_fail(why, RESIDA_ERR_MODEL, "%.60s: parameter \"%.40s\" has no %s", cls->name, p->name,
                        is_empty(p->unit) ? "unit (\"-\" if it is a pure number)" : "text");
    RSD_TRY(check_text(p->name, "the name of a parameter", cls->name, why));
    RSD_TRY(check_text(p->unit, p->name, cls->name, why));
    RSD_TRY(check_text(p->text, p->name, cls->name, why));
    if (isnan(p->min) || isnan(p->max))
        return rsd_fail(why, RESIDA_ERR_MODEL, "%.60s: range %.10g .. %.10g of parameter \"%.40s\" is none", cls->name,
                        p->min, p->max, p->name);
    if (isinf(p->value))
        return rsd_fail(why, RESIDA_ERR_MODEL, "%.60s: default of parameter \"%.40s\" = %.10g is not finite", cls->name,
                        p->name, p->value);
    if (!(p->min <= p->value && p->value <= p->max))
        return rsd_fail(why, RESIDA_ERR_MODEL,
                        "%.60s: default of parameter \"%.40s\" = %.10g lies outside its own range %.10g .. %.10g",
                        cls->name, p->name, p->value, p->min, p->max);
    if (p->whole && !is_whole(p->value))
        return rsd_fail(why, RESIDA_ERR_MODEL, "%.60s: default of parameter \"%.40s\" = %.10g is not whole", cls->name,
                        p->name, p->value);
    for (int k = 0; k < i; k++)
        if (strcmp(cls->parameters[k].name, p->name) == 0)
            return rsd_fail(why, RESIDA_ERR_MODEL, "%.60s: two parameters are called \"%.40s\"", cls->name, p->name);
    return RESIDA_OK;
}

resida_status rsd_model_class_check(const resida_model_class *cls, resida_message *why)
{
    if (is_empty(cls->name)) return rsd_fail(why, RESIDA_ERR_MODEL, "the model class has no name");
    RSD_TRY(check_text(cls->name, "its name", "the model class", why));
    RSD_TRY(check_text(cls->text, "its text", cls->name, why));
    if (is_empty(cls->text)) return rsd_fail(why, RESIDA_ERR_MODEL, "%.60s: the class has no text", cls->name);
    if (!cls->create) return rsd_fail(why, RESIDA_ERR_MODEL, "%.60s: the class has no create()", cls->name);
    if (cls->n_parameters < 0 || (cls->n_parameters > 0 && !cls->parameters))
        return rsd_fail(why, RESIDA_ERR_MODEL, "%.60s: n_parameters = %d with parameters %s", cls->name,
                        cls->n_parameters, cls->parameters ? "given" : "NULL");
    for (int i = 0; i < cls->n_parameters; i++) RSD_TRY(check_parameter(cls, i, why));
    return RESIDA_OK;
}

static resida_status check_arguments(const resida_model_class *cls, int n, const char *const *names,
                                     const double *values, const resida_model *model, resida_message *why)
{
    const char *missing = !cls                 ? "cls"
                          : !model             ? "model"
                          : (n > 0 && !names)  ? "names"
                          : (n > 0 && !values) ? "values"
                                               : NULL;
    if (missing) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_model_create: %s is NULL", missing);
    if (n < 0) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_model_create: n = %d, must not be negative", n);
    for (int i = 0; i < n; i++)
        if (!names[i]) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_model_create: names[%d] is NULL", i);
    return RESIDA_OK;
}

/* The names there are, as many as the message holds. Room is kept for the next ", name" and a final ", ...". */
static resida_status no_such_parameter(const resida_model_class *cls, const char *name, resida_message *why)
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

static int find_parameter(const resida_model_class *cls, const char *name)
{
    for (int i = 0; i < cls->n_parameters; i++)
        if (strcmp(cls->parameters[i].name, name) == 0) return i;
    return -1;
}

static resida_status check_value(const resida_model_class *cls, const resida_parameter *p, double value,
                                 resida_message *why)
{
    if (!(p->min <= value && value <= p->max)) /* so that NaN is out of every range */
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "%.60s: %.40s = %.10g is outside its range %.10g .. %.10g [%.20s]",
                        cls->name, p->name, value, p->min, p->max, p->unit);
    if (p->whole && !is_whole(value))
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "%.60s: %.40s = %.10g, must be a whole number", cls->name, p->name,
                        value);
    return RESIDA_OK;
}

/* all [n_parameters] <- defaults, overwritten by the n settings. */
static resida_status set_values(const resida_model_class *cls, int n, const char *const *names, const double *values,
                                double *all, resida_message *why)
{
    for (int i = 0; i < cls->n_parameters; i++) all[i] = cls->parameters[i].value;
    for (int k = 0; k < n; k++) {
        int i = find_parameter(cls, names[k]);
        if (i < 0) return no_such_parameter(cls, names[k], why);
        for (int before = 0; before < k; before++)
            if (strcmp(names[before], names[k]) == 0)
                return rsd_fail(why, RESIDA_ERR_ARGUMENT, "%.60s: %.40s is set twice", cls->name, names[k]);
        RSD_TRY(check_value(cls, &cls->parameters[i], values[k], why));
        all[i] = values[k];
    }
    return RESIDA_OK;
}

static int is_showable(const char *text)
{
    return !text || !rsd_text_defect(text);
}

static int are_showable(const char *const *names, long n)
{
    for (long i = 0; names && i < n; i++)
        if (!is_showable(names[i])) return 0;
    return 1;
}

/* Texts that could not be shown; NULL if there is none. */
static const char *odd_text(const resida_model *m)
{
    const resida_mechanism *k = &m->mechanism;
    if (!is_showable(m->reference_source)) return "reference_source with control characters or no UTF-8";
    if (!is_showable(m->is_dae ? m->dae.name : k->name)) return "a name with control characters or no UTF-8";
    int fine = m->is_dae ? are_showable(m->dae.names, m->dae.n)
                         : are_showable(k->p_names, k->n_p) && are_showable(k->v_names, k->n_v) &&
                               are_showable(k->g_names, (long)k->n_g + k->n_h);
    return fine ? NULL : "names of components with control characters or no UTF-8";
}

/* What a create() that reported success forgot or broke; NULL if nothing. */
static const char *defect(const resida_model *m)
{
    if (m->size != sizeof *m) return "size overwritten";
    if (m->is_dae) {
        if (m->dae.size != sizeof m->dae) return "dae.size overwritten";
        if (m->dae.n <= 0) return "dae.n not positive";
        if (!m->y0) return "y0 NULL";
    } else {
        if (m->mechanism.size != sizeof m->mechanism) return "mechanism.size overwritten";
        if (m->mechanism.n_p <= 0 || m->mechanism.n_v <= 0) return "mechanism.n_p or n_v not positive";
        if (!m->p0 || !m->v0) return m->p0 ? "v0 NULL" : "p0 NULL";
    }
    if (!isfinite(m->t0) || !isfinite(m->t_end) || !(m->t0 < m->t_end)) return "t_end not after t0";
    if (!(isfinite(m->rtol) && m->rtol > 0)) return "rtol not positive";
    if (!(isfinite(m->atol) && m->atol >= 0)) return "atol negative or not finite";
    return odd_text(m);
}

static resida_status run_create(const resida_model_class *cls, const double *values, resida_model *model,
                                resida_message *why)
{
    resida_message own = {""}; /* the class may rely on a message to write to */
    model->size = sizeof *model;
    resida_mechanism_init(&model->mechanism);
    resida_dae_init(&model->dae);
    rsd_thrown thrown = {0, ""};
    int verdict = rsd_call_create(values, model, &own, &thrown, cls);
    own.text[sizeof own.text - 1] = 0;
    if (verdict != 0) {
        memset(model, 0, sizeof *model);
        if (thrown.is_new) rsd_fail(&own, RESIDA_ERR_MODEL, "create() threw %s", thrown.text);
        if (!own.text[0]) rsd_fail(&own, RESIDA_ERR_MODEL, "create() returned %d and said nothing", verdict);
        return rsd_fail(why, RESIDA_ERR_MODEL, "%.60s: %s", cls->name, own.text);
    }
    const char *broken = defect(model);
    if (broken) {
        model->size = sizeof *model;
        resida_model_destroy(cls, model);
        return rsd_fail(why, RESIDA_ERR_MODEL, "%.60s: create() succeeded, but left %s", cls->name, broken);
    }
    return RESIDA_OK;
}

resida_status resida_model_create(const resida_model_class *cls, int n, const char *const *names, const double *values,
                                  resida_model *model, resida_message *why)
{
    if (model) memset(model, 0, sizeof *model); /* whatever happens, resida_model_destroy() is fine afterwards */
    RSD_TRY(check_arguments(cls, n, names, values, model, why));
    RSD_TRY(rsd_model_head_check(cls, why));
    RSD_TRY(rsd_model_class_check(cls, why));

    resida_allocator allocator = rsd_allocator(NULL);
    double *all = rsd_doubles(&allocator, cls->n_parameters);
    if (!all)
        return rsd_fail(why, RESIDA_ERR_MEMORY, "%.60s: no memory for %d parameters", cls->name, cls->n_parameters);
    resida_status status = set_values(cls, n, names, values, all, why);
    if (status == RESIDA_OK) status = run_create(cls, all, model, why);
    rsd_free(&allocator, all);
    return status;
}

int resida_model_reference(const resida_model *model, double t, double *p, double *v, double *lam)
{
    if (!model) return RESIDA_ERR_ARGUMENT;
    return model->reference ? rsd_call_reference(model, t, p, v, lam, NULL) : 1;
}

void resida_model_destroy(const resida_model_class *cls, resida_model *model)
{
    if (!cls || !model || model->size == 0) return;
    if (cls->destroy) rsd_call_destroy(model, NULL, cls);
    memset(model, 0, sizeof *model);
}
