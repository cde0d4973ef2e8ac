<?php
// The smallest player: it answers every question with the first legal move.
while (($line = fgets(STDIN)) !== false) {
    $request = json_decode($line, true);
    $reply = ["id" => $request["id"]];
    if ($request["type"] === "act") {
        $reply["move"] = $request["legal"][0];
    }
    fwrite(STDOUT, json_encode($reply) . "\n"); // not buffered, whatever php.ini says
}
