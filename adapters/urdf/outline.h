/* outline.h - the elements of a description with their lines, by expat: urdfdom, which reads it, names no lines and
 * often not the element. */
#ifndef URD_OUTLINE_H
#define URD_OUTLINE_H

#include <map>
#include <string>
#include <vector>

struct urd_outline {
    struct element {
        std::string tag;
        int line;
        size_t owner; /**< the link or joint that it is, or is in; 0: the root */
        std::map<std::string, std::string> attributes;
    };
    std::vector<element> elements;
};

/** @throws std::runtime_error, one line: is no XML, from which line on; or has more than 256 levels, which urdfdom does
 *  not bound */
urd_outline urd_read_outline(const std::string &text);

/** Put in front of what is wrong with a description the line of the element, and its joint or link where it is not
 *  named; behind it what to do, where that is known. */
std::string urd_explain(const urd_outline &outline, const std::string &said);

#endif
