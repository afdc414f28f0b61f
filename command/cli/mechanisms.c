/* mechanisms.c - only a model that is open says what it is. */
#include "mechanisms.h"

#include "model_arg.h"
#include "benchmarks/models/models.h"

int bench_mechanisms(const char *names[BENCH_MECHANISMS_MAX])
{
    const bench_settings as_they_are = {.n_words = 0};
    int n = 0;
    for (int i = 0; bench_models[i] && n < BENCH_MECHANISMS_MAX; i++) {
        bench_model model;
        if (bench_models_open(&model, 1, &bench_models[i]->name, &as_they_are) != 0) return -1;
        if (!model.model.is_dae) names[n++] = bench_models[i]->name;
        bench_models_close(&model, 1);
    }
    return n;
}
