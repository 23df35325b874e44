"""`awning lsp`: the check's findings and fixes in editors. See README.md."""
