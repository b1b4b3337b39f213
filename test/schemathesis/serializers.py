"""Bodies that Schemathesis cannot serialize by itself: lines of JSON are sent as they stand."""

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(context, value):
    return {"data": value if isinstance(value, (str, bytes)) else str(value)}
