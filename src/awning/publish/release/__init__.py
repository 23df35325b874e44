"""What is published: a build, read from `dist/` and checked."""
