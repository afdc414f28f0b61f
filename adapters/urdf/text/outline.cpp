/* outline.cpp - see text.h. */
#include "text.h"

#include <memory>
#include <set>
#include <stdexcept>

#include <expat.h>
#include <resida/status.h>

namespace {

constexpr size_t max_levels = 256; /* a description has seven */

struct reader {
    urd_outline out;
    std::vector<size_t> open; /* elements that are not yet closed */
    XML_Parser parser;
    bool is_deep;
};

void on_begin(void *user, const XML_Char *tag, const XML_Char **attributes)
{
    reader &r = *static_cast<reader *>(user);
    const std::string name = tag;
    const bool is_owner = name == "link" || name == "joint";
    const size_t owner = r.open.empty() ? 0 : is_owner ? r.out.elements.size() : r.out.elements[r.open.back()].owner;
    if (!r.open.empty()) r.out.elements[r.open.back()].children.push_back(r.out.elements.size());
    r.open.push_back(r.out.elements.size());
    r.out.elements.push_back({name, static_cast<int>(XML_GetCurrentLineNumber(r.parser)), owner, {}, {}, ""});
    for (; *attributes; attributes += 2) r.out.elements.back().attributes[attributes[0]] = attributes[1];
    if (r.open.size() <= max_levels) return;
    r.is_deep = true;
    XML_StopParser(r.parser, XML_FALSE);
}

void on_text(void *user, const XML_Char *text, int n)
{
    reader &r = *static_cast<reader *>(user);
    r.out.elements[r.open.back()].text.append(text, static_cast<size_t>(n));
}

void on_end(void *user, const XML_Char *)
{
    reader &r = *static_cast<reader *>(user);
    std::string &text = r.out.elements[r.open.back()].text;
    const char *blanks = " \t\r\n";
    const size_t from = text.find_first_not_of(blanks), to = text.find_last_not_of(blanks);
    text = from == std::string::npos ? "" : text.substr(from, to - from + 1);
    r.open.pop_back();
}

bool is_word_at(const std::string &text, const std::string &word, size_t at)
{
    const std::string around = " []()'\",:;.";
    const size_t behind = at + word.size();
    return (at == 0 || around.find(text[at - 1]) != std::string::npos) &&
           (behind == text.size() || around.find(text[behind]) != std::string::npos);
}

bool has_word(const std::string &text, const std::string &word)
{
    for (size_t at = text.find(word); !word.empty() && at != std::string::npos; at = text.find(word, at + 1))
        if (is_word_at(text, word, at)) return true;
    return false;
}

/* Return 1 if the text names the element after the word joint or link: "Joint [j]", "joint j" or "link 'b'". */
bool is_element_named(const std::string &text, const urd_outline::element &e)
{
    const std::string tail = e.tag.substr(1) + " ", name = e.get("name");
    for (size_t at = text.find(tail); !name.empty() && at != std::string::npos; at = text.find(tail, at + 1)) {
        const size_t word = at + tail.size(), begins = word + (text.find_first_of("['", word) == word);
        if (text.compare(begins, name.size(), name) == 0 && is_word_at(text, name, begins)) return true;
    }
    return false;
}

/* Return the joint or link that the text names, the last one of equal names, because the second one is wrong. Joints
 * have precedence, because errors of links are often reported for a joint. */
const urd_outline::element *find_named(const urd_outline &outline, const std::string &wrong)
{
    for (const std::string tag : {"joint", "link"}) {
        const urd_outline::element *last = nullptr;
        for (const urd_outline::element &e : outline.elements)
            if (e.tag == tag && is_element_named(wrong, e)) last = &e;
        if (last) return last;
    }
    return nullptr;
}

/* Return the first element with an attribute that contains the value in brackets, as in "(low)" or "[0 one 0]". */
const urd_outline::element *find_value(const urd_outline &outline, const std::string &wrong)
{
    static const std::set<std::string> of_words = {"name", "link", "joint", "type", "filename"};
    const size_t at = wrong.find_first_of("(["), to = wrong.find_first_of(")]", at);
    if (at == std::string::npos || to == std::string::npos) return nullptr;
    const std::string value = wrong.substr(at + 1, to - at - 1);
    for (const urd_outline::element &e : outline.elements)
        for (const auto &a : e.attributes)
            if (of_words.count(a.first) == 0 && has_word(a.second, value)) return &e;
    return nullptr;
}

/* Messages of urdfdom and of this adapter. If a message does not name the element: tag of the element, and the
 * missing attribute. Remedy. */
constexpr struct {
    const char *words, *tag, *without, *todo;
} hints[] = {
    {"No name given for the robot", "robot", "name", "give it a name, <robot name=\"...\">"},
    {"No name given for the link", "link", "name", "give it a name, <link name=\"...\">"},
    {"unnamed joint", "joint", "name", "give it a name, <joint name=\"...\">"},
    {"no effort", "limit", "effort", "add effort=\"...\", which has no effect here"},
    {"no velocity", "limit", "velocity", "add velocity=\"...\", which has no effect here"},
    {"is not unique", "", "", "give one of them another name"},
    {"is missing a parent", "", "", "add <parent link=\"...\"/> and <child link=\"...\"/>"},
    {"not found", "", "", "add the link, or correct the name"},
    {"no known type", "", "", "use revolute, continuous, prismatic, planar, floating or fixed"},
    {"has no type", "", "", "add type=\"revolute\", continuous, prismatic, planar, floating or fixed"},
    {"does not specify limits", "", "",
     "add <limit lower=\"...\" upper=\"...\" effort=\"0\" velocity=\"0\"/>, or make it continuous"},
    {"Malformed axis", "", "", "an axis is three numbers, <axis xyz=\"0 0 1\"/>"},
    {"its axis is zero", "", "", "one of its three numbers must not be 0"},
    {"mimics", "", "", "mimic needs the name of a hinge or slide, a multiplier other than 0, and an offset"},
    {"Two root links", "", "", "exactly one link must not be the child of a joint: add the joint of the other one"},
    {"No root link", "", "",
     "exactly one link must not be the child of a joint: cut the loop there, and close it by --loops FILE.csv"},
    {"is child of joint", "", "", "cut one of them, and close the loop by --loops FILE.csv"},
    {"has no name", "", "", "give it one, <joint name=\"...\">"},
    {"is not connected to the root", "", "", "cut the loop of its joints, and close it by --loops FILE.csv"},
    {"Could not parse inertial", "", "", "mass and ixx, ixy, ixz, iyy, iyz, izz must be numbers"},
    {"its mass is negative", "", "", "give it a mass of 0 or more"},
    {"moment of its inertia is negative", "", "", "correct ixx to izz, the moments about the axes of <origin>"},
    {"its damping is negative", "", "", "give it 0 or more"},
    {"its friction is negative", "", "", "give it 0 or more"},
    {"exceeds its upper limit", "", "", "exchange lower and upper"},
    {"its limits are equal", "", "", "give lower < upper, or fix it by type=\"fixed\""},
    {"between it and the root have no inertia", "", "",
     "give the root a mass and an inertia, or omit base=free, which fixes it"},
    {"moves no inertia", "", "", "give a link that it moves a mass and an inertia, or fix it by type=\"fixed\""},
    {"has no movable joint", "", "",
     "make one revolute, continuous or prismatic, or let the root move by -p base=free"},
    {"to a double", "", "", "it is a finite number, with a point for the decimals"},
    {"is not a valid float", "", "", "it is a finite number, with a point for the decimals"},
};

const urd_outline::element *find_without(const urd_outline &outline, const std::string &tag, const std::string &name)
{
    for (const urd_outline::element &e : outline.elements)
        if (e.tag == tag && e.attributes.count(name) == 0) return &e;
    return nullptr;
}

} // namespace

urd_outline urd_read_outline(const std::string &text)
{
    const std::unique_ptr<XML_ParserStruct, void (*)(XML_Parser)> parser(XML_ParserCreate(nullptr), XML_ParserFree);
    reader r = {{}, {}, parser.get(), false};
    if (!r.parser) throw std::runtime_error("no memory");
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, on_begin, on_end);
    XML_SetCharacterDataHandler(r.parser, on_text);
    const XML_Status status = XML_Parse(r.parser, text.data(), static_cast<int>(text.size()), XML_TRUE);
    const std::string line = "line " + std::to_string(XML_GetCurrentLineNumber(r.parser)) + ": ";
    if (r.is_deep) throw std::runtime_error(line + "has more than " + std::to_string(max_levels) + " levels of tags");
    if (status != XML_STATUS_OK)
        throw std::runtime_error(line + "is no XML: " + XML_ErrorString(XML_GetErrorCode(r.parser)));
    return r.out;
}

std::string urd_list_names(const std::vector<std::string> &names)
{
    std::string text;
    for (size_t i = 0; i < names.size(); i++) {
        if (i > 0 && text.size() + names[i].size() > RESIDA_MESSAGE_SIZE / 2)
            return text + " and " + std::to_string(names.size() - i) + " more";
        text += (i > 0 ? ", " : "") + names[i];
    }
    return text;
}

std::string urd_list_unknown(const urd_outline &outline)
{
    const std::string known = "inertial visual collision parent child origin axis dynamics limit mimic calibration "
                              "safety_controller contact material type verbose gazebo sensor hardwareInterface";
    std::vector<std::string> names;
    for (const size_t i : outline.elements[0].children)
        for (const size_t child : outline.elements[i].children) {
            const urd_outline::element &of = outline.elements[i], &e = outline.elements[child];
            if (of.owner != i || has_word(known, e.tag) || e.tag.find(':') != std::string::npos) continue;
            names.push_back("<" + e.tag + "> of " + of.tag + " " + of.get("name") + " (line " + std::to_string(e.line) +
                            ")");
        }
    return outline.elements[0].tag != "robot" || names.empty() ? "" : "unknown, ignored: " + urd_list_names(names);
}

std::string urd_complete_message(const urd_outline &outline, const std::string &said)
{
    std::string wrong = said.substr(0, said.find(".  ")); /* the first sentence */
    if (wrong.back() == '.') wrong.pop_back();
    const urd_outline::element *at = find_named(outline, wrong);
    std::string todo;
    for (const auto &hint : hints) {
        if (wrong.find(hint.words) == std::string::npos) continue;
        todo = std::string("; ") + hint.todo;
        if (!at && *hint.tag) at = find_without(outline, hint.tag, hint.without);
        break;
    }
    if (!at) at = find_value(outline, wrong);
    if (!at) return wrong + todo;
    const urd_outline::element &owner = outline.elements[at->owner];
    std::string where = "line " + std::to_string(at->line) + ": ";
    if (at != &owner) where += "<" + at->tag + "> of " + owner.tag + " " + owner.get("name") + ": ";
    return where + wrong + todo;
}
