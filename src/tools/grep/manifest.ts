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
  card: { verb: 'Search', icon: 'search', subject: ['pattern'], folder: 'path', quiet: true },
};
