"""Installation, step by step, each of them safe to repeat.

    entered     authCode into the inventory, before anything is asked of the service; out of it again where the
                service does not know the code (the records keep it: a wrong API key is answered the same)
    installed   POST /apps/installed/ (Installation process, step 7)
    configured  the schema's defaults as app data, only where nothing is stored
    published   the release's snippets, journalled as a publish is
    announced   the app's own hook

What is done is noted with its time. A crash, a service that does not answer and a reloaded page all go on with the
first step that is not noted, and a step whose note was lost is done again without harm. (Order: observed.)
"""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from awning.client import Secret, apps, decode_app_data, encode_app_data
from awning.data_schema import defaults_of
from awning.errors import AwningError, Refused, ServiceError, Unauthorized
from awning.host.hooks import tell
from awning.host.host import Host, hosted
from awning.host.log import LOG
from awning.host.records import Installation
from awning.host.removing import is_refusal_of_code
from awning.publish.apply import Job, apply
from awning.publish.inventory import Instance
from awning.publish.journal import Journal
from awning.publish.journal_writer import JournalWriter
from awning.publish.outcome import RIGHT, Summary

NOTHING_SET = {HTTPStatus.NOT_FOUND}


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """How far it got: installed in any case; `published` only when every snippet is where it should be."""

    installation: Installation
    published: bool


async def install(host: Host, code: Secret) -> Installed:
    """Bring an installation to its end. Raises a ServiceError where the service does not take part."""
    key = host.key_of(code)
    async with host.turn(key):
        before = await host.kept(host.records.installation, key)
        entered = False
        if before is None or before.removed_at is None:
            entered = await host.kept(host.inventory.find, code) is None
            await host.kept(host.enter, code, now=host.clock())
        if before is None or before.installed_at is None or before.removed_at is not None:
            try:
                await _finish(host, code, asked_before=before is not None)
            except ServiceError as problem:
                if entered and is_refusal_of_code(problem):
                    await host.kept(host.withdraw, code)
                raise
        # A code that was removed comes back into the inventory only once the service knows it again.
        found = await host.kept(host.enter, code, now=host.clock())
        return await _complete(host, await _noted(host, found, "installed_at"))


async def adopt(host: Host, code: Secret) -> Installation:
    """An instance whose settings are asked for. Raises a ServiceError.

    One that the inventory has but the host did not install is its owner's: it is only read. Any other is brought to
    the end of its installation; its snippets may be late, which is no reason to refuse its settings.
    """
    key = host.key_of(code)
    found = await host.kept(host.records.installation, key)
    if found is not None and found.removed_at is None and found.published_at is not None:
        return found
    if found is None and await host.kept(host.inventory.find, code) is not None:
        await host.run(apps.languages(code))
        found = await host.kept(host.enter, code, now=host.clock())
        for step in ("installed_at", "configured_at", "published_at", "announced_at"):
            found = await _noted(host, found, step)
        return await _named(host, found)
    return (await install(host, code)).installation


async def _finish(host: Host, code: Secret, *, asked_before: bool) -> None:
    """Call `installed`. What a second call answers is not shown: where we may have called already, a refusal is
    checked by another call, which an instance that is installed is answered.
    """
    try:
        await host.run(apps.installed(code))
    except Unauthorized:
        raise
    except Refused as problem:
        if not asked_before and problem.status != HTTPStatus.CONFLICT:
            raise
        await host.run(apps.languages(code))
        LOG.warning("installed was refused (HTTP %s), but the instance answers", problem.status)


async def _complete(host: Host, found: Installation) -> Installed:
    if found.configured_at is None:
        await _default_data(host, found.code)
        found = await _noted(host, found, "configured_at")
    if found.url is None and found.brand is None:
        found = await _named(host, found)
    if found.published_at is None and await _publish(host, found):
        found = await _noted(host, found, "published_at")
    if found.announced_at is None:
        await tell(host.hooks.on_installed, hosted(found))
        found = await _noted(host, found, "announced_at")
        LOG.info("installed: %s", found.key)
    return Installed(installation=found, published=found.published_at is not None)


async def read_data(host: Host, code: Secret) -> Any:
    """The stored app data, decoded. A 404 where nothing was set is nothing (not shown: assumed).

    Text that nests too deeply to be read is given as text, as any other that is no JSON.
    """
    stored: Any = {}
    try:
        stored = await host.run(apps.get_data(code))
        return decode_app_data(stored)
    except RecursionError:
        return stored
    except Refused as problem:
        if problem.status not in NOTHING_SET:
            raise
        return {}


async def _default_data(host: Host, code: Secret) -> None:
    """Never over what is there: a shop's settings outlive a crash of ours."""
    release = await host.kept(host.current.release)
    defaults = defaults_of(release.form.part)
    if defaults and await read_data(host, code) == {}:
        await host.run(apps.set_data(code, encode_app_data(defaults)))


async def _publish(host: Host, found: Installation) -> bool:
    """The release's snippets to this one instance. False where not every cell is right: a later visit goes on."""
    instance = await host.kept(host.inventory.find, found.code)
    if instance is None:
        return False
    try:
        summary = await _apply(host, instance)
    except (
        AwningError
    ) as problem:  # a build or a journal that cannot be used is ours to mend, not the visitor's
        LOG.error("the snippets of %s were not published: %s", found.key, problem.message)
        return False
    wrong = [r.ending for r in summary.results if r.ending.outcome not in RIGHT]
    for ending in wrong:
        LOG.warning("a snippet of %s: %s, %s", found.key, ending.outcome, ending.reason)
    return not wrong


async def _apply(host: Host, instance: Instance) -> Summary:
    """As `awning publish apply`, but without its lock: a run that is under way took its list of instances before
    this one was there, so no two write the same cell.
    """
    release = await host.kept(host.current.release)
    journal = await host.kept(Journal.open, host.state)
    try:
        note = f"build {release.build.fingerprint[:12]} to a new instance"
        job = Job(
            run=await host.kept(journal.begin, note),
            build=release.build,
            instances=[instance],
            calling=host.calling,
            pace=host.settings.pace,
        )
        async with JournalWriter(journal) as ledger:
            return await apply(job, host.send, ledger)
    finally:
        await host.kept(journal.close)


async def _named(host: Host, found: Installation) -> Installation:
    """What the website is called, so that people see which shop they are setting. Not worth failing for."""
    try:
        website = await host.run(apps.website(found.code))
    except ServiceError as problem:
        LOG.warning("the name of %s is not known: %s", found.key, problem.message)
        return found
    await _bury(host, found, website.url)
    await host.kept(host.name, found, website.url, website.brandname)
    return await _again(host, found)


async def _bury(host: Host, found: Installation, url: str | None) -> None:
    """Earlier installations on this website that its owner removed in the catalogue: no call tells the app of that.

    The key has just worked for this instance, so a refusal can only be the other code's.
    """
    for other in await host.kept(host.records.others, found.key, url) if url else ():
        try:
            await host.run(apps.languages(other.code))
        except ServiceError as problem:
            if is_refusal_of_code(problem):
                await host.kept(host.forget, other, now=host.clock())
                LOG.info("was uninstalled at the service: %s", other.key)
                await tell(host.hooks.on_uninstalled, hosted(other))


async def _noted(host: Host, found: Installation, step: str) -> Installation:
    if getattr(found, step) is None:
        await host.kept(host.records.note, found.key, **{step: host.clock()})
        return await _again(host, found)
    return found


async def _again(host: Host, found: Installation) -> Installation:
    return await host.kept(host.records.installation, found.key) or found
