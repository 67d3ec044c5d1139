import type { Json } from '../../src/base/json.ts';
import { record, recordingText } from '../../src/session/recording/record.ts';
import type { Recording } from '../../src/session/recording/recording.ts';
import type { SessionStore } from '../../src/session/log/store.ts';
import { builtinTools } from '../../src/tools/builtin.ts';
import { MemoryWorkspace } from './memory-workspace.ts';
import { call, finish, say, type Steps } from './parts-model.ts';
import { harness, next, passing, type HarnessOptions } from './session-harness.ts';

export const START = { 'add.js': 'export const add = (a, b) => a - b;\n' };

const READING = [...say('Let me look.'), ...call('c1', 'read', { filePath: 'add.js' }), finish('tool-calls')];
const EDITING = [
  ...call('c2', 'edit', { filePath: 'add.js', oldString: 'a - b', newString: 'a + b' }),
  finish('tool-calls'),
];

/** Reads, edits after asking, and says so. */
export const FIXING: Steps = [READING, EDITING, [...say('Fixed.'), finish()]];

/** A session that came to its end, and its store. */
export async function finished(steps: Steps = FIXING, options: HarnessOptions = {}) {
  const over = await harness(steps, {
    tools: builtinTools,
    workspace: new MemoryWorkspace({ files: START }),
    answerer: async () => ({ reply: 'once' }),
    snapshots: true,
    ...options,
  });
  await over.session.prompt('Fix add');
  const status = await passing(over.timer, 16, over.session.rested());
  await over.session.stored();
  return { ...over, status };
}

/** A session in which the person sent two messages while the agent asked for its second call, and its store. */
export async function interrupted() {
  const over = await harness([READING, EDITING, [...say('As you say.'), finish()]], {
    tools: builtinTools,
    workspace: new MemoryWorkspace({ files: START }),
    snapshots: true,
  });
  const asked = next(over.session, 'permission.asked');
  await over.session.prompt('Fix add');
  const { requestID } = await passing(over.timer, 16, asked);
  await over.session.prompt('And be quick');
  await over.session.prompt('Really');
  over.session.answer(requestID, { reply: 'once' }, 'person');
  await passing(over.timer, 16, over.session.rested());
  await over.session.stored();
  return over;
}

export function recordFrom(
  store: SessionStore,
  id: string,
  redact: (text: string) => string = (text) => text,
): Promise<Recording> {
  return record(id, {
    events: (sessionID) => store.events(sessionID, 0),
    content: (hash) => store.blobs.get(hash),
    redact,
  });
}

/** A sound recording as JSON, to be spoilt. */
export async function recordedJSON(): Promise<{ [key: string]: Json }> {
  const { store, session } = await finished();
  return JSON.parse(await recordingText(await recordFrom(store, session.id))) as { [key: string]: Json };
}
