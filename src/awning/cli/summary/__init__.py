"""Summarizes a run in CI: findings, failed tests and sizes, as Markdown and as JSON."""
