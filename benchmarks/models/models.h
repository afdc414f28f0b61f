/* models.h - the built-in models. Programs that link them find them in a list. */
#ifndef BENCH_MODELS_H
#define BENCH_MODELS_H

#include "benchmarks/util/model_kind.h"
#include "program/builtin/models.h"

/** @name One by one @{ */
extern const bench_kind bench_pendulum, bench_pendulum_spring, bench_bushing_pendulum, bench_andrews, bench_car_axis,
    bench_slider_crank, bench_slider_crank_flexible, bench_flyball, bench_akzo, bench_robertson, bench_chain_angles,
    bench_chain_cartesian, bench_train, bench_rear_axle, bench_car, bench_ascher_petzold, bench_bricard,
    bench_double_wishbone, bench_bushing_axle, bench_beam_cantilever, bench_beam_bend, bench_beam_spin_up,
    bench_cam_contact, bench_tip_crank;
/** @} */

#endif
