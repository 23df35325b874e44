"""What every test needs: hypothesis without deadlines, since a busy machine is no failure.

How many examples a property test runs is said in volumes.toml, by name: `volume("name")` from `volumes`.
"""

from hypothesis import settings

settings.register_profile("awning", deadline=None, print_blob=True)
settings.load_profile("awning")
