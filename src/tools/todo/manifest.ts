import type { Manifest } from '../manifest.ts';

export const todowriteManifest: Manifest = {
  id: 'todowrite',
  effect: 'session',
  permission: { id: 'todowrite', rules: { '*': 'allow' } },
};

export const todoreadManifest: Manifest = {
  id: 'todoread',
  effect: 'session',
  permission: { id: 'todoread', rules: { '*': 'allow' } },
  quiet: true,
};
