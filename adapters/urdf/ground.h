/* ground.h - contact of spheres on links with a horizontal plane, the ground z = z_0. For a sphere with centre C,
 * radius r, and lowest point P with the horizontal velocity s,
 *
 *     gap = z_C - r - z_0,     F = N e_z - mu N tanh(|s|/v_s) s/|s|  at P,     N = max(0, -k gap - d gap') if gap < 0
 *
 * is the force of an elastic ground. On a rigid ground the spheres are contacts that hold (resida/contact.h). A contact
 * of the library has friction in one direction, which is x here. It is therefore refused if a sphere can slide along
 * y. */
#ifndef URD_GROUND_H
#define URD_GROUND_H

#include "robot.h"

/** Select the spheres: those of the description, then those of a file with lines link,x,y,z,radius. Must be called
 *  before urd_list_constraints(), and after the start is known.
 *  @param[in] path  of the file; "": none
 *  @throws std::runtime_error, one line: an error in the file, no sphere, a start below a rigid ground, friction along
 *  y */
void urd_select_spheres(urd_robot &robot, const std::string &path);

/** Return the gap of a sphere of body i. */
double urd_compute_gap(const urd_robot &robot, const urd_bodies &bodies, size_t i, const urd_sphere &sphere);

/** Return the wrench of a force at P, given in the axes of the world, in the frame of body i. */
KDL::Wrench urd_get_sphere_wrench(const urd_bodies &bodies, size_t i, const urd_sphere &sphere,
                                  const KDL::Vector &force);

/** Subtract the work of the forces of the ground from f, along the coordinates of the pieces (is_cut) or of the whole
 *  tree. On a rigid ground the forces are those of lam [n_g + n_h], NaN if it is NULL. Set the forces of the
 *  spheres. */
void urd_subtract_ground_forces(urd_robot &robot, bool is_cut, const double *p, const double *v, const double *lam,
                                double *f);

/** Call take(number of the sphere, column, entry) for the work of a unit force at P of each sphere along a direction of
 *  the world, with the pieces at the positions of the last place(). */
template <class T>
void urd_each_sphere_entry(const urd_robot &m, const double *p, const KDL::Vector &direction, const T &take)
{
    const urd_bodies &bodies = m.pieces.bodies;
    for (size_t k = 0; k < m.spheres.size(); k++) {
        const urd_sphere &sphere = m.spheres[k];
        bodies.climb(p, sphere.piece, urd_get_sphere_wrench(bodies, sphere.piece, sphere, direction),
                     [&](int column, double work) { take(k, column, work); });
    }
}

/** Set the nonholonomic constraints of friction on a rigid ground. Must be called after urd_list_constraints(). */
void urd_list_slides(urd_robot &robot, resida_mechanism &mechanism);

#endif
