import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { finish, say } from '../../test/support/parts-model.ts';
import { finished, interrupted, recordFrom } from '../../test/support/recordings.ts';
import { passing } from '../../test/support/session-harness.ts';
import { recordingText } from '../../src/session/recording/record.ts';
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

test('a recording is asked what its last version was asked, and not what was taken back or never answered', async () => {
  const over = await finished([
    [...say('To A.'), finish()],
    [...say('To B.'), finish()],
    [...say('To C.'), finish()],
  ]);
  const ask = async (text: string) => {
    await over.session.prompt(text);
    await passing(over.timer, 16, over.session.rested());
    await over.session.stored();
  };
  await ask('Question B');
  const asked = await over.store.events(over.session.id, 0);
  const taken = asked.findLast((event) => event.type === 'prompt.accepted');
  const { restores } = over.session;
  const plan = await restores.plan({ kind: 'before', messageID: taken?.messageID ?? '' });
  await restores.run(plan, { conversation: true, files: true });
  await ask('Question C');
  const source = await written(
    JSON.parse(await recordingText(await recordFrom(over.store, over.session.id))),
  );
  const { prompts, script } = await readSource(source);
  expect(prompts).toEqual([{ text: 'Fix add' }, { text: 'Question C' }]);
  expect(script.turns.map(({ steps }) => steps)).toEqual([[{ text: 'To A.' }], [{ text: 'To C.' }]]);
});

test('messages that came while the agent worked are sent at the same step, and the answer of that step waits for them', async () => {
  const over = await interrupted();
  const source = await written(
    JSON.parse(await recordingText(await recordFrom(over.store, over.session.id))),
  );
  const { prompts, script } = await readSource(source);
  expect(prompts).toEqual([{ text: 'Fix add', during: [{ text: 'And be quick\n\nReally', step: 2 }] }]);
  expect(script.turns.map(({ steps }) => steps.map((step) => Reflect.get(step, 'delayMs')))).toEqual([
    [undefined, 1000],
    [undefined],
  ]);
});

test('a script is asked with its title, and to go on for each further turn', async () => {
  const step = { steps: [{ text: 'ok' }] };
  const files = { 'a.txt': 'a' };
  const turns = [step, { when: 'sub', ...step }, step];
  const script = { version: 1, title: 'Add two numbers', chunkDelayMs: 0, turns };
  expect(await readSource(await written({ ...script, files }))).toEqual({
    kind: 'script',
    prompts: [{ text: 'Add two numbers' }, { text: 'Go on.' }],
    script,
    files,
  });
});

test('what is neither is refused with the name of the file', async () => {
  await expect(readSource('none.json')).rejects.toThrow('There is no file none.json.');
  await expect(readSource(await written('{'))).rejects.toThrow(/source\.json: .*JSON/);
  await expect(readSource(await written({ version: 1 }))).rejects.toThrow(/source\.json: The script is not/);
});
