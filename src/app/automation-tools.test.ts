import { expect, test } from 'vitest';
import { NO_SETUP, type Setup } from '../agents/setup.ts';
import { builtinTools } from '../tools/builtin.ts';
import { ToolRegistry } from '../tools/registry.ts';
import { toolsHere } from './automation-tools.ts';

const missing = () => Promise.reject(new Error('not provided in this test'));

async function offered(
  switches: Readonly<Record<string, boolean>>,
  flags: Setup['flags'] = {},
): Promise<string[]> {
  const app = {
    tools: { switches: () => Object.entries(switches).map(([name, on]) => ({ name, on })) },
    configurations: { refresh: missing, ownFiles: () => ({}) },
    workspaces: { open: missing },
  };
  const parts = {
    app,
    models: { choice: () => null },
    permissions: { current: () => ({}) },
    registry: new ToolRegistry(builtinTools),
  };
  const here = await toolsHere(parts, undefined, () => ({ ...NO_SETUP, flags }), {});
  return here.offered.map(({ id }) => id);
}

test('tools with a switch are listed as requests offer them: by the settings, then by configuration files', async () => {
  const name = 'experimental.batch_tool';
  expect(await offered({ [name]: true })).toContain('batch');
  expect(await offered({ [name]: false })).not.toContain('batch');
  expect(await offered({ [name]: true }, { [name]: false })).not.toContain('batch');
  expect(await offered({ [name]: false }, { [name]: true })).toContain('batch');
});
