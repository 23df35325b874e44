"""The harness's verbs for the command line. This module imports nothing slow, because `awning --help` imports it."""

from awning.cli import LazyVerb

dev = LazyVerb(
    name="dev",
    heading="Author",
    help="Run a shop with your widgets, and rebuild it when you save.",
    target="awning_harness.dev.command:dev",
)
test = LazyVerb(
    name="test",
    heading="Author",
    help="Test every widget in a real browser.",
    target="awning_harness.runs.command:test",
    needs=("pytest", "playwright", "xdist"),
    checks="awning_harness.checkup:checks",
    page_opener="awning_harness.public_pages:open_browser",
    page_comparer="awning_harness.comparison.comparer:open_comparison",
)
preview = LazyVerb(
    name="preview",
    heading="Author",
    help="Show your widgets on a published page, without deploying them.",
    target="awning_harness.live.command:preview",
    needs=("playwright",),
)
record = LazyVerb(
    name="record",
    heading="Author",
    help="Record what a published page sends, as fixtures, types and a storefront.",
    target="awning_harness.live.record_command:record",
    needs=("playwright",),
)
gallery = LazyVerb(
    name="gallery",
    heading="Author",
    help="Write a gallery of every state, which opens without a server.",
    target="awning_harness.gallery.command:gallery",
)
service = LazyVerb(
    name="service",
    heading="Tools",
    help="Run only the simulated service.",
    target="awning_harness.service.command:service",
)
mcp = LazyVerb(
    name="mcp",
    heading="Tools",
    help="Give an agent states, pictures, check and test as tools.",
    target="awning_harness.agent.command:mcp",
    needs=("mcp", "playwright", "pytest", "xdist"),
    extra="mcp",
)
