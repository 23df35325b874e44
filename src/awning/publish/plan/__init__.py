"""Plans: what a run would do to each cell. A plan can be saved and carried out later."""
