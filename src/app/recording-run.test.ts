import { expect, test } from 'vitest';
import { MemoryWorkspace } from '../../test/support/memory-workspace.ts';
import { call, finish, say, type Steps } from '../../test/support/parts-model.ts';
import { finished, recordFrom, START } from '../../test/support/recordings.ts';
import { harness, passing, type HarnessOptions } from '../../test/support/session-harness.ts';
import { recordedModel } from '../models/recorded/recorded.ts';
import { builtinTools } from '../tools/builtin.ts';
import type { Model } from '../session/model.ts';
import { Playback } from '../session/recording/playback.ts';
import type { Recording } from '../session/recording/recording.ts';
import { timeoutTimer } from '../base/timer.ts';
import { RecordingRunOfApp } from './recording-run.ts';

const REF = { provider: 'recorded', model: 'test' };

/** The recording, run for real in a workspace with these files. */
async function rerun(
  recording: Recording,
  files: Readonly<Record<string, string>> = START,
  options: HarnessOptions = {},
) {
  const playback = new Playback(recording);
  const model: Model = recordedModel(REF, {
    playback,
    timer: timeoutTimer,
    content: (hash) => recording.contents.get(hash),
    speed: () => Infinity,
  });
  const workspace = new MemoryWorkspace({ files });
  const over = await harness([], {
    tools: builtinTools,
    workspace,
    answerer: async () => ({ reply: 'once' }),
    model: () => model,
    ...options,
  });
  const run = new RecordingRunOfApp(over.session, playback, REF);
  await passing(over.timer, 16, run.run());
  const report = run.differences().map(({ recorded, state }) => `${recorded.callID} ${state}`);
  return { ...over, run, report, workspace };
}

async function recordingOf(steps?: Steps, options?: HarnessOptions): Promise<Recording> {
  const { store, session } = await finished(steps, options);
  return recordFrom(store, session.id);
}

test('the same files come to the same: every call is made again, really, and asked for', async () => {
  const { report, workspace, events, run } = await rerun(await recordingOf());
  expect(report).toEqual(['c1 same', 'c2 same']);
  expect(run.over).toBe(true);
  expect(new TextDecoder().decode(await workspace.files.read('add.js'))).toContain('a + b');
  expect(events.filter(({ type }) => type === 'permission.asked')).toHaveLength(1);
});

test('other files come to something else, and it is said which call did', async () => {
  const { report, run } = await rerun(await recordingOf(), {
    'add.js': '// a comment\nexport const add = (a, b) => a - b;\n',
  });
  expect(report).toEqual(['c1 differs', 'c2 same']);
  const [first] = run.differences();
  expect(first?.state === 'differs' && first.real.output).toContain('a comment');
});

test('what is refused this time ends the run; what was not made is listed', async () => {
  const refused = await recordingOf([
    [...call('c1', 'read', { filePath: 'add.js' }), finish('tool-calls')],
    [
      ...call('c2', 'edit', { filePath: 'add.js', oldString: 'a - b', newString: 'a + b' }),
      finish('tool-calls'),
    ],
    [...call('c3', 'glob', { pattern: '*' }), finish('tool-calls')],
    [...say('Done.'), finish()],
  ]);
  const { report, session } = await rerun(refused, START, { answerer: async () => ({ reply: 'reject' }) });
  expect(report).toEqual(['c1 same', 'c2 differs', 'c3 not-made']);
  expect(session.state.lastTurn?.status).toBe('rejected');
});

test('several prompts are sent in their order, each with its own answers', async () => {
  const over = await finished([
    [...say('One.'), finish()],
    [...say('Two.'), finish()],
  ]);
  await over.session.prompt('Again');
  await passing(over.timer, 16, over.session.rested());
  await over.session.stored();
  const { session } = await rerun(await recordFrom(over.store, over.session.id));
  const texts = [...session.state.parts.values()].flatMap((part) => (part.type === 'text' ? part.text : []));
  expect(texts).toEqual(['Fix add', 'One.', 'Again', 'Two.']);
});

test('past its end the recorded model says so instead of hanging', async () => {
  const { session, timer } = await rerun(await recordingOf([[...say('Hello.'), finish()]]));
  await session.prompt('And now?', { model: REF });
  expect(await passing(timer, 16, session.rested())).toBe('error');
  expect(session.state.lastTurn?.fault?.code).toBe('recording-exhausted');
});
