# Flushes every answer; but mawk itself reads its input in blocks of 4 KiB.
{
    match($0, /"id":[0-9]+/)
    id = substr($0, RSTART, RLENGTH)
    move = ""
    if (match($0, /"legal":\["[^"]*"/))
        move = ",\"move\":" substr($0, RSTART + 9, RLENGTH - 9)
    print "{" id move "}"
    fflush()
}
