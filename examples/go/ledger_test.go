package ledger

import "testing"

// All tests but one work on the same folder, as they would on the same database.
var shared = Ledger{Folder: "data"}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestUsualInterest(t *testing.T) {
	if got := shared.Interest(500); got != 10 {
		t.Fatalf("interest of 500 is %d, not 10", got)
	}
}

func TestOpenAccount(t *testing.T) {
	check(t, shared.Open("ann"))
	_, err := shared.Balance("ann")
	check(t, err)
}

func TestOpenAccountTwice(t *testing.T) {
	check(t, shared.Open("ann"))
	check(t, shared.Open("ann"))
}

func TestStatement(t *testing.T) {
	_, err := shared.Balance("ann")
	check(t, err)
}

func TestOpenSavings(t *testing.T) {
	check(t, shared.Open("savings"))
}

func TestDeposit(t *testing.T) {
	check(t, shared.Deposit("savings", 100))
}

func TestTransfer(t *testing.T) {
	check(t, shared.Transfer("savings", "bob", 60))
}

func TestReceiverIsKnown(t *testing.T) {
	balance, err := shared.Balance("bob")
	check(t, err)
	if balance != 60 {
		t.Fatalf("bob has %d", balance)
	}
}

func TestRaisedInterest(t *testing.T) {
	check(t, shared.SetRate(5))
	if got := shared.Interest(500); got != 25 {
		t.Fatalf("interest of 500 is %d, not 25", got)
	}
}

func TestInterestGoesBack(t *testing.T) {
	check(t, shared.SetRate(0))
	if got := shared.Interest(500); got != 10 {
		t.Fatalf("interest of 500 is %d, not 10", got)
	}
}

func TestOwnLedger(t *testing.T) {
	own := Ledger{Folder: t.TempDir()}
	check(t, own.Open("ann"))
	if own.Interest(100) != 2 {
		t.Fatal("another ledger's interest rate")
	}
}

func TestPaper(t *testing.T) {
	t.Skip("no printer here")
}
