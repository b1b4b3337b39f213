"""For openapi-python-client, which repeats the parameter of a list, while the interface takes commas."""

import httpx


def join_lists(request: httpx.Request) -> None:
    """A request hook: `sort=email&sort=-inserted_at` becomes `sort=email,-inserted_at`."""
    values: dict[str, list[str]] = {}
    for name, value in request.url.params.multi_items():
        values.setdefault(name, []).append(value)
    joined = {
        # A comma within a value of a list has a backslash in front.
        name: ",".join(value.replace(",", r"\,") for value in several)
        if len(several) > 1
        else several[0]
        for name, several in values.items()
    }
    request.url = request.url.copy_with(params=joined)
