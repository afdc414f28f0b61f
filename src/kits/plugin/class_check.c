/* class_check.c - checks that a model class can be used: magic number, ABI number, struct sizes, names, and the table
 * of parameters with their ranges and options. */
#include "model_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"

resida_status rsd_model_check_head(const resida_model_class *cls, resida_message *why)
{
    if (cls->magic != RESIDA_PLUGIN_MAGIC)
        return rsd_fail(why, RESIDA_ERR_MODEL, "not a model class: magic number %08lx, expected %08lx",
                        (unsigned long)cls->magic, (unsigned long)RESIDA_PLUGIN_MAGIC);
    if (cls->abi != RESIDA_PLUGIN_ABI)
        return rsd_fail(why, RESIDA_ERR_MODEL, "compiled for ABI %lu, but this resida reads ABI %d: compile it again",
                        (unsigned long)cls->abi, RESIDA_PLUGIN_ABI);
    const struct {
        const char *name;
        size_t there, here;
    } sizes[] = {{"resida_model_class", cls->class_size, sizeof(resida_model_class)},
                 {"resida_model", cls->model_size, sizeof(resida_model)},
                 {"resida_parameter", cls->parameter_size, sizeof(resida_parameter)}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (sizes[i].there == sizes[i].here) continue;
        return rsd_fail(why, RESIDA_ERR_MODEL,
                        "%s has %zu bytes, but %zu here: compile it again, with the headers of this resida",
                        sizes[i].name, sizes[i].there, sizes[i].here);
    }
    return RESIDA_OK;
}

/* Check a text that is shown to the user; NULL is allowed. */
static resida_status check_text(const char *text, const char *what, const char *model, resida_message *why)
{
    const char *defect = text ? rsd_text_find_defect(text) : NULL;
    return defect ? rsd_fail(why, RESIDA_ERR_MODEL, "%.60s: %.60s: has %s", model, what, defect) : RESIDA_OK;
}

static resida_status check_range(const resida_model_class *cls, const resida_parameter *p, resida_message *why)
{
    if (isnan(p->min) || isnan(p->max))
        return rsd_fail(why, RESIDA_ERR_MODEL, "%.60s: range %.10g .. %.10g of parameter \"%.40s\" is empty", cls->name,
                        p->min, p->max, p->name);
    if (isinf(p->value))
        return rsd_fail(why, RESIDA_ERR_MODEL, "%.60s: default of parameter \"%.40s\" = %.10g is not finite", cls->name,
                        p->name, p->value);
    if (!(p->min <= p->value && p->value <= p->max))
        return rsd_fail(why, RESIDA_ERR_MODEL,
                        "%.60s: default of parameter \"%.40s\" = %.10g is outside its range %.10g .. %.10g", cls->name,
                        p->name, p->value, p->min, p->max);
    if (p->whole && !rsd_is_integer(p->value))
        return rsd_fail(why, RESIDA_ERR_MODEL, "%.60s: default of parameter \"%.40s\" = %.10g is not a whole number",
                        cls->name, p->name, p->value);
    return RESIDA_OK;
}

static resida_status check_parameter(const resida_model_class *cls, int i, resida_message *why)
{
    const resida_parameter *p = &cls->parameters[i];
    if (rsd_text_is_empty(p->name))
        return rsd_fail(why, RESIDA_ERR_MODEL, "%.60s: parameter %d has no name", cls->name, i);
    if (rsd_text_is_empty(p->unit) || rsd_text_is_empty(p->text))
        return rsd_fail(why, RESIDA_ERR_MODEL, "%.60s: parameter \"%.40s\" has no %s", cls->name, p->name,
                        rsd_text_is_empty(p->unit) ? "unit (\"-\" if it is a pure number)" : "text");
    RSD_TRY(check_text(p->name, "the name of a parameter", cls->name, why));
    RSD_TRY(check_text(p->unit, p->name, cls->name, why));
    RSD_TRY(check_text(p->text, p->name, cls->name, why));
    RSD_TRY(check_text(p->word, "the word of a parameter", cls->name, why));
    return p->word ? RESIDA_OK : check_range(cls, p, why);
}

static resida_status check_class_options(const resida_model_class *cls, resida_message *why)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    for (int i = 0; cls->options && i < cls->n_parameters; i++) {
        const char *option = cls->options[i];
        if (!option || (*option && *option != '-' && strspn(option, letters) == strlen(option) &&
                        strlen(option) < RESIDA_MODEL_OPTION_SIZE))
            continue;
        return rsd_fail(why, RESIDA_ERR_MODEL, "%.60s: option \"%.40s\" of parameter \"%.40s\" is invalid", cls->name,
                        rsd_text_find_defect(option) ? "?" : option, cls->parameters[i].name);
    }
    return RESIDA_OK;
}

static resida_status check_names(const resida_model_class *cls, resida_message *why)
{
    const resida_allocator allocator = rsd_allocator(NULL);
    const int n = cls->n_parameters;
    const char **names = rsd_calloc(&allocator, n + 1L, sizeof *names);
    if (!names) return rsd_fail(why, RESIDA_ERR_MEMORY, "%.60s: no memory for %d parameters", cls->name, n);
    for (int i = 0; i < n; i++) names[i] = cls->parameters[i].name;
    const char *twice = rsd_find_duplicate(names, n);
    rsd_free(&allocator, names);
    if (!twice) return RESIDA_OK;
    return rsd_fail(why, RESIDA_ERR_MODEL, "%.60s: two parameters are called \"%.40s\"", cls->name, twice);
}

resida_status rsd_model_class_check(const resida_model_class *cls, resida_message *why)
{
    if (rsd_text_is_empty(cls->name)) return rsd_fail(why, RESIDA_ERR_MODEL, "the model class has no name");
    RSD_TRY(check_text(cls->name, "its name", "the model class", why));
    RSD_TRY(check_text(cls->text, "its text", cls->name, why));
    if (rsd_text_is_empty(cls->text)) return rsd_fail(why, RESIDA_ERR_MODEL, "%.60s: the class has no text", cls->name);
    if (!cls->create) return rsd_fail(why, RESIDA_ERR_MODEL, "%.60s: the class has no create()", cls->name);
    if (cls->n_parameters < 0 || (cls->n_parameters > 0 && !cls->parameters))
        return rsd_fail(why, RESIDA_ERR_MODEL, "%.60s: n_parameters = %d with parameters %s", cls->name,
                        cls->n_parameters, cls->parameters ? "given" : "NULL");
    for (int i = 0; i < cls->n_parameters; i++) RSD_TRY(check_parameter(cls, i, why));
    RSD_TRY(check_class_options(cls, why));
    return check_names(cls, why);
}
