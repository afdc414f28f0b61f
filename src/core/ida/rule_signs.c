/* rule_signs.c - the option sign_each: a step that ends with a wrong sign is made shorter; a component that misses zero
 * by less than the tolerance is put to zero. */
#include "ida_rules.h"

#include "src/core/watch/signs.h"

void rsd_signs_begin(rsd_ida *it)
{
    it->signs.wrong = -1;
    if (!it->attempt.is_retry) it->signs.put_before = it->signs.put;
}

/* 1: the step ends with a wrong sign. Consecutive steps may miss zero by the tolerance all together: else a solution
 * that goes beyond zero would be held there in steps that are short enough. */
int rsd_signs_check(rsd_ida *it)
{
    const rsd_newton_attempt *a = &it->attempt;
    const int *sign = it->base.o->sign_each;
    rsd_ida_signs *x = &it->signs;
    double missed = 0;
    if (!sign) return 0;
    x->wrong = rsd_keep_signs(sign, it->base.n, it->y0, a->x, a->at.weights, a->tolerance - x->put_before, &missed);
    x->put = missed > 0 ? x->put_before + missed : 0;
    if (x->wrong < 0) return 0;
    x->wrong_y = it->y0[x->wrong] + a->x[x->wrong];
    rsd_growth_end(&it->growth, 0);
    return 1;
}
