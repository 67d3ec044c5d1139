import type { AutomationHost } from '../automation/types.ts';
import type { Json } from '../base/json.ts';
import { conversationOf } from '../session/log/path.ts';
import { messageRecord } from '../session/log/records.ts';
import type { AppParts } from './app.ts';
import { showSession } from './shown-session.ts';

/** Reads sessions for automation, and makes sessions of recordings and of other sessions. */
export function recordsOf({
  app,
  sessions,
}: AppParts): Pick<AutomationHost, 'messages' | 'events' | 'export' | 'import' | 'fork'> {
  return {
    async messages(id) {
      const session = await app.sessions.open(id);
      while (await session.loadOlder());
      return conversationOf(session.state).map((message) => messageRecord(session.state, message));
    },
    async events(id) {
      const events = await sessions.wholeLog(id);
      if (events.length === 0) await app.sessions.open(id);
      return events;
    },
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
      const count = at ?? (await sessions.wholeLog(id)).length;
      const forked = await (await app.recordings()).fork(id, count);
      showSession(forked);
      return forked;
    },
  };
}
