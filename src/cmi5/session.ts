import { faultOf, type Fault } from '../base/fault.ts';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { LaunchData, LearningPlatform } from './platform.ts';
import {
  statementOf,
  type Statement,
  type StatementFacts,
  type StatementFrame,
  type Verb,
} from './statements.ts';

export interface SessionDeps extends StatementFrame {
  readonly platform: Pick<LearningPlatform, 'send' | 'noteCompleted'>;
  readonly mode: LaunchData['mode'];
  /** Whether an earlier launch of the same registration has reported the lesson as completed. */
  readonly wasCompleted: boolean;
  now(): number;
  newID(): string;
}

/**
 * The reports of one launch, in order: `initialized` first, `terminated` last, each once. What could not be sent waits, and
 * goes along with the next report or with `retry`.
 */
export class ReportingSession {
  readonly #deps: SessionDeps;
  readonly #changes = new Listeners<void>();
  #waiting: readonly Statement[] = [];
  #sending: Promise<void> | null = null;
  #began: number | null = null;
  #percent = 0;
  #completed: Statement | 'before' | null;
  #ended = false;
  #fault: Fault | null = null;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
    this.#completed = deps.wasCompleted ? 'before' : null;
  }

  /** Why reports wait; where it is not `retryable`, the platform accepts none of this launch any more. */
  get fault(): Fault | null {
    return this.#fault;
  }
  /** Whether the platform has received that the lesson is completed. */
  get isRecorded(): boolean {
    const completed = this.#completed;
    return completed === 'before' || (completed !== null && !this.#waiting.includes(completed));
  }
  /** Whether the learner could begin: nothing is reported where the lesson cannot be shown. */
  get hasBegun(): boolean {
    return this.#began !== null;
  }
  get ended(): boolean {
    return this.#ended;
  }

  onChange(listener: () => void): Unlisten {
    return this.#changes.add(listener);
  }

  /** Call this when the learner can begin. */
  begin(): void {
    if (this.#began !== null) return;
    this.#began = this.#deps.now();
    this.#report('initialized');
  }

  /** `done` of the lesson's steps are left behind. Going back takes nothing away. */
  progress(done: number, steps: number): void {
    const percent = Math.floor((100 * done) / Math.max(1, steps));
    // At 100 the lesson is completed, which is a statement of its own.
    if (!this.#mayReport() || percent <= this.#percent || percent >= 100) return;
    this.#percent = percent;
    this.#report('progressed', { percent });
  }

  complete(): void {
    if (this.#mayReport()) this.#completed = this.#report('completed', { tookMs: this.#took() });
  }

  /** Sends what waits. Resolves when it is sent or has failed, which `fault` tells. */
  retry(): Promise<void> {
    this.#sending ??= this.#send().finally(() => (this.#sending = null));
    return this.#sending;
  }

  /** Ends the session. Resolves to whether the platform has received everything. */
  async end(): Promise<boolean> {
    this.#terminate();
    await this.retry();
    return this.#waiting.length === 0;
  }

  /** The page is being closed: what waits goes out with the end, and nobody hears the answer. */
  leave(): void {
    this.#terminate();
    if (this.#waiting.length === 0 || this.#isClosed()) return;
    this.#deps.platform.send(this.#waiting, true).catch(() => undefined);
  }

  #terminate(): void {
    if (this.#began === null || this.#ended) return;
    this.#waiting = [...this.#waiting, this.#statement('terminated', { tookMs: this.#took() })];
    this.#ended = true;
    this.#changes.emit();
  }

  /** Nothing is reported of a lesson that is already completed, or that is only looked at. */
  #mayReport(): boolean {
    return this.#deps.mode === 'Normal' && this.#began !== null && !this.#ended && this.#completed === null;
  }

  #isClosed(): boolean {
    return this.#fault !== null && this.#fault.retryable !== true;
  }

  #took(): number {
    return this.#deps.now() - (this.#began ?? 0);
  }

  #report(verb: Verb, facts?: Partial<StatementFacts>): Statement {
    const statement = this.#statement(verb, facts);
    this.#waiting = [...this.#waiting, statement];
    this.#changes.emit();
    void this.retry();
    return statement;
  }

  #statement(verb: Verb, facts?: Partial<StatementFacts>): Statement {
    const { now, newID } = this.#deps;
    return statementOf(verb, this.#deps, { id: newID(), at: now(), ...facts });
  }

  async #send(): Promise<void> {
    const { platform } = this.#deps;
    // A statement that the platform has refused for good would be refused again.
    while (this.#waiting.length > 0 && !this.#isClosed()) {
      const sent = this.#waiting;
      try {
        await platform.send(sent);
      } catch (error) {
        this.#fault = faultOf(error);
        return this.#changes.emit();
      }
      this.#fault = null;
      this.#waiting = this.#waiting.filter((statement) => !sent.includes(statement));
      this.#changes.emit();
      const completed = this.#completed;
      // Without the note a later launch may report it once more, which the platform then refuses.
      if (completed !== null && completed !== 'before' && sent.includes(completed))
        await platform.noteCompleted().catch(() => undefined);
    }
  }
}
