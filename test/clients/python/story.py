"""What an integrator does with a client that was generated from the OpenAPI document."""

import csv
import datetime
import http.server
import io
import sys
import threading
import time

from join_lists import join_lists
from onward_client.api.access import create_token
from onward_client.api.accounts import create_contact_account
from onward_client.api.batch import (
    create_batch_operation,
    get_batch_operation,
    get_batch_operation_errors,
)
from onward_client.api.contacts import create_contact, list_contacts
from onward_client.api.exports import create_export, get_export, get_export_file
from onward_client.api.integration_operations import execute_operation, get_execution
from onward_client.api.templates import create_template
from onward_client.api.webhooks import create_webhook_subscription
from onward_client.client import AuthenticatedClient, Client
from onward_client.models import (
    BatchOperationCreate,
    ContactAccountCreate,
    ContactAccountCreateKind,
    ContactCreate,
    ExecuteOperationRequest,
    ExportCreate,
    ListContactsFilterstatusinItem,
    ListContactsSortItem,
    TemplateCreate,
    TokenRequest,
    WebhookSubscriptionCreate,
)
from standardwebhooks import Webhook

base_url, client_id, client_secret = sys.argv[1:4]
received: list[tuple[dict[str, str], str]] = []


class Receiver(http.server.BaseHTTPRequestHandler):
    """A receiver of webhooks that keeps what was sent to it."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        received.append(({name.lower(): value for name, value in self.headers.items()}, body))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=receiver.serve_forever, daemon=True).start()


def must(answer, status):
    """The answer as a model; ends the story where it has another status."""
    if answer.status_code != status:
        raise SystemExit(f"{answer.status_code} {answer.content.decode()}")
    return answer.parsed


def poll(ask, is_over):
    """Asks until the answer is there, for two minutes at most."""
    for _ in range(480):
        found = ask()
        if is_over(found):
            return found
        time.sleep(0.25)
    raise SystemExit("It took longer than two minutes")


token = must(
    create_token.sync_detailed(
        client=Client(base_url),
        body=TokenRequest(
            grant_type="client_credentials", client_id=client_id, client_secret=client_secret
        ),
    ),
    200,
)
client = AuthenticatedClient(
    base_url, token.access_token, httpx_args={"event_hooks": {"request": [join_lists]}}
)

subscription = must(
    create_webhook_subscription.sync_detailed(
        client=client,
        body=WebhookSubscriptionCreate(
            target_url=f"http://127.0.0.1:{receiver.server_port}/hook",
            event_types=["contact.created"],
        ),
    ),
    201,
)
contact = must(
    create_contact.sync_detailed(
        client=client,
        body=ContactCreate(unique_id="python-1", email="grace@example.com", first_name="Grace"),
    ),
    201,
)
account = must(
    create_contact_account.sync_detailed(
        contact.id,
        client=client,
        body=ContactAccountCreate(
            kind=ContactAccountCreateKind.DEPOSIT, unique_id="python-account-1", balance_cents=1250
        ),
    ),
    201,
)
assert account.contact_id == contact.id
deadline = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=30)
template = must(
    create_template.sync_detailed(
        client=client, body=TemplateCreate(name="Welcome", deadline_at=deadline)
    ),
    201,
)
assert abs(template.deadline_at - deadline) < datetime.timedelta(seconds=1)

batch = must(
    create_batch_operation.sync_detailed(
        client=client,
        idempotency_key="python-batch-1",
        body=BatchOperationCreate.from_dict(
            {
                "operation_kind": "contacts.bulk_upsert",
                "items": [{"unique_id": "python-2"}, {"unique_id": "python-3"}],
            }
        ),
    ),
    202,
)
execution = must(
    execute_operation.sync_detailed(
        "contacts.upsert",
        client=client,
        idempotency_key="python-execution-1",
        prefer="respond-async",
        body=ExecuteOperationRequest.from_dict({"input": {"unique_id": "python-4"}}),
    ),
    202,
)
ended = ("succeeded", "partially_succeeded", "failed", "canceled")
done = poll(
    lambda: must(get_batch_operation.sync_detailed(batch.id, client=client), 200),
    lambda found: str(found.status) in ended,
)
assert str(done.status) == "succeeded"
executed = poll(
    lambda: must(get_execution.sync_detailed(execution.id, client=client), 200),
    lambda found: str(found.status) in ended,
)
assert str(executed.status) == "succeeded"

# A file is imported, what it made is listed in every way, and files of both are downloaded.
since = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=1)
names = ["Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus"]
plans = ["gold", "basic"]
rows = [
    f'python-file-{at},{name},{name}@example.com,"file;new",{plans[at % 2]}'
    for at, name in enumerate(names)
]
rows.append("python-file-bad,Hal,no address,file,gold")
uploaded = client.get_httpx_client().post(
    "/v2/batch/uploads",
    content="\n".join(["unique_id,last_name,email,tags,attributes.plan", *rows]).encode(),
    # The generated method calls every file application/x-ndjson.
    headers={"Content-Type": "text/csv"},
)
assert uploaded.status_code == 201, uploaded.text
import_of_file = must(
    create_batch_operation.sync_detailed(
        client=client,
        idempotency_key="python-batch-2",
        body=BatchOperationCreate.from_dict(
            {"operation_kind": "contacts.bulk_upsert", "upload_id": uploaded.json()["id"]}
        ),
    ),
    202,
)
imported = poll(
    lambda: must(get_batch_operation.sync_detailed(import_of_file.id, client=client), 200),
    lambda found: str(found.status) in (*ended, "succeeded_with_errors"),
)
assert str(imported.status) == "succeeded_with_errors"


def column(content, name):
    return sorted(row[name] for row in csv.DictReader(io.StringIO(content.decode())))


errors = must(get_batch_operation_errors.sync_detailed(import_of_file.id, client=client), 200)
assert column(errors, "index") == ["7"]


def listed(**filters):
    """The last names of all pages, by their cursors."""
    found, after = [], {}
    while True:
        page = must(
            list_contacts.sync_detailed(
                client=client,
                sort=[ListContactsSortItem("-last_name"), ListContactsSortItem.INSERTED_AT],
                filtertagscontains="file",
                filterinserted_atgte=since,
                filterstatusin=[
                    ListContactsFilterstatusinItem.ACTIVE,
                    ListContactsFilterstatusinItem.SUPPRESSED,
                ],
                pagesize=3,
                **filters,
                **after,
            ),
            200,
        )
        found += [row.last_name for row in page.data]
        if page.page.next_cursor is None:
            return found
        after = {"pageafter": page.page.next_cursor}


class Gold:
    """The generated class of attribute filters has no attributes."""

    def to_dict(self):
        return {"filter[attributes.plan]": "gold"}


assert listed() == names[::-1], listed()
assert listed(filter_=Gold()) == ["Gus", "Ed", "Cy", "Ada"], listed(filter_=Gold())

export = must(
    create_export.sync_detailed(
        client=client,
        body=ExportCreate.from_dict(
            {"kind": "contacts", "filters": {"filter[tags][contains]": "file"}}
        ),
    ),
    202,
)
poll(
    lambda: must(get_export.sync_detailed(export.id, client=client), 200),
    lambda found: str(found.status) in ended,
)
file = must(get_export_file.sync_detailed(export.id, client=client), 200)
assert column(file.payload.read(), "last_name") == names

poll(lambda: received, lambda found: len(found) > 0)
headers, body = received[0]
event = Webhook(subscription.signing_secret).verify(body, headers)
assert event["type"] == "contact.created"
print("The story ends well.")
