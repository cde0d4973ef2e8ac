/* The floor of all: bots fed over pipes by a driver that does nothing else.

   loop BOT < LINES     LINES: a digit, the seat, and a blank before each line sent

   Each line goes to its seat's bot, and its answer is read to the end before the next.
   Prints exchanges a second; no deadline, no rules, no record, nothing parsed. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SEATS = 3, MOST = 1 << 20, LONGEST = 1 << 16 };

static struct { int in, out; } bots[SEATS];
static struct { int seat, length; const char *text; } lines[MOST];

static void start(const char *path, int seat) {
    int in[2], out[2];
    if (pipe2(in, 02000000) || pipe2(out, 02000000)) exit(1); /* O_CLOEXEC */
    if (fork() == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        execl(path, path, (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    bots[seat].in = in[1];
    bots[seat].out = out[0];
}

int main(int argc, char **argv) {
    static char text[LONGEST], answer[LONGEST];
    int count = 0;
    if (argc != 2) return 2;
    while (count < MOST && fgets(text, sizeof text, stdin)) {
        lines[count].seat = text[0] - '0';
        lines[count].text = strdup(text + 2);
        lines[count].length = (int)strlen(text + 2);
        count++;
    }
    for (int seat = 0; seat < SEATS; seat++) start(argv[1], seat);
    struct timespec begun, ended;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    for (int k = 0; k < count; k++) {
        int seat = lines[k].seat, got = 0;
        if (write(bots[seat].in, lines[k].text, lines[k].length) != lines[k].length)
            return 1;
        do {
            int more = (int)read(bots[seat].out, answer + got, sizeof answer - got);
            if (more <= 0) return 1;
            got += more;
        } while (answer[got - 1] != '\n');
    }
    clock_gettime(CLOCK_MONOTONIC, &ended);
    double took = (double)(ended.tv_sec - begun.tv_sec)
                + (double)(ended.tv_nsec - begun.tv_nsec) / 1e9;
    printf("%f\n", count / took);
    for (int seat = 0; seat < SEATS; seat++) close(bots[seat].in);
    while (wait(NULL) > 0) continue;
    return 0;
}
