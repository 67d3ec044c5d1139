import type { Manifest } from '../manifest.ts';

export const webfetchManifest: Manifest = {
  id: 'webfetch',
  effect: 'web',
  permission: {
    id: 'webfetch',
    // An address can carry away what was read.
    rules: { '*': 'ask' },
    question: 'fetch a page',
    label: 'Fetch pages',
    asksByDefault: 'Fetching pages asks by default.',
    anything: 'any page',
  },
};
