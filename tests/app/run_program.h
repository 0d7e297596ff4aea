// The program as a shell starts it: exit status, stdout, stderr, Ctrl-C.
#pragma once

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace tlbscope {

struct Outcome {
    int status = -1; // -1: ended by a signal
    std::string out, err;
};

// Runs the program. With `interrupt` stderr is a terminal and SIGINT is sent as soon as something
// (the progress) appears on it.
inline Outcome run(const std::vector<std::string>& arguments, bool interrupt = false) {
    int out[2], err[2];
    if (pipe(out) != 0 || (interrupt ? openpty(&err[0], &err[1], nullptr, nullptr, nullptr) : pipe(err)) != 0)
        throw std::runtime_error(std::string("no pipe or terminal: ") + std::strerror(errno));
    const pid_t child = fork();
    if (child == 0) {
        dup2(out[1], STDOUT_FILENO);
        dup2(err[1], STDERR_FILENO);
        for (const int fd : {out[0], out[1], err[0], err[1]})
            close(fd);
        for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
            unsetenv(name);
        std::vector<char*> argv{const_cast<char*>(TLBSCOPE_PROGRAM)};
        for (const auto& argument : arguments)
            argv.push_back(const_cast<char*>(argument.c_str()));
        argv.push_back(nullptr);
        execv(TLBSCOPE_PROGRAM, argv.data());
        _exit(127);
    }
    close(out[1]);
    close(err[1]);
    Outcome outcome;
    pollfd files[2] = {{out[0], POLLIN, 0}, {err[0], POLLIN, 0}};
    std::string* texts[2] = {&outcome.out, &outcome.err};
    while (files[0].fd >= 0 || files[1].fd >= 0) {
        if (poll(files, 2, -1) < 0 && errno != EINTR) break;
        for (int i = 0; i < 2; ++i) {
            if (files[i].fd < 0 || files[i].revents == 0) continue;
            char buffer[4096];
            const ssize_t n = read(files[i].fd, buffer, sizeof buffer);
            if (n > 0) {
                texts[i]->append(buffer, static_cast<std::size_t>(n));
                if (i == 1 && interrupt) kill(child, SIGINT), interrupt = false;
            } else {
                close(files[i].fd);
                files[i].fd = -1;
            }
        }
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) outcome.status = WEXITSTATUS(status);
    return outcome;
}

} // namespace tlbscope
