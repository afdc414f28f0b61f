/* manifest.c - reads extra/org.fmi-standard.fmi-ls-dae/fmi-ls-manifest.xml. */
#include "manifest.h"

#include "adapters/fmu/base/fail.h"
#include "adapters/fmu/base/xml.h"

#include <string.h>

enum { AT_ROOT = 1, AT_SECTION, AT_ENTRY, AT_DETAIL };

typedef struct reader {
    fmu_manifest *m;
    fmu_pool *pool;
    resida_message *why;
    char section[32], group[32];
} reader;

static int read_root(reader *r, const char *name)
{
    static const char *const roots[] = {"fmiDAEManifest", "fmiLayeredStandardManifest", "fmi-dae"};
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        if (fmu_are_equal(name, roots[i])) return 0;
    return fmu_fail(r->why, "the root is %.60s, not fmiDAEManifest", name);
}

static int read_reference(reader *r, const char *name, const char **a, uint32_t *reference)
{
    if (fmu_attribute_reference(a, "valueReference", reference) == 1) return 0;
    return fmu_fail(r->why, "%.60s has no valueReference", name);
}

static int read_algebraic(reader *r, const char *name, const char **a)
{
    fmu_manifest *m = r->m;
    uint32_t *reference = FMU_POOL_ADD(r->pool, m->algebraic, m->n_algebraic);
    return reference ? read_reference(r, name, a, reference) : fmu_no_memory(r->why);
}

static int read_formulation(reader *r, const char *name, const char **a)
{
    uint32_t reference = 0, index = 0;
    if (read_reference(r, name, a, &reference) < 0) return -1;
    if (fmu_attribute_reference(a, "index", &index) < 0 || index > 100)
        return fmu_fail(r->why, "a formulation has an invalid index");
    fmu_unknowns *list = &r->m->formulations;
    if (fmu_unknown_read(r->pool, list, reference, a, r->why) < 0) return -1;
    list->of[list->n - 1].index = (int)index;
    list->of[list->n - 1].residual = r->m->n_residuals - 1;
    r->m->is_there = 1;
    return 0;
}

static int read_structure(reader *r, const char *name, const char **a)
{
    uint32_t reference = 0;
    if (fmu_are_equal(name, "EventIndicator")) r->m->n_indicators++;
    if (fmu_are_equal(name, "ContinuousStateDerivative")) {
        if (read_reference(r, name, a, &reference) < 0) return -1;
        return fmu_unknown_read(r->pool, &r->m->derivatives, reference, a, r->why);
    }
    if (!fmu_are_equal(name, "Residual")) return 0;
    r->m->n_residuals++;
    return fmu_attribute(a, "valueReference") ? read_formulation(r, name, a) : 0;
}

static int on_element(void *self, long line, int depth, const char *name, const char **a)
{
    reader *r = self;
    (void)line;
    if (depth == AT_ROOT) return read_root(r, name);
    if (depth == AT_SECTION) {
        strncpy(r->section, name, sizeof r->section - 1);
        r->group[0] = 0;
        if (!fmu_are_equal(name, "EnableDAEParameter") && !fmu_are_equal(name, "EnableDAE")) return 0;
        r->m->has_enable = 1;
        return read_reference(r, name, a, &r->m->enable);
    }
    if (depth == AT_ENTRY) {
        strncpy(r->group, name, sizeof r->group - 1);
        if (fmu_are_equal(r->section, "AlgebraicVariables") && fmu_are_equal(name, "AlgebraicVariable"))
            return read_algebraic(r, name, a);
        if (fmu_are_equal(r->section, "ModelStructure")) return read_structure(r, name, a);
    }
    if (depth == AT_DETAIL && fmu_are_equal(r->section, "ModelStructure") && fmu_are_equal(r->group, "Residual") &&
        fmu_are_equal(name, "Formulation"))
        return read_formulation(r, name, a);
    return 0;
}

int fmu_manifest_read(fmu_manifest *m, fmu_pool *pool, fmu_archive *a, const char *file, resida_message *why)
{
    resida_message reason = {""};
    reader r = {.m = m, .pool = pool, .why = &reason};
    *m = (fmu_manifest){0};
    if (fmu_xml_read(a, file, on_element, &r, &reason) == 0) return 0;
    return fmu_fail(why, "manifest of its DAE: %.400s", reason.text);
}
