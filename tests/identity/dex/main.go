// Dex as its project releases it, with its storage in memory, and a door beside it by which tests change who there is.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dexidp/dex/server"
	"github.com/dexidp/dex/server/signer"
	"github.com/dexidp/dex/storage"
	"github.com/dexidp/dex/storage/memory"
	"golang.org/x/crypto/bcrypt"
)

// What a test asks for; fields that are left out change nothing.
type change struct {
	User   *user  `json:"user"`
	Remove string `json:"remove"`
	Rotate bool   `json:"rotate"`
	// By how many seconds Dex's clock is ahead.
	Ahead *int64 `json:"ahead"`
}

type user struct {
	ID       string   `json:"id"`
	Email    string   `json:"email"`
	Name     string   `json:"name"`
	Password string   `json:"password"`
	Groups   []string `json:"groups"`
}

func main() {
	address := flag.String("address", "127.0.0.1:0", "where to listen")
	redirect := flag.String("redirect", "", "where clients are sent back to")
	id, secret := flag.String("id", "", "the client's ID"), flag.String("secret", "", "the client's secret")
	flag.Parse()
	if err := run(*address, storage.Client{ID: *id, Secret: *secret, RedirectURIs: []string{*redirect}, Name: "Berth"}); err != nil {
		log.Fatal(err)
	}
}

func run(address string, client storage.Client) error {
	ctx, logger := context.Background(), slog.New(slog.NewTextHandler(os.Stderr, nil))
	var ahead atomic.Int64
	now := func() time.Time { return time.Now().UTC().Add(time.Duration(ahead.Load()) * time.Second) }
	store := &users{Storage: memory.New(logger)}
	if err := store.CreateClient(ctx, client); err != nil {
		return err
	}
	if err := store.CreateConnector(ctx, storage.Connector{ID: server.LocalConnector, Type: server.LocalConnector, Name: "Email"}); err != nil {
		return err
	}
	keys, err := (&signer.LocalConfig{KeysRotationPeriod: "6h"}).Open(ctx, store, time.Hour, now, logger)
	if err != nil {
		return err
	}
	policy, err := server.NewRefreshTokenPolicy(logger, false, "", "", "")
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	dex, err := server.NewServer(ctx, server.Config{
		Issuer:             "http://" + listener.Addr().String() + "/dex",
		Storage:            store,
		SkipApprovalScreen: true,
		IDTokensValidFor:   time.Hour,
		RefreshTokenPolicy: policy,
		Signer:             keys,
		Now:                now,
		Logger:             logger,
	})
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/dex/", dex)
	mux.HandleFunc("POST /change", func(w http.ResponseWriter, r *http.Request) {
		var wanted change
		err := json.NewDecoder(r.Body).Decode(&wanted)
		if err == nil && wanted.Ahead != nil {
			ahead.Store(*wanted.Ahead)
		}
		if err == nil && wanted.Remove != "" {
			store.byEmail.Delete(wanted.Remove)
		}
		if err == nil && wanted.User != nil {
			err = store.put(*wanted.User)
		}
		if err == nil && wanted.Rotate {
			err = store.UpdateKeys(ctx, func(old storage.Keys) (storage.Keys, error) {
				old.NextRotation = time.Time{}
				return old, nil
			})
			keys.Start(ctx)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
		}
	})
	return http.Serve(listener, mux)
}

// users are kept beside the storage: a refresh asks for one while Dex's storage in memory is locked.
type users struct {
	storage.Storage
	byEmail sync.Map
}

func (u *users) GetPassword(_ context.Context, email string) (storage.Password, error) {
	if found, ok := u.byEmail.Load(email); ok {
		return found.(storage.Password), nil
	}
	return storage.Password{}, storage.ErrNotFound
}

// put makes a user, or changes one.
func (u *users) put(wanted user) error {
	hash, err := bcrypt.GenerateFromPassword([]byte(wanted.Password), 10)
	if err != nil {
		return err
	}
	u.byEmail.Store(wanted.Email, storage.Password{
		Email: wanted.Email, UserID: wanted.ID, Username: wanted.Name, PreferredUsername: wanted.Name, Hash: hash, Groups: wanted.Groups,
	})
	return nil
}
