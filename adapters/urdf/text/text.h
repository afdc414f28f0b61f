/* text.h - the text of a description before urdfdom reads it: its macros are expanded, and SDF is converted to URDF.
 * The outline, read by expat, has the elements with their line numbers: the messages of urdfdom contain no line
 * numbers, and often not the element. */
#ifndef URD_TEXT_H
#define URD_TEXT_H

#include <map>
#include <string>
#include <vector>

/** Return the text of a file whose macros the command xacro has expanded.
 *  @throws std::runtime_error, one line: xacro is not installed, or its error */
std::string urd_expand_macros(const std::string &path);

struct urd_outline {
    struct element {
        std::string tag;
        int line;
        size_t owner; /**< index of its link or joint, or of itself if it is one; 0: the root */
        std::map<std::string, std::string> attributes;
        std::vector<size_t> children;
        std::string text; /**< without blanks around it */

        /** Return an attribute, or "". */
        std::string get(const std::string &name) const
        {
            const auto found = attributes.find(name);
            return found == attributes.end() ? "" : found->second;
        }
    };
    std::vector<element> elements;
};

/** Read the elements. @throws std::runtime_error, one line: not XML, from which line on; or more than 256 levels, which
 *  urdfdom does not limit */
urd_outline urd_read_outline(const std::string &text);

/** Return the text in URDF of a description in SDF: the links and joints of one model. Poses of SDF are relative to the
 *  model, to the child of a joint, or to any frame. A joint whose pose is not that of its child gets a massless link,
 *  JOINT_frame, which a fixed joint connects to the child. Sensors, plugins, gravity, and collisions other than spheres
 *  are ignored.
 *  @throws std::runtime_error, one line: what is not supported or wrong */
std::string urd_convert_sdf(const urd_outline &outline);

/** Return the names, separated by ", ", as far as they fit into half a message, and the number of the others. */
std::string urd_list_names(const std::vector<std::string> &names);

/** Return a warning about elements of links and joints of a URDF whose tags are unknown; "": none. */
std::string urd_list_unknown(const urd_outline &outline);

/** Complete a message about a description: prefix the line number of the element, and its joint or link if the message
 *  does not name it; append a remedy if one is known. */
std::string urd_complete_message(const urd_outline &outline, const std::string &said);

#endif
