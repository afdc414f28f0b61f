/* xacro.cpp - see text.h. */
#include "text.h"

#include <cstdio>
#include <stdexcept>

#include <sys/wait.h>

namespace {

constexpr int not_found = 127; /* exit status of a shell that finds no such command */

/* Return the output of a shell command. Set its exit status; -1: it did not exit. */
std::string run_command(const std::string &line, int &status)
{
    std::string out;
    char part[4096];
    FILE *pipe = popen(line.c_str(), "r");
    if (!pipe) throw std::runtime_error("no process can be started for xacro");
    for (size_t n; (n = std::fread(part, 1, sizeof part, pipe)) > 0;) out.append(part, n);
    const int ended = pclose(pipe);
    status = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
    return out;
}

/* Return the line of the error among the messages of xacro, or the first line. */
std::string find_error(const std::string &text)
{
    const std::string mark = "error: ";
    const size_t at = text.find(mark), from = at == std::string::npos ? 0 : at + mark.size();
    const std::string line = text.substr(from, text.find('\n', from) - from);
    return line.empty() ? "it failed without a message" : line;
}

} // namespace

std::string urd_expand_macros(const std::string &path)
{
    int status = 0;
    std::string line = "xacro '";
    for (const char c : path) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    const std::string text = run_command(line + "' 2>/dev/null", status);
    if (status == 0) return text;
    if (status == not_found)
        throw std::runtime_error(
            "the command xacro is not installed; install it, or expand the file elsewhere by xacro "
            "FILE -o arm.urdf");
    throw std::runtime_error("xacro: " + find_error(run_command(line + "' 2>&1 >/dev/null", status)));
}
