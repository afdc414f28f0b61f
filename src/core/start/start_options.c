/* start_options.c - the table of resida_start_options. */
#include "start_impl.h"

#include <math.h>

static const char *const redundants[] = {"refuse", "drop", NULL}, *const wrongs[] = {"refuse", "warn", NULL};

/* First fields of an option: its member in resida_start_options, and its type. */
#define START(member, type)                                                                                            \
    .about = {#member, RESIDA_OPTION_OF_START, NULL}, .kind = (type), .offset = offsetof(resida_start_options, member)

/* clang-format off */
static const rsd_option lines[] = {
    {START(redundant, RSD_INT), .forms = RSD_FORM_CONSTRAINED, .range = &rsd_first_two, .value_names = redundants},
    {START(rank_tolerance, RSD_REAL), .forms = RSD_FORM_CONSTRAINED, .usual = RSD_RANK_TOLERANCE,
     .range = &rsd_open_part},
    {START(max_change, RSD_REAL), .forms = RSD_FORM_CONSTRAINED, .usual = INFINITY, .range = &rsd_above_0},
    {START(wrong_matrix, RSD_INT), .forms = RSD_FORM_CONSTRAINED, .range = &rsd_first_two, .value_names = wrongs},
};
/* clang-format on */

const rsd_options rsd_start_table = {lines, sizeof lines / sizeof *lines, NULL, NULL};
_Static_assert(sizeof(resida_redundant) == sizeof(int) && sizeof(resida_wrong_matrix) == sizeof(int),
               "an enum is read as an int");

void resida_start_options_init(resida_start_options *o)
{
    if (!o) return;
    *o = (resida_start_options){.size = sizeof *o};
    rsd_option_set_defaults(&rsd_start_table, o);
}

resida_status rsd_start_check_options(const resida_start_options *o, resida_message *why)
{
    RSD_TRY(rsd_check_size("start options", o->size, sizeof *o, why));
    return rsd_option_check_ranges(&rsd_start_table, o, why);
}
