import { realClock } from '../base/clock.ts';
import type { ToolHooks } from '../tools/hooks.ts';
import type { ToolLog } from '../tools/log/tool-log.ts';

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

  readonly hooks: ToolHooks = {
    // The call does not wait for it, and stands whether or not it could be noted.
    'tool.execute.after': (call, result) => {
      const seen = { ...result };
      void this.open()
        .then((log) => log.hooks['tool.execute.after']?.(call, seen))
        .catch(() => undefined);
    },
  };

  started(tool: string, durationMs: number): void {
    void this.open()
      .then((log) => log.started(tool, durationMs))
      .catch(() => undefined);
  }
}
