/* cmd_compare.c - compares on models. Other integrators run on one model: several are a measurement of the
 * laboratory. */
#include "command/cli/commands.h"

#include "program/base/complain.h"
#include "program/run/compare.h"

int cmd_cmd_compare(const cmd_settings *s)
{
    if (s->peers && s->n_words != 1)
        return cmd_complain(CMD_EXIT_USAGE,
                            "compare: --peers takes one model; on several it is 'resida-bench compare'");
    return cmd_compare(s);
}
