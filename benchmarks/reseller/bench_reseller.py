"""The commands that list, filter and report an account of 5,000 websites: their time, memory and size of output.

python benchmarks/reseller/bench_reseller.py [WEBSITES]
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from awning_harness.service import Service, serve

RUNS = 3
AWNING = Path(sys.executable).with_name("awning")
WHERE = "enabled and ai_spent > 0.8 * ai_limit"
COMMANDS = (
    ("balance",),
    ("websites", "list"),
    ("websites", "list", "--json"),
    ("websites", "list", "--where", WHERE, "--sort", "-ai_spent"),
    ("report",),
    ("report", "--format", "csv"),
    ("report", "--format", "html"),
)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    with serve() as running:
        reseller = running.service.resellers.create(
            email="bench@example.com", password="bench", websites=count, ai_pricing="priced"
        )
        spend(running.service, reseller)
        environ = {
            **os.environ,
            "AWNING_RESELLER_URL": running.reseller_url,
            "AWNING_RESELLER_EMAIL": "bench@example.com",
            "AWNING_RESELLER_PASSWORD": "bench",
        }
        print(f"{count} websites; best of {RUNS} whole commands (the service runs on the same machine)")
        for words in COMMANDS:
            seconds, cpu, megabytes, size = min(measured(words, environ) for _ in range(RUNS))
            print(f"{seconds:6.2f} s {cpu:6.2f} s CPU {megabytes:5.0f} MB {size:9,} bytes  {' '.join(words)}")


def spend(service: Service, reseller: int) -> None:
    lots = random.Random(1)
    for site in service.resellers.sites(reseller)[::5]:
        service.resellers.spend(reseller, site.id, lots.randint(0, 120))


def measured(words: tuple[str, ...], environ: dict[str, str]) -> tuple[float, float, float, int]:
    """Run one command. Returns its seconds, processor seconds, peak memory (MB) and bytes of output."""
    with tempfile.TemporaryFile() as out:
        start = time.perf_counter()
        process = subprocess.Popen([AWNING, "reseller", *words], env=environ, stdout=out)
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{' '.join(words)} ended with {process.returncode}")
        scale = 1024 if sys.platform != "darwin" else 1024 * 1024
        size = os.fstat(out.fileno()).st_size
        return seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / scale, size


if __name__ == "__main__":
    main()
