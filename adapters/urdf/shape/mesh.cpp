/* mesh.cpp - see mesh.h. */
#include "mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <stdexcept>

#ifdef URD_HAS_ASSIMP
#include <assimp/Importer.hpp>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#endif

namespace fs = std::filesystem;

namespace {

/* Find a file named in a description. "package://P/F" is P/F in the folder of the description or in a folder above it.
 * A name that is not a URL is relative to the folder of the description. Return "" if there is no such file. */
std::string find_file(const std::string &description, const std::string &name)
{
    std::error_code none;
    fs::path folder = fs::absolute(description, none).parent_path();
    const size_t end = name.find("://");
    if (end == std::string::npos) {
        const fs::path there = folder / name;
        return fs::is_regular_file(there, none) ? there.string() : "";
    }
    const std::string kind = name.substr(0, end), rest = name.substr(end + 3);
    if (kind == "file") return fs::is_regular_file(rest, none) ? rest : "";
    if (kind != "package" && kind != "model") return "";
    for (;; folder = folder.parent_path()) {
        if (fs::is_regular_file(folder / rest, none)) return (folder / rest).string();
        if (folder == folder.parent_path()) return "";
    }
}

/* Make a sphere from rings of vertices between two poles. */
urd_mesh make_sphere(double radius)
{
    constexpr int rings = 11, around = 24;
    urd_mesh out;
    const auto add = [&](double z, double at, double angle) {
        for (const double x : {at * std::cos(angle), at * std::sin(angle), z}) out.vertices.push_back(radius * x);
    };
    const auto corner = [](int ring, int k) { /* ring 0 and the last one are poles */
                                              return ring == 0      ? 0
                                                     : ring > rings ? 1 + rings * around
                                                                    : 1 + (ring - 1) * around + k % around;
    };
    for (int ring = 0; ring <= rings + 1; ring++) {
        const double from_pole = std::acos(-1) * ring / (rings + 1);
        const int n = ring == 0 || ring > rings ? 1 : around;
        for (int k = 0; k < n; k++) add(std::cos(from_pole), std::sin(from_pole), 2 * std::acos(-1) * k / around);
    }
    for (int ring = 0; ring <= rings; ring++)
        for (int k = 0; k < around; k++) {
            const int a = corner(ring, k), b = corner(ring + 1, k), c = corner(ring + 1, k + 1),
                      d = corner(ring, k + 1);
            if (ring < rings) out.triangles.insert(out.triangles.end(), {a, b, c});
            if (ring > 0) out.triangles.insert(out.triangles.end(), {a, c, d});
        }
    return out;
}

#ifdef URD_HAS_ASSIMP

/* Return 1 if the three vertices are different. */
bool is_triangle_proper(const std::array<int, 3> &t)
{
    return t[0] != t[1] && t[1] != t[2] && t[2] != t[0];
}

/* Replace all vertices in a cell by the first one, and remove degenerate triangles. */
urd_mesh merge_by_cells(const urd_mesh &mesh, const KDL::Vector &low, double size)
{
    urd_mesh out;
    std::map<std::array<long, 3>, int> cells;
    std::vector<int> place(mesh.vertices.size() / 3);
    for (size_t i = 0; i < place.size(); i++) {
        const double *x = &mesh.vertices[3 * i];
        std::array<long, 3> cell;
        for (int k = 0; k < 3; k++) cell[static_cast<size_t>(k)] = std::lround((x[k] - low(k)) / size);
        const auto found = cells.emplace(cell, static_cast<int>(out.vertices.size() / 3));
        if (found.second) out.vertices.insert(out.vertices.end(), x, x + 3);
        place[i] = found.first->second;
    }
    for (size_t t = 0; t < mesh.triangles.size(); t += 3) {
        std::array<int, 3> corners;
        for (size_t k = 0; k < 3; k++) corners[k] = place[static_cast<size_t>(mesh.triangles[t + k])];
        if (is_triangle_proper(corners)) out.triangles.insert(out.triangles.end(), corners.begin(), corners.end());
    }
    return out;
}

/* Simplify a mesh to at most `most` triangles, with about the same outer dimensions. */
void simplify_mesh(urd_mesh &mesh, size_t most)
{
    constexpr double finest = 512, coarser = 0.8; /* cells along the longest side; ratio of two successive grids */
    KDL::Vector low(INFINITY, INFINITY, INFINITY), high = -low;
    for (size_t i = 0; i < mesh.vertices.size(); i++) {
        const int k = static_cast<int>(i % 3);
        low(k) = std::min(low(k), mesh.vertices[i]);
        high(k) = std::max(high(k), mesh.vertices[i]);
    }
    const KDL::Vector size = high - low;
    const double longest = std::max({size.x(), size.y(), size.z()});
    const urd_mesh whole = mesh;
    for (double cells = finest; mesh.triangles.size() > 3 * most && cells > 1; cells *= coarser)
        mesh = merge_by_cells(whole, low, longest / cells);
}

/* Read a mesh with at most `most` triangles. scale: of the description, along x, y, z.
 * Throw std::runtime_error, one line with the reason why the mesh cannot be drawn. */
urd_mesh read_mesh(const std::string &path, const KDL::Vector &scale, size_t most)
{
    constexpr uintmax_t max_bytes = uintmax_t{1} << 27;
    std::error_code none;
    if (fs::file_size(path, none) > max_bytes) throw std::runtime_error(path + " has more than 128 MB");
    Assimp::Importer importer;
    importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true); /* as viewers of robots do */
    importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
    importer.SetPropertyInteger(AI_CONFIG_PP_RVC_FLAGS, aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS |
                                                            aiComponent_COLORS | aiComponent_TEXCOORDS);
    const aiScene *scene =
        importer.ReadFile(path, aiProcess_Triangulate | aiProcess_JoinIdenticalVertices | aiProcess_SortByPType |
                                    aiProcess_PreTransformVertices | aiProcess_RemoveComponent);
    if (!scene) throw std::runtime_error(path + ": " + importer.GetErrorString());
    urd_mesh mesh;
    for (unsigned m = 0; m < scene->mNumMeshes; m++) {
        const aiMesh &part = *scene->mMeshes[m];
        const int first = static_cast<int>(mesh.vertices.size() / 3);
        for (unsigned i = 0; i < part.mNumVertices; i++)
            for (unsigned k = 0; k < 3; k++)
                mesh.vertices.push_back(static_cast<double>(part.mVertices[i][k]) * scale(static_cast<int>(k)));
        for (unsigned i = 0; i < part.mNumFaces; i++)
            for (unsigned k = 0; k < 3 && part.mFaces[i].mNumIndices == 3; k++)
                mesh.triangles.push_back(first + static_cast<int>(part.mFaces[i].mIndices[k]));
    }
    const auto is_odd = [](double x) { return !std::isfinite(x); };
    if (mesh.triangles.empty() || std::any_of(mesh.vertices.begin(), mesh.vertices.end(), is_odd))
        throw std::runtime_error(path + " has no triangles, or some that are not finite");
    simplify_mesh(mesh, most);
    return mesh;
}

#else

urd_mesh read_mesh(const std::string &, const KDL::Vector &, size_t)
{
    return {};
}

#endif

} // namespace

std::string urd_surface_name(const urd_drawing &drawing)
{
    std::string name = drawing.file;
    for (int k = 0; k < 3; k++) name += " " + std::to_string(drawing.scale(k));
    return name;
}

urd_surfaces urd_read_surfaces(const std::string &description, const std::vector<urd_drawing> &drawings)
{
    constexpr size_t max_of_all = 16000, min_of_one = 200; /* triangles */
    urd_surfaces out;
    for (const urd_drawing &drawing : drawings) out.n += !drawing.file.empty();
    if (!urd_can_read_meshes) out.lost = out.n;
    std::map<std::string, bool> failed;
    for (const urd_drawing &drawing : drawings) {
        const std::string name = urd_surface_name(drawing);
        if (drawing.kind == RESIDA_PART_MESH && drawing.file.empty())
            out.read.emplace(name, make_sphere(drawing.scale(0)));
        if (drawing.file.empty() || !urd_can_read_meshes || out.read.count(name) > 0) continue;
        try {
            const std::string path = find_file(description, drawing.file);
            if (path.empty()) throw std::runtime_error(drawing.file + " is not there");
            if (failed[name]) throw std::runtime_error("");
            out.read[name] = read_mesh(path, drawing.scale, std::max(max_of_all / out.n, min_of_one));
        } catch (const std::exception &e) {
            if (out.lost++ == 0) out.why = e.what();
            failed[name] = true;
        }
    }
    return out;
}
