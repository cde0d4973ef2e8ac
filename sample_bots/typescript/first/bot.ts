// The smallest player: it answers every question with the first legal move.
// These two stand in for @types/node, which a machine without npm does not have.
declare const process: { stdin: unknown; stdout: { write(text: string): void } };
declare function require(name: "node:readline"): {
  createInterface(from: { input: unknown }): { on(event: "line", then: (line: string) => void): void };
};

type Request = { id: number; type: "act"; legal: string[] } | { id: number; type: "hello" | "start" | "end" };

function answer(request: Request): { id: number; move?: string } {
  return request.type === "act" ? { id: request.id, move: request.legal[0] } : { id: request.id };
}

require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  process.stdout.write(JSON.stringify(answer(JSON.parse(line))) + "\n"); // to a pipe: at once
});
