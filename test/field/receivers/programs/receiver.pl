# A server of sockets alone: it resets the first connection, then answers without a length, and closes.
use strict;
use warnings;
use IO::Socket::INET;
use Socket qw(SOL_SOCKET SO_LINGER);

my $server = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $ARGV[0], Listen => 64, ReuseAddr => 1)
    or die "no port: $!";
my $calls = 0;
while (my $client = $server->accept) {
    if ($calls++ == 0) {
        setsockopt($client, SOL_SOCKET, SO_LINGER, pack('ii', 1, 0));
        close $client;
        next;
    }
    my ($head, $length) = ('', 0);
    while (my $line = <$client>) {
        $length = $1 if $line =~ /^content-length: *(\d+)/i;
        last if $line =~ /^\r?\n$/;
    }
    read $client, my $body, $length;
    print $client "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200\r\nConnection: close\r\n\r\nok";
    close $client;
}
