/* strategies.c - the table of strategies, each of which keeps, updates or renews parts of J. */
#include "frame.h"

#include <string.h>

#include "base/message.h"

static const rsd_strategy strategies[] = {
    {.name = "auto", .coloured = 1, .partitioned = 1, .by_costs = 1, .learns = 1},
    {.name = "dense"},
    {.name = "sparse", .coloured = 1},
    {.name = "dense+partitioned", .partitioned = 1},
    {.name = "sparse+partitioned", .coloured = 1, .partitioned = 1},
    {.name = "dense+extended", .partitioned = 1, .extended = 1},
    {.name = "sparse+extended", .coloured = 1, .partitioned = 1, .extended = 1},
    {.name = "fresh", .coloured = 1, .partitioned = 1, .by_costs = 1, .learns = 1, .by_calls = 1},
    {.name = "user", .by_costs = 1, .user = 1},
};
enum { N_STRATEGIES = sizeof strategies / sizeof strategies[0] };

const rsd_strategy *rsd_find_strategy(const char *name, const resida_system *s, resida_message *why)
{
    if (strcmp(name, "auto") == 0) name = s->derivative ? "user" : "auto";
    for (int i = 0; i < N_STRATEGIES; i++) {
        if (strcmp(name, strategies[i].name) != 0) continue;
        if (!strategies[i].user || s->derivative) return &strategies[i];
        rsd_fail(why, RESIDA_ERR_OPTION, "Jacobian strategy 'user': the model gives no derivatives");
        return NULL;
    }
    rsd_fail(why, RESIDA_ERR_OPTION, "unknown Jacobian strategy '%s': use %s", name, strategies[0].name);
    for (int i = 1; i < N_STRATEGIES; i++) rsd_message_append(why, ", %s", strategies[i].name);
    return NULL;
}
