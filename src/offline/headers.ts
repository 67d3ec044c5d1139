import type { Build } from './build.ts';

const POLICY = 'Content-Security-Policy';
/** The documents of frames without an origin, and what each may do. */
const FRAMES: Readonly<Record<string, string>> = {
  'sandbox.html': 'sandbox allow-scripts',
  'engine.html': 'sandbox allow-scripts',
  'preview.html': 'sandbox allow-scripts allow-forms allow-modals allow-downloads',
};

/**
 * Adds those of the site's headers that the host did not send, so that the page is isolated on every host. The documents of
 * frames without an origin are sandboxed by their own answer: the worker is not asked for frames that their element sandboxes.
 */
export function withHeaders(response: Response, path: string, { headers }: Pick<Build, 'headers'>): Response {
  // An answer that is opaque to the worker, such as a redirect for the browser to follow, passes as it is.
  if (response.type === 'opaqueredirect' || response.type === 'error') return response;
  const wanted = { ...headers.every, ...(path.startsWith('assets/') && headers.assets) };
  const missing = Object.entries(wanted).filter(([name]) => !response.headers.has(name));
  const sandbox = FRAMES[path];
  if (missing.length === 0 && sandbox === undefined && !response.redirected) return response;
  const all = new Headers(response.headers);
  for (const [name, value] of missing) all.set(name, value);
  if (sandbox !== undefined) all.append(POLICY, sandbox);
  return new Response(response.body, {
    status: response.status,
    statusText: response.statusText,
    headers: all,
  });
}
