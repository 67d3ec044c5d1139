import type { Manifest } from '../manifest.ts';

export const grepManifest: Manifest = {
  id: 'grep',
  effect: 'reads',
  permission: {
    id: 'grep',
    rules: { '*': 'allow' },
    question: 'search in files',
    label: 'Search in files',
  },
  quiet: true,
};
