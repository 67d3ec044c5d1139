import { expect, test } from 'vitest';
import type { AutomationSettings } from '../automation/arguments.ts';
import { configure, type ConfiguredParts } from './automation-configure.ts';

const script = { version: 1, turns: [{ steps: [{ text: 'Hi.' }] }] };

/** The names of what `configure` applies, in order. */
function parts(): ConfiguredParts & { readonly applied: string[] } {
  const applied: string[] = [];
  const note = (name: string) => () => void applied.push(name);
  return {
    applied,
    automate: note('automate'),
    setScript: note('script'),
    app: { hosts: { addHosts: async () => note('hosts')() } },
    models: { choose: async () => note('model')() },
    permissions: { override: note('permission') },
  };
}

const page = new URL('https://vitrine.example/');

test.each<[string, Partial<AutomationSettings>]>([
  ['permission-invalid', { permission: { bash: 'dney' } }],
  ['permission-invalid', { provider: 'you', permission: 'alow' }],
  ['no-host', { hosts: ['https://a.example/x'] }],
  ['script-invalid', { script: { version: 1, turns: [] } }],
  ['settings-invalid', { provider: 'nobody' }],
  ['settings-invalid', { model: '' }],
])('settings that are refused as %s change nothing: %j', async (code, wrong) => {
  const given = parts();
  const settings = { provider: 'openai', apiKey: 'k', model: 'gpt-5', ...wrong };
  await expect(configure(given, settings, page)).rejects.toMatchObject({ fault: { code } });
  expect(given.applied).toEqual([]);
});

test('settings that hold are applied, what allows more last', async () => {
  const given = parts();
  const settings = { provider: 'scripted', model: 'm', script, permission: 'allow', hosts: ['a.example'] };
  await configure(given, settings, page);
  expect(given.applied).toEqual(['automate', 'model', 'hosts', 'permission', 'script']);
});
