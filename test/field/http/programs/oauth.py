"""requests-oauthlib: a token without and with a blank scope, then what a client of a bank does."""

import sys
import uuid

from oauthlib.oauth2 import BackendApplicationClient
from requests_oauthlib import OAuth2Session

base_url, client_id, client_secret = sys.argv[1:]


def session(scope):
    made = OAuth2Session(client=BackendApplicationClient(client_id=client_id, scope=scope))
    made.fetch_token(
        token_url=f"{base_url}/oauth2/token",
        client_secret=client_secret,
        include_client_id=scope is None,
    )
    return made


for scope in (None, "", "partner:contacts:read partner:contacts:write"):
    api = session(scope)
    contacts = f"{base_url}/v2/partner/contacts"
    cohorts = f"{base_url}/v2/partner/cohorts"
    made = api.post(contacts, json={"unique_id": str(uuid.uuid4()), "tags": ["field, with a comma"]})
    assert made.status_code == 201, made.text
    found = api.get(contacts, params={"filter[tags][contains]": "field, with a comma", "sort": "-inserted_at"})
    assert found.json()["data"][0]["id"] == made.json()["id"], found.text
    if scope:
        continue
    one = f"{cohorts}/{api.post(cohorts, json={'name': str(uuid.uuid4()), 'kind': 'static'}).json()['id']}"
    for action in ("archive", "unarchive"):
        done = api.post(f"{one}/{action}")
        assert done.status_code == 200, done.text
