import type { Check } from './checks.ts';

/** Length limits of a lesson's texts, in characters. */
export const SOURCE_LIMITS = { markdown: 100_000, script: 400_000 } as const;

/** The entry in the list of lessons. */
export interface LessonCard {
  readonly title: string;
  readonly summary: string;
  readonly minutes: number;
  /** Says who plays the model in the lesson's session: the script, or the learner. */
  readonly model: 'script' | 'you';
}

export interface LessonStep {
  readonly title: string;
  /** Markdown that is shown before the first message to send. */
  readonly text: string;
  /** Markdown that is shown once a message was sent, because it talks about the result. */
  readonly after: string;
  /** Messages that the learner can use. */
  readonly prompts: readonly string[];
  /** Markdown; the hints are shown one after another. */
  readonly hints: readonly string[];
  /**
   * The address of a recording. Where a small model is in this browser, it can answer in this step in place of the script;
   * where there is none, the recording can be watched.
   */
  readonly smallModel?: string;
  /** All of these must be met. A step without checks ends when the learner continues. */
  readonly checks: readonly Check[];
}
