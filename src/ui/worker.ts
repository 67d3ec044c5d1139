/// <reference types="trusted-types" />

import { watchWorker } from '../base/parts.ts';

/**
 * Every worker of the app starts through this one policy. It accepts only script addresses of the page's own
 * origin, so that injected text can never become a worker.
 */
const policy = window.trustedTypes?.createPolicy('vitrine-worker', { createScriptURL: ownOrigin });

/** Throws a `TypeError` for an address outside the page's origin. */
export function startWorker(url: string | URL, name: string): Worker {
  const worker = new Worker(scriptAddress(url), { type: 'module', name });
  watchWorker(worker);
  return worker;
}

/** The address as a browser with trusted types takes it for a script. Throws as {@link startWorker} does. */
export function scriptAddress(url: string | URL): string {
  const address = new URL(url, document.baseURI).href;
  const trusted = policy?.createScriptURL(address) ?? ownOrigin(address);
  // The DOM types know only strings here; a browser with trusted types accepts only the policy's object.
  return trusted as string;
}

function ownOrigin(url: string): string {
  if (new URL(url, document.baseURI).origin !== location.origin)
    throw new TypeError(`A worker must come from ${location.origin}, not ${url}`);
  return url;
}
