/* mesh.h - surfaces of links, of the files that a description names: STL, DAE, OBJ and what else the Open Asset Import
 * Library reads. A build without it draws none.
 *
 * What is drawn is bounded: a surface of more than `most` triangles is made coarser, by one vertex for all those in a
 * cell of a grid (J. Rossignac, P. Borrel: Multi-resolution 3D approximations for rendering complex scenes, 1993). */
#ifndef URD_MESH_H
#define URD_MESH_H

#include <map>
#include <string>
#include <vector>

#include <kdl/frames.hpp>

#include "drawing.h"

struct urd_mesh {
    std::vector<double> vertices; /**< x, y, z of each, in the frame of its visual */
    std::vector<int> triangles;   /**< three vertices of each */
};

/** 1: this build reads meshes. */
bool urd_reads_meshes();

/** Where a file is that a description names: "package://P/F" is P/F in a folder above the description, or in it; what
 *  is no URL begins at the folder of the description. "" where it is not. */
std::string urd_find_file(const std::string &description, const std::string &name);

/** @param[in] scale  of the description, along x, y, z
 *  @throws std::runtime_error, one line: why it cannot be drawn */
urd_mesh urd_read_mesh(const std::string &path, const KDL::Vector &scale, size_t most);

/** The surfaces of a description, of its spheres as well, by urd_surface_name() of its drawings; drawings of one file
 *  and scale share one. */
struct urd_surfaces {
    std::map<std::string, urd_mesh> read;
    size_t n = 0, lost = 0; /**< visuals that are meshes; those that are not drawn */
    std::string why;        /**< of the first of these */
};

std::string urd_surface_name(const urd_drawing &drawing);

/** Read them, once each. */
urd_surfaces urd_read_surfaces(const std::string &description, const std::vector<urd_drawing> &drawings);

/** Make it coarser, to `most` triangles or fewer; it keeps its size. */
void urd_coarsen(urd_mesh &mesh, size_t most);

#endif
