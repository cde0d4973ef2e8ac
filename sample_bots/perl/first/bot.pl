# The smallest player: it answers every question with the first legal move.
use strict;
use warnings;
use JSON::PP;    # comes with Perl

$| = 1;          # each line goes out at once

while (my $line = <STDIN>) {
    my $request = decode_json($line);
    my %reply = (id => $request->{id});
    $reply{move} = $request->{legal}[0] if $request->{type} eq "act";
    print encode_json(\%reply), "\n";
}
