import { expect, test } from 'vitest';
import { MemoryWorkspace, type Shell } from '../../../test/support/memory-workspace.ts';
import { finish, say } from '../../../test/support/parts-model.ts';
import { harness, passing, sessionsOver } from '../../../test/support/session-harness.ts';
import { builtinTools } from '../../tools/builtin.ts';
import { FaultError } from '../../base/fault.ts';
import { recordFrom } from '../../../test/support/recordings.ts';
import { transcriptOf } from '../transcript/transcript.ts';
import type { Event } from '../log/events.ts';
import { readRecording } from '../recording/read.ts';
import { recordingText } from '../recording/record.ts';

const answer = [...say('Seen.'), finish()];

function started(shell: Shell, steps = [answer]) {
  const workspace = new MemoryWorkspace({ shell });
  return harness(steps, { tools: builtinTools, workspace, snapshots: true }).then((made) => ({
    ...made,
    workspace,
  }));
}

const ended = (events: readonly Event[]) =>
  events.flatMap((event) => (event.type === 'call.ended' ? [event] : []));
const types = (events: readonly Event[]) => events.map(({ type }) => type);

test('a command runs unasked and starts no turn; the next request has it with its output', async () => {
  const { session, events, model, timer } = await started(({ print }) => {
    print('2 failed\n');
    return 1;
  });
  await passing(timer, 16, session.command('npm test'));
  expect(types(events)).not.toContain('turn.started');
  expect(types(events)).not.toContain('permission.asked');
  expect(ended(events)).toMatchObject([
    { outcome: 'ok', metadata: { exitCode: 1 }, output: expect.stringContaining('2 failed\n') },
  ]);

  await session.prompt('Fix that');
  expect(await passing(timer, 16, session.rested())).toBe('idle');
  const [told, asked] = model.requests[0]!.messages;
  expect(told).toMatchObject({ role: 'user' });
  expect(told!.content).toContain('$ npm test\n<output>\n2 failed');
  expect(told!.content).toContain('Exit code 1.');
  expect(asked).toMatchObject({ role: 'user', content: 'Fix that' });
});

test('a long output is cut to its end, and all of it is kept', async () => {
  const lines = Array.from({ length: 3_000 }, (_, n) => `line ${n + 1}\n`).join('');
  const { session, events, timer } = await started(({ print }) => (print(lines), 0));
  await passing(timer, 16, session.command('seq 3000'));
  const [{ output, fullOutput }] = ended(events) as [ReturnType<typeof ended>[number]];
  expect(output).toMatch(/^\[Output truncated to the last 2,000 lines/);
  expect(output).toContain('line 3000');
  expect(fullOutput).toMatchObject({ lines: 3_000, bytes: lines.length });
});

test('it can be stopped, and says what it had printed', async () => {
  const { session, events, timer } = await started(
    ({ print, signal }) =>
      new Promise((resolve) => {
        print('working\n');
        signal.addEventListener('abort', () => resolve(130));
      }),
  );
  const running = passing(timer, 16, session.command('sleep 100'));
  await expect.poll(() => types(events)).toContain('call.output');
  session.abort();
  await running;
  expect(ended(events)).toMatchObject([{ outcome: 'cancelled' }]);
  expect(ended(events)[0]!.output).toMatch(/working\n\n\[The user stopped this call\.\]/);
});

test('while one runs, no other command and no restore begins, and a prompt waits for its end', async () => {
  let end = () => {};
  const { session, events, timer } = await started(() => new Promise((resolve) => (end = () => resolve(0))));
  const running = passing(timer, 16, session.command('sleep 1'));
  await expect.poll(() => types(events)).toContain('call.running');
  await expect(session.command('ls')).rejects.toMatchObject({ fault: { code: 'turn-runs' } });
  const messageID = session.state.head!;
  await expect(session.restores.plan({ kind: 'before', messageID })).rejects.toMatchObject({
    fault: { code: 'turn-runs' },
  });
  const prompted = session.prompt('Go');
  expect(types(events).filter((type) => type === 'prompt.accepted')).toHaveLength(1);
  end();
  await running;
  await passing(timer, 16, prompted);
  expect(types(events).lastIndexOf('prompt.accepted')).toBeGreaterThan(types(events).indexOf('call.ended'));
  expect(await passing(timer, 16, session.rested())).toBe('idle');
});

test('what it changes in files is the person’s change', async () => {
  const { session, timer } = await started(
    async ({ files }) => {
      await files.write('notes.txt', new TextEncoder().encode('mine'));
      return 0;
    },
    [answer, answer],
  );
  await session.prompt('First');
  await passing(timer, 16, session.rested());
  const first = session.state.messages.keys().next().value!;
  await passing(timer, 16, session.command('echo mine > notes.txt'));
  const plan = await session.restores.plan({ kind: 'before', messageID: first });
  expect(plan.files?.changes).toMatchObject([{ path: 'notes.txt', foreign: true }]);
});

test('where no model is set up a command runs all the same, and a prompt says what is missing', async () => {
  const { sessions, store, timer, workspace } = sessionsOver([answer], {
    tools: builtinTools,
    workspace: new MemoryWorkspace({ shell: ({ print }) => (print('there\n'), 0) }),
    snapshots: true,
    noModel: true,
  });
  const session = await sessions.create({ workspaceID: workspace.id, title: 'Test' });
  await passing(timer, 16, session.command('ls'));
  await expect(session.prompt('Go')).rejects.toMatchObject({ fault: { code: 'no-model' } });
  expect(() => session.compact()).toThrow(FaultError);
  await session.stored();
  const events = await store.events(session.id, 0);
  const prompts = events.flatMap((event) => (event.type === 'prompt.accepted' ? [event] : []));
  expect(prompts).toMatchObject([{ text: '!ls', origin: { kind: 'command' } }]);
  expect(prompts[0]).not.toHaveProperty('model');
  expect(ended(events)).toMatchObject([{ outcome: 'ok', output: 'there\n' }]);

  const recording = await recordFrom(store, session.id);
  const back = await readRecording(await recordingText(recording));
  expect(back.sessions[0].events.map(({ type }) => type)).toEqual(events.map(({ type }) => type));
  await sessions.close(session.id);
  const again = await sessions.open(session.id);
  expect([...again.state.messages.values()]).toMatchObject([{ role: 'user' }]);
  expect(transcriptOf(again.state)).toContain('no model');
});

test('the first command names a session, and the first prompt names it anew', async () => {
  const { sessions, timer, workspace } = sessionsOver([answer, answer], {
    tools: builtinTools,
    workspace: new MemoryWorkspace({ shell: ({ print }) => (print('there\n'), 0) }),
  });
  const session = await sessions.create({ workspaceID: workspace.id });
  await passing(timer, 16, session.command('ls -l'));
  expect(session.state.title).toBe('!ls -l');
  await passing(timer, 16, session.command('pwd'));
  expect(session.state.title).toBe('!ls -l');
  await session.prompt('Sort the files');
  expect(session.state.title).toBe('Sort the files');
  await passing(timer, 16, session.rested());

  const renamed = await sessions.create({ workspaceID: workspace.id });
  await passing(timer, 16, renamed.command('ls'));
  await renamed.rename('Mine');
  await renamed.prompt('Sort the files');
  expect(renamed.state.title).toBe('Mine');
  await passing(timer, 16, renamed.rested());
});

test('a prompt after a command that had no model goes to the model that is chosen by then', async () => {
  const { session, model, timer } = await started(({ print }) => (print('there\n'), 0));
  await passing(timer, 16, session.command('ls'));
  await session.prompt('Go', { model: model.ref });
  expect(await passing(timer, 16, session.rested())).toBe('idle');
  expect(model.requests[0]!.messages).toHaveLength(2);
});
