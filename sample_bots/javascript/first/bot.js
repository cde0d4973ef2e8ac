// The smallest player: it answers every question with the first legal move.
const { createInterface } = require("node:readline");

createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line);
  const reply = { id: request.id };
  if (request.type === "act") reply.move = request.legal[0];
  process.stdout.write(JSON.stringify(reply) + "\n"); // to a pipe: at once
});
