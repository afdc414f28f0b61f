/* frame.c - finds the open entries of each column. Usually dF/dy and dF/dyp are differenced separately. dF/dy + alpha
 * dF/dyp is differenced as a whole ("combined") if differences of dF/dyp would need additional calls and dF/dyp is not
 * needed separately. All entries of an open column are then differenced, including the known ones. A system with
 * products and a constraint part is not combined, because products do not include the constraint part. */
#include "frame.h"

#include "base/memory.h"

#include <string.h>

void rsd_frame_set_open_entries(rsd_frame *f)
{
    const resida_system *s = &f->s;
    const unsigned char whole = RESIDA_COLUMN_FORMALISM | RESIDA_COLUMN_YP;
    const unsigned char all = (unsigned char)(whole | (s->constraint ? RESIDA_COLUMN_CONSTRAINT : 0));
    f->has_open_B = f->has_open_C = f->n_formalism_columns = 0;
    memset(f->is_known, 0, (size_t)f->n);
    for (int c = 0; c < f->n; c++) {
        f->columns[c] = s->columns ? s->columns[c] : all;
        /* The derivative of the model contains dF/dyp. */
        if (f->strategy->user) f->columns[c] &= (unsigned char)~RESIDA_COLUMN_YP;
        f->has_open_B |= f->columns[c] & RESIDA_COLUMN_YP ? 1 : 0;
        f->has_open_C |= f->columns[c] & RESIDA_COLUMN_CONSTRAINT ? 1 : 0;
    }
    f->combined = f->has_open_B && !f->strategy->partitioned && !(s->times && s->constraint);
    for (int c = 0; c < f->n && f->combined; c++)
        if (f->columns[c]) f->columns[c] = whole;
    for (int k = 0; k < s->n_y; k++) f->is_known[s->y_column[k]] = 1;
    for (int k = 0; k < s->n_yp; k++) f->is_known[s->yp_column[k]] = 1;
    for (int c = 0; c < f->n; c++) f->n_formalism_columns += f->columns[c] & RESIDA_COLUMN_FORMALISM ? 1 : 0;
}

int rsd_frame_create(rsd_frame *f)
{
    f->columns = rsd_calloc(&f->alloc, f->n, 1);
    f->is_known = rsd_calloc(&f->alloc, f->n, 1);
    if (!f->columns || !f->is_known) return 0;
    rsd_frame_set_open_entries(f);
    return 1;
}

int rsd_frame_gives_pattern(const rsd_frame *f)
{
    return f->s.n_formalism >= 0 && !(f->combined && f->s.constraint);
}
