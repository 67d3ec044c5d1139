import type { Manifest } from '../manifest.ts';

export const websearchManifest: Manifest = {
  id: 'websearch',
  effect: 'web',
  permission: {
    id: 'websearch',
    rules: { '*': 'ask' },
    question: 'search the web',
    label: 'Search the web',
    asksByDefault: 'Searching the web asks by default.',
  },
};
