import type { Fault } from '../../base/fault.ts';

function problem(code: string, what: string, next: string): Fault {
  return { code: `webcontainer-${code}`, what, next };
}

/** The faults of a boot, each with its meaning and what may help. */
export const PROBLEMS = {
  phone: problem('phone', 'WebContainers do not run on iPhones and iPads.', 'Use a computer to run Node.'),
  notIsolated: problem(
    'not-isolated',
    'This page is not cross-origin isolated, which WebContainers need.',
    'Its server has to send the headers listed in docs/hosting.md.',
  ),
  offline: problem('offline', 'The browser is offline.', 'Try again when you are online.'),
  unreachable: problem(
    'unreachable',
    'stackblitz.com, where WebContainers come from, cannot be reached.',
    'Check the network, a blocker or the name server, and try again.',
  ),
  silent: problem(
    'silent',
    'stackblitz.com accepted the connection but does not answer.',
    'Try again. A proxy or firewall may be blocking it.',
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
      'Check the key in Settings and the sites that it is valid for, then reload the page.',
    ),
  headers: problem(
    'headers',
    'The browser refused the frame of the WebContainer, because its headers do not fit this page.',
    'StackBlitz may have refused this site or its API key, or a proxy may have answered.',
  ),
  policy: problem(
    'policy',
    'This site’s policy does not let it show the frame of the WebContainer.',
    'Its server has to allow frames from stackblitz.com, as docs/hosting.md explains.',
  ),
  slow: problem(
    'slow',
    'The WebContainer was loaded but has not started.',
    'It may be short of memory: close other tabs and reload the page. If it comes late, it is offered.',
  ),
  notLoaded: problem('not-loaded', 'The WebContainer client could not be loaded.', 'Reload the page.'),
  failed: problem('failed', 'The WebContainer did not start.', 'Try again, or reload the page.'),
} satisfies Record<string, Fault | ((how: string) => Fault)>;
