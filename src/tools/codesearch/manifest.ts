import type { Manifest } from '../manifest.ts';

export const codesearchManifest: Manifest = {
  id: 'codesearch',
  effect: 'web',
  permission: {
    id: 'codesearch',
    rules: { '*': 'ask' },
    question: 'search public code',
    label: 'Search public code',
    asksByDefault: 'Searching public code asks by default.',
  },
};
