import {
  checked,
  createOptionsSchema,
  forkOptionsSchema,
  restoreOptionsSchema,
  pathSchema,
} from './arguments.ts';
import { bytesOf } from './content.ts';
import type { Automation, AutomationHost } from './types.ts';
import { plain, worded } from './worded.ts';

function sessionID(call: string, id: unknown): string {
  return checked(`The id of sessions.${call}()`, pathSchema, id);
}

/** `vitrine.sessions`. */
export function sessionCalls(hostPromise: Promise<AutomationHost>): Automation['sessions'] {
  return {
    async list() {
      const records = await (await hostPromise).sessions();
      return records.map(({ id, state }) => ({
        id,
        title: state.title,
        workspaceID: state.workspaceID,
        updated: state.updated,
        ...(state.parent && { parent: state.parent.sessionID }),
      }));
    },
    async create(options = {}) {
      const { files } = checked('The options of sessions.create()', createOptionsSchema, options);
      const bytes =
        files &&
        Object.fromEntries(Object.entries(files).map(([path, content]) => [path, bytesOf(path, content)]));
      const session = await worded((await hostPromise).createSession(bytes));
      return { sessionID: session.id };
    },
    async open(id) {
      const session = sessionID('open', id);
      await worded((await hostPromise).openSession(session));
    },
    async messages(id) {
      const session = sessionID('messages', id);
      return plain(await worded((await hostPromise).messages(session)));
    },
    async events(id) {
      const session = sessionID('events', id);
      return plain(await worded((await hostPromise).events(session)));
    },
    async export(id) {
      await (
        await hostPromise
      ).ready;
      return worded((await hostPromise).export(sessionID('export', id)));
    },
    async import(recording) {
      await (
        await hostPromise
      ).ready;
      return { sessionID: await worded((await hostPromise).import(recording)) };
    },
    async fork(id, options = {}) {
      const session = sessionID('fork', id);
      const given = checked('The options of sessions.fork()', forkOptionsSchema, options);
      return { sessionID: await worded((await hostPromise).fork(session, given)) };
    },
    async restore(id, options) {
      const session = sessionID('restore', id);
      const given = checked('The options of sessions.restore()', restoreOptionsSchema, options);
      return worded((await hostPromise).restore(session, given));
    },
  };
}
