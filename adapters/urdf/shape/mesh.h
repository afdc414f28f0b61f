/* mesh.h - surfaces of links, from the files named in a description: STL, DAE, OBJ and other formats of the Open Asset
 * Import Library. A build without this library draws no meshes.
 *
 * The number of triangles is limited. A larger surface is simplified: all vertices in a cell of a grid are replaced by
 * one (J. Rossignac, P. Borrel: Multi-resolution 3D approximations for rendering complex scenes, 1993). */
#ifndef URD_MESH_H
#define URD_MESH_H

#include <map>
#include <string>
#include <vector>

#include <kdl/frames.hpp>

#include "drawing.h"

struct urd_mesh {
    std::vector<double> vertices; /**< x, y, z of each vertex, in the frame of the visual */
    std::vector<int> triangles;   /**< three vertices of each triangle */
};

/** 1: this build reads meshes. */
#ifdef URD_HAS_ASSIMP
constexpr bool urd_can_read_meshes = true;
#else
constexpr bool urd_can_read_meshes = false;
#endif

/** The surfaces of a description, including its spheres, by urd_surface_name() of the drawings. Drawings of the same
 *  file with the same scale share a surface. */
struct urd_surfaces {
    std::map<std::string, urd_mesh> read;
    size_t n = 0, lost = 0; /**< number of visuals that are meshes; number of those that could not be read */
    std::string why;        /**< reason of the first failure */
};

std::string urd_surface_name(const urd_drawing &drawing);

/** Read all surfaces, each once. */
urd_surfaces urd_read_surfaces(const std::string &description, const std::vector<urd_drawing> &drawings);

#endif
