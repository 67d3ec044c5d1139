import { frameAddress, SANDBOX } from '../../embed/element/frame-address.ts';
import { reportIn } from '../../embed/messages.ts';
import { element } from '../../embed/view/dom.ts';
import type { ReportingSession } from '../session.ts';

/** The part of a lesson that its frame shows first. */
interface Beginning {
  readonly source: string;
  /** Names the frame until the lesson's own title is known. */
  readonly title: string;
  readonly lang: string;
  /** The number of the step, from 1. */
  readonly step: number;
}

/** The frame in which the lesson is read. What it tells is kept until there is a session that reports it. */
export class LessonFrame {
  readonly node: HTMLIFrameElement;
  /** Called when the learner has gone through the lesson. */
  onFinish: () => void = () => {};
  #session: ReportingSession | null = null;
  #ready = false;
  #completed = false;
  #done = 0;
  #steps = 0;
  #step = 1;

  /** `page` is the address of the page; its parameters name the theme. */
  constructor(page: URL, { source, title, lang, step }: Beginning) {
    const site = new URL('./', page).href;
    const theme = page.searchParams.get('theme');
    const isLesson = /^[?#]lesson=/.test(source);
    const address = isLesson
      ? frameAddress(site, site, { src: source, lang, theme, step: String(step) })
      : null;
    // Without a lesson the frame says that there is nothing to show.
    const src = address ?? `${site}embed.html?lang=${lang}`;
    this.node = element('iframe', { title, sandbox: SANDBOX, src });
    addEventListener('message', ({ source: from, data }: MessageEvent<unknown>) => {
      if (from !== null && from === this.node.contentWindow) this.#hear(data);
    });
  }

  get isFinished(): boolean {
    return this.#completed;
  }

  reportTo(session: ReportingSession): void {
    this.#session = session;
    this.#tell();
  }

  #hear(data: unknown): void {
    const report = reportIn(data);
    if (!report) return;
    const { title, done, steps, step }: Readonly<Record<string, unknown>> = { ...report.detail };
    if (report.type === 'ready') {
      this.#ready = true;
      if (typeof title === 'string') document.title = this.node.title = title;
    }
    if (report.type === 'progress') {
      if (typeof done === 'number') this.#done = done;
      if (typeof steps === 'number') this.#steps = steps;
      if (typeof step === 'number') this.#step = step;
    }
    if (report.type === 'completed') this.#completed = true;
    this.#tell();
    if (report.type === 'completed') this.onFinish();
  }

  /** The session takes each fact once, so all of them are told each time. */
  #tell(): void {
    const session = this.#session;
    if (!session || !this.#ready) return;
    session.begin();
    session.progress(this.#done, this.#steps, this.#step);
    if (this.#completed) session.complete();
  }
}

/** The lesson that the address names or, for those that are longer than an address, the one in the course's own text. */
export function lessonSource(page: URL, parameters: string): string {
  const id = page.searchParams.get('lesson');
  if (id) return `?lesson=${encodeURIComponent(id)}`;
  return page.hash.startsWith('#lesson=') ? page.hash : parameters.trim();
}
