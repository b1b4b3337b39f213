// Receives webhooks: verifies each, accepts it once, answers, and works afterwards.
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sync"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

const maxBytes = 1_000_000

func main() {
	webhook, err := standardwebhooks.NewWebhook(os.Getenv("WEBHOOK_SECRET"))
	if err != nil {
		log.Fatal(err)
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "4000"
	}
	// In production: a table with a unique key, in the transaction that stores the work.
	var accepted sync.Map
	work := make(chan []byte, 1000)
	go func() {
		for event := range work {
			fmt.Printf("handled %s\n", event)
		}
	}()
	receive := func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, maxBytes))
		if err == nil {
			err = webhook.Verify(body, request.Header)
		}
		if err != nil {
			fmt.Println("refused:", err)
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		_, isKnown := accepted.LoadOrStore(request.Header.Get("webhook-id"), true)
		response.WriteHeader(http.StatusNoContent)
		if !isKnown {
			work <- body
		}
	}
	server := &http.Server{
		Addr:              "127.0.0.1:" + port,
		Handler:           http.HandlerFunc(receive),
		ReadHeaderTimeout: 10 * time.Second,
	}
	fmt.Println("listening on", port)
	log.Fatal(server.ListenAndServe())
}
