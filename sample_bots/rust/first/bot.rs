//! The smallest player: it answers every question with the first legal move.
//! Rust's standard library has no JSON.  This relies on what the protocol promises of
//! each line: no blanks between tokens, "id" first, "type" second.
use std::io;

/// Return what stands between `start` and the next `end`.
fn between<'a>(text: &'a str, start: &str, end: char) -> Option<&'a str> {
    text.split_once(start)?.1.split(end).next()
}

fn main() -> io::Result<()> {
    for line in io::stdin().lines() {
        let line = line?;
        let id = between(&line, "{\"id\":", ',').unwrap_or("null");
        let is_act = line.starts_with(&format!("{{\"id\":{id},\"type\":\"act\""));
        match between(&line, "\"legal\":[\"", '"').filter(|_| is_act) {
            Some(first) => println!("{{\"id\":{id},\"move\":\"{first}\"}}"),
            None => println!("{{\"id\":{id}}}"), // println! flushes at the end of a line
        }
    }
    Ok(())
}
