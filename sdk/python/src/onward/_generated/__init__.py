"""Written by `npm run generate -- sdk` from the OpenAPI document."""
