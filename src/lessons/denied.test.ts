import { expect, test } from 'vitest';
import { talk } from '../../test/support/scripted-talk.ts';
import { rejectedText } from '../permissions/refusal-texts.ts';
import { loadLesson } from './library.ts';

const READ = 'The contents.';
const PAGE = 'Uncaught TypeError\n\nPage: / (Counter)';

/** Each row ends with a claim that the lesson's model makes after this result, and must not make after a denial. */
test.each([
  ['the-loop', 'Fix the spelling', 'edit', 'Edited greet.sh: 1 replacement.', 'Now I run it'],
  ['the-loop', 'Fix the spelling', 'bash', 'Hello, Ada!\n', 'Done: the script now says'],
  ['permissions-and-injection', 'The cheapest shed?', 'bash', '(no output)', 'and I followed it'],
  ['permissions-and-injection', 'How many lines?', 'bash', '4 visits.csv\n', 'It has four lines'],
  ['permissions-and-injection', 'How many characters?', 'bash', '60 visits.csv\n', 'There is the number'],
  [
    'truncation-and-context',
    'Run night.sh',
    'bash',
    'reading 3000 ok pressure 43',
    'I was shown only the end',
  ],
  ['truncation-and-context', 'Only the errors', 'bash', 'reading 2800 ERROR', '**four** errors'],
  ['doom-loops-and-stopping', 'Run long.sh', 'bash', 'started\nfinished\n', 'It has finished'],
  ['sub-agents', 'Write a file notes.md', 'write', 'Created notes.md.', 'The note is in `notes.md`'],
  ['the-agent-looks', 'Build a page', 'write', 'Created index.html.', 'does nothing'],
  ['the-agent-looks', 'Mend it', 'edit', 'Edited index.html: 1 replacement.', 'It counts'],
  ['small-models', 'Write the total', 'write', 'Created total.txt.', 'says 57 bottles'],
])('%s: after "%s" a denied %s is not told as done', async (id, prompt, tool, done, claim) => {
  const { script } = await loadLesson(id);
  const said = (result: string) =>
    talk(script, prompt, (call) => {
      if (call.tool === tool) return result;
      if (call.tool === 'preview') return PAGE;
      return call.tool === 'edit' ? 'Edited greet.sh: 1 replacement.' : READ;
    }).texts.join('\n');
  expect(said(done)).toContain(claim);
  expect(said(rejectedText('I did not ask for that.'))).not.toContain(claim);
});

test('a third look that was allowed is not told as one that was refused', async () => {
  const { script } = await loadLesson('doom-loops-and-stopping');
  const last = (result: string) => talk(script, 'Is the build done?', () => result).texts.at(-1);
  expect(last('building')).not.toContain('You are right');
  expect(last(rejectedText('Stop waiting.'))).toContain('You are right');
});
