"""http.server of Python behind its ssl module, which speaks one version of TLS and no other."""

import ssl
import sys
from http.server import HTTPServer

from receiver import Receiver

version, certificate, key, port = sys.argv[1:]
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
# Else OpenSSL has no suite for versions before 1.2.
context.set_ciphers("DEFAULT:@SECLEVEL=0")
context.minimum_version = context.maximum_version = ssl.TLSVersion[version]

server = HTTPServer(("127.0.0.1", int(port)), Receiver)
server.socket = context.wrap_socket(server.socket, server_side=True)
server.serve_forever()
