"""`python -m awning_harness.service`: the same as `awning service`."""

from awning_harness.service.command import service

if __name__ == "__main__":
    raise SystemExit(service(standalone_mode=False))
