import type { Unlisten } from '../../base/listeners.ts';
import { faultOf } from '../../base/fault.ts';
import type { Lesson, LessonSource } from '../../lessons/lesson.ts';
import { lessonOf } from '../../lessons/parsed.ts';
import { fromLink, toLink } from '../../lessons/share.ts';
import type { App, AppLessons, LessonEntry, ModelChoice, OpenLesson, SessionHandle } from '../app.ts';
import { faultText } from '../conversation/fault-words.ts';
import type { Layout } from '../state/layout.svelte.ts';
import type { LessonsFor } from './lessons-panel.svelte.ts';

export type LessonsPage =
  | { readonly kind: 'loading' }
  /** `notice`: why the list is shown in place of a lesson that was asked for. */
  | { readonly kind: 'list'; readonly notice?: string }
  | { readonly kind: 'lesson'; readonly open: OpenLesson }
  | { readonly kind: 'shared'; readonly source: LessonSource; readonly lesson: Lesson }
  | { readonly kind: 'failed'; readonly what: string };

export interface LessonsDeps {
  readonly load: App['lessons'];
  readonly layout: Pick<Layout, 'pane' | 'show'>;
  /** Shows a session, and sends its prompts to `model` from now on. */
  readonly showSession: (session: SessionHandle, model: ModelChoice) => Promise<void>;
}

/** The content of the lessons panel. */
export class LessonsState {
  readonly #deps: LessonsDeps;
  #app: AppLessons | null = null;
  #page = $state.raw<LessonsPage>({ kind: 'loading' });
  #entries = $state.raw<readonly LessonEntry[]>([]);
  /** A counter that grows when the run of the open lesson changes. */
  #turned = $state(0);
  #answering = $state.raw<ModelChoice | null>(null);
  #unlisten: Unlisten[] = [];
  #asked = 0;

  constructor(deps: LessonsDeps) {
    this.#deps = deps;
  }

  get page(): LessonsPage {
    return this.#page;
  }
  get entries(): readonly LessonEntry[] {
    return this.#entries;
  }

  /** The state of the open lesson's run. The read is reactive. */
  get run() {
    void this.#turned;
    if (this.#page.kind !== 'lesson') return null;
    const { step, met, begun, finished, stalled, ruled, ruledByMode, asks, lesson } = this.#page.open.run;
    return { step, met, begun, finished, stalled, ruled, ruledByMode, asks, lesson };
  }

  /** The model that answers in the open lesson in place of its own; `null` while its own does. */
  get answering(): ModelChoice | null {
    return this.#answering;
  }

  /** The lesson after the open one. */
  get next(): LessonEntry | undefined {
    const page = this.#page;
    if (page.kind !== 'lesson') return undefined;
    return this.#entries[this.#entries.findIndex(({ id }) => id === page.open.id) + 1];
  }

  async show(what: LessonsFor): Promise<void> {
    if (what.kind === 'lesson') return this.open(what.id);
    if (what.kind === 'list') return this.#to(async () => ({ kind: 'list' }));
    return this.#to(async () => {
      const source = await fromLink(what.data);
      return { kind: 'shared', source, lesson: lessonOf(source, 'link') };
    });
  }

  /** Continues or begins a lesson; `again` starts it over. */
  async open(id: string, again = false): Promise<void> {
    await this.#to(async (app) => {
      const open = await (again ? app.restart(id) : app.open(id));
      // The session is shown before the lesson can be clicked, so that messages from the lesson go to this
      // session.
      await this.#enter(open);
      return { kind: 'lesson', open };
    });
    const page = this.#page;
    if (page.kind !== 'lesson' || page.open.id !== id) return;
    this.#unlisten.push(
      page.open.run.onChange(() => this.#turned++),
      () => page.open.close(),
    );
    this.#name(id);
  }

  /** Shows the session of the open lesson. */
  async toSession(): Promise<void> {
    if (this.#page.kind === 'lesson') await this.#enter(this.#page.open);
  }

  /** Sends what the learner writes in the open lesson to `model`; `null` is the lesson's own. */
  async answerWith(model: ModelChoice | null): Promise<void> {
    this.#answering = model;
    await this.toSession();
  }

  async save(source: LessonSource, id?: string): Promise<string> {
    return (await this.#lessons()).save(source, id);
  }

  async source(id: string): Promise<LessonSource> {
    return (await this.#lessons()).source(id);
  }

  /** A link to a lesson: one of the app is named, one of the person's own is in the link itself. */
  async addressOf(id: string): Promise<string> {
    const page = location.origin + location.pathname;
    const isOwn = this.#entries.find((entry) => entry.id === id)?.own;
    if (!isOwn) return `${page}?lesson=${encodeURIComponent(id)}`;
    return `${page}#lesson=${await toLink(await this.source(id))}`;
  }

  async remove(id: string): Promise<void> {
    await (await this.#lessons()).remove(id);
  }

  close(): void {
    this.#asked++;
    this.#leave();
    this.#name(null);
  }

  async #to(find: (app: AppLessons) => Promise<LessonsPage>): Promise<void> {
    // Only the result of the last click is shown.
    const asked = ++this.#asked;
    this.#leave();
    this.#page = { kind: 'loading' };
    let page: LessonsPage;
    try {
      page = await find(await this.#lessons());
    } catch (error) {
      const fault = faultOf(error);
      const text = faultText(fault);
      page =
        fault.code === 'lesson-unknown' ? { kind: 'list', notice: text } : { kind: 'failed', what: text };
    }
    if (asked !== this.#asked) {
      if (page.kind === 'lesson') page.open.close();
      return;
    }
    this.#page = page;
    if (page.kind !== 'lesson') this.#name(null);
  }

  async #enter({ session, model }: OpenLesson): Promise<void> {
    const { layout, showSession } = this.#deps;
    const { pane } = layout;
    await showSession(session, this.#answering ?? model);
    layout.show(pane);
  }

  async #lessons(): Promise<AppLessons> {
    if (this.#app) return this.#app;
    const app = await this.#deps.load();
    this.#app = app;
    this.#entries = app.list();
    app.onChange(() => (this.#entries = app.list()));
    return app;
  }

  #leave(): void {
    for (const unlisten of this.#unlisten.splice(0)) unlisten();
    this.#answering = null;
  }

  /**
   * Puts the lesson into the address, for reloading and for sharing. Only the app's own lessons can be shared
   * this way.
   */
  #name(id: string | null): void {
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- read once, not shown
    const parameters = new URLSearchParams(location.search);
    if (id === null) parameters.delete('lesson');
    else parameters.set('lesson', id);
    const search = parameters.size > 0 ? `?${parameters}` : '';
    const hash = location.hash.startsWith('#lesson=') ? '' : location.hash;
    if (search === location.search && hash === location.hash) return;
    history.replaceState(history.state, '', `${location.pathname}${search}${hash}`);
  }
}
