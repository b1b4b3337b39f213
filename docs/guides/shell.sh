# An access token of the client in .onward/env, valid for one hour.
TOKEN=$(curl -sS --retry 3 "$ONWARD_BASE_URL/oauth2/token" -u "$ONWARD_CLIENT_ID:$ONWARD_CLIENT_SECRET" -d grant_type=client_credentials | sed 's/.*"access_token":"\([^"]*\)".*/\1/')
# A request with it: the path, then options of curl.
api() { curl -sSgw '\n' "$ONWARD_BASE_URL$1" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' "${@:2}"; }
# A field of an answer.
field() { node -p "JSON.parse(fs.readFileSync(0)).$1"; }
