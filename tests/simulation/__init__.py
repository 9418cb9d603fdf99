"""One seed, one world: a real ledger, simulated workers, people and a service, one action at a time."""
