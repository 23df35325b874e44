"""The page that a test run leaves: what was checked, what every state looks like, what failed, what it weighs."""
