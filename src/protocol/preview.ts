import type { FromServer, NetHeaders, ToServer } from './exchange.ts';

/*
 * A preview shows what the workspace serves, on an origin of its own. Its service worker hands every request to the app; the
 * frame of the app (the shell) holds the frame that shows the page; a script in the page tells what happens in it.
 */

/** The folder of the preview's own files. Nothing of the workspace is served below it. */
export const PREVIEW_FOLDER = '/__vitrine__/';
export const SHELL_PATH = `${PREVIEW_FOLDER}shell.html`;
export const SHELL_SCRIPT_PATH = `${PREVIEW_FOLDER}shell.js`;
export const PAGE_SCRIPT_PATH = `${PREVIEW_FOLDER}page.js`;
/** Requests to another server of the workspace: the port and its path follow. */
export const PORT_FOLDER = `${PREVIEW_FOLDER}port/`;

const OWN_HOST = /^(localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/;

/**
 * The port of the workspace's server that an address means, as its programs know their servers; undefined for the addresses of
 * other hosts.
 */
export function ownPortOf({ hostname, port }: URL): number | undefined {
  return OWN_HOST.test(hostname) ? Number(port || 80) : undefined;
}

/** The service worker, which must lie at the root to answer for all of it. */
export const PREVIEW_WORKER_PATH = '/vitrine-preview-worker.js';

/** A request of the preview. Its channel comes with it. */
export interface PreviewRequest {
  readonly method: string;
  /** The path with the query on the preview's origin. */
  readonly target: string;
  readonly headers: NetHeaders;
  /** Whether a body follows over the channel. */
  readonly hasBody: boolean;
  /** The kind of request as the browser names it: `document`, `script`, `image` and so on; empty for `fetch`. */
  readonly destination: string;
  /** The path of the page that asks; empty where it is not known. */
  readonly referrer: string;
  readonly cookies: boolean;
}

/** Messages over a request's channel to the app. */
export type FromClient =
  ToServer | { readonly kind: 'body'; readonly bytes: Uint8Array<ArrayBuffer> } | { readonly kind: 'end' };

/** Messages over a request's channel from the app. `used` counts bytes of the request's body. */
export type ToClient = FromServer | { readonly kind: 'used'; readonly bytes: number };

/**
 * From the shell to the app, by `postMessage` to its window: that it has come a step further, and that its service worker is in
 * charge or cannot be had.
 */
export interface ShellReady {
  readonly vitrine: 'shell-progress' | 'shell-ready' | 'shell-failed';
  /** Why there is no service worker. */
  readonly reason?: string;
}

/** The app's answer over the port that comes with `shell-ready`, with the port that both use from then on. */
export interface ShellConnect {
  readonly vitrine: 'connect';
}

/** From the shell to the app; each comes with a port. */
export type FromShell = { readonly kind: 'worker' } | { readonly kind: 'page' };

export type ToShell = { readonly kind: 'open'; readonly target: string } | { readonly kind: 'reload' };

export const CONSOLE_LEVELS = ['debug', 'log', 'info', 'warn', 'error'] as const;
export type ConsoleLevel = (typeof CONSOLE_LEVELS)[number];

/** From the script in a page to the app. Everything in it is up to the page. */
export type FromPage =
  /** Where the page is now: when it begins, when it is loaded, and when its script changes the address. */
  | { readonly kind: 'at'; readonly target: string; readonly title: string; readonly loaded: boolean }
  | {
      readonly kind: 'console';
      readonly level: ConsoleLevel;
      readonly text: string;
      /** The place in the source, such as `/main.js:3:5`; empty where it is not known. */
      readonly source: string;
    }
  | { readonly kind: 'error'; readonly text: string; readonly source: string; readonly stack: string }
  /** The browser refused to load something, because of the preview's policy. */
  | { readonly kind: 'blocked'; readonly url: string; readonly directive: string }
  | { readonly kind: 'cookie'; readonly text: string }
  /** Opens a WebSocket. It comes with a port. */
  | { readonly kind: 'socket'; readonly url: string; readonly protocols: readonly string[] }
  /** Another document takes its place. */
  | { readonly kind: 'left' }
  /** Only where there is no service worker. It comes with a port. */
  | { readonly kind: 'request'; readonly request: PreviewRequest }
  /** Only where there is no service worker: the page wants to go elsewhere. */
  | { readonly kind: 'navigate'; readonly target: string; readonly form?: PreviewForm }
  | { readonly kind: 'answer'; readonly id: number; readonly value: string }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };

export interface PreviewForm {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export type ToPage =
  | { readonly kind: 'do'; readonly id: number; readonly action: PageAction }
  /** The cookies that scripts may see, as `document.cookie`. */
  | { readonly kind: 'cookies'; readonly text: string };

/** The agent acts in a page. Elements are named by the refs of the last snapshot. */
export type PageAction =
  | { readonly do: 'snapshot' }
  /** The text that is to be seen. */
  | { readonly do: 'text' }
  | { readonly do: 'click'; readonly ref: string }
  | { readonly do: 'type'; readonly ref: string; readonly text: string; readonly submit: boolean }
  | { readonly do: 'press'; readonly key: string; readonly ref?: string }
  | { readonly do: 'select'; readonly ref: string; readonly values: readonly string[] }
  | { readonly do: 'evaluate'; readonly code: string }
  /** Draws what is in view, or one element. `script` can do that; the answer is a data URL. */
  | { readonly do: 'picture'; readonly script: string; readonly ref?: string }
  /** Lets the person pick an element. The answer is a `PickedElement` as JSON, or empty where nothing was picked. */
  | { readonly do: 'pick' }
  /** Points at another element than the one before, as the arrow keys do. The answer says which. */
  | { readonly do: 'point'; readonly to: PickStep }
  /** Ends the picking, with the element that is pointed at or without any. */
  | { readonly do: 'end-pick'; readonly take: boolean };

export type PickStep = 'next' | 'previous' | 'outer' | 'inner';

/** An element of a page that the person picked. Everything in it is up to the page. */
export interface PickedElement {
  readonly selector: string;
  readonly role: string;
  readonly name: string;
  readonly text: string;
  /** The beginning of its HTML. */
  readonly html: string;
  /** The place in the source that made it, as the page's framework knows it; empty where it does not. */
  readonly source: string;
}

/** Over the port of a WebSocket, from the page. */
export type FromSocketPage =
  | { readonly kind: 'send'; readonly data: string | Uint8Array<ArrayBuffer> }
  | { readonly kind: 'close'; readonly code?: number; readonly reason?: string };

export type ToSocketPage =
  | { readonly kind: 'open'; readonly protocol: string }
  | { readonly kind: 'message'; readonly data: string | Uint8Array<ArrayBuffer> }
  | { readonly kind: 'closed'; readonly code: number; readonly reason: string; readonly clean: boolean };

/** How many characters of a text of a page are kept. */
export const LONGEST_PAGE_TEXT = 20_000;
/** How many characters each text of a picked element has at most. */
export const LONGEST_PICKED_TEXT = 1_000;
/** How many characters an answer to an action has at most. */
export const LONGEST_PAGE_ANSWER = 400_000;
/** How many characters the data URL of a picture has at most: about 4.5 MB of an image. */
export const LONGEST_PAGE_PICTURE = 6_000_000;
/** The longer side of a picture of a page, in pixels. What models are sent is made no smaller than this by their providers. */
export const PICTURE_SIDE = 1_568;
