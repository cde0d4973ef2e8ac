# The smallest player: it answers every question with the first legal move.
# Start it with  mawk -W interactive -f bot.awk : mawk reads ahead of the line that it
# is given unless told not to, and would wait for more while the arena waits for us.
# (gawk needs no such option.)  awk has no JSON: this relies on what the protocol
# promises of each line: no blanks between tokens, "id" first, "type" second.
{
    match($0, /"id":[0-9]+/)
    reply = "{" substr($0, RSTART, RLENGTH)
    is_act = index($0, reply ",\"type\":\"act\"") == 1
    if (is_act && match($0, /"legal":\["[^"]*"/))
        reply = reply ",\"move\":" substr($0, RSTART + 9, RLENGTH - 9)
    print reply "}"
    fflush()
}
