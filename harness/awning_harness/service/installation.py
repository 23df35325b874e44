"""The steps of a user who installs an app or opens its settings, and the addresses to which the browser is sent.

Source: Apps Integration API, Installation process. The steps of an installation are

    Install  -> app_install_url (no authCode)        the app answers with the return link:
             -> callback, /accept/<token>            the permission screen; when accepted, an instance is created
             -> app_install_url with authCode        the app calls `installed`, and may return:
             -> callback, /installed/<instance>

Opening the settings is one step: app_settings_url with authCode. From there the app may return to the callback without
parameters, /saved/<instance> (observed). Every address of the app is signed with the app's secret.
"""

import secrets

from awning_harness.service.service import Service
from awning_harness.service.signing import signed_url
from awning_harness.service.store import instances
from awning_harness.service.store.apps import App
from awning_harness.service.store.instances import InstallRequest, Instance, InstanceState


class CannotInstall(ValueError):
    """The app's manifest lacks a field that the installation or the settings need. The message names the field."""


class Installation:
    """The steps of an installation on a service."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def begin(self, app_id: int, website_id: int, language: str) -> str:
        """Handle a click on Install. Returns the address for the browser.

        Raises LookupError when there is no such app or website, and CannotInstall when the manifest lacks a field.
        """
        app, token = self._service.app(app_id), secrets.token_urlsafe(16)
        if self._service.website(website_id) is None:
            raise LookupError(f"there is no website {website_id}")
        url = self._to_app(app, "app_install_url", language=language, callback=f"accept/{token}")
        request = InstallRequest(app_id=app_id, website_id=website_id, language=language)
        with self._service.database.writing() as db:
            instances.add_install_request(db, token, request, self._service.clock.now())
        return url

    def requested(self, token: str) -> InstallRequest:
        """Return the requested installation whose callback has this token. Raises LookupError when there is none."""
        with self._service.database.reading() as db:
            request = instances.find_install_request(db, token)
        return _checked(request)

    def accept(self, token: str) -> str:
        """Make the instance after the user accepted. Returns the address for the browser.

        Raises LookupError when the token is unknown or used, and CannotInstall when the manifest lacks a field.
        """
        with self._service.database.writing() as db:
            request = _checked(instances.take_install_request(db, token))
            code = self._service.install(request.app_id, request.website_id, state=InstanceState.INSTALLING)
            instance = self._service.instance(code)
            app = self._service.app(request.app_id)
            return self._to_app(
                app,
                "app_install_url",
                language=request.language,
                callback=f"installed/{instance.id}",
                code=code,
            )

    def decline(self, token: str) -> InstallRequest:
        with self._service.database.writing() as db:
            return _checked(instances.take_install_request(db, token))

    def settings(self, instance: Instance, language: str) -> str:
        """Handle a click on Settings. Returns the address for the browser.

        Raises CannotInstall when the manifest lacks a field.
        """
        with self._service.database.reading() as db:
            code = self._service.vault.open(instances.sealed_code(db, instance.id))
        app = self._service.app(instance.app_id)
        return self._to_app(
            app, "app_settings_url", language=language, callback=f"saved/{instance.id}", code=code
        )

    def uninstall(self, instance: Instance) -> None:
        """Remove an app for the user. The effect is the same as that of the call `delete`. The app is not notified."""
        with self._service.database.writing() as db:
            instances.uninstall(db, instance.id, self._service.clock.now())

    def _to_app(self, app: App, field: str, *, language: str, callback: str, code: str | None = None) -> str:
        url = app.manifest.get(field)
        if not isinstance(url, str) or not url.startswith(("http://", "https://")):
            raise CannotInstall(f"the manifest has no {field}")
        if app.sealed_secret is None:
            raise CannotInstall("the manifest has no app_secret to sign with")
        parameters = [
            *([("authCode", code)] if code else []),
            ("appId", str(app.id)),
            ("language", language),
            ("callback", f"{self._service.addresses.portal_url}/{callback}"),
            (self._service.dialect.version_parameter, self._service.assumptions["version-form"]),
        ]
        return signed_url(url, parameters, self._service.vault.open(app.sealed_secret))


def _checked(request: InstallRequest | None) -> InstallRequest:
    if request is None:
        raise LookupError("this installation was already accepted or declined, or was never requested")
    return request
