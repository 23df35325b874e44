"""What a run in CI shows: findings, failed tests and sizes, as Markdown and as JSON."""
