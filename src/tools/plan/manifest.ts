import type { Manifest } from '../manifest.ts';

export const planEnterManifest: Manifest = {
  id: 'plan_enter',
  effect: 'asks',
  card: { verb: 'Plan first', icon: 'wrench' },
  aliases: { 'plan-enter': {} },
};

export const planExitManifest: Manifest = {
  id: 'plan_exit',
  effect: 'asks',
  card: { verb: 'Plan is ready', icon: 'wrench' },
  aliases: { 'plan-exit': {} },
};
