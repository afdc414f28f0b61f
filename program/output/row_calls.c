/* row_calls.c - calls and costs of callbacks, by their names. */
#include "row_calls.h"

#include <string.h>

long cmd_calls_of(const resida_stats *s, int i)
{
    long calls;
    memcpy(&calls, (const char *)&s->callback_calls + (size_t)i * sizeof calls, sizeof calls);
    return calls;
}

static json_t *call(const resida_stats *s, int i)
{
    return cmd_json_count(cmd_calls_of(s, i));
}

/* Those of callbacks that models say, then that of products. */
static json_t *cost(const resida_stats *s, int i)
{
    double operations;
    if ((size_t)i * sizeof operations >= sizeof s->callback_costs) return cmd_json_real(s->product_cost);
    memcpy(&operations, (const char *)&s->callback_costs + (size_t)i * sizeof operations, sizeof operations);
    return cmd_json_real(operations);
}

/* Products have one cost, whatever they are of. */
static const char *name_of_cost(int i)
{
    const int n = sizeof(resida_callback_costs) / sizeof(double);
    return i < n ? resida_callback_at(i) : i == n ? "products" : NULL;
}

/* One value for each name. */
static json_t *by_names(const resida_stats *s, const char *(*name_at)(int i),
                        json_t *(*value)(const resida_stats *s, int i))
{
    json_t *object = json_object();
    const char *name;
    for (int i = 0; (name = name_at(i)); i++) object = cmd_json_put(object, name, value(s, i));
    return object;
}

json_t *cmd_calls_json(const resida_stats *s)
{
    return by_names(s, resida_callback_at, call);
}

json_t *cmd_costs_json(const resida_stats *s)
{
    return by_names(s, name_of_cost, cost);
}
