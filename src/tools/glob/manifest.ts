import type { Manifest } from '../manifest.ts';

export const globManifest: Manifest = {
  id: 'glob',
  effect: 'reads',
  permission: {
    id: 'glob',
    rules: { '*': 'allow' },
    question: 'search file names',
    label: 'Search file names',
  },
  quiet: true,
};
