"""Visual snapshots: what a state looks like, stored beside the widget and compared at each run."""
