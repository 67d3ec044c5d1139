import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readSource } from './source.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vitrine-source-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function written(content: unknown): Promise<string> {
  const file = path.join(folder, 'source.json');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

test('a recording gives its prompts, its files and the answers of its model', async () => {
  const { kind, prompts, files, script } = await readSource('public/examples/demo.vitrine.json');
  expect(kind).toBe('recording');
  expect(prompts).toHaveLength(1);
  expect(Object.keys(files).length).toBeGreaterThan(0);
  expect(script.chunkDelayMs).toBe(0);
  expect(JSON.stringify(script.turns)).toContain('"tool":"edit"');
});

test('a script is asked with its title, and to go on for each further turn', async () => {
  const step = { steps: [{ text: 'ok' }] };
  const files = { 'a.txt': 'a' };
  const turns = [step, { when: 'sub', ...step }, step];
  const script = { version: 1, title: 'Add two numbers', chunkDelayMs: 0, turns };
  expect(await readSource(await written({ ...script, files }))).toEqual({
    kind: 'script',
    prompts: ['Add two numbers', 'Go on.'],
    script,
    files,
  });
});

test('what is neither is refused with the name of the file', async () => {
  await expect(readSource('none.json')).rejects.toThrow('There is no file none.json.');
  await expect(readSource(await written('{'))).rejects.toThrow(/source\.json: .*JSON/);
  await expect(readSource(await written({ version: 1 }))).rejects.toThrow(/source\.json: The script is not/);
});
