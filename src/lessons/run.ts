import * as z from 'zod';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { Event } from '../session/events.ts';
import type { CheckKind, CheckOf } from './checks.ts';
import type { Lesson, LessonStep } from './lesson.ts';
import { accepts, alike, fits, timesOf, Told } from './watch.ts';

/** How far a learner came. */
export const progressSchema = z.object({
  sessionID: z.string(),
  /** Index of the step; the number of steps once all are done. */
  step: z.int().nonnegative(),
  /** `seq` of the first event that counts for it. */
  from: z.int().nonnegative(),
  /** Indices of its checks that were answered rightly. */
  answered: z.array(z.int().nonnegative()).default([]),
});
export type LessonProgress = z.infer<typeof progressSchema>;

/** What no turn has to be under way for. */
const BY_HAND: ReadonlySet<CheckKind> = new Set(['ask', 'mode', 'compacted']);

/** The text of a file of the workspace; `null` where there is none. */
export type ReadFile = (path: string) => Promise<string | null>;

/**
 * A learner on the way through a lesson. Fed with the events of the session from the first one on, it says which checks
 * of the present step are met and goes on to the next step when all are. What counts for a step is what happened since
 * the step before it was done.
 */
export class LessonRun {
  readonly lesson: Lesson;
  readonly sessionID: string;
  readonly #read: ReadFile;
  readonly #changes = new Listeners<void>();
  readonly #told = new Told();
  #step: number;
  #from: number;
  #counts: number[];
  /** A turn is under way; `null` before the first. */
  #running: boolean | null = null;
  /** One began since this step did. */
  #tried = false;
  #answered: Set<number>;
  #files: boolean[] = [];
  #next = 0;
  /** Events that happened while it is still looked whether the files are as they should be. */
  #waiting: Event[] = [];
  #looking = false;
  #lookAgain = false;

  constructor(lesson: Lesson, progress: LessonProgress, read: ReadFile) {
    this.lesson = lesson;
    this.sessionID = progress.sessionID;
    this.#read = read;
    this.#step = Math.min(progress.step, lesson.steps.length);
    this.#from = progress.from;
    this.#answered = new Set(progress.answered);
    this.#counts = this.#none();
  }

  /** Index of the present step; the number of steps once all are done. */
  get step(): number {
    return this.#step;
  }

  get finished(): boolean {
    return this.#step >= this.lesson.steps.length;
  }

  get current(): LessonStep | undefined {
    return this.lesson.steps[this.#step];
  }

  /** For each check of the present step, whether it is met. */
  get met(): readonly boolean[] {
    return (this.current?.checks ?? []).map((check, index) => {
      if (check.kind === 'file') return this.#files[index] === true;
      if (check.kind === 'ask') return this.#answered.has(index);
      return (this.#counts[index] ?? 0) >= timesOf(check);
    });
  }

  /** Nothing is under way any more that could meet what is left to do here: a message has to be sent, perhaps again. */
  get stalled(): boolean {
    const { current, met } = this;
    const left = (current?.checks ?? []).filter((_, index) => !met[index]).map(({ kind }) => kind);
    const unasked = current?.prompts.length === 0 && !left.includes('prompt');
    return this.#running === false && (this.#tried || unasked) && left.some((kind) => !BY_HAND.has(kind));
  }

  get progress(): LessonProgress {
    return {
      sessionID: this.sessionID,
      step: this.#step,
      from: this.#from,
      answered: [...this.#answered],
    };
  }

  /** `seq` of the next event that it takes; those before are known. */
  get nextSeq(): number {
    return this.#next;
  }

  onChange(listener: () => void): Unlisten {
    return this.#changes.add(listener);
  }

  /** In order; events that it has seen are passed over. */
  feed(events: readonly Event[]): void {
    for (const event of events) {
      if (event.seq < this.#next) continue;
      this.#next = event.seq + 1;
      this.#waiting.push(event);
    }
    this.#drain();
  }

  /** True: this is an answer that is accepted. */
  answer(index: number, text: string): boolean {
    const check = this.current?.checks[index];
    if (check?.kind !== 'ask' || !accepts(check, text)) return false;
    this.#answered.add(index);
    this.#drain();
    this.#changes.emit();
    return true;
  }

  /** Files may be other than they were. */
  filesChanged(): void {
    if (this.current?.checks.some(({ kind }) => kind === 'file')) void this.#look();
  }

  /** Leaves a step that looks at nothing. */
  goOn(): void {
    if (this.current?.checks.length !== 0) return;
    this.#advance();
    this.#drain();
  }

  #drain(): void {
    for (;;) {
      if (this.#ready()) {
        if (this.#needsFiles()) return void this.#look();
        this.#advance();
        continue;
      }
      const event = this.#waiting.shift();
      if (!event) break;
      this.#take(event);
    }
    this.#changes.emit();
  }

  #take(event: Event): void {
    this.#told.feed(event);
    if (event.type === 'turn.started') this.#running = true;
    else if (event.type === 'turn.ended') this.#running = false;
    if (event.seq < this.#from) return;
    this.#tried ||= event.type === 'turn.started';
    this.current?.checks.forEach((check, index) => {
      if (fits(check, event, this.#told)) this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    });
  }

  /** All is met but, perhaps, what is in the files. A step without checks is left by hand. */
  #ready(): boolean {
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
    this.#from = this.#next - this.#waiting.length;
    this.#answered = new Set();
    this.#tried = false;
    this.#files = [];
    this.#counts = this.#none();
    this.#changes.emit();
  }

  #none(): number[] {
    return (this.current?.checks ?? []).map(() => 0);
  }

  async #look(): Promise<void> {
    this.#lookAgain = true;
    if (this.#looking) return;
    this.#looking = true;
    while (this.#lookAgain) {
      this.#lookAgain = false;
      const step = this.#step;
      const found = await Promise.all(
        (this.current?.checks ?? []).map(
          async (check) => check.kind === 'file' && (await this.#holds(check)),
        ),
      );
      if (step === this.#step) this.#files = found;
    }
    this.#looking = false;
    this.#changes.emit();
    if (this.#ready() && !this.#needsFiles()) this.#drain();
  }

  async #holds({ file, matches, gone }: CheckOf<'file'>): Promise<boolean> {
    const text = await this.#read(file);
    if (text === null || gone) return text === null && gone === true;
    return matches === undefined || alike(matches, text);
  }
}
