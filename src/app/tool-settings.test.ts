import { expect, test } from 'vitest';
import { memoryStorage } from '../storage/memory/storage.ts';
import { ToolSettings } from './tool-settings.ts';

const BATCH = 'experimental.batch_tool';
const OTHERS = ['experimental.lsp_tool', 'lsp.after_changes'];

test('a switch keeps its last state, also after a reload', async () => {
  const { settings } = memoryStorage();
  const tools = new ToolSettings(settings);
  await tools.load();
  expect(tools.flags()).toEqual(new Set([BATCH, ...OTHERS]));
  let heard = 0;
  tools.onChange(() => heard++);
  await tools.setSwitch(BATCH, false);
  expect(heard).toBe(1);
  expect(tools.flags()).toEqual(new Set(OTHERS));
  const again = new ToolSettings(settings);
  await again.load();
  expect(again.switches()[0]).toEqual({ name: BATCH, on: false });
});

test('unreadable settings count as defaults', async () => {
  const { settings } = memoryStorage();
  await settings.set('tools', { switches: 'all' });
  const tools = new ToolSettings(settings);
  await tools.load();
  expect(tools.flags()).toEqual(new Set([BATCH, ...OTHERS]));
});
