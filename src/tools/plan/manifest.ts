import type { Manifest } from '../manifest.ts';

export const planEnterManifest: Manifest = {
  id: 'plan_enter',
  effect: 'asks',
  aliases: { 'plan-enter': {} },
};

export const planExitManifest: Manifest = {
  id: 'plan_exit',
  effect: 'asks',
  aliases: { 'plan-exit': {} },
};
