// The steps of an integrator with a client generated from the OpenAPI document.
package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"example.com/integrator/onward"
)

type delivery struct {
	headers http.Header
	body    []byte
}

// check ends the story where a call failed or has another status.
func check(status int, body []byte, err error, wanted int) {
	if err != nil {
		panic(err)
	}
	if status != wanted {
		panic(fmt.Sprintf("%d %s", status, body))
	}
}

// poll repeats a request until the result exists, for two minutes at most.
func poll(isOver func() bool) {
	for tries := 0; tries < 480; tries++ {
		if isOver() {
			return
		}
		time.Sleep(250 * time.Millisecond)
	}
	panic("It took longer than two minutes")
}

func to[T any](value T) *T { return &value }

// receive keeps what is sent to the address that it gives.
func receive() (string, <-chan delivery) {
	received := make(chan delivery, 100)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go http.Serve(listener, http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		received <- delivery{request.Header, body}
		answer.WriteHeader(http.StatusNoContent)
	}))
	return fmt.Sprintf("http://%s/hook", listener.Addr()), received
}

// exchangeFiles imports a file, lists what it made in every way, and downloads files of both.
func exchangeFiles(ctx context.Context, client *onward.ClientWithResponses) {
	since := time.Now().Add(-time.Hour)
	names := []string{"Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus"}
	lines := []string{"unique_id,last_name,email,tags,attributes.plan"}
	for at, name := range names {
		plan := []string{"gold", "basic"}[at%2]
		lines = append(lines, fmt.Sprintf("go-file-%d,%s,%s@example.com,\"file;new\",%s", at, name, name, plan))
	}
	lines = append(lines, "go-file-bad,Hal,no address,file,gold")
	upload, err := client.CreateUploadWithBodyWithResponse(ctx, nil, "text/csv",
		strings.NewReader(strings.Join(lines, "\n")))
	check(upload.StatusCode(), upload.Body, err, 201)
	batch, err := client.CreateBatchOperationWithResponse(ctx,
		&onward.CreateBatchOperationParams{IdempotencyKey: "go-batch-2"},
		onward.BatchOperationCreate{OperationKind: "contacts.bulk_upsert", UploadId: &upload.JSON201.Id})
	check(batch.StatusCode(), batch.Body, err, 202)
	poll(func() bool {
		found, err := client.GetBatchOperationWithResponse(ctx, batch.JSON202.Id)
		check(found.StatusCode(), found.Body, err, 200)
		return found.JSON200.Status == "succeeded_with_errors"
	})
	errors, err := client.GetBatchOperationErrorsWithResponse(ctx, batch.JSON202.Id)
	check(errors.StatusCode(), errors.Body, err, 200)
	expectCells("the errors", errors.Body, "index", "7")

	params := func() *onward.ListContactsParams {
		return &onward.ListContactsParams{
			Sort: &[]onward.ListContactsParamsSort{
				onward.ListContactsParamsSortMinusLastName, onward.ListContactsParamsSortInsertedAt,
			},
			FilterTagsContains: to("file"), FilterInsertedAtGte: &since,
			FilterStatusIn: &[]onward.ListContactsParamsFilterStatusIn{"active", "suppressed"},
			PageSize:       to(3),
		}
	}
	slices.Reverse(names)
	expectNames(ctx, client, params, names)
	expectNames(ctx, client, func() *onward.ListContactsParams {
		gold := params()
		gold.Filter = &map[string]any{"attributes.plan": "gold"}
		return gold
	}, []string{"Gus", "Ed", "Cy", "Ada"})

	export, err := client.CreateExportWithResponse(ctx, nil, onward.ExportCreate{
		Kind: "contacts", Filters: &map[string]any{"filter[tags][contains]": "file"},
	})
	check(export.StatusCode(), export.Body, err, 202)
	poll(func() bool {
		found, err := client.GetExportWithResponse(ctx, export.JSON202.Id)
		check(found.StatusCode(), found.Body, err, 200)
		return found.JSON200.Status == "succeeded"
	})
	file, err := client.GetExportFileWithResponse(ctx, export.JSON202.Id, nil)
	check(file.StatusCode(), file.Body, err, 200)
	slices.Sort(names)
	expectCells("the export", file.Body, "last_name", names...)
}

// expectNames walks through all pages of a list by their cursors.
func expectNames(
	ctx context.Context, client *onward.ClientWithResponses, params func() *onward.ListContactsParams,
	expected []string,
) {
	var names []string
	for asked := params(); ; {
		list, err := client.ListContactsWithResponse(ctx, asked)
		check(list.StatusCode(), list.Body, err, 200)
		for _, contact := range list.JSON200.Data {
			names = append(names, *contact.LastName)
		}
		if list.JSON200.Page.NextCursor == nil {
			break
		}
		asked.PageAfter = list.JSON200.Page.NextCursor
	}
	if !slices.Equal(names, expected) {
		panic(fmt.Sprintf("Listed are %v and not %v", names, expected))
	}
}

// expectCells compares a column of a file; the order of its records does not matter.
func expectCells(what string, file []byte, column string, expected ...string) {
	records, err := csv.NewReader(strings.NewReader(string(file))).ReadAll()
	if err != nil {
		panic(err)
	}
	at := slices.Index(records[0], column)
	var cells []string
	for _, record := range records[1:] {
		cells = append(cells, record[at])
	}
	slices.Sort(cells)
	if !slices.Equal(cells, expected) {
		panic(fmt.Sprintf("Of %s are %v and not %v", what, cells, expected))
	}
}

func main() {
	baseURL, clientID, clientSecret := os.Args[1], os.Args[2], os.Args[3]
	ctx := context.Background()
	address, received := receive()

	client, err := onward.NewClientWithResponses(baseURL)
	if err != nil {
		panic(err)
	}
	token, err := client.CreateTokenWithFormdataBodyWithResponse(ctx, onward.TokenRequest{
		GrantType: "client_credentials", ClientId: &clientID, ClientSecret: &clientSecret,
	})
	check(token.StatusCode(), token.Body, err, 200)
	client.ClientInterface.(*onward.Client).RequestEditors = []onward.RequestEditorFn{
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+token.JSON200.AccessToken)
			return nil
		},
	}

	subscription, err := client.CreateWebhookSubscriptionWithResponse(ctx, nil,
		onward.WebhookSubscriptionCreate{TargetUrl: address, EventTypes: []string{"contact.created"}})
	check(subscription.StatusCode(), subscription.Body, err, 201)
	contact, err := client.CreateContactWithResponse(ctx, nil, onward.ContactCreate{
		UniqueId: to("go-1"), FirstName: to("Rob"),
	})
	check(contact.StatusCode(), contact.Body, err, 201)
	account, err := client.CreateContactAccountWithResponse(ctx, "unique_id:go-1", nil,
		onward.ContactAccountCreate{
			Kind: "deposit", UniqueId: to("go-account-1"), BalanceCents: to(1250),
		})
	check(account.StatusCode(), account.Body, err, 201)
	if account.JSON201.ContactId != contact.JSON201.Id {
		panic("The account belongs to somebody else")
	}
	deadline := time.Now().Add(30 * 24 * time.Hour).UTC().Truncate(time.Millisecond)
	template, err := client.CreateTemplateWithResponse(ctx, nil,
		onward.TemplateCreate{Name: "Welcome", DeadlineAt: &deadline})
	check(template.StatusCode(), template.Body, err, 201)
	if !template.JSON201.DeadlineAt.Equal(deadline) {
		panic("The deadline is another one")
	}

	batch, err := client.CreateBatchOperationWithResponse(ctx,
		&onward.CreateBatchOperationParams{IdempotencyKey: "go-batch-1"},
		onward.BatchOperationCreate{
			OperationKind: "contacts.bulk_upsert",
			Items:         &[]any{map[string]any{"unique_id": "go-2"}, map[string]any{"unique_id": "go-3"}},
		})
	check(batch.StatusCode(), batch.Body, err, 202)
	execution, err := client.ExecuteOperationWithResponse(ctx, "contacts.upsert",
		&onward.ExecuteOperationParams{IdempotencyKey: to("go-execution-1"), Prefer: to("respond-async")},
		onward.ExecuteOperationRequest{Input: map[string]any{"unique_id": "go-4"}})
	check(execution.StatusCode(), execution.Body, err, 202)
	poll(func() bool {
		found, err := client.GetBatchOperationWithResponse(ctx, batch.JSON202.Id)
		check(found.StatusCode(), found.Body, err, 200)
		return found.JSON200.Status == "succeeded"
	})
	poll(func() bool {
		found, err := client.GetExecutionWithResponse(ctx, execution.JSON202.Id)
		check(found.StatusCode(), found.Body, err, 200)
		return found.JSON200.Status == "succeeded"
	})

	exchangeFiles(ctx, client)

	webhook, err := standardwebhooks.NewWebhook(subscription.JSON201.SigningSecret)
	if err != nil {
		panic(err)
	}
	// Deliveries come in any order, and the batch creates contacts too.
	inTime := time.After(2 * time.Minute)
	var event onward.EventContactCreated
	for event.Data.Id != contact.JSON201.Id {
		select {
		case next := <-received:
			if err := webhook.Verify(next.body, next.headers); err != nil {
				panic(err)
			}
			if err := json.Unmarshal(next.body, &event); err != nil {
				panic(err)
			}
		case <-inTime:
			panic("No event about the contact in two minutes")
		}
	}
	fmt.Println("The story ends well.")
}
