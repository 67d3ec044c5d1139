import * as z from 'zod';
import { FaultError } from '../base/fault.ts';
import { hashText } from '../base/hash.ts';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { SettingsStore } from '../base/settings-store.ts';
import { parseLesson, type Lesson, type LessonSource } from '../lessons/lesson.ts';
import { lessonsIn, loadLesson, loadSource } from '../lessons/library.ts';
import { lessonOf } from '../lessons/parsed.ts';
import { FollowedFiles } from './followed-files.ts';
import { FollowedSession } from './followed-session.ts';
import { StoredRecord } from './stored-record.ts';
import { LessonRun, progressSchema, type LessonProgress } from '../lessons/run.ts';
import { lessonScript } from '../lessons/script.ts';
import type { Script } from '../models/types.ts';
import type { Event, ModelRef } from '../session/log/events.ts';
import type {
  AppLessons,
  AppSessions,
  AppWorkspaces,
  LessonEntry,
  OpenLesson,
  SessionHandle,
} from '../ui/app.ts';
import { takeBackGrants, type GrantDeps } from './lesson-grants.ts';
import { lessonWords } from '../ui/lessons/lesson-words.ts';

const MOST_OWN = 100;

const ownSchema = z.object({ markdown: z.string(), script: z.string() });

export interface LessonsDeps extends GrantDeps {
  /** The language of the page, in which the app's lessons are shown where they are translated. */
  readonly language: string;
  readonly settings: SettingsStore;
  readonly sessions: Pick<AppSessions, 'list' | 'live' | 'create' | 'open' | 'onChange'>;
  readonly workspaces: Pick<AppWorkspaces, 'open' | 'delete'>;
  /** A new workspace with these files; its id. */
  makeWorkspace(files: Readonly<Record<string, string>>, name: string): Promise<string>;
}

/** The built-in lessons and the person's own, with the progress in each. */
export class LessonsOfApp implements AppLessons {
  readonly #deps: LessonsDeps;
  readonly #changed = new Listeners<void>();
  /** One object per lesson, because the scripted model's position belongs to it. */
  readonly #scripts = new Map<string, Script>();
  readonly #progress: StoredRecord<LessonProgress>;
  readonly #own: StoredRecord<LessonSource>;

  private constructor(
    deps: LessonsDeps,
    progress: StoredRecord<LessonProgress>,
    own: StoredRecord<LessonSource>,
  ) {
    this.#deps = deps;
    this.#progress = progress;
    this.#own = own;
  }

  static async open(deps: LessonsDeps): Promise<LessonsOfApp> {
    const [progress, own] = await Promise.all([
      StoredRecord.open(deps.settings, 'lessons.progress', progressSchema),
      StoredRecord.open(deps.settings, 'lessons.own', ownSchema),
    ]);
    return new LessonsOfApp(deps, progress, own);
  }

  list(): readonly LessonEntry[] {
    const own = this.#own.entries().flatMap(([id, source]) => {
      const parsed = parseLesson(source);
      // It was valid when it was stored; a later version may disagree.
      if (!parsed.ok) return [];
      const { title, summary, minutes, model, steps } = parsed.lesson;
      return { id, title, summary, minutes, model, steps: steps.length, own: true };
    });
    return [...lessonsIn(this.#deps.language).map((lesson) => ({ ...lesson, own: false })), ...own].map(
      (entry) => ({
        ...entry,
        step: this.#progress.get(entry.id)?.step ?? null,
      }),
    );
  }

  async load(id: string): Promise<Lesson> {
    const own = this.#own.get(id);
    return own ? lessonOf(own, id) : loadLesson(id, this.#deps.language);
  }

  async source(id: string): Promise<LessonSource> {
    return this.#own.get(id) ?? loadSource(id, this.#deps.language);
  }

  async save(source: LessonSource, id?: string): Promise<string> {
    lessonOf(source, id ?? 'lesson');
    const named = id ?? this.#idFor(source);
    if (!this.#own.get(named) && this.#own.entries().length >= MOST_OWN)
      throw new FaultError({
        code: 'too-many-lessons',
        what: `There are ${MOST_OWN} lessons of your own already.`,
        next: 'Delete one that you no longer need.',
      });
    await this.#own.set(named, source);
    this.#scripts.delete(named);
    this.#changed.emit();
    return named;
  }

  /**
   * Returns the id of an identical lesson if there is one. Never that of a different lesson, such as this one with
   * the person's changes.
   */
  #idFor(source: LessonSource): string {
    const text = JSON.stringify([source.markdown, source.script]);
    const hash = `own-${hashText(text).slice(0, 12)}`;
    for (let n = 1; ; n++) {
      const id = n === 1 ? hash : `${hash}-${n}`;
      const there = this.#own.get(id);
      if (!there || JSON.stringify([there.markdown, there.script]) === text) return id;
    }
  }

  async remove(id: string): Promise<void> {
    await this.#own.set(id, null);
    await this.#progress.set(id, null);
    this.#changed.emit();
  }

  async open(id: string): Promise<OpenLesson> {
    const lesson = await this.load(id);
    const known = this.#progress.get(id);
    const session = known && (await this.#openSession(known.sessionID));
    if (known && session) return this.#attach(id, lesson, known, session);
    return this.#begin(id, lesson);
  }

  async restart(id: string): Promise<OpenLesson> {
    const lesson = await this.load(id);
    const known = this.#progress.get(id);
    const old = known && (await this.#openSession(known.sessionID));
    // The existing session is deleted only once the new one could be created.
    const open = await this.#begin(id, lesson);
    try {
      if (old) {
        await takeBackGrants(this.#deps, old.id);
        await this.#deps.workspaces.delete(old.state.workspaceID);
      }
    } catch (error) {
      open.close();
      throw error;
    }
    return open;
  }

  async modelOf(sessionID: string): Promise<ModelRef | null> {
    const [id] = this.#progress.entries().find(([, progress]) => progress.sessionID === sessionID) ?? [];
    return id === undefined ? null : modelOf(id, await this.load(id));
  }

  /** The script of the model of that name, if the model belongs to a lesson. */
  async script(model: string): Promise<Script | undefined> {
    const id = lessonIDOf(model);
    if (id === null) return undefined;
    const played =
      this.#scripts.get(id) ?? lessonScript((await this.load(id)).script, lessonWords.unknownMessage);
    this.#scripts.set(id, played);
    return played;
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }

  async #begin(id: string, lesson: Lesson): Promise<OpenLesson> {
    const workspaceID = await this.#deps.makeWorkspace(
      lesson.script.files ?? {},
      lessonWords.workspace(lesson.title),
    );
    try {
      const session = await this.#deps.sessions.create({ workspaceID, title: lesson.title });
      const progress: LessonProgress = { sessionID: session.id, step: 0, from: 0, answered: [] };
      await this.#keep(id, progress);
      return await this.#attach(id, lesson, progress, session);
    } catch (error) {
      await this.#deps.workspaces.delete(workspaceID).catch(() => undefined);
      throw error;
    }
  }

  async #attach(
    id: string,
    lesson: Lesson,
    progress: LessonProgress,
    session: SessionHandle,
  ): Promise<OpenLesson> {
    const { workspaces, sessions } = this.#deps;
    const { workspaceID } = session.state;
    const workspace = () => workspaces.open(workspaceID);
    const run = new LessonRun(lesson, progress, async (path) => {
      try {
        return new TextDecoder().decode(await (await workspace()).files.read(path));
      } catch {
        return null;
      }
    });
    const buffered: Event[] = [];
    let reading = false;
    // Reads the log so far first, then fills any gap before the live ones. The end of a turn that the last page left is
    // written as the session is opened, and may not be stored yet.
    const read = async () => {
      reading = true;
      try {
        run.feed(await this.#deps.wholeLog(session.id));
      } finally {
        reading = false;
        run.feed(buffered.splice(0));
      }
    };
    const hear = (batch: readonly Event[]) => {
      const gap = (batch[0]?.seq ?? 0) > run.nextSeq;
      if (!reading && !gap) return run.feed(batch);
      buffered.push(...batch);
      if (!reading) void read().catch(() => undefined);
    };
    const files = new FollowedFiles(workspace, () => run.filesChanged());
    const replaced = () => {
      files.follow();
      if (!reading) void read().catch(() => undefined);
    };
    const followed = new FollowedSession(sessions, session, hear, replaced);
    const unlisten = run.onChange(() => void this.#keep(id, run.progress).catch(() => undefined));
    await read();
    files.follow();
    const close = () => {
      followed.close();
      files.close();
      unlisten();
    };
    return {
      ...{ id, run, model: modelOf(id, lesson), close },
      get session() {
        return followed.session;
      },
    };
  }

  /** Returns `null` if the session was deleted. */
  async #openSession(id: string): Promise<SessionHandle | null> {
    const { sessions } = this.#deps;
    return (await sessions.list()).some((record) => record.id === id) ? sessions.open(id) : null;
  }

  async #keep(id: string, progress: LessonProgress): Promise<void> {
    if (JSON.stringify(this.#progress.get(id)) === JSON.stringify(progress)) return;
    const kept = this.#progress.set(id, progress);
    this.#changed.emit();
    await kept;
  }
}

const PREFIX = 'lesson/';

function lessonIDOf(model: string): string | null {
  return model.startsWith(PREFIX) ? model.slice(PREFIX.length) : null;
}

function modelOf(id: string, lesson: Lesson): ModelRef {
  return lesson.model === 'you'
    ? { provider: 'you', model: 'you' }
    : { provider: 'scripted', model: PREFIX + id };
}
