/* resida/all.h - all public headers, in an order in which each one needs only those before it. */
#ifndef RESIDA_ALL_H
#define RESIDA_ALL_H

#include <resida/status.h>

#include <resida/option.h>

#include <resida/mechanism.h>

#include <resida/contact.h>

#include <resida/quaternion.h>

#include <resida/dae.h>

#include <resida/products.h>

#include <resida/model.h>

#include <resida/adapter.h>

#include <resida/problem.h>

#include <resida/start.h>

#include <resida/impact.h>

#include <resida/equilibrium.h>

#include <resida/jacobian.h>

#include <resida/stats.h>

#include <resida/solver.h>

#include <resida/sensitivity.h>

#include <resida/run.h>

#include <resida/linearize.h>

#include <resida/checkpoint.h>

#endif
