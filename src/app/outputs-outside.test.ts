import { expect, test } from 'vitest';
import { memoryStorage } from '../storage/memory/storage.ts';
import { outputsOutside } from './outputs-outside.ts';

const own = { 'AGENTS.md': 'Be brief.', 'skills/a/SKILL.md': 'x' };
const outside = outputsOutside(
  'wsp_1',
  () => [],
  memoryStorage().blobs,
  () => new Map(),
  () => own,
);

async function names(path: string): Promise<readonly string[] | null> {
  const entry = await outside.look(path);
  return entry?.type === 'directory' ? entry.entries.map(({ name }) => name) : null;
}

test('own files are in ~/.config/opencode, and next to the outputs in ~/.opencode', async () => {
  expect(await names('.config/opencode')).toEqual(['AGENTS.md', 'skills']);
  expect(await names('.opencode')).toEqual(['truncate', 'AGENTS.md', 'skills']);
  expect(await names('.opencode/skills/a')).toEqual(['SKILL.md']);
  expect(await names('.opencode/truncate')).toEqual([]);
  for (const path of ['.config/opencode/AGENTS.md', '.opencode/AGENTS.md']) {
    const entry = await outside.look(path);
    expect(entry?.type === 'file' && new TextDecoder().decode(entry.bytes)).toBe('Be brief.');
  }
  for (const path of ['.config/opencode/gone', '.opencode/truncate/ses_2', '.opencode/toString'])
    expect(await outside.look(path)).toBeNull();
});
