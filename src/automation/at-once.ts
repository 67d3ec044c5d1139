import { checkHandler } from './check-handler.ts';
import type { Automation } from './types.ts';

/**
 * The functions of {@link Automation} before their code is loaded: each waits for it. Calls reach the code in the order
 * in which they were made.
 */
export function automationAtOnce(loading: Promise<Automation>): Automation {
  return {
    ready: loading.then((automation) => automation.ready),
    configure: async (settings) => (await loading).configure(settings),
    prompt: async (text, options) => (await loading).prompt(text, options),
    unplayed: async () => (await loading).unplayed(),
    abort: async () => (await loading).abort(),
    onPermission(handler) {
      // At the call, since nobody waits for its effect.
      checkHandler('onPermission()', handler);
      void loading.then((automation) => automation.onPermission(handler));
    },
    onQuestion(handler) {
      checkHandler('onQuestion()', handler);
      void loading.then((automation) => automation.onQuestion(handler));
    },
    onEvent(handler) {
      checkHandler('onEvent()', handler);
      void loading.then((automation) => automation.onEvent(handler));
    },
    tools: {
      ids: async () => (await loading).tools.ids(),
      list: async (options) => (await loading).tools.list(options),
      denied: async (options) => (await loading).tools.denied(options),
      register: async (tool) => (await loading).tools.register(tool),
      call: async (id, input, options) => (await loading).tools.call(id, input, options),
    },
    trust: async () => (await loading).trust(),
    workspace: {
      exec: async (command, options) => (await loading).workspace.exec(command, options),
      readFile: async (path) => (await loading).workspace.readFile(path),
      writeFile: async (path, text) => (await loading).workspace.writeFile(path, text),
      list: async (glob) => (await loading).workspace.list(glob),
      remove: async (path) => (await loading).workspace.remove(path),
      changes: async (options) => (await loading).workspace.changes(options),
      jobs: async () => (await loading).workspace.jobs(),
      stopJob: async (id) => (await loading).workspace.stopJob(id),
    },
    sessions: {
      list: async () => (await loading).sessions.list(),
      create: async (options) => (await loading).sessions.create(options),
      open: async (id) => (await loading).sessions.open(id),
      messages: async (id) => (await loading).sessions.messages(id),
      events: async (id) => (await loading).sessions.events(id),
      export: async (id) => (await loading).sessions.export(id),
      import: async (recording) => (await loading).sessions.import(recording),
      fork: async (id, options) => (await loading).sessions.fork(id, options),
      restore: async (id, options) => (await loading).sessions.restore(id, options),
    },
  };
}
