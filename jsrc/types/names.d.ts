/**
 * Identifiers that the build replaces: by names of the service (`awning.contract.Dialect`), and by facts of the app and
 * the build. A white-label service may use other names for its global and its events.
 */

/** The service's global object, as an identifier: `svcPlugins`. In head code, check with `typeof` that it exists. */
declare const AWNING_GLOBAL: import("./service.ts").ServiceGlobal;

/** The prefix of every event name: `svc-`. */
declare const AWNING_EVENT_PREFIX: string;

/** The app's title. */
declare const AWNING_APP: string;

/** The address to which pages report failures and renderings of widgets, or "". */
declare const AWNING_BEACON: string;

/** The build and the language of the snippet, as reports name them: `0123456789ab.lv`. */
declare const AWNING_BUILD: string;

/** The share of page views that report that a widget rendered: above 0, up to 1; 0 when none report it. */
declare const AWNING_BEACON_SAMPLE_RATE: number;

/** Whether this is a development build, in which open pages of `awning dev` can replace the code of widgets. */
declare const AWNING_DEV: boolean;

/** Whether the app data can disable widgets. */
declare const AWNING_KILL_SWITCH: boolean;

/** The name of the service's global as a string. Only code that defines or wraps the global is built with this. */
declare const AWNING_GLOBAL_NAME: string;

/** The assumptions about events, by id. Only the emulator is built with this. */
declare const AWNING_ASSUMPTIONS: Record<string, { alternatives: string[]; sets: Record<string, string> }>;

/** The ends of the names of the events whose updates may repeat. Only the emulator is built with this. */
declare const AWNING_REPEATING: string[];

/** Defined for the page on which `awning check` runs scripts. */
declare const AWNING_IGNORE_GLOBALS: true;
