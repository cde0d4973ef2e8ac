/* Answers rightly, but leaves its answers in the buffer of stdout. */
#include <stdio.h>
#include <string.h>

int main(void) {
    static char line[20000];
    while (fgets(line, sizeof line, stdin)) {
        const char *id = strstr(line, "\"id\":") + 5;
        const char *legal = strstr(line, "\"legal\":[\"");
        printf("{\"id\":%.*s", (int)strcspn(id, ",}"), id);
        if (legal) {
            legal += strlen("\"legal\":[\"");
            printf(",\"move\":\"%.*s\"", (int)strcspn(legal, "\""), legal);
        }
        printf("}\n");
    }
    return 0;
}
