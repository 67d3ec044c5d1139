import { faultOf, type Fault } from '../base/fault.ts';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { KeptProgress, LaunchData, LearningPlatform } from './platform.ts';
import {
  statementOf,
  type Statement,
  type StatementFacts,
  type StatementFrame,
  type Verb,
} from './statements.ts';

export interface SessionDeps extends StatementFrame {
  readonly platform: Pick<LearningPlatform, 'send' | 'keepProgress'>;
  readonly mode: LaunchData['mode'];
  /** How far earlier launches of the same registration came. */
  readonly before: KeptProgress;
  now(): number;
  newID(): string;
}

/**
 * The reports of one launch, in order: `initialized` first, `terminated` last, each once. What could not be sent waits, and
 * goes along with the next report or with `retry`. How far the learner is stands in a document of the platform's, so that a
 * later launch goes on there and reports nothing that is less.
 */
export class ReportingSession {
  readonly #deps: SessionDeps;
  readonly #changes = new Listeners<void>();
  #waiting: readonly Statement[] = [];
  #sending: Promise<void> | null = null;
  #began: number | null = null;
  #percent: number;
  #step: number;
  /** The progress that the platform was last told to keep. */
  #kept: KeptProgress;
  #completed: Statement | 'before' | null;
  #ended = false;
  #fault: Fault | null = null;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
    const { before } = deps;
    this.#completed = before.completed ? 'before' : null;
    this.#percent = before.percent;
    this.#step = before.step;
    this.#kept = before;
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

  /** The learner is at `step`, and `done` of the lesson's steps are left behind. Going back takes nothing away. */
  progress(done: number, steps: number, step: number): void {
    if (!this.#mayReport()) return;
    this.#step = step;
    const percent = Math.floor((100 * done) / Math.max(1, steps));
    // At 100 the lesson is completed, which is a statement of its own.
    if (percent <= this.#percent || percent >= 100) return void this.retry();
    this.#percent = percent;
    this.#report('progressed', { percent });
  }

  complete(): void {
    if (this.#mayReport()) this.#completed = this.#report('completed', { tookMs: this.#took() });
  }

  /** Sends what waits. Resolves when it is sent or has failed, which `fault` tells. */
  retry(): Promise<void> {
    if (this.#hasWork()) this.#sending ??= this.#send();
    return this.#sending ?? Promise.resolve();
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
    if (this.#isClosed()) return;
    const { platform } = this.#deps;
    if (this.#waiting.length > 0) platform.send(this.#waiting, true).catch(() => undefined);
    if (this.#isUnkept()) platform.keepProgress(this.#progress(), true).catch(() => undefined);
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

  #progress(): KeptProgress {
    return { completed: this.isRecorded, step: this.#step, percent: this.#percent };
  }

  #isUnkept(): boolean {
    const { completed, step, percent } = this.#progress();
    const kept = this.#kept;
    return completed !== kept.completed || step !== kept.step || percent !== kept.percent;
  }

  /** A statement that the platform has refused for good would be refused again. */
  #hasWork(): boolean {
    return (this.#waiting.length > 0 || this.#isUnkept()) && !this.#isClosed();
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
    while (this.#hasWork()) {
      const sent = this.#waiting;
      if (sent.length === 0) {
        this.#kept = this.#progress();
        // Without it a later launch begins anew, which is no reason to bother the learner.
        await platform.keepProgress(this.#kept).catch(() => undefined);
        continue;
      }
      try {
        await platform.send(sent);
      } catch (error) {
        this.#fault = faultOf(error);
        this.#sending = null;
        return this.#changes.emit();
      }
      this.#fault = null;
      this.#waiting = this.#waiting.filter((statement) => !sent.includes(statement));
      this.#changes.emit();
    }
    // At once: what is reported from here on starts another round.
    this.#sending = null;
  }
}
