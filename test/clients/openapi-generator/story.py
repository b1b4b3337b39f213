"""What an integrator does with the Python client of OpenAPI Generator."""

import csv
import datetime
import io
import sys
import time

import openapi_client
from openapi_client import (
    AccessApi,
    BatchApi,
    BatchOperationCreate,
    ContactCreate,
    ContactsApi,
    ExportCreate,
    ExportsApi,
)

base_url, client_id, client_secret = sys.argv[1:4]
configuration = openapi_client.Configuration(host=base_url)
client = openapi_client.ApiClient(configuration)
token = AccessApi(client).create_token(
    "client_credentials", client_id=client_id, client_secret=client_secret
)
configuration.access_token = token.access_token
contacts, batches, exports = ContactsApi(client), BatchApi(client), ExportsApi(client)


def poll(ask, is_over):
    """Asks until the answer is there, for two minutes at most."""
    for _ in range(480):
        found = ask()
        if is_over(found):
            return found
        time.sleep(0.25)
    raise SystemExit("It took longer than two minutes")


def column(content, name):
    return sorted(row[name] for row in csv.DictReader(io.StringIO(content)))


contact = contacts.create_contact(ContactCreate(unique_id="og-1", first_name="Barbara"))
assert contacts.get_contact("unique_id:og-1").id == contact.id

since = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=1)
names = ["Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus"]
rows = [f'og-file-{at},{name},{name}@example.com,"file;new"' for at, name in enumerate(names)]
rows.append("og-file-bad,Hal,no address,file")
upload = batches.create_upload(
    "\n".join(["unique_id,last_name,email,tags", *rows]).encode(),
    # It takes the type of NDJSON otherwise, and that for JSON.
    _content_type="text/csv",
)
batch = batches.create_batch_operation(
    "og-batch-1",
    BatchOperationCreate(operation_kind="contacts.bulk_upsert", upload_id=upload.id),
)
done = poll(
    lambda: batches.get_batch_operation(batch.id),
    lambda found: found.status not in ("queued", "validating", "running"),
)
assert done.status == "succeeded_with_errors", done.status
assert column(batches.get_batch_operation_errors(batch.id), "index") == ["7"]

found, after = [], None
while True:
    page = contacts.list_contacts(
        sort=["-last_name", "inserted_at"],
        filter_tags_contains="file",
        filter_inserted_at_gte=since,
        filter_status_in=["active", "suppressed"],
        page_size=3,
        page_after=after,
    )
    found += [row.last_name for row in page.data]
    after = page.page.next_cursor
    if after is None:
        break
assert found == names[::-1], found

export = exports.create_export(
    ExportCreate(kind="contacts", filters={"filter[tags][contains]": "file"})
)
poll(lambda: exports.get_export(export.id), lambda found: found.status == "succeeded")
file = exports.get_export_file(export.id)
assert column(bytes(file).decode(), "last_name") == names
print("The story ends well.")
