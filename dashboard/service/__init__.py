"""The messaging service over HTTP; contract.md is the law on every field."""
