// The smallest player: it answers every question with the first legal move.
package main

import (
	"bufio"
	"encoding/json"
	"os"
)

func main() {
	replies := json.NewEncoder(os.Stdout)                    // writes each line at once
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); { // lines of up to 64 KiB: four times ours
		request := struct {
			ID    int
			Type  string
			Legal []string
		}{}
		json.Unmarshal(lines.Bytes(), &request)
		reply := map[string]any{"id": request.ID}
		if request.Type == "act" {
			reply["move"] = request.Legal[0]
		}
		replies.Encode(reply)
	}
}
