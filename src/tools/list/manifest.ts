import type { Manifest } from '../manifest.ts';

export const listManifest: Manifest = {
  id: 'list',
  effect: 'reads',
  permission: {
    id: 'list',
    rules: { '*': 'allow' },
    question: 'list a folder',
    label: 'List folders',
    anything: 'any folder',
  },
  quiet: true,
};
