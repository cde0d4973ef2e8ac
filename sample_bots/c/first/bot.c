/* The smallest player: it answers every question with the first legal move.
   C has no JSON.  This relies on what the protocol promises of each line: no blanks
   between tokens, "id" first, "type" second, at most 16384 bytes. */
#include <stdio.h>
#include <string.h>

int main(void) {
    static char line[16384 + 2];
    while (fgets(line, sizeof line, stdin)) {
        int id;
        char type[32] = "", move[32];
        if (sscanf(line, "{\"id\":%d,\"type\":\"%31[^\"]", &id, type) < 1) continue;
        const char *legal = strstr(line, "\"legal\":[\"");
        if (strcmp(type, "act") == 0 && legal && sscanf(legal + 10, "%31[^\"]", move) == 1)
            printf("{\"id\":%d,\"move\":\"%s\"}\n", id, move);
        else
            printf("{\"id\":%d}\n", id);
        fflush(stdout); /* to a pipe nothing goes out by itself */
    }
    return 0;
}
