import { WebContainer } from '@webcontainer/api';
import { inject } from 'vitest';
import type { Client } from '../../../src/workspace/webcontainer/container.ts';
import { knobsToJson, pessimistic, type Knobs } from './knobs.ts';

/** They hold from the next boot on. */
export async function setKnobs(knobs: Partial<Knobs>): Promise<void> {
  const host = inject('runtimeHost');
  await fetch(`${host}/knobs`, { method: 'POST', body: knobsToJson({ ...pessimistic, ...knobs }) });
  Object.assign(globalThis, { WEBCONTAINER_API_IFRAME_URL: host });
}

/** Boots the client, as it is, on the test host; the knobs hold from this boot on. */
export async function bootOnHost(knobs: Partial<Knobs> = {}): Promise<Client> {
  await setKnobs(knobs);
  return WebContainer.boot({ workdirName: 'project' });
}
