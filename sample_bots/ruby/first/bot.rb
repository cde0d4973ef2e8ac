# The smallest player: it answers every question with the first legal move.
require "json"

$stdout.sync = true # each line goes out at once

$stdin.each_line do |line|
  request = JSON.parse(line)
  reply = { id: request["id"] }
  reply[:move] = request["legal"].first if request["type"] == "act"
  puts JSON.generate(reply)
end
