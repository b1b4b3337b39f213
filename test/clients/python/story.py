"""What an integrator does with a client that was generated from the OpenAPI document."""

import datetime
import http.server
import sys
import threading
import time

from onward_client.api.access import create_token
from onward_client.api.accounts import create_contact_account
from onward_client.api.batch import create_batch_operation, get_batch_operation
from onward_client.api.contacts import create_contact
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
    """Asks until the answer is there, for half a minute at most."""
    for _ in range(120):
        found = ask()
        if is_over(found):
            return found
        time.sleep(0.25)
    raise SystemExit("It took longer than half a minute")


token = must(
    create_token.sync_detailed(
        client=Client(base_url),
        body=TokenRequest(
            grant_type="client_credentials", client_id=client_id, client_secret=client_secret
        ),
    ),
    200,
)
client = AuthenticatedClient(base_url, token.access_token)

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

poll(lambda: received, lambda found: len(found) > 0)
headers, body = received[0]
event = Webhook(subscription.signing_secret).verify(body, headers)
assert event["type"] == "contact.created"
print("The story ends well.")
