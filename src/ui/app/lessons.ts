import type { Unlisten } from '../../base/listeners.ts';
import type { Lesson, LessonSource } from '../../lessons/lesson.ts';
import type { LessonCard } from '../../lessons/parts.ts';
import type { LessonRun } from '../../lessons/run.ts';
import type { YouAnswer, YouRequest } from '../../models/you/queue.ts';
import type { ModelRef } from '../../session/log/events.ts';
import type { SessionHandle } from './sessions.ts';

/** Requests that the person answers in the model's place. */
export interface AppYou {
  /** The requests that wait for an answer, oldest first. */
  waiting(): readonly YouRequest[];
  answer(id: string, answer: YouAnswer): void;
  /** The error that the model would get for these arguments; `null` if they are valid. */
  problem(request: YouRequest, tool: string, args: string): Promise<string | null>;
  onChange(listener: () => void): Unlisten;
}

/** The lessons that come with the app, and the person's own. */
export interface AppLessons {
  list(): readonly LessonEntry[];
  load(id: string): Promise<Lesson>;
  source(id: string): Promise<LessonSource>;
  /** Saves one of the person's own lessons under `id`, or under a new id. Resolves to the id. */
  save(source: LessonSource, id?: string): Promise<string>;
  remove(id: string): Promise<void>;
  /** Continues a lesson where the learner left it, or begins it in a workspace and session of its own. */
  open(id: string): Promise<OpenLesson>;
  /**
   * Begins the lesson again. The workspace of the previous attempt is removed like any other, and what was allowed
   * everywhere in it is taken back.
   */
  restart(id: string): Promise<OpenLesson>;
  /** The model of a session that was made for a lesson; `null` for any other session. */
  modelOf(sessionID: string): Promise<ModelRef | null>;
  onChange(listener: () => void): Unlisten;
}

export interface LessonEntry extends LessonCard {
  readonly id: string;
  readonly own: boolean;
  /** Index of the learner's current step; `null` if the lesson was not begun. */
  readonly step: number | null;
  /** The number of steps. */
  readonly steps: number;
  /** The language of its texts. It is not known of the person's own. */
  readonly language?: string;
}

export interface OpenLesson {
  readonly id: string;
  readonly run: LessonRun;
  /** The handle that is valid now: it is replaced when a tab takes over the workspace. */
  readonly session: SessionHandle;
  /** The model that the prompts of the lesson's session go to. */
  readonly model: ModelRef;
  close(): void;
}
