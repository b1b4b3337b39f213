// pkgsftp <action> <port> <user> <key> <local> <folder> <name> <result> <local result>
package main

import (
	"errors"
	"io"
	"log"
	"os"
	"path"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// breaking ends with an error after some bytes.
type breaking struct{ from io.Reader }

func (b *breaking) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	if err == io.EOF {
		err = errors.New("broken off")
	}
	return n, err
}

func put(client *sftp.Client, source io.Reader, to string) error {
	file := must(client.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC))
	_, err := file.ReadFrom(source)
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}

func main() {
	action, port, user, key := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	local, folder, name, result, localResult := os.Args[5], os.Args[6], os.Args[7], os.Args[8], os.Args[9]
	signer := must(ssh.ParsePrivateKey(must(os.ReadFile(key))))
	connection := must(ssh.Dial("tcp", "127.0.0.1:"+port, &ssh.ClientConfig{
		User:            user,
		Auth:            []ssh.AuthMethod{ssh.PublicKeys(signer)},
		HostKeyCallback: ssh.InsecureIgnoreHostKey(),
	}))
	defer connection.Close()
	client := must(sftp.NewClient(connection, sftp.UseConcurrentWrites(true)))
	defer client.Close()
	final := path.Join(folder, name)
	temporary := final + ".tmp"
	source := func() *os.File { return must(os.Open(local)) }
	switch action {
	case "mkdir":
		check(client.MkdirAll(folder))
		check(put(client, source(), final))
	case "upload":
		check(put(client, source(), final))
	case "interrupt", "rename":
		if action == "interrupt" {
			if put(client, &breaking{io.LimitReader(source(), 100_000)}, temporary) == nil {
				log.Fatal("nothing was broken off")
			}
		}
		check(put(client, source(), temporary))
		check(client.PosixRename(temporary, final))
		must(client.Stat(final))
	case "download":
		from := must(client.Open(result))
		to := must(os.Create(localResult))
		must(io.Copy(to, from))
		check(to.Close())
	}
}
