"""What a run would do to each cell, before it does anything."""
