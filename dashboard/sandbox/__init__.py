"""The messaging service, embedded: a real HTTP peer in its own process. Imports nothing of ours."""
