-- The smallest player: it answers every question with the first legal move.
-- Lua has no JSON.  This relies on what the protocol promises of each line: no blanks
-- between tokens, "id" first, "type" second, and no quote mark inside of a move.
for line in io.lines() do
  local id, kind = line:match('^{"id":(%d+),"type":"([^"]*)"')
  local move = line:match('"legal":%["([^"]*)"')
  if kind == "act" then
    print(string.format('{"id":%s,"move":"%s"}', id, move))
  else
    print(string.format('{"id":%s}', id))
  end
  io.stdout:flush() -- to a pipe nothing goes out by itself
end
