/* arm.cpp - converts urdfdom's model to KDL's tree. */
#include "arm.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>

#include <Eigen/Eigenvalues>
#include <console_bridge/console.h>
#include <urdf_model/model.h>
#include <urdf_parser/urdf_parser.h>

namespace {

/* The messages of the parser: the first error, and the first error about an inertia. The parser reports an inertia that
 * it cannot read, and continues with zeros. */
class first_words : public console_bridge::OutputHandler {
  public:
    std::string text, inertia, last;
    first_words()
    {
        console_bridge::useOutputHandler(this);
    }
    ~first_words() override
    {
        console_bridge::restorePreviousOutputHandler();
    }
    first_words(const first_words &) = delete;
    first_words &operator=(const first_words &) = delete;
    void log(const std::string &said, console_bridge::LogLevel level, const char *, int) override
    {
        if (level < console_bridge::CONSOLE_BRIDGE_LOG_ERROR) return;
        if (text.empty()) text = said;
        if (inertia.empty() && said.find("parse inertial element") != std::string::npos) inertia = said + ": " + last;
        last = said;
    }
};

std::string make_one_line(std::string text)
{
    std::replace_if(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    return text;
}

KDL::Vector convert_vector(const urdf::Vector3 &v)
{
    return {v.x, v.y, v.z};
}

/* Return 1 if a symmetric tensor has no negative principal value. Rounding errors are accepted: those of the digits in
 * the file (4e-6), and those of moving the tensor to the centre of mass over its distance, at least 1 m (1e-15). */
bool is_positive(double xx, double yy, double zz, const urdf::Inertial &i)
{
    constexpr double of_digits = 4e-6, of_moving = 1e-15;
    const urdf::Vector3 &c = i.origin.position;
    const double distance_2 = std::max(1.0, c.x * c.x + c.y * c.y + c.z * c.z);
    Eigen::Matrix3d tensor;
    tensor << xx, i.ixy, i.ixz, i.ixy, yy, i.iyz, i.ixz, i.iyz, zz;
    const double rounding = of_digits * tensor.diagonal().cwiseAbs().sum() + of_moving * i.mass * distance_2;
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> of(tensor, Eigen::EigenvaluesOnly);
    return of.eigenvalues()[0] >= -rounding;
}

/* Return a warning with the names of the links of which a principal moment of inertia exceeds the sum of the other two:
 * J = tr(I)/2 - I = sum m r r' must be positive. */
std::string find_inertia_warning(const urdf::ModelInterface &model)
{
    std::vector<std::string> links;
    for (const auto &link : model.links_) {
        if (!link.second->inertial) continue;
        urdf::Inertial i = *link.second->inertial;
        const double half = (i.ixx + i.iyy + i.izz) / 2;
        i.ixy = -i.ixy, i.ixz = -i.ixz, i.iyz = -i.iyz;
        if (!is_positive(half - i.ixx, half - i.iyy, half - i.izz, i)) links.push_back(link.first);
    }
    if (links.empty()) return "";
    return (links.size() > 1 ? "links " : "link ") + urd_list_names(links) +
           ": a principal moment of its inertia is larger than the sum of the others";
}

KDL::RigidBodyInertia convert_inertia(const urdf::Link &link)
{
    if (!link.inertial) return KDL::RigidBodyInertia::Zero();
    const urdf::Inertial &i = *link.inertial;
    if (!(i.mass >= 0)) throw std::runtime_error("link " + link.name + ": its mass is negative");
    if (!is_positive(i.ixx, i.iyy, i.izz, i))
        throw std::runtime_error("link " + link.name + ": a principal moment of its inertia is negative");
    const KDL::Frame to = urd_convert_pose(i.origin);
    const KDL::RigidBodyInertia at_centre(i.mass, KDL::Vector::Zero(),
                                          KDL::RotationalInertia(i.ixx, i.iyy, i.izz, i.ixy, i.ixz, i.iyz));
    return to * at_centre;
}

KDL::Joint convert_joint(const urdf::Joint &j)
{
    const KDL::Frame at = urd_convert_pose(j.parent_to_joint_origin_transform);
    const KDL::Vector axis = at.M * convert_vector(j.axis);
    switch (j.type) {
    case urdf::Joint::FIXED:
        return KDL::Joint(j.name, KDL::Joint::None);
    case urdf::Joint::REVOLUTE:
    case urdf::Joint::CONTINUOUS:
        return KDL::Joint(j.name, at.p, axis, KDL::Joint::RotAxis);
    default:
        return KDL::Joint(j.name, at.p, axis, KDL::Joint::TransAxis);
    }
}

/* Return limits, damping, friction and mimic data of a joint. */
urd_joint read_joint_data(const urdf::Joint &j, const std::string &segment)
{
    urd_joint out = {j.name, segment, j.name, j.type != urdf::Joint::PRISMATIC, 0, 0, false, 0, 0, "", 1, 0, 0};
    if (j.mimic) {
        out.mimics = j.mimic->joint_name;
        out.multiplier = j.mimic->multiplier;
        out.offset = j.mimic->offset;
    }
    if (j.dynamics) {
        out.damping = j.dynamics->damping;
        out.friction = j.dynamics->friction;
        if (!(out.damping >= 0)) throw std::runtime_error("joint " + j.name + ": its damping is negative");
        if (!(out.friction >= 0)) throw std::runtime_error("joint " + j.name + ": its friction is negative");
    }
    if (j.limits && j.type != urdf::Joint::CONTINUOUS) {
        out.is_limited = true;
        out.lower = j.limits->lower;
        out.upper = j.limits->upper;
    }
    return out;
}

/* Names in use. */
struct used_names {
    std::set<std::string> joints, links;

    explicit used_names(const urdf::ModelInterface &model)
    {
        for (const auto &joint : model.joints_) joints.insert(joint.first);
        for (const auto &link : model.links_) links.insert(link.first);
    }

    /* Return the name, made unique by appended '_'. */
    static std::string add(std::set<std::string> &to, std::string name)
    {
        while (!to.insert(name).second) name += '_';
        return name;
    }
};

struct motion {
    const char *name;
    KDL::Joint::JointType type;
    bool turns;
};
const std::vector<motion> floating = {{"_x", KDL::Joint::TransX, false},   {"_y", KDL::Joint::TransY, false},
                                      {"_z", KDL::Joint::TransZ, false},   {"_turn_x", KDL::Joint::RotX, true},
                                      {"_turn_y", KDL::Joint::RotY, true}, {"_turn_z", KDL::Joint::RotZ, true}},
                          planar = {{"_x", KDL::Joint::TransX, false},
                                    {"_y", KDL::Joint::TransY, false},
                                    {"_turn", KDL::Joint::RotZ, true}};

/* Add a link on joints with massless bodies between them. They move along the axes of a frame `at` of the segment
 * `parent`; at the coordinates 0 the frame of the link is `rest` in `at`. Name, damping and friction are those of
 * `like`. */
void add_motions(urd_arm &arm, used_names &used, const std::vector<motion> &motions, const urd_joint &like,
                 const std::string &parent, const KDL::Frame &at, const KDL::Rotation &rest,
                 const KDL::RigidBodyInertia &inertia)
{
    std::string before = used_names::add(used.links, like.name + "_origin");
    arm.tree.addSegment(KDL::Segment(before, KDL::Joint(KDL::Joint::None), at), parent);
    for (const motion &m : motions) {
        const bool is_last = &m == &motions.back();
        const std::string name = used_names::add(used.joints, like.name + m.name);
        const std::string segment = is_last ? like.segment : used_names::add(used.links, like.name + m.name);
        arm.tree.addSegment(KDL::Segment(segment, KDL::Joint(name, m.type),
                                         is_last ? KDL::Frame(rest) : KDL::Frame::Identity(),
                                         is_last ? inertia : KDL::RigidBodyInertia::Zero()),
                            before);
        arm.joints.push_back(
            {name, segment, like.element, m.turns, like.damping, like.friction, false, 0, 0, "", 1, 0, 0});
        before = segment;
    }
}

/* Add the link of a planar or floating joint. */
void add_link_on_motions(urd_arm &arm, used_names &used, const urdf::Link &link)
{
    const urdf::Joint &j = *link.parent_joint;
    const bool is_planar = j.type == urdf::Joint::PLANAR;
    KDL::Vector axis = is_planar ? convert_vector(j.axis) : KDL::Vector(0, 0, 1);
    axis.Normalize();
    const KDL::Rotation from_z =
        KDL::Rotation::Rot(KDL::Vector(-axis.y(), axis.x(), 0), std::atan2(std::hypot(axis.x(), axis.y()), axis.z()));
    if (j.mimic)
        throw std::runtime_error("joint " + j.name + " mimics " + j.mimic->joint_name + ", but is no hinge or slide");
    add_motions(arm, used, is_planar ? planar : floating, read_joint_data(j, link.name), j.parent_link_name,
                urd_convert_pose(j.parent_to_joint_origin_transform) * KDL::Frame(from_z), from_z.Inverse(),
                convert_inertia(link));
}

/* Add a link with its joint. */
void add_link(urd_arm &arm, used_names &used, const urdf::Link &link)
{
    const urdf::Joint &j = *link.parent_joint;
    if (j.type != urdf::Joint::FIXED && j.type != urdf::Joint::FLOATING && !(convert_vector(j.axis).Norm() > 0))
        throw std::runtime_error("joint " + j.name + ": its axis is zero");
    if (arm.tree.getSegments().count(j.parent_link_name) == 0)
        throw std::runtime_error("link " + link.name + " is not connected to link " + j.parent_link_name);
    if (j.type == urdf::Joint::PLANAR || j.type == urdf::Joint::FLOATING) {
        add_link_on_motions(arm, used, link);
        return;
    }
    arm.tree.addSegment(KDL::Segment(link.name, convert_joint(j), urd_convert_pose(j.parent_to_joint_origin_transform),
                                     convert_inertia(link)),
                        j.parent_link_name);
    if (j.type != urdf::Joint::FIXED) arm.joints.push_back(read_joint_data(j, link.name));
}

constexpr int max_depth = 10000; /* KDL copies a tree recursively */

/* Return the number of bodies that a link with its joint adds to a chain. */
int count_bodies(int type)
{
    const size_t between = type == urdf::Joint::FLOATING ? floating.size()
                           : type == urdf::Joint::PLANAR ? planar.size()
                                                         : 0;
    return static_cast<int>(between) + 1;
}

/* Add the links to the tree, each before its children. A copy of KDL's tree numbers the joints in this order. A list
 * replaces recursion, because a tree may be deeper than the stack. */
void add_links(urd_arm &arm, used_names &used, const urdf::Link &root)
{
    std::vector<std::pair<const urdf::Link *, int>> links = {{&root, 0}};
    while (!links.empty()) {
        const urdf::Link &link = *links.back().first;
        const int depth = links.back().second;
        links.pop_back();
        if (depth > max_depth)
            throw std::runtime_error("link " + link.name + " is at the end of a chain of more than " +
                                     std::to_string(max_depth) + " other bodies");
        if (&link != &root) add_link(arm, used, link);
        for (auto child = link.child_links.rbegin(); child != link.child_links.rend(); ++child)
            links.emplace_back(child->get(), depth + count_bodies((*child)->parent_joint->type));
    }
}

/* Add the visuals of all links, and the spheres of their collisions. */
void add_visuals(urd_arm &arm, const urdf::ModelInterface &model)
{
    for (const auto &link : model.links_) {
        arm.links.insert(link.first);
        urd_list_drawings(*link.second, arm.drawings);
        for (const urdf::CollisionSharedPtr &shape : link.second->collision_array)
            if (const auto *ball = shape ? dynamic_cast<const urdf::Sphere *>(shape->geometry.get()) : nullptr)
                arm.spheres.push_back({link.first, "", convert_vector(shape->origin.position), ball->radius, 0, 0, {}});
    }
}

/* Add the root, on six joints. */
void add_free_base(urd_arm &arm, used_names &used, const urdf::Link &root)
{
    const std::string world = used_names::add(used.links, "world");
    arm.tree = KDL::Tree(world);
    add_motions(arm, used, floating, {"base", root.name, "", false, 0, 0, false, 0, 0, "", 1, 0, 0}, world,
                KDL::Frame::Identity(), KDL::Rotation::Identity(), convert_inertia(root));
}

/* Check that each joint has a name, and that each link is the child of at most one joint. */
void check_joints(const urdf::ModelInterface &model)
{
    std::map<std::string, std::string> joint_of_link;
    for (const auto &joint : model.joints_) {
        const std::string &link = joint.second->child_link_name;
        if (joint.first.empty()) throw std::runtime_error("the joint that moves link " + link + " has no name");
        const auto added = joint_of_link.emplace(link, joint.first);
        if (!added.second)
            throw std::runtime_error("link " + link + " is child of joint " + added.first->second + " and joint " +
                                     joint.first);
    }
}

/* Check that all links are in the tree. Links in a loop own each other, so their child lists are cleared to free
 * them. */
void check_links(const urdf::ModelInterface &model, const KDL::Tree &tree)
{
    std::string lost;
    for (const auto &link : model.links_) {
        if (tree.getSegments().count(link.first) > 0) continue;
        if (lost.empty()) lost = link.first;
        link.second->child_links.clear();
    }
    if (lost.empty()) return;
    throw std::runtime_error("link " + lost + " is not connected to the root, " + model.getRoot()->name);
}

/* Check that a joint mimics another joint, which is not fixed, with a finite nonzero multiplier and a finite offset. */
void check_mimic(const urdf::ModelInterface &model, const urd_joint &j)
{
    const std::string words = "joint " + j.name + " mimics " + j.mimics;
    const auto other = model.joints_.find(j.mimics);
    if (j.mimics == j.name) throw std::runtime_error("joint " + j.name + " mimics itself");
    if (other == model.joints_.end()) throw std::runtime_error(words + ", which does not exist");
    if (other->second->type == urdf::Joint::FIXED) throw std::runtime_error(words + ", which is fixed");
    if (count_bodies(other->second->type) > 1) throw std::runtime_error(words + ", which has several coordinates");
    if (!std::isfinite(j.multiplier) || std::fpclassify(j.multiplier) == FP_ZERO)
        throw std::runtime_error(words + ": multiplier must be a finite number other than 0");
    if (!std::isfinite(j.offset)) throw std::runtime_error(words + ": offset must be a finite number");
}

/* List the joints that mimic others, each after the joint that it mimics. Joints that remain form a cycle. */
void order_mimics(const urdf::ModelInterface &model, urd_arm &arm)
{
    std::vector<size_t> left;
    for (size_t i = 0; i < arm.joints.size(); i++) {
        urd_joint &j = arm.joints[i];
        if (j.mimics.empty()) continue;
        check_mimic(model, j);
        while (arm.joints[j.of].name != j.mimics) j.of++;
        left.push_back(i);
    }
    const auto waits = [&](size_t i) { return std::count(left.begin(), left.end(), arm.joints[i].of) > 0; };
    while (!left.empty()) {
        const auto next = std::find_if_not(left.begin(), left.end(), waits);
        if (next == left.end())
            throw std::runtime_error("joint " + arm.joints[left.front()].name +
                                     " mimics a joint that mimics it (a cycle)");
        arm.mimics.push_back(*next);
        left.erase(next);
    }
}

/* Reject other formats in which robots are described, with a remedy. */
void check_kind(const urd_outline &outline)
{
    const urd_outline::element &root = outline.elements[0];
    const std::string macro = "xacro:";
    for (const urd_outline::element &e : outline.elements)
        if (e.tag.compare(0, macro.size(), macro) == 0)
            throw std::runtime_error("line " + std::to_string(e.line) + ": <" + e.tag +
                                     ">, a macro of xacro: expand it by xacro FILE -o arm.urdf");
    if (root.tag != "robot" && root.tag != "sdf")
        throw std::runtime_error("line " + std::to_string(root.line) + ": begins with <" + root.tag +
                                 ">; a description with <robot>");
}

urd_arm read_text(const std::string &text, bool is_free)
{
    first_words said;
    const urdf::ModelInterfaceSharedPtr model = urdf::parseURDF(make_one_line(text)); /* white space in attributes */
    if (!model || !model->getRoot())
        throw std::runtime_error(said.text.empty() ? "cannot be read" : make_one_line(said.text));
    if (!said.inertia.empty()) throw std::runtime_error(make_one_line(said.inertia));
    check_joints(*model);
    urd_arm arm;
    const urdf::Link &root = *model->getRoot();
    used_names used(*model);
    add_free_base(arm, used, root); /* also for a fixed base, because its names are those of parameters */
    if (!is_free) {
        arm = urd_arm();
        arm.tree = KDL::Tree(root.name);
    }
    add_links(arm, used, root);
    check_links(*model, arm.tree);
    add_visuals(arm, *model);
    arm.doubt = find_inertia_warning(*model);
    if (arm.joints.empty()) throw std::runtime_error("has no movable joint");
    std::sort(arm.joints.begin(), arm.joints.end(), [&](const urd_joint &a, const urd_joint &b) {
        const KDL::SegmentMap &all = arm.tree.getSegments();
        return GetTreeElementQNr(all.at(a.segment)) < GetTreeElementQNr(all.at(b.segment));
    });
    order_mimics(*model, arm);
    return arm;
}

} // namespace

std::vector<urd_lead> urd_find_leads(const urd_arm &arm)
{
    std::vector<urd_lead> leads;
    for (size_t i = 0; i < arm.joints.size(); i++) leads.push_back({i, 1, 0});
    for (const size_t k : arm.mimics) {
        const urd_joint &j = arm.joints[k];
        const urd_lead &of = leads[j.of];
        leads[k] = {of.of, j.multiplier * of.multiplier, j.multiplier * of.offset + j.offset};
    }
    return leads;
}

std::string urd_read_text(const std::string &path)
{
    if (std::filesystem::is_directory(path)) throw std::runtime_error("is a folder");
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot be read");
    if (std::filesystem::path(path).extension() == ".xacro") return urd_expand_macros(path);
    return {(std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>()};
}

urd_arm urd_read(const std::string &text, bool is_free)
{
    const urd_outline outline = urd_read_outline(text);
    check_kind(outline);
    const std::string described = outline.elements[0].tag == "sdf" ? urd_convert_sdf(outline) : text;
    try {
        urd_arm arm = read_text(described, is_free);
        arm.outline = outline;
        const std::string unknown = urd_list_unknown(outline);
        arm.doubt += (unknown.empty() || arm.doubt.empty() ? "" : "; ") + unknown;
        return arm;
    } catch (const std::runtime_error &e) {
        throw std::runtime_error(urd_complete_message(outline, e.what()));
    }
}
