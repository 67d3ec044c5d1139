import { realClock } from '../base/clock.ts';
import type { ToolHooks } from '../tools/hooks.ts';
import type { ToolLog } from '../tools/log/tool-log.ts';
import type { MadeFiles } from '../tools/tool.ts';

const TOOL_LOG_FILE = 'tool_log.json';

/** The log of the app's tools, loaded when the first tool is made ready, or somebody looks. */
export class ToolLogOfApp {
  readonly #mask: (text: string) => string;
  #log: Promise<ToolLog> | undefined;

  constructor(mask: (text: string) => string) {
    this.#mask = mask;
  }

  open(): Promise<ToolLog> {
    this.#log ??= Promise.all([import('../tools/log/tool-log.ts'), import('../base/secrets.ts')]).then(
      ([{ ToolLog }, { maskSecrets }]) =>
        new ToolLog({ clock: realClock, mask: (text) => maskSecrets(this.#mask(text)) }),
    );
    // A fetch that failed is tried again.
    this.#log.catch(() => (this.#log = undefined));
    return this.#log;
  }

  /** Beside the full outputs of a session: its calls so far, and the figures by tool. */
  readonly files = (sessionID: string): MadeFiles => new Map([[TOOL_LOG_FILE, () => this.#of(sessionID)]]);

  readonly hooks: ToolHooks = {
    // The call does not wait for it, and stands whether or not it could be noted.
    'tool.execute.after': (call, result) => {
      const seen = { ...result };
      void this.open()
        .then((log) => log.hooks['tool.execute.after']?.(call, seen))
        .catch(() => undefined);
    },
  };

  async #of(sessionID: string): Promise<string> {
    const [log, { logAsJSON }] = await Promise.all([this.open(), import('../tools/log/tool-log.ts')]);
    // What other sessions did is not for the agent of this one.
    const own = log.records().filter((record) => record.sessionID === sessionID || record.event === 'start');
    return `${logAsJSON(own, log.metrics())}\n`;
  }

  started(tool: string, durationMs: number): void {
    void this.open()
      .then((log) => log.started(tool, durationMs))
      .catch(() => undefined);
  }
}
