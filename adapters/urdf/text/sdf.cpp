/* sdf.cpp - see text.h. Source: the SDF specification 1.11, with its defaults. */
#include "text.h"

#include <cstdio>
#include <locale>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <vector>

#include <kdl/frames.hpp>

namespace {

using element = urd_outline::element;

constexpr int max_relations = 1000;                            /* frames that are relative to each other */
constexpr double unlimited = 1e15;                             /* limits beyond it are none */
constexpr int last_version = 12, last_with_axes_of_models = 4; /* N of 1.N: then the axis has the frame of the joint */

struct converter {
    const urd_outline &outline;
    const element &model;
    int version;                                   /* N of version 1.N */
    std::map<std::string, const element *> frames; /* links, joints and frames by name */
    std::ostringstream out;

    const element *find(const element &of, const std::string &tag) const
    {
        for (const size_t k : of.children)
            if (outline.elements[k].tag == tag) return &outline.elements[k];
        return nullptr;
    }

    /* Return the text of the element at a path of tags, or the default. */
    std::string text(const element &of, const std::vector<std::string> &path, const std::string &usual = "") const
    {
        const element *at = &of;
        for (const std::string &tag : path)
            if (at) at = find(*at, tag);
        return at ? at->text : usual;
    }
};

bool is_true(const std::string &text)
{
    return text == "true" || text == "1";
}

[[noreturn]] void refuse(const element &e, const std::string &why)
{
    throw std::runtime_error("line " + std::to_string(e.line) + ": " + why);
}

std::vector<double> read_numbers(const element &of, const std::string &text, size_t n)
{
    std::istringstream in(text);
    in.imbue(std::locale::classic());
    std::vector<double> out;
    for (double x; in >> x;) out.push_back(x);
    if (!in.eof() || out.size() != n)
        refuse(of, "<" + of.tag + "> has \"" + text + "\", not " + std::to_string(n) + " numbers");
    return out;
}

KDL::Vector read_vector(const element &of, const std::string &text)
{
    const std::vector<double> x = read_numbers(of, text, 3);
    return {x[0], x[1], x[2]};
}

/* Return the pose of an element in the frame to which it is relative. */
KDL::Frame read_pose(const converter &c, const element &of)
{
    const element *pose = c.find(of, "pose");
    if (!pose || pose->text.empty()) return KDL::Frame::Identity();
    const double unit = is_true(pose->get("degrees")) ? KDL::deg2rad : 1;
    if (pose->get("rotation_format") == "quat_xyzw") {
        const std::vector<double> x = read_numbers(*pose, pose->text, 7);
        return {KDL::Rotation::Quaternion(x[3], x[4], x[5], x[6]), KDL::Vector(x[0], x[1], x[2])};
    }
    const std::vector<double> x = read_numbers(*pose, pose->text, 6);
    return {KDL::Rotation::RPY(unit * x[3], unit * x[4], unit * x[5]), KDL::Vector(x[0], x[1], x[2])};
}

/* Return a frame in the axes of the model. */
KDL::Frame find_frame(const converter &c, const std::string &name, const element &user, int depth = 0)
{
    if (name.empty() || name == "__model__") return KDL::Frame::Identity();
    if (name == "world") return read_pose(c, c.model).Inverse();
    const auto found = c.frames.find(name);
    if (found == c.frames.end())
        refuse(user, "<" + user.tag + "> names " + name + ", which is no link, joint or frame");
    if (depth > max_relations) refuse(user, "the pose of " + name + " is relative to itself");
    const element &e = *found->second, *pose = c.find(e, "pose");
    const std::string given = pose ? pose->get("relative_to") : "";
    const std::string usual = e.tag == "joint" ? c.text(e, {"child"}) : e.tag == "frame" ? e.get("attached_to") : "";
    return find_frame(c, given.empty() ? usual : given, e, depth + 1) * read_pose(c, e);
}

/* Return the pose of an element of a link in the frame of the link. */
KDL::Frame find_pose_in_link(const converter &c, const element &link, const element &of)
{
    const element *pose = c.find(of, "pose");
    const std::string given = pose ? pose->get("relative_to") : "";
    if (given.empty()) return read_pose(c, of);
    return find_frame(c, link.get("name"), link).Inverse() * find_frame(c, given, of) * read_pose(c, of);
}

std::string escape(const std::string &text)
{
    std::string out;
    for (const char k : text) out += k == '&' ? "&amp;" : k == '<' ? "&lt;" : k == '\'' ? "&apos;" : std::string(1, k);
    return out;
}

std::string format(const KDL::Vector &v)
{
    char text[100];
    std::snprintf(text, sizeof text, "'%.17g %.17g %.17g'", v.x(), v.y(), v.z());
    return text;
}

std::string format_origin(const KDL::Frame &f)
{
    KDL::Vector turn;
    f.M.GetRPY(turn(0), turn(1), turn(2));
    return "<origin xyz=" + format(f.p) + " rpy=" + format(turn) + "/>";
}

void add_inertial(converter &c, const element &link)
{
    const element *inertial = c.find(link, "inertial"), &of = inertial ? *inertial : link;
    if (is_true(of.get("auto"))) refuse(of, "<inertial auto=\"true\"> is not supported; give mass and inertia");
    c.out << "<inertial>" << format_origin(inertial ? find_pose_in_link(c, link, of) : KDL::Frame::Identity())
          << "<mass value='" << escape(inertial ? c.text(of, {"mass"}, "1") : "1") << "'/><inertia";
    for (const std::string name : {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"}) {
        const std::string usual = name[1] == name[2] ? "1" : "0";
        c.out << " " << name << "='" << escape(inertial ? c.text(of, {"inertia", name}, usual) : usual) << "'";
    }
    c.out << "/></inertial>";
}

void add_visual(converter &c, const element &link, const element &visual)
{
    const element *geometry = c.find(visual, "geometry");
    if (!geometry) return;
    std::string shape, uri = c.text(*geometry, {"mesh", "uri"});
    const auto get = [&](const std::string &tag, const std::string &name) {
        return " " + (name == "uri" ? "filename" : name) + "='" + escape(c.text(*geometry, {tag, name})) + "'";
    };
    if (c.find(*geometry, "box")) shape = "<box" + get("box", "size") + "/>";
    if (c.find(*geometry, "sphere")) shape = "<sphere" + get("sphere", "radius") + "/>";
    if (c.find(*geometry, "cylinder"))
        shape = "<cylinder" + get("cylinder", "radius") + get("cylinder", "length") + "/>";
    const std::string of_models = "model://";
    if (uri.compare(0, of_models.size(), of_models) == 0) uri.replace(0, of_models.size(), "package://");
    if (c.find(*geometry, "mesh"))
        shape = "<mesh filename='" + escape(uri) + "' scale='" + escape(c.text(*geometry, {"mesh", "scale"}, "1 1 1")) +
                "'/>";
    if (shape.empty()) return;
    c.out << "<visual>" << format_origin(find_pose_in_link(c, link, visual)) << "<geometry>" << shape << "</geometry>";
    const std::string colour = c.text(visual, {"material", "diffuse"});
    if (!colour.empty())
        c.out << "<material name='" << escape(visual.get("name")) << "'><color rgba='" << escape(colour)
              << "'/></material>";
    c.out << "</visual>";
}

/* Return a number of the axis of a joint; infinite limits have the default. */
double read_axis_number(const converter &c, const element &axis, const std::vector<std::string> &path,
                        const std::string &usual)
{
    const std::string given = c.text(axis, path, usual);
    return read_numbers(axis, given == "inf" || given == "-inf" ? usual : given, 1)[0];
}

/* Write axis, limits, damping, friction and mimic of a joint with the axes R in the model. Return its type in URDF. */
std::string write_axis(const converter &c, const element &joint, const KDL::Rotation &R, std::ostream &out)
{
    const std::string type = joint.get("type");
    const element *found = c.find(joint, "axis"), &axis = found ? *found : joint,
                  *xyz = found ? c.find(axis, "xyz") : found;
    if (type == "fixed") return type;
    const bool is_in_model = c.version <= last_with_axes_of_models || is_true(c.text(axis, {"use_parent_model_frame"}));
    const std::string expressed_in = is_in_model ? "__model__" : xyz ? xyz->get("expressed_in") : "";
    const KDL::Rotation turned = expressed_in.empty() ? R : find_frame(c, expressed_in, joint).M;
    const KDL::Vector along = xyz ? read_vector(*xyz, xyz->text) : KDL::Vector(0, 0, 1);
    const auto get = [&](const std::vector<std::string> &path, const std::string &usual) {
        return read_axis_number(c, axis, path, usual);
    };
    const double lower = get({"limit", "lower"}, "-1e16"), upper = get({"limit", "upper"}, "1e16");
    if (get({"dynamics", "spring_stiffness"}, "0") > 0)
        refuse(joint, "joint " + joint.get("name") + " has a spring, which is not supported");
    out << "<axis xyz=" << format(R.Inverse(turned * along)) << "/><limit effort='0' velocity='0' lower='" << lower
        << "' upper='" << upper << "'/><dynamics damping='" << get({"dynamics", "damping"}, "0") << "' friction='"
        << get({"dynamics", "friction"}, "0") << "'/>";
    if (const element *mimic = c.find(axis, "mimic")) {
        const double factor = get({"mimic", "multiplier"}, "1");
        out << "<mimic joint='" << escape(mimic->get("joint")) << "' multiplier='" << factor << "' offset='"
            << get({"mimic", "offset"}, "0") - factor * get({"mimic", "reference"}, "0") << "'/>";
    }
    return type == "revolute" && lower < -unlimited && upper > unlimited ? "continuous" : type;
}

/* Add a joint between two links; `rest` is its content. */
void add_joint_between(converter &c, const std::string &name, const std::string &type, const std::string &parent,
                       const std::string &child, const KDL::Frame &origin, const std::string &rest)
{
    c.out << "<joint name='" << escape(name) << "' type='" << type << "'><parent link='" << escape(parent)
          << "'/><child link='" << escape(child) << "'/>" << format_origin(origin) << rest << "</joint>";
}

/* Return the link to which a link, frame or joint is attached, or "world". */
std::string find_link(const converter &c, const element &joint, const std::string &name, int depth = 0)
{
    if (name == "world") return name;
    const auto found = c.frames.find(name);
    if (found == c.frames.end() || depth > max_relations)
        refuse(joint, "joint " + joint.get("name") + " connects " +
                          (name.empty() ? "no link" : name + ", which is attached to no link"));
    const element &e = *found->second;
    if (e.tag == "link") return name;
    return find_link(c, joint, e.tag == "joint" ? c.text(e, {"child"}) : e.get("attached_to"), depth + 1);
}

void add_joint(converter &c, const element &joint)
{
    static const std::set<std::string> types = {"revolute", "continuous", "prismatic", "fixed"};
    const std::string name = joint.get("name");
    if (types.count(joint.get("type")) == 0)
        refuse(joint, "joint " + name + " has the type " + joint.get("type") +
                          ", which is not supported; use revolute, continuous, prismatic or fixed joints");
    const std::string parent = find_link(c, joint, c.text(joint, {"parent"})),
                      child = find_link(c, joint, c.text(joint, {"child"}));
    const KDL::Frame of_parent = find_frame(c, parent, joint), at = find_frame(c, name, joint),
                     of_child = find_frame(c, child, joint);
    std::ostringstream text;
    text.precision(17);
    const std::string type = write_axis(c, joint, at.M, text);
    if (KDL::Equal(at, of_child, 1e-12)) {
        add_joint_between(c, name, type, parent, child, of_parent.Inverse() * of_child, text.str());
        return;
    }
    std::string between = name + "_frame";
    while (c.frames.count(between) > 0) between += '_';
    c.out << "<link name='" << escape(between) << "'/>";
    add_joint_between(c, name, type, parent, between, of_parent.Inverse() * at, text.str());
    add_joint_between(c, between, "fixed", between, child, at.Inverse() * of_child, "");
}

/* Return N of version 1.N. */
int read_version(const element &sdf)
{
    const std::string given = sdf.get("version");
    for (int n = 0; n <= last_version; n++)
        if (given == "1." + std::to_string(n)) return n;
    refuse(sdf, "<sdf> has the version \"" + given + "\"; supported are 1.0 to 1." + std::to_string(last_version));
}

const element &find_model(const urd_outline &outline)
{
    const element *model = nullptr;
    for (const size_t k : outline.elements[0].children) {
        const element &e = outline.elements[k];
        if (e.tag == "world") refuse(e, "<world> is not supported; use a file with its <model>");
        if (e.tag == "model" && model) refuse(e, "a second <model>; use a file for each of them");
        if (e.tag == "model") model = &e;
    }
    if (!model) refuse(outline.elements[0], "<sdf> without a <model>");
    return *model;
}

} // namespace

std::string urd_convert_sdf(const urd_outline &outline)
{
    const int version = read_version(outline.elements[0]);
    converter c = {outline, find_model(outline), version, {}, {}};
    bool has_world = false;
    for (const size_t k : c.model.children) {
        const element &e = outline.elements[k];
        if (e.tag == "include" || e.tag == "model") refuse(e, "<" + e.tag + "> within a model is not supported");
        if (e.tag == "static" && is_true(e.text)) refuse(e, "a static model does not move; remove <static>");
        if (e.tag != "link" && e.tag != "joint" && e.tag != "frame") continue;
        if (!c.frames.emplace(e.get("name"), &e).second)
            refuse(e, e.tag + " '" + e.get("name") + "' is not unique; give one of them another name");
        has_world = has_world || (e.tag == "joint" && c.text(e, {"parent"}) == "world");
    }
    c.out << "<robot name='" << escape(c.model.get("name")) << "'>" << (has_world ? "<link name='world'/>" : "");
    for (const size_t k : c.model.children) {
        const element &e = outline.elements[k];
        if (e.tag == "joint") add_joint(c, e);
        if (e.tag != "link") continue;
        c.out << "<link name='" << escape(e.get("name")) << "'>";
        add_inertial(c, e);
        for (const size_t part : e.children) {
            const element &shape = outline.elements[part], *geometry = c.find(shape, "geometry");
            if (shape.tag == "visual") add_visual(c, e, shape);
            if (shape.tag == "collision" && geometry && c.find(*geometry, "sphere"))
                c.out << "<collision>" << format_origin(find_pose_in_link(c, e, shape)) << "<geometry><sphere radius='"
                      << escape(c.text(*geometry, {"sphere", "radius"})) << "'/></geometry></collision>";
        }
        c.out << "</link>";
    }
    return c.out.str() + "</robot>";
}
