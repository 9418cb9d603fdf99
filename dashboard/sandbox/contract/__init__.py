"""The rules of the contract, as the sandbox keeps them."""
