# Answers rightly, but leaves its answers in the buffer of STDOUT.
use strict;
use warnings;

while (my $line = <STDIN>) {
    my ($id) = $line =~ /"id":(\d+)/;
    my $move = $line =~ /"legal":\["([^"]*)"/ ? qq(,"move":"$1") : "";
    print qq({"id":$id$move}\n);
}
