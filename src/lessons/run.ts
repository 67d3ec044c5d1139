import * as z from 'zod';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { Event, EventOf } from '../session/log/events.ts';
import type { Mode } from '../permissions/modes.ts';
import { matches } from '../permissions/wildcard.ts';
import type { Check, CheckKind, CheckOf } from './checks.ts';
import type { Lesson } from './lesson.ts';
import type { LessonStep } from './parts.ts';
import { accepts, alike } from './answers.ts';
import { fits, timesOf, EventIndex } from './watch.ts';

/** A learner's position in a lesson. */
export const progressSchema = z.object({
  sessionID: z.string(),
  /** Index of the step; the number of steps once all are done. */
  step: z.int().nonnegative(),
  /** `seq` of the first event that counts for this step. */
  from: z.int().nonnegative(),
  /** Indices of the checks that were answered correctly. */
  answered: z.array(z.int().nonnegative()).default([]),
  /** Whether the learner went on without what an earlier step asked for, and no turn has started since. */
  skipped: z.literal(true).exactOptional(),
});
export type LessonProgress = z.infer<typeof progressSchema>;

/** Kinds of checks that can be met without a turn. */
const BY_HAND: ReadonlySet<CheckKind> = new Set(['ask', 'mode', 'compacted', 'restored']);

/** Reads a file of the workspace; `null` if there is none. */
export type ReadFile = (path: string) => Promise<string | null>;

/**
 * A learner's run through a lesson. It receives the session's events from the first one on, says which checks of the
 * current step are met, and moves on when all are. Only what happened since the previous step ended counts for a
 * step.
 */
export class LessonRun {
  readonly lesson: Lesson;
  readonly sessionID: string;
  readonly #read: ReadFile;
  readonly #changes = new Listeners<void>();
  readonly #index = new EventIndex();
  #step: number;
  #from: number;
  #counts: number[];
  /** Whether a turn is running; `null` before the first. */
  #running: boolean | null = null;
  /** The ids of the messages that were sent since this step began. */
  #sent = new Set<string>();
  /** Whether a turn has started with a message of this step. */
  #hasStartedTurn = false;
  /** The requests and questions to the learner that are open. */
  #pending = new Set<string>();
  /** Whether this step began while a turn waited for the learner, who ends it in this step then. */
  #isWithinTurn = false;
  #hasCompacted = false;
  /** The permissions that were allowed in the newest turn without asking, each with the mode if the mode allowed it. */
  readonly #allowed = new Map<string, Mode | undefined>();
  #mode: Mode | undefined;
  /** See {@link progressSchema}. */
  #hasSkipped: boolean;
  #answered: Set<number>;
  #files: boolean[] = [];
  #next = 0;
  /** Events that arrived while the file checks were still running. */
  #queue: Event[] = [];
  #checkingFiles = false;
  #checkAgain = false;

  constructor(lesson: Lesson, progress: LessonProgress, read: ReadFile) {
    this.lesson = lesson;
    this.sessionID = progress.sessionID;
    this.#read = read;
    this.#step = Math.min(progress.step, lesson.steps.length);
    this.#from = progress.from;
    this.#answered = new Set(progress.answered);
    this.#hasSkipped = progress.skipped === true;
    this.#counts = this.#none();
  }

  /** Index of the current step; the number of steps once all are done. */
  get step(): number {
    return this.#step;
  }

  get finished(): boolean {
    return this.#step >= this.lesson.steps.length;
  }

  get current(): LessonStep | undefined {
    return this.lesson.steps[this.#step];
  }

  /** Says for each check of the current step whether it is met. */
  get met(): readonly boolean[] {
    return (this.current?.checks ?? []).map((check, index) => {
      if (check.kind === 'file') return this.#files[index] === true;
      if (check.kind === 'ask') return this.#answered.has(index);
      return (this.#counts[index] ?? 0) >= timesOf(check);
    });
  }

  /** Whether the message of this step was sent, so that its text may talk about the result. */
  get begun(): boolean {
    // The command /compact is sent like a message, and is none in the log.
    return this.#sent.size > 0 || this.#hasStartedTurn || this.#hasCompacted;
  }

  /**
   * Whether no turn is running that could meet the remaining checks: the learner has to send a message, perhaps
   * again.
   */
  get stalled(): boolean {
    const { current } = this;
    const left = this.#left().map(({ kind }) => kind);
    const needsNoPrompt = current?.prompts.length === 0 && !left.includes('prompt');
    return (
      this.#running === false &&
      !this.#checkingFiles &&
      (this.#hasStartedTurn || (needsNoPrompt && (this.#isWithinTurn || this.#hasSkipped))) &&
      left.some((kind) => !BY_HAND.has(kind))
    );
  }

  /** Whether the step is stalled because a rule answered in place of the learner, who can leave it then. */
  get ruled(): boolean {
    return this.stalled && this.#unasked().length > 0;
  }

  /** The mode that answered in place of the learner; `undefined` where a rule did. */
  get ruledByMode(): Mode | undefined {
    return this.ruled ? this.#unasked().find((mode) => mode !== undefined) : undefined;
  }

  /** Whether the lesson waits for the answer to a question: what the step's message started has come to its end. */
  get asks(): boolean {
    const left = this.#left();
    return (
      this.#running === false && this.begun && left.length > 0 && left.every(({ kind }) => kind === 'ask')
    );
  }

  get progress(): LessonProgress {
    return {
      sessionID: this.sessionID,
      step: this.#step,
      from: this.#from,
      answered: [...this.#answered],
      ...(this.#hasSkipped && { skipped: true }),
    };
  }

  /** `seq` of the next event to feed; earlier events are known. */
  get nextSeq(): number {
    return this.#next;
  }

  onChange(listener: () => void): Unlisten {
    return this.#changes.add(listener);
  }

  /** Takes events in order and skips those it has already seen. */
  feed(events: readonly Event[]): void {
    for (const event of events) {
      if (event.seq < this.#next) continue;
      this.#next = event.seq + 1;
      this.#queue.push(event);
    }
    this.#drain();
  }

  /** Returns whether the answer is accepted. */
  answer(index: number, text: string): boolean {
    const check = this.current?.checks[index];
    if (check?.kind !== 'ask' || !accepts(check.accept, text)) return false;
    this.#answered.add(index);
    this.#drain();
    this.#changes.emit();
    return true;
  }

  /** Call this when files may have changed. */
  filesChanged(): void {
    if (this.current?.checks.some(({ kind }) => kind === 'file')) void this.#checkFiles();
  }

  /** Leaves a step that has no checks, or that waits for a request that a rule keeps from being made. */
  goOn(): void {
    const { ruled } = this;
    if (this.current?.checks.length !== 0 && !ruled) return;
    this.#hasSkipped ||= ruled;
    this.#advance();
    this.#drain();
  }

  /** The checks that are not met. */
  #left(): readonly Check[] {
    const { current, met } = this;
    return (current?.checks ?? []).filter((_, index) => !met[index]);
  }

  /** What the checks that are left wait to be asked for, and was allowed: each by its mode, if a mode did. */
  #unasked(): readonly (Mode | undefined)[] {
    const wanted = this.#left().flatMap((check) => permissionOf(check) ?? []);
    return [...this.#allowed].flatMap(([permission, mode]) =>
      wanted.some((pattern) => matches(pattern, permission)) ? [mode] : [],
    );
  }

  #drain(): void {
    for (;;) {
      if (this.#isReady()) {
        if (this.#needsFiles()) return void this.#checkFiles();
        this.#advance();
        continue;
      }
      const event = this.#queue.shift();
      if (!event) break;
      this.#take(event);
    }
    this.#changes.emit();
  }

  #take(event: Event): void {
    this.#index.feed(event);
    if (event.type === 'permission.asked' || event.type === 'question.asked')
      this.#pending.add(event.requestID);
    else if (event.type === 'permission.answered' || event.type === 'question.answered')
      this.#pending.delete(event.requestID);
    else if (event.type === 'mode.set') this.#mode = event.mode;
    else if (event.type === 'permission.decided' && event.action === 'allow')
      this.#allowed.set(event.permission, this.#modeThatDecided(event));
    else if (event.type === 'turn.started') {
      this.#running = true;
      this.#allowed.clear();
      if (event.seq >= this.#from) this.#hasSkipped = false;
    } else if (event.type === 'turn.ended') {
      this.#running = false;
      this.#pending.clear();
      // A check may be met because nothing changed: no change tells of that.
      this.filesChanged();
    }
    if (event.seq < this.#from) {
      this.#isWithinTurn = this.#waits();
      return;
    }
    this.#note(event);
    this.current?.checks.forEach((check, index) => {
      if (fits(check, event, this.#index)) this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    });
  }

  #modeThatDecided({ decisions }: EventOf<'permission.decided'>): Mode | undefined {
    return decisions.some(({ source }) => source === 'mode') ? this.#mode : undefined;
  }

  /** Whether a turn is running that goes on as the learner answers. */
  #waits(): boolean {
    return this.#running === true && (this.#pending.size > 0 || this.lesson.model === 'you');
  }

  /** Takes what the guidance of the step depends on. */
  #note(event: Event): void {
    if (event.type === 'prompt.accepted' && !event.origin) this.#sent.add(event.messageID);
    else if (event.type === 'context.compacted') this.#hasCompacted = true;
    else if (event.type === 'turn.started') this.#hasStartedTurn ||= this.#sent.has(event.promptID);
  }

  /**
   * Whether every check is met, except perhaps those of files. A step without checks ends only when the learner
   * continues.
   */
  #isReady(): boolean {
    const checks = this.current?.checks ?? [];
    if (checks.length === 0) return false;
    const met = this.met;
    return checks.every(({ kind }, index) => kind === 'file' || met[index]);
  }

  #needsFiles(): boolean {
    return this.current?.checks.some(({ kind }, index) => kind === 'file' && !this.#files[index]) === true;
  }

  #advance(): void {
    this.#step++;
    this.#from = this.#next - this.#queue.length;
    this.#answered = new Set();
    this.#sent = new Set();
    this.#hasStartedTurn = false;
    this.#isWithinTurn = this.#waits();
    this.#hasCompacted = false;
    this.#files = [];
    this.#counts = this.#none();
    this.#changes.emit();
  }

  #none(): number[] {
    return (this.current?.checks ?? []).map(() => 0);
  }

  async #checkFiles(): Promise<void> {
    this.#checkAgain = true;
    if (this.#checkingFiles) return;
    this.#checkingFiles = true;
    while (this.#checkAgain) {
      this.#checkAgain = false;
      const step = this.#step;
      const found = await Promise.all(
        (this.current?.checks ?? []).map(
          async (check) => check.kind === 'file' && (await this.#isAsWanted(check)),
        ),
      );
      if (step === this.#step) this.#files = found;
    }
    this.#checkingFiles = false;
    this.#changes.emit();
    if (this.#isReady() && !this.#needsFiles()) this.#drain();
  }

  async #isAsWanted({ file, matches, gone }: CheckOf<'file'>): Promise<boolean> {
    const text = await this.#read(file);
    if (text === null || gone) return text === null && gone === true;
    return matches === undefined || alike(matches, text);
  }
}

/** The permission that a check waits to be asked for. */
function permissionOf(check: Check): string | undefined {
  if (check.kind === 'asked') return check.asked;
  return check.kind === 'permission' ? check.permission : undefined;
}
