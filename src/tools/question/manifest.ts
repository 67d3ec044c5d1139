import type { Manifest } from '../manifest.ts';

export const questionManifest: Manifest = {
  id: 'question',
  effect: 'asks',
};
