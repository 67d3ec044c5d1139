/// <reference types="trusted-types" />

/**
 * Every worker of the app starts here, through the one policy that may name a script: it takes addresses of our own
 * origin and nothing else, so that injected text can never become a worker.
 */
const policy = window.trustedTypes?.createPolicy('vitrine-worker', { createScriptURL: ownOrigin });

/** Throws a `TypeError` for an address outside the page's origin. */
export function startWorker(url: string | URL, name: string): Worker {
  const address = new URL(url, document.baseURI).href;
  const trusted = policy?.createScriptURL(address) ?? ownOrigin(address);
  // The DOM types know only strings here; a browser with trusted types takes nothing but the policy's object.
  return new Worker(trusted as string, { type: 'module', name });
}

function ownOrigin(url: string): string {
  if (new URL(url, document.baseURI).origin !== location.origin)
    throw new TypeError(`A worker must come from ${location.origin}, not ${url}`);
  return url;
}
