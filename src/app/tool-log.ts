import { pageClock } from '../base/clock.ts';
import type { CallLog } from '../session/log/call-log.ts';
import type { Event } from '../session/log/events.ts';
import { ToolStarts } from '../tools/log/starts.ts';
import type { GeneratedFiles } from '../tools/tool.ts';
import type { AppLog, RecordedLog } from '../ui/app.ts';

const TOOL_LOG_FILE = 'tool_log.json';

interface ToolLogDeps {
  /** Reads stored events of a session, as {@link Sessions.eventsBefore} does. */
  before(sessionID: string, seq: number, limit: number): Promise<readonly Event[]>;
  /** Masks every key that this page has seen. */
  redact(text: string): string;
}

/** The log of the app's tools: a session's calls, read from its events, and the tools that were loaded. */
export class ToolLogOfApp implements AppLog {
  readonly starts = new ToolStarts(pageClock);
  readonly #deps: ToolLogDeps;

  constructor(deps: ToolLogDeps) {
    this.#deps = deps;
  }

  async calls(sessionID: string, recorded?: RecordedLog | null): Promise<CallLog> {
    const [{ CallLog }, { maskSecrets }] = await Promise.all([
      import('../session/log/call-log.ts'),
      import('../base/secrets.ts'),
    ]);
    return new CallLog({
      sessionID,
      read: recorded
        ? async (before, limit) => recorded.session.events.slice(0, before).slice(-limit)
        : (before, limit) => this.#deps.before(sessionID, before, limit),
      mask: (text) => maskSecrets(this.#deps.redact(text)),
    });
  }

  /** A file beside the full outputs of a session, with its calls so far, statistics by tool and what happened in the preview. */
  readonly files = (sessionID: string): GeneratedFiles =>
    new Map([[TOOL_LOG_FILE, () => this.#of(sessionID)]]);

  async #of(sessionID: string): Promise<string> {
    const [log, { byTime }, { metricsOf }, { logAsJSON }] = await Promise.all([
      this.calls(sessionID),
      import('../tools/log/record.ts'),
      import('../tools/log/metrics.ts'),
      import('../tools/log/log-file.ts'),
    ]);
    while (!log.complete) await log.more();
    const records = byTime(this.starts.records(), log.records());
    return `${logAsJSON(records, metricsOf(records, this.starts.startups()), log.noted())}\n`;
  }
}
