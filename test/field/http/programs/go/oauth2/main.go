// golang.org/x/oauth2 gets the tokens, net/http makes the calls.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

func main() {
	base, id, secret := os.Args[1], os.Args[2], os.Args[3]
	styles := []oauth2.AuthStyle{oauth2.AuthStyleAutoDetect, oauth2.AuthStyleInHeader, oauth2.AuthStyleInParams}
	for _, style := range styles {
		for _, scopes := range [][]string{nil, {""}, {"partner:contacts:write"}} {
			config := clientcredentials.Config{ClientID: id, ClientSecret: secret, TokenURL: base + "/oauth2/token", Scopes: scopes, AuthStyle: style}
			client := config.Client(context.Background())
			call(client, "POST", base+"/v2/partner/contacts", fmt.Sprintf(`{"unique_id":"go-%d"}`, time.Now().UnixNano()), 201)
			if len(scopes) > 0 && scopes[0] != "" {
				continue
			}
			made := call(client, "POST", base+"/v2/partner/cohorts", fmt.Sprintf(`{"name":"go-%d","kind":"static"}`, time.Now().UnixNano()), 201)
			one := base + "/v2/partner/cohorts/" + made["id"].(string)
			call(client, "POST", one+"/archive", "", 200)
			call(client, "POST", one+"/unarchive", "", 200)
		}
	}
}

func call(client *http.Client, method, url, body string, status int) map[string]any {
	// Not a *strings.Reader, whose length the client would know.
	request, err := http.NewRequest(method, url, io.MultiReader(strings.NewReader(body)))
	check(err)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := client.Do(request)
	check(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	check(err)
	if response.StatusCode != status {
		check(fmt.Errorf("%s %s: %d %s", method, url, response.StatusCode, text))
	}
	found := map[string]any{}
	if len(text) > 0 {
		check(json.Unmarshal(text, &found))
	}
	return found
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
