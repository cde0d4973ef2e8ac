/* The smallest fast bot: answers each line with its id and its first legal move. */
#include <stdio.h>
#include <string.h>

int main(void) {
    static char line[65536];
    while (fgets(line, sizeof line, stdin)) {
        const char *id = strstr(line, "\"id\":");
        const char *legal = strstr(line, "\"legal\":[\"");
        if (!id) return 1;
        id += 5;
        int digits = (int)strspn(id, "0123456789");
        if (legal) {
            legal += 10;
            int length = (int)strcspn(legal, "\"");
            printf("{\"id\":%.*s,\"move\":\"%.*s\"}\n", digits, id, length, legal);
        } else {
            printf("{\"id\":%.*s}\n", digits, id);
        }
        fflush(stdout);
    }
    return 0;
}
