/* outline.h - the elements of a description with their line numbers, read by expat. The messages of urdfdom, which
 * reads the description, contain no line numbers, and often not the element. */
#ifndef URD_OUTLINE_H
#define URD_OUTLINE_H

#include <map>
#include <string>
#include <vector>

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

/** Return the names, separated by ", ", as far as they fit into half a message, and the number of the others. */
std::string urd_list_names(const std::vector<std::string> &names);

/** Complete a message about a description: prefix the line number of the element, and its joint or link if the message
 *  does not name it; append a remedy if one is known. */
std::string urd_complete_message(const urd_outline &outline, const std::string &said);

#endif
