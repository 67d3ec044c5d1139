import type { Manifest } from '../manifest.ts';

export const batchManifest: Manifest = {
  id: 'batch',
  effect: 'session',
};
