"""Its steps, oldest first."""
