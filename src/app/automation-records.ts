import type { AutomationHost } from '../automation/types.ts';
import type { Json } from '../base/json.ts';
import type { Event } from '../session/log/events.ts';
import { conversationOf } from '../session/log/path.ts';
import { messageRecord } from '../session/log/records.ts';
import type { AppParts } from './app.ts';
import { showSession } from './shown-session.ts';

/** Reads sessions for automation, and makes sessions of recordings and of other sessions. */
export function recordsOf({
  app,
  sessions,
}: AppParts): Pick<AutomationHost, 'messages' | 'events' | 'export' | 'import' | 'fork'> {
  /** Rejects with a fault if there is no such session. */
  async function events(id: string): Promise<readonly Event[]> {
    const log = await sessions.wholeLog(id);
    if (log.length === 0) await app.sessions.open(id);
    return log;
  }

  return {
    async messages(id) {
      const session = await app.sessions.open(id);
      while (await session.loadOlder());
      return conversationOf(session.state).map((message) => messageRecord(session.state, message));
    },
    events,
    async export(id) {
      const recording = await (await app.recordings()).record(id);
      const { recordingText } = await import('../session/recording/record.ts');
      return JSON.parse(await recordingText(recording)) as Json;
    },
    async import(value) {
      const { readRecording } = await import('../session/recording/read.ts');
      const recording = await readRecording(JSON.stringify(value));
      const id = await (await app.recordings()).import(recording);
      showSession(id);
      return id;
    },
    async fork(id, { at }) {
      const log = await events(id);
      const count = at ?? log.length;
      const forked = await (await app.recordings()).fork(id, count);
      showSession(forked);
      return forked;
    },
  };
}
