import type { Session } from '../session/session.ts';
import {
  callInputSchema,
  callOptionsSchema,
  checked,
  pathSchema,
  registeredToolSchema,
  toolOptionsSchema,
} from './arguments.ts';
import type { Automation, AutomationHost } from './types.ts';
import { worded } from './worded.ts';

/** `vitrine.tools`. `sessionFor` gives the session of an id, or the one on the page, if it has that agent. */
export function toolCalls(
  hostPromise: Promise<AutomationHost>,
  sessionFor: (sessionID: string | undefined, agent: string | undefined) => Promise<Session>,
): Automation['tools'] {
  return {
    ids: async () => (await (await hostPromise).tools({})).offered.map((tool) => tool.id),
    async list(options = {}) {
      const given = checked('The options of tools.list()', toolOptionsSchema, options);
      return (await worded((await hostPromise).tools(given))).offered;
    },
    async denied(options = {}) {
      const given = checked('The options of tools.denied()', toolOptionsSchema, options);
      return (await worded((await hostPromise).tools(given))).denied;
    },
    async register(tool) {
      const given = checked('The tool of tools.register()', registeredToolSchema, tool);
      return worded((await hostPromise).registerTool(given));
    },
    async call(id, input = {}, options = {}) {
      const tool = checked('The id of tools.call()', pathSchema, id);
      const given = checked('The input of tools.call()', callInputSchema, input);
      const { sessionID, agent } = checked('The options of tools.call()', callOptionsSchema, options);
      const session = await sessionFor(sessionID, agent);
      return worded(session.call(tool, given, agent === undefined ? {} : { agent }));
    },
  };
}
