/* models.c - the list of built-in models, in the order of the output of `resida models`. */
#include "models.h"

#include <string.h>

const resida_model_class *const bench_models[] = {
    &bench_pendulum.cls,
    &bench_pendulum_spring.cls,
    &bench_bushing_pendulum.cls,
    &bench_chain_angles.cls,
    &bench_chain_cartesian.cls,
    &bench_andrews.cls,
    &bench_car_axis.cls,
    &bench_slider_crank.cls,
    &bench_slider_crank_flexible.cls,
    &bench_flyball.cls,
    &bench_bricard.cls,
    &bench_train.cls,
    &bench_rear_axle.cls,
    &bench_car.cls,
    &bench_double_wishbone.cls,
    &bench_bushing_axle.cls,
    &bench_beam_cantilever.cls,
    &bench_beam_bend.cls,
    &bench_beam_spin_up.cls,
    &bench_cam_contact.cls,
    &bench_tip_crank.cls,
    &bench_ascher_petzold.cls,
    &bench_akzo.cls,
    &bench_robertson.cls,
    NULL,
};

const resida_model_class *bench_model_find(const char *name)
{
    if (!name) return NULL;
    for (const resida_model_class *const *cls = bench_models; *cls; cls++)
        if (strcmp((*cls)->name, name) == 0) return *cls;
    return NULL;
}
