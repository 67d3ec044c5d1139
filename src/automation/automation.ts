import type { Session } from '../session/session.ts';
import {
  automationSettingsSchema,
  checked,
  promptOptionsSchema,
  textSchema,
  type PromptOptions,
} from './arguments.ts';
import { checkHandler } from './check-handler.ts';
import { answerFrom, answersFrom } from './handlers.ts';
import { sessionCalls } from './session-calls.ts';
import { toolCalls } from './tool-calls.ts';
import type { Automation, AutomationHost, EventHandler } from './types.ts';
import { plain, worded } from './worded.ts';
import { workspaceCalls } from './workspace-calls.ts';

/** Can be called before the app has started: every call waits for `hostPromise`. */
export function createAutomation(hostPromise: Promise<AutomationHost>): Automation {
  let configured = false;
  /** Prompts that the session has not accepted yet. */
  const starting = new Set<Promise<Session>>();
  /** Prompts for which `abort()` came before the session had accepted them. The session's own status does not tell of that. */
  const stopped = new WeakSet<Promise<Session>>();
  const ready = hostPromise.then((host) => host.ready);

  function mustBeConfigured(call: string): void {
    if (!configured)
      throw new Error(`${call} runs without asking, so it works only after configure() in this page load.`);
  }

  /** The session with this id, or the one on the page. Rejects if there is no such agent in it. */
  async function sessionFor(sessionID: string | undefined, agent: string | undefined): Promise<Session> {
    await ready;
    const host = await hostPromise;
    if (agent !== undefined) await worded(async () => host.requireAgent(agent));
    return worded(sessionID === undefined ? host.currentSession() : host.openSession(sessionID));
  }

  async function startPrompt(text: string, options: PromptOptions): Promise<Session> {
    const { sessionID, agent } = options;
    const session = await sessionFor(sessionID, agent);
    const chosen = (await hostPromise).model();
    const model = options.model !== undefined && chosen && { ...chosen, model: options.model };
    if (model) await worded((await hostPromise).requireModel(model));
    await worded(session.prompt(text, { ...(agent !== undefined && { agent }), ...(model && { model }) }));
    return session;
  }

  return {
    ready,
    async configure(settings) {
      const given = checked('configure()', automationSettingsSchema, settings);
      await ready;
      await worded((await hostPromise).configure(given));
      configured = true;
    },
    async prompt(text, options = {}) {
      const started = startPrompt(
        checked('The text of prompt()', textSchema, text),
        checked('The options of prompt()', promptOptionsSchema, options),
      );
      starting.add(started);
      const session = await started.finally(() => starting.delete(started));
      const status = await session.rested();
      return { sessionID: session.id, status: stopped.has(started) ? 'aborted' : status };
    },
    unplayed: async () => (await hostPromise).unplayed(),
    async abort() {
      const late = [...starting];
      for (const each of late) stopped.add(each);
      await stopAll(hostPromise);
      if (late.length === 0) return;
      await Promise.allSettled(late);
      await stopAll(hostPromise);
    },
    onPermission(handler) {
      checkHandler('onPermission()', handler);
      void hostPromise.then((host) =>
        host.setAnswerer(handler && ((request) => answerFrom(handler, request))),
      );
    },
    onQuestion(handler) {
      checkHandler('onQuestion()', handler);
      void hostPromise.then((host) =>
        host.setQuestionAnswerer(handler && ((request) => answersFrom(handler, request))),
      );
    },
    onEvent: eventListener(hostPromise),
    tools: toolCalls(hostPromise, sessionFor),
    async trust() {
      mustBeConfigured('trust()');
      return { trusted: [...(await worded((await hostPromise).trust()))] };
    },
    workspace: workspaceCalls(hostPromise, mustBeConfigured),
    sessions: sessionCalls(hostPromise),
  };
}

async function stopAll(hostPromise: Promise<AutomationHost>): Promise<void> {
  const sessions = (await hostPromise).liveSessions();
  for (const session of sessions) session.abort();
  await Promise.all(sessions.map((session) => session.rested()));
}

/** Listens to the app once, for whichever handler is the newest. */
function eventListener(hostPromise: Promise<AutomationHost>): Automation['onEvent'] {
  let handler: EventHandler | null = null;
  let listens = false;
  return (given) => {
    checkHandler('onEvent()', given);
    handler = given;
    if (listens) return;
    listens = true;
    void hostPromise.then((host) =>
      host.onEvents((events) => events.forEach((event) => handler?.(plain(event)))),
    );
  };
}
