import * as z from 'zod';
import { FaultError } from '../base/fault.ts';
import { hashText } from '../base/hash.ts';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { SettingsStore } from '../base/settings-store.ts';
import { parseLesson, type Lesson, type LessonSource } from '../lessons/lesson.ts';
import { lessons, loadLesson, loadSource } from '../lessons/library.ts';
import { lessonOf } from '../lessons/parsed.ts';
import { LessonRun, progressSchema, type LessonProgress } from '../lessons/run.ts';
import { lessonScript } from '../lessons/script.ts';
import type { Script } from '../models/types.ts';
import type { Event, ModelRef } from '../session/events.ts';
import type { SessionStore } from '../session/store.ts';
import type {
  AppLessons,
  AppSessions,
  AppWorkspaces,
  LessonEntry,
  OpenLesson,
  SessionHandle,
} from '../ui/app.ts';

const PROGRESS = 'lessons.progress';
const OWN = 'lessons.own';
const MOST_OWN = 100;

const ownSchema = z.record(z.string(), z.object({ markdown: z.string(), script: z.string() }));

export interface LessonsDeps {
  readonly settings: SettingsStore;
  readonly events: Pick<SessionStore, 'events'>;
  readonly sessions: Pick<AppSessions, 'list' | 'create' | 'open'>;
  readonly workspaces: Pick<AppWorkspaces, 'open' | 'delete'>;
  /** A new workspace with these files; its id. */
  makeWorkspace(files: Readonly<Record<string, string>>, name: string): Promise<string>;
}

/** The lessons that come with the app and the person's own, and how far each was taken. */
export class LessonsOfApp implements AppLessons {
  readonly #deps: LessonsDeps;
  readonly #changed = new Listeners<void>();
  /** One object a lesson: what the model has said so far hangs on it. */
  readonly #scripts = new Map<string, Script>();
  readonly #progress: Record<string, LessonProgress>;
  readonly #own: Record<string, LessonSource>;

  private constructor(
    deps: LessonsDeps,
    progress: Record<string, LessonProgress>,
    own: Record<string, LessonSource>,
  ) {
    this.#deps = deps;
    this.#progress = progress;
    this.#own = own;
  }

  static async open(deps: LessonsDeps): Promise<LessonsOfApp> {
    const [progress, own] = await Promise.all([deps.settings.get(PROGRESS), deps.settings.get(OWN)]);
    // What another version wrote is left alone until something is written.
    return new LessonsOfApp(
      deps,
      z.record(z.string(), progressSchema).safeParse(progress).data ?? {},
      ownSchema.safeParse(own).data ?? {},
    );
  }

  list(): readonly LessonEntry[] {
    const own = Object.entries(this.#own).flatMap(([id, source]) => {
      const parsed = parseLesson(source);
      // Valid when it was kept; a later version may see it otherwise.
      if (!parsed.ok) return [];
      const { title, summary, minutes, model, steps } = parsed.lesson;
      return { id, title, summary, minutes, model, steps: steps.length, own: true };
    });
    return [...lessons.map((lesson) => ({ ...lesson, own: false })), ...own].map((entry) => ({
      ...entry,
      step: this.#progress[entry.id]?.step ?? null,
    }));
  }

  async load(id: string): Promise<Lesson> {
    const own = this.#own[id];
    return own ? lessonOf(own, id) : loadLesson(id);
  }

  async source(id: string): Promise<LessonSource> {
    return this.#own[id] ?? loadSource(id);
  }

  async save(source: LessonSource, id?: string): Promise<string> {
    lessonOf(source, id ?? 'lesson');
    const named = id ?? `own-${hashText(JSON.stringify([source.markdown, source.script])).slice(0, 12)}`;
    if (!(named in this.#own) && Object.keys(this.#own).length >= MOST_OWN)
      throw new FaultError({
        code: 'too-many-lessons',
        what: `There are ${MOST_OWN} lessons of your own already.`,
        next: 'Delete one that is no longer needed.',
      });
    this.#own[named] = source;
    this.#scripts.delete(named);
    await this.#deps.settings.set(OWN, { ...this.#own });
    this.#changed.emit();
    return named;
  }

  async remove(id: string): Promise<void> {
    delete this.#own[id];
    delete this.#progress[id];
    await this.#deps.settings.set(OWN, { ...this.#own });
    await this.#deps.settings.set(PROGRESS, { ...this.#progress });
    this.#changed.emit();
  }

  async open(id: string): Promise<OpenLesson> {
    const lesson = await this.load(id);
    const known = this.#progress[id];
    const session = known && (await this.#openSession(known.sessionID));
    if (known && session) return this.#attach(id, lesson, known, session);
    return this.#begin(id, lesson);
  }

  async restart(id: string): Promise<OpenLesson> {
    const lesson = await this.load(id);
    const known = this.#progress[id];
    const old = known && (await this.#openSession(known.sessionID));
    if (old) await this.#deps.workspaces.delete(old.state.workspaceID);
    return this.#begin(id, lesson);
  }

  /** The script of the model of that name, if it is a lesson's. */
  async script(model: string): Promise<Script | undefined> {
    const id = lessonIDOf(model);
    if (id === null) return undefined;
    const made = this.#scripts.get(id) ?? lessonScript((await this.load(id)).script);
    this.#scripts.set(id, made);
    return made;
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }

  async #begin(id: string, lesson: Lesson): Promise<OpenLesson> {
    const workspaceID = await this.#deps.makeWorkspace(lesson.script.files ?? {}, `Lesson: ${lesson.title}`);
    const session = await this.#deps.sessions.create({ workspaceID, title: lesson.title });
    const progress: LessonProgress = { sessionID: session.id, step: 0, from: 0, answered: [] };
    await this.#keep(id, progress);
    return this.#attach(id, lesson, progress, session);
  }

  async #attach(
    id: string,
    lesson: Lesson,
    progress: LessonProgress,
    session: SessionHandle,
  ): Promise<OpenLesson> {
    const { workspaces, events } = this.#deps;
    const workspace = () => workspaces.open(session.state.workspaceID);
    const run = new LessonRun(lesson, progress, async (path) => {
      try {
        return new TextDecoder().decode(await (await workspace()).files.read(path));
      } catch {
        return null;
      }
    });
    const buffered: Event[] = [];
    let reading = false;
    // Stored ones first: what happened before, and what is missing between it and what is heard.
    const read = async () => {
      reading = true;
      try {
        run.feed(await events.events(session.id, 0));
      } finally {
        reading = false;
        run.feed(buffered.splice(0));
      }
    };
    const unlisten = [
      session.onEvents((batch) => {
        const gap = (batch[0]?.seq ?? 0) > run.nextSeq;
        if (!reading && !gap) return run.feed(batch);
        buffered.push(...batch);
        if (!reading) void read().catch(() => undefined);
      }),
      run.onChange(() => void this.#keep(id, run.progress).catch(() => undefined)),
    ];
    await read();
    void workspace()
      .then((opened) => unlisten.push(opened.watch(() => run.filesChanged())))
      .catch(() => undefined);
    run.filesChanged();
    return { id, run, session, model: modelOf(id, lesson), close: () => unlisten.forEach((stop) => stop()) };
  }

  /** `null` where it was deleted. */
  async #openSession(id: string): Promise<SessionHandle | null> {
    const { sessions } = this.#deps;
    return (await sessions.list()).some((record) => record.id === id) ? sessions.open(id) : null;
  }

  async #keep(id: string, progress: LessonProgress): Promise<void> {
    if (JSON.stringify(this.#progress[id]) === JSON.stringify(progress)) return;
    this.#progress[id] = progress;
    this.#changed.emit();
    await this.#deps.settings.set(PROGRESS, { ...this.#progress });
  }
}

const PREFIX = 'lesson/';

export function lessonIDOf(model: string): string | null {
  return model.startsWith(PREFIX) ? model.slice(PREFIX.length) : null;
}

function modelOf(id: string, lesson: Lesson): ModelRef {
  return lesson.model === 'you'
    ? { provider: 'you', model: 'you' }
    : { provider: 'scripted', model: PREFIX + id };
}
