"""Moves batches from the ledger to the service, never twice."""
