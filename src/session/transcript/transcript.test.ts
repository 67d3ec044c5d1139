import { expect, test } from 'vitest';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { finished } from '../../../test/support/recordings.ts';
import { fenced } from '../../base/code-text.ts';
import { jobsEndedText } from '../jobs/jobs-ended.ts';
import { textOfMessage, transcriptOf } from './transcript.ts';

test('a conversation reads from the first message to the last, with what its calls did', async () => {
  const { session } = await finished();
  const text = transcriptOf(session.state);
  expect(text).toMatch(
    /^# Test\n\n\d{4}-\d\d-\d\d, test\/parts\n\n## You\n\nFix add\n\n## Agent\n\nLet me look\./,
  );
  expect(text).toContain('**read** `add.js`\n\n```text\n');
  expect(text).toContain('export const add = (a, b) => a - b;');
  expect(text).toContain('**edit** `add.js`');
  expect(text.endsWith('Fixed.\n')).toBe(true);
});

test('what was denied or failed says so, and long results are cut', async () => {
  const long = Array.from({ length: 400 }, (_, line) => `line ${line}`).join('\n');
  const { session } = await finished([
    [...call('c1', 'write', { filePath: 'long.txt', content: long }), finish('tool-calls')],
    [
      ...call('c2', 'read', { filePath: 'long.txt' }),
      ...call('c3', 'read', { filePath: 'none.txt' }),
      finish('tool-calls'),
    ],
    [...say('Done.'), finish()],
  ]);
  const text = transcriptOf(session.state);
  expect(text).toMatch(/\*[\d,]+ more characters are left out\.\*/);
  expect(text).toContain('**read** `{"filePath":"none.txt"}` — failed');
});

test('what the model was told of jobs stands in a block of its own', async () => {
  const { session } = await finished([[...say('One.'), finish()]]);
  const job = { id: 1, command: 'a', by: 'lost', exitCode: 137 } as const;
  const text = jobsEndedText([{ ...job, tail: '' }]);
  await session.prompt(text, { origin: { kind: 'jobs-ended', jobs: [job] }, starts: () => false });
  const said = transcriptOf(session.state);
  expect(said).toContain('## Vitrine\n\nThe model was told:\n\n```text\n<background-jobs>\n');
});

test('only the shown version of the conversation is in it', async () => {
  const { session } = await finished([[...say('One.'), finish()]]);
  const [prompt] = session.state.messages.values();
  const plan = await session.restores.plan({ kind: 'before', messageID: prompt?.id ?? '' });
  await session.restores.run(plan, { conversation: true, files: true });
  expect(transcriptOf(session.state)).not.toContain('One.');
});

test.for(['```\n# not a heading', '`````', 'plain'])(
  'no text ends the block that it stands in: %j',
  (text) => {
    const [open = '', ...lines] = fenced(text).split('\n');
    const fence = open.replace('text', '');
    expect(lines.slice(0, -1).some((line) => line.trim().startsWith(fence))).toBe(false);
    expect(lines.at(-1)).toBe(fence);
  },
);

test('one message is copied as it was written', async () => {
  const { session } = await finished();
  const [prompt, answer] = session.state.messages.values();
  expect(prompt && textOfMessage(session.state, prompt)).toBe('Fix add');
  expect(answer && textOfMessage(session.state, answer)).toBe('Let me look.');
});
