// The smallest player: it answers every question with the first legal move.
// C++ has no JSON.  This relies on what the protocol promises of each line: no blanks
// between tokens, "id" first, "type" second, and no quote mark inside of a move.
#include <iostream>
#include <string>

int main() {
    const std::string act = ",\"type\":\"act\",", key = "\"legal\":[\"";
    for (std::string line; std::getline(std::cin, line);) {
        const auto comma = line.find(','), legal = line.find(key);
        std::string reply = line.substr(0, comma);  // {"id":17
        if (line.compare(comma, act.size(), act) == 0 && legal != std::string::npos) {
            const auto start = legal + key.size();
            reply += ",\"move\":\"" + line.substr(start, line.find('"', start) - start) + "\"";
        }
        std::cout << reply << "}" << std::endl;  // endl flushes
    }
}
