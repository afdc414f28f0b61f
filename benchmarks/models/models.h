/* models.h - the models that are built into the command `resida`. */
#ifndef BENCH_MODELS_H
#define BENCH_MODELS_H

#include <resida/model.h>

/** All of them, ended by NULL. A model serves one thread at a time, unless it says thread_safe: some keep work
 *  space. */
extern const resida_model_class *const bench_models[];

/** The class of that name, NULL when there is none. */
const resida_model_class *bench_model_find(const char *name);

/** @name One by one @{ */
extern const resida_model_class bench_pendulum, bench_pendulum_spring, bench_bushing_pendulum, bench_andrews,
    bench_car_axis, bench_slider_crank, bench_slider_crank_flexible, bench_flyball, bench_akzo, bench_robertson,
    bench_chain_angles, bench_chain_cartesian, bench_train, bench_rear_axle, bench_car, bench_ascher_petzold,
    bench_bricard, bench_double_wishbone, bench_bushing_axle, bench_beam_cantilever, bench_beam_bend,
    bench_beam_spin_up, bench_cam_contact, bench_tip_crank;
/** @} */

#endif
