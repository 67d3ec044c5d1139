import { expect, test } from 'vitest';
import { countingIds } from '../../base/clock.ts';
import { Stepper } from '../../session/stepping/stepper.ts';
import { Stepping } from './stepping.svelte.ts';

const preferences = { get: () => null, set() {} };

test('a session that is shown while the key before it is still being heeded is the one that is stepped', async () => {
  let shown = '';
  let loaded: (stepper: Stepper) => void = () => {};
  const loading = new Promise<Stepper>((resolve) => (loaded = resolve));
  const own = new Stepper(countingIds());
  const stepping = new Stepping(
    (id) => (id === '' ? loading : Promise.resolve(own)),
    () => shown,
    preferences,
  );
  const acted = stepping.act('step');
  shown = 'ses_a';
  await stepping.handOver();
  loaded(new Stepper(countingIds()));
  await acted;
  expect(stepping.stepper).toBe(own);
  expect(own.mode).toBe('step');
});
