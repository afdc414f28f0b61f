/* unit.c - see unit.h; FMI 3.0, section 2.4.4:  factor_b x_b + offset_b = factor_a x_a + offset_a. */
#include "unit.h"

#include "xml.h"

#include <math.h>
#include <string.h>

enum { MOST = 1000 }; /* max. absolute value of an exponent */

static const char *const bases[FMU_BASE_UNITS] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};

/* Read a base unit. A unit with invalid attributes has no conversion. */
static int read_base_unit(fmu_unit *unit, const char **attributes)
{
    int is_read = 1;
    for (int k = 0; k < FMU_BASE_UNITS; k++) {
        double exponent = 0;
        is_read &= fmu_attribute_double(attributes, bases[k], &exponent) >= 0 && fabs(exponent) < MOST;
        unit->exponents[k] = is_read ? (int)exponent : 0;
    }
    is_read &= fmu_attribute_double(attributes, "factor", &unit->factor) >= 0 &&
               fmu_attribute_double(attributes, "offset", &unit->offset) >= 0;
    unit->is_based = is_read && isfinite(unit->factor) && unit->factor != 0 && isfinite(unit->offset);
    return 1;
}

int fmu_units_read(fmu_units *units, fmu_pool *pool, const char *name, const char **attributes)
{
    if (strcmp(name, "BaseUnit") == 0 && units->n > 0) return read_base_unit(&units->of[units->n - 1], attributes);
    if (strcmp(name, "Unit") != 0) return 0;
    const char *own = fmu_pool_text(pool, fmu_attribute(attributes, "name"));
    fmu_unit *unit = own ? FMU_POOL_ADD(pool, units->of, units->n) : NULL;
    if (unit) *unit = (fmu_unit){.name = own, .factor = 1};
    return unit ? 1 : -1;
}

static const fmu_unit *find_unit(const fmu_units *const *all, int n, const char *name)
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < all[k]->n; i++)
            if (all[k]->of[i].is_based && strcmp(all[k]->of[i].name, name) == 0) return &all[k]->of[i];
    return NULL;
}

int fmu_units_convert(const fmu_units *const *all, int n, const char *from, const char *to, double *factor,
                      double *offset)
{
    if (!from || !to || !*from || !*to || strcmp(from, to) == 0) return 0;
    const fmu_unit *x = find_unit(all, n, from), *y = find_unit(all, n, to);
    if (!x || !y || memcmp(x->exponents, y->exponents, sizeof x->exponents) != 0) return -1;
    *factor *= x->factor / y->factor;
    *offset = (x->factor * *offset + x->offset - y->offset) / y->factor;
    return 0;
}
