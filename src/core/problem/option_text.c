/* option_text.c - writes the forms, methods and conditions with which an option has an effect as text. */
#include "option_impl.h"

#include <string.h>

static const rsd_title titles[] = {{RSD_FORM_MECHANISM, "mechanisms"},
                                   {RSD_FORM_CONSTRAINED, "forms with constraints"},
                                   {RSD_FORM_DIRECTED, "forms with constraints but state-space"},
                                   {0, NULL}};
static const rsd_names forms = {"form", resida_form_at, rsd_form_get_traits, titles};

int rsd_option_has_effect(const rsd_option *o, const rsd_names *methods, const char *form, const char *method)
{
    if (form && o->forms && !(o->forms & forms.traits_of(form))) return 0;
    return !method || !o->methods || (o->methods & methods->traits_of(method)) != 0;
}

/* Append a part of a list to text [size]. A comma separates the part from the previous part. */
static void append_item(char *text, size_t size, const char *part)
{
    rsd_append(text, size, "%s%s", text[0] ? ", " : "", part);
}

/* Append the common name of the forms or methods with the given traits, or a list as in "forms index2, baumgarte". */
static void append_names(char *text, size_t size, unsigned traits, const rsd_names *names)
{
    int all = 0, listed = 0;
    if (traits == 0) return;
    for (const rsd_title *t = names->titles; t->text; t++)
        if (t->traits == traits) {
            append_item(text, size, t->text);
            return;
        }
    for (int i = 0; names->at(i); i++) all += (names->traits_of(names->at(i)) & traits) != 0;
    append_item(text, size, names->one);
    if (all > 1) rsd_append(text, size, "s");
    for (int i = 0; names->at(i); i++)
        if (names->traits_of(names->at(i)) & traits)
            rsd_append(text, size, "%s%s", listed++ ? ", " : " ", names->at(i));
}

void rsd_option_format_conditions(const rsd_option *o, const rsd_names *methods, char *text, size_t size)
{
    text[0] = 0;
    append_names(text, size, o->forms, &forms);
    append_names(text, size, o->methods, methods);
    if (o->about.when) append_item(text, size, o->about.when);
}
