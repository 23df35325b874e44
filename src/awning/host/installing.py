"""The steps of an installation and of an uninstallation. Each step is safe to repeat.

    added       a new authCode is put into the inventory and the records before the service is called. When the service
                refuses it, it is removed from the inventory, but not from the records, because the service gives the
                same response to a wrong API key
    installed   POST /apps/installed/ (Apps Integration API, Installation process, step 7)
    configured  the defaults of the data schema are stored as app data, unless app data are stored already
    published   the build's snippets are written and recorded in the journal, as `publish apply` does
    announced   the app's own hook is called

The records have the time of each finished step. After a crash, a call without a response, or a reload of the page, the
installation continues with the first step that is not recorded. Public apps make the calls in this order (observed).

The server records the start of the removal before it calls the service. If the call succeeds, but its response is lost
or the server crashes, the service refuses the authCode at the next attempt. If a start is recorded, the refusal means
that the first call succeeded, and the removal is completed. Otherwise the refusal is an error.
"""

import os
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from awning.build_record import shorten_fingerprint
from awning.client import Secret, apps, encode_app_data
from awning.data_schema import defaults_of, with_new_versions
from awning.errors import AwningError, Refused, ServiceError, Unauthorized
from awning.host.hooks import call_hook
from awning.host.host import Host, hosted_instance
from awning.host.host_records import Installation
from awning.host.log import LOG
from awning.publish.apply import Job, apply
from awning.publish.cell_outcome import REACHED, RIGHT, Summary
from awning.publish.cells import Ownership, ownership_of
from awning.publish.data.change import app_data_of
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.journal_entry import RunKind, RunTask
from awning.publish.journal.writer import JournalWriter
from awning.publish.operator import operator_name
from awning.publish.release.build_files import Build
from awning.publish.release.releases import Builds
from awning.publish.runner import RunSettings
from awning.publish.state.store import Installing
from awning.publish.stores import Stores


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallResult:
    """The result of `install`. `published` is whether all snippets are written to the instance."""

    installation: Installation
    published: bool


async def install(host: Host, code: Secret) -> InstallResult:
    """Do all missing steps of an installation.

    If the website cannot be read, or the snippets cannot be written, that is only logged. Raises ServiceError when
    another call fails or another worker has the turn. Raises another AwningError when `code` cannot be an authCode, or
    when the build, a database or the installation lock cannot be used.
    """
    key = host.key_of(code)
    async with host.turn(key), host.installing() as lock:
        before = await host.run_blocking(host.records.installation, key)
        is_new = await host.run_blocking(host.inventory.find, code) is None
        if before is None or before.removed_at is None:
            await host.run_blocking(host.add_installation, code, now=host.clock())
        if before is None or before.installed_at is None or before.removed_at is not None:
            try:
                await _call_installed(host, code, may_be_installed=before is not None)
            except ServiceError as problem:
                if is_new and is_refusal_of_code(problem):
                    await host.run_blocking(host.withdraw, code)
                raise
        # A removed authCode returns to the inventory only here, after the service has accepted it.
        installation = await host.run_blocking(host.add_installation, code, now=host.clock())
        installation = await _record_step(host, installation, "installed_at")
        return await _complete(host, installation, lock=lock, is_new=is_new)


async def adopt(host: Host, code: Secret) -> Installation:
    """Return the installation of an instance whose settings are opened.

    A complete installation is returned as it is. If the inventory has the instance, but the records do not, all steps
    are recorded as done. Otherwise the missing steps are done. The settings open even when the snippets cannot be
    written yet.

    Raises ServiceError when the service refuses the authCode, and what `install` raises.
    """
    key = host.key_of(code)
    installation = await host.run_blocking(host.records.installation, key)
    if installation is not None and installation.removed_at is None and installation.is_complete:
        return installation
    if installation is None and await host.run_blocking(host.inventory.find, code) is not None:
        await host.run(apps.languages(code))
        installation = await host.run_blocking(host.add_installation, code, now=host.clock())
        for step in ("installed_at", "configured_at", "published_at", "announced_at"):
            installation = await _record_step(host, installation, step)
        return await _read_website(host, installation)
    return (await install(host, code)).installation


async def _call_installed(host: Host, code: Secret, *, may_be_installed: bool) -> None:
    """Tell the service that the app is installed. Raises ServiceError unless the instance is known to be installed.

    The specification does not show what the service answers when the instance is already installed. It may refuse. So
    a refusal with HTTP 409 is checked, and so is any refusal (except Unauthorized) when an earlier request may have
    succeeded (`may_be_installed`). The check reads the languages: the service returns them only for installed
    instances.
    """
    try:
        await host.run(apps.installed(code))
    except Unauthorized:
        raise
    except Refused as problem:
        if not may_be_installed and problem.status != HTTPStatus.CONFLICT:
            raise
        await host.run(apps.languages(code))
        LOG.warning("installed was refused (HTTP %s), but the instance is installed", problem.status)


async def _complete(
    host: Host, installation: Installation, *, lock: Installing, is_new: bool
) -> InstallResult:
    """Do the missing steps after `installed`. `is_new` is whether this request put the instance into the inventory."""
    if installation.configured_at is None:
        async with host.app_data_locks.holding_async(installation.key):
            await _store_defaults(host, installation.code)
        installation = await _record_step(host, installation, "configured_at")
    if installation.url is None and installation.brand is None:
        installation = await _read_website(host, installation)
    if installation.published_at is None and await _publish(host, installation, lock=lock, is_new=is_new):
        installation = await _record_step(host, installation, "published_at")
    if installation.announced_at is None:
        await call_hook(host.hooks.on_installed, hosted_instance(installation))
        installation = await _record_step(host, installation, "announced_at")
        LOG.info("installed: %s", installation.key)
    return InstallResult(installation=installation, published=installation.published_at is not None)


async def read_data(host: Host, code: Secret) -> Any:
    """Return the stored app data, decoded (`app_data_of`). Raises ServiceError when the call fails."""
    data = await host.follow(app_data_of(code, host.calling))
    host.is_accepted = host.is_accepted or data != {}  # without app data, it may have been a refusal
    return data


async def _store_defaults(host: Host, code: Secret) -> None:
    """Store the data schema's defaults, unless app data are stored already."""
    served = await host.run_blocking(host.current.build)
    defaults = defaults_of(served.form.part)
    if defaults and await read_data(host, code) == {}:
        versioned = with_new_versions(defaults, {}, served.form.part)
        await host.run(apps.set_data(code, encode_app_data(versioned)))


async def _publish(host: Host, installation: Installation, *, lock: Installing, is_new: bool) -> bool:
    """Write the build's snippets to this instance. Returns whether all are written; if not, a later visit tries again.

    An instance that was in the inventory before (`is_new` is false) may be part of another publish. Nothing is written
    to such an instance while a publish is running; the result is then False. Nothing is written either if an earlier
    publish has written all its snippets; the result is then True.
    """
    instance = await host.run_blocking(host.inventory.find, installation.code)
    if instance is None:
        return False
    try:
        if not is_new and lock.is_publishing:
            LOG.info("the snippets of %s are left to the publish that is running", installation.key)
            return False
        if not is_new and await host.run_blocking(_is_published, host, installation.key):
            return True
        summary = await _apply(host, instance, lock)
    except AwningError as problem:  # only logged, because the visitor cannot repair the build or the journal
        LOG.error("the snippets of %s were not published: %s", installation.key, problem.message)
        return False
    for result in summary.failures:
        LOG.warning("a snippet of %s: %s, %s", installation.key, result.ending.outcome, result.ending.reason)
    return not summary.failures


def _is_published(host: Host, key: str) -> bool:
    """Return whether the journal says that each cell of the build is right: written, unchanged or skipped.

    Returns False when all of them were skipped.
    """
    with Stores(host.state) as stores:
        records = stores.journal.cells(key)
    build = host.current.build().files.build(heads=host.settings.head_snippets)
    outcomes = {records[language].outcome if language in records else None for language in build.snippets}
    return bool(outcomes & REACHED) and outcomes <= RIGHT


async def _apply(host: Host, instance: Instance, lock: Installing) -> Summary:
    """Publish to one instance as `awning publish apply` does, but under the installation lock.

    A publish that is running does not write to this instance, because the instance was added after that publish began.
    A publish that begins now waits for the end of the installation. So no two runs write the same cell.
    """
    with Stores(host.state) as stores:
        run, build, ownership = await host.run_blocking(_begin_run, host, instance, stores)
        settings = RunSettings(calling=host.calling, pace=host.settings.pace)
        job = Job(
            run=run,
            build_of=lambda _instance: build,
            instances=[instance],
            settings=settings,
            ownership=ownership,
            is_versioned=await host.run_blocking(stores.releases.describe_versions),
        )
        async with JournalWriter(stores.journal, lock.held) as writer:
            return await apply(job, host.send, writer)


def _begin_run(host: Host, instance: Instance, stores: Stores) -> tuple[int, Build, Ownership]:
    """Begin a run. Returns its number, the instance's build, and what the run may replace."""
    operator, heads = operator_name(os.environ, part="host"), host.settings.head_snippets
    files = host.current.build().files
    release, _ = stores.releases.create(files, operator=operator)
    current = files.build(heads=heads, release=release.number)
    build = Builds(current, stores.releases, heads=heads).of(instance)
    ownership = ownership_of(build, stores)
    what = f"release {build.release}, build {shorten_fingerprint(build.fingerprint)}, to a new instance"
    task = RunTask(kind=RunKind.INSTALLATION, release=build.release, only=(instance.key,))
    return stores.journal.begin(what, operator=operator, task=task), build, ownership


async def _read_website(host: Host, installation: Installation) -> Installation:
    """Record the website's address and brand, for the title of the settings page. A failed call is only logged.

    Earlier installations on the same website that are no longer valid are removed first.
    """
    try:
        website = await host.run(apps.website(installation.code))
    except ServiceError as problem:
        LOG.warning("the name of %s is not known: %s", installation.key, problem.message)
        return installation
    await _remove_stale_installations(host, installation, website.url)
    await host.run_blocking(host.set_website, installation, website.url, website.brandname)
    return await _reload(host, installation)


async def _remove_stale_installations(host: Host, installation: Installation, url: str | None) -> None:
    """Remove earlier installations on this website that its owner uninstalled in the catalogue.

    The service does not report an uninstallation to the app. The API key has just worked, so a refusal means that the
    authCode is no longer valid.
    """
    for other in await host.run_blocking(host.records.others, installation.key, url) if url else ():
        try:
            await host.run(apps.languages(other.code))
        except ServiceError as problem:
            if is_refusal_of_code(problem):
                await host.run_blocking(host.remove_installation, other, now=host.clock())
                LOG.info("was uninstalled at the service: %s", other.key)
                await call_hook(host.hooks.on_uninstalled, hosted_instance(other))


async def _record_step(host: Host, installation: Installation, step: str) -> Installation:
    if getattr(installation, step) is None:
        await host.run_blocking(host.records.update, installation.key, **{step: host.clock()})
        return await _reload(host, installation)
    return installation


async def _reload(host: Host, installation: Installation) -> Installation:
    return await host.run_blocking(host.records.installation, installation.key) or installation


GONE = {HTTPStatus.NOT_FOUND, HTTPStatus.GONE}


async def uninstall(host: Host, installation: Installation) -> None:
    """Call POST /apps/delete/, mark the installation as removed, and call the app's hook.

    A failed call counts as a success when the instance is known to be uninstalled (`_is_uninstalled`). Otherwise raises
    ServiceError, and does not mark the installation.
    """
    async with host.turn(installation.key):
        begun = installation.removing_at is not None
        await host.run_blocking(host.records.update, installation.key, removing_at=host.clock())
        try:
            await host.run(apps.delete(installation.code))
        except ServiceError as problem:
            if not await _is_uninstalled(host, installation.code, problem, begun=begun):
                if not problem.unclear:
                    await host.run_blocking(host.records.update, installation.key, removing_at=None)
                raise
        await host.run_blocking(host.remove_installation, installation, now=host.clock())
    LOG.info("uninstalled: %s", installation.key)
    await call_hook(host.hooks.on_uninstalled, hosted_instance(installation))


async def _is_uninstalled(host: Host, code: Secret, problem: ServiceError, *, begun: bool) -> bool:
    """Return whether the instance is known to be uninstalled, although the call failed with `problem`.

    `begun` is whether an earlier attempt was recorded. If so, a refusal of the authCode means that the earlier attempt
    succeeded. If the effect of this call is not clear, the languages are read: the service refuses that for an
    uninstalled instance.
    """
    if is_refusal_of_code(problem):
        return begun
    if not problem.unclear:
        return False
    try:
        await host.run(apps.languages(code))
    except ServiceError as second_problem:
        return is_refusal_of_code(second_problem)
    return False


def is_refusal_of_code(problem: ServiceError) -> bool:
    """Return whether the service refuses the authCode as unknown. A wrong API key gets the same response."""
    return isinstance(problem, Unauthorized) or (isinstance(problem, Refused) and problem.status in GONE)
