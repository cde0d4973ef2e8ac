/* Reads into 1 KB: a longer line is taken for two. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[1024];
    while (fgets(line, sizeof line, stdin)) {
        const char *id = strstr(line, "\"id\":");
        const char *legal = strstr(line, "\"legal\":[\"");
        if (!id) {
            printf("{\"id\":0,\"move\":\"?\"}\n");
        } else if (!legal) {
            printf("{\"id\":%d}\n", (int)strtol(id + 5, NULL, 10));
        } else {
            legal += strlen("\"legal\":[\"");
            printf("{\"id\":%d,\"move\":\"%.*s\"}\n", (int)strtol(id + 5, NULL, 10),
                   (int)strcspn(legal, "\""), legal);
        }
        fflush(stdout);
    }
    return 0;
}
