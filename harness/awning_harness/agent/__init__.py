"""`awning mcp`: tools of one workspace for agents. See README.md."""
