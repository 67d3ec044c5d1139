import type { Fault } from '../../base/fault.ts';

function problem(code: string, what: string, next: string): Fault {
  return { code: `webcontainer-${code}`, what, next };
}

/** What can be wrong with a boot, each with what it means and what may help. */
export const PROBLEMS = {
  phone: problem('phone', 'WebContainers do not run on iPhones and iPads.', 'Use a computer to run Node.'),
  notIsolated: problem(
    'not-isolated',
    'This page is not cross-origin isolated, which WebContainers need.',
    'Whoever hosts it can send the headers that docs/hosting.md names.',
  ),
  offline: problem('offline', 'The browser is offline.', 'Try again when there is a network.'),
  unreachable: problem(
    'unreachable',
    'stackblitz.com, where WebContainers come from, cannot be reached.',
    'Check the network, a blocker or the name server, and try again.',
  ),
  silent: problem(
    'silent',
    'stackblitz.com took the connection and does not answer.',
    'Try again; a proxy or firewall may hold it back.',
  ),
  refused: (how: string) =>
    problem(
      'refused',
      `stackblitz.com answered, but ${how}.`,
      'A blocker of third-party storage or a missing API key may be why. Set the key in Settings, or try again.',
    ),
  keyRefused: (how: string) =>
    problem(
      'key-refused',
      `stackblitz.com does not take the API key on this site: it answered, but ${how}.`,
      'Check the key in Settings and the list of sites that it is good for, then reload the page.',
    ),
  headers: problem(
    'headers',
    'The browser refused the frame of the WebContainer, because its headers do not fit this page.',
    'StackBlitz may refuse this site or its API key, or something in between may have answered.',
  ),
  policy: problem(
    'policy',
    'This site’s policy does not let it show the frame of the WebContainer.',
    'Whoever hosts it can allow the frame of stackblitz.com, as docs/hosting.md says.',
  ),
  slow: problem(
    'slow',
    'The WebContainer was loaded but has not started.',
    'It may be short of memory: close other tabs and reload the page. If it comes late, it is offered.',
  ),
  notLoaded: problem('not-loaded', 'The WebContainer client could not be loaded.', 'Reload the page.'),
  failed: problem('failed', 'The WebContainer did not start.', 'Try again, or reload the page.'),
} satisfies Record<string, Fault | ((how: string) => Fault)>;
