/* models.c - the list of built-in models, in the order in which `resida models` shows them. */
#include "models.h"

#include <string.h>

const resida_model_class *const bench_models[] = {
    &bench_pendulum,
    &bench_pendulum_spring,
    &bench_bushing_pendulum,
    &bench_chain_angles,
    &bench_chain_cartesian,
    &bench_andrews,
    &bench_car_axis,
    &bench_slider_crank,
    &bench_slider_crank_flexible,
    &bench_flyball,
    &bench_bricard,
    &bench_train,
    &bench_rear_axle,
    &bench_car,
    &bench_double_wishbone,
    &bench_bushing_axle,
    &bench_beam_cantilever,
    &bench_beam_bend,
    &bench_beam_spin_up,
    &bench_cam_contact,
    &bench_tip_crank,
    &bench_ascher_petzold,
    &bench_akzo,
    &bench_robertson,
    NULL,
};

const resida_model_class *bench_model_find(const char *name)
{
    if (!name) return NULL;
    for (const resida_model_class *const *cls = bench_models; *cls; cls++)
        if (strcmp((*cls)->name, name) == 0) return *cls;
    return NULL;
}
