"""What other hosts answer, as a state or a test describes it."""
