// Package ledger keeps accounts and an interest rate in files below a folder.
package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

const defaultRate = 2

// ErrNoAccount says that the account was never opened.
var ErrNoAccount = errors.New("no such account")

// Ledger is a folder. The zero value is the current one.
type Ledger struct{ Folder string }

func (l Ledger) path(name string) string { return filepath.Join(l.Folder, name) }

func (l Ledger) accounts() map[string]int {
	found := map[string]int{}
	if data, err := os.ReadFile(l.path("accounts.json")); err == nil {
		_ = json.Unmarshal(data, &found)
	}
	return found
}

func (l Ledger) save(accounts map[string]int) error {
	data, err := json.Marshal(accounts)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(l.Folder, 0o755); err != nil {
		return err
	}
	return os.WriteFile(l.path("accounts.json"), data, 0o644)
}

// Open makes an account, if it is not there yet.
func (l Ledger) Open(owner string) error {
	accounts := l.accounts()
	if _, there := accounts[owner]; !there {
		accounts[owner] = 0
	}
	return l.save(accounts)
}

// Deposit adds an amount to an account.
func (l Ledger) Deposit(owner string, amount int) error {
	accounts := l.accounts()
	if _, there := accounts[owner]; !there {
		return ErrNoAccount
	}
	accounts[owner] += amount
	return l.save(accounts)
}

// Transfer moves an amount between accounts; the receiver's is opened if need be.
func (l Ledger) Transfer(from, to string, amount int) error {
	accounts := l.accounts()
	if accounts[from] < amount {
		return fmt.Errorf("%s has only %d", from, accounts[from])
	}
	accounts[from] -= amount
	accounts[to] += amount
	return l.save(accounts)
}

// Balance tells what is in an account.
func (l Ledger) Balance(owner string) (int, error) {
	balance, there := l.accounts()[owner]
	if !there {
		return 0, ErrNoAccount
	}
	return balance, nil
}

// SetRate changes the interest rate; 0 goes back to the usual one.
func (l Ledger) SetRate(percent int) error {
	if percent == 0 {
		if err := os.Remove(l.path("rate")); err != nil && !os.IsNotExist(err) {
			return err
		}
		return nil
	}
	if err := os.MkdirAll(l.Folder, 0o755); err != nil {
		return err
	}
	return os.WriteFile(l.path("rate"), []byte(strconv.Itoa(percent)), 0o644)
}

// Interest is what an amount brings in a year.
func (l Ledger) Interest(amount int) int {
	rate := defaultRate
	if data, err := os.ReadFile(l.path("rate")); err == nil {
		rate, _ = strconv.Atoi(strings.TrimSpace(string(data)))
	}
	return amount * rate / 100
}
