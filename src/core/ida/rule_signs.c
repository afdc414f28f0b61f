/* rule_signs.c - the option sign_each. A step that ends with a wrong sign is shortened. A component is set to zero if
 * its sign is wrong by less than the tolerance. */
#include "ida_impl.h"

#include "src/core/watch/signs.h"

void rsd_signs_begin_attempt(rsd_ida *ida)
{
    ida->signs.wrong = -1;
    if (!ida->attempt.is_retry) ida->signs.earlier_correction = ida->signs.put;
}

/* Return 1 if the step ends with a wrong sign that cannot be corrected to zero, else 0. The sum of the corrections to
 * zero in consecutive steps is limited by the tolerance. Otherwise a solution that passes through zero could be held at
 * zero by sufficiently short steps. */
int rsd_signs_check_attempt(rsd_ida *ida)
{
    const rsd_attempt *a = &ida->attempt;
    const int *sign = ida->base.o->sign_each;
    rsd_ida_signs *x = &ida->signs;
    double missed = 0;
    if (!sign) return 0;
    x->wrong = rsd_correct_signs(sign, ida->base.n, ida->y0, a->x, a->at.weights, a->tolerance - x->earlier_correction,
                                 &missed);
    x->put = missed > 0 ? x->earlier_correction + missed : 0;
    if (x->wrong < 0) return 0;
    x->wrong_value = ida->y0[x->wrong] + a->x[x->wrong];
    ida->has_converged = 0;
    return 1;
}
