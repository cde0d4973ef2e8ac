// Answers rightly, but through a bufio.Writer that nobody flushes.
package main

import (
	"bufio"
	"encoding/json"
	"os"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	answers := json.NewEncoder(out)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var request struct {
			ID    int
			Legal []string
		}
		json.Unmarshal(line, &request)
		answer := map[string]any{"id": request.ID}
		if len(request.Legal) > 0 {
			answer["move"] = request.Legal[0]
		}
		answers.Encode(answer)
	}
}
