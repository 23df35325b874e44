/**
 * Names that the build puts in place of these identifiers, from the dialect of the service
 * (`awning.contract.Dialect`). A white-label service may call its global and its events differently.
 */

/** The service's global object, as an identifier: `svcPlugins`. Guard with `typeof` in head code. */
declare const AWNING_GLOBAL: import("./service.ts").ServiceGlobal;

/** What every event name begins with: `svc-`. */
declare const AWNING_EVENT_PREFIX: string;

/** The app's title. */
declare const AWNING_APP: string;

/** Where failing renders are told, or nothing. */
declare const AWNING_BEACON: string;

/** The name of the service's global as a string. Only the emulator, which defines it, is built with this. */
declare const AWNING_GLOBAL_NAME: string;
