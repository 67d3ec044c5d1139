import type { Clock } from '../base/clock.ts';
import { FaultError, faultOf } from '../base/fault.ts';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { Timer } from '../base/timer.ts';
import type { FromPage, PageAction, PreviewForm, ToClient } from '../protocol/preview.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { PreviewAnswers, type AnsweredDocument } from './answers.ts';
import { CookieJar } from './cookies.ts';
import type { HostEvents, PreviewHost } from './host.ts';
import { PreviewLog } from './log.ts';
import { PageLink, type PageNews } from './page-link.ts';
import type { OpenOwnTab, OwnTab } from './own-tab.ts';
import { previewRequest } from './schemas.ts';
import { passSocket } from './sockets.ts';
import { sameTarget, type PreviewTarget } from './target.ts';

export interface PreviewDeps {
  readonly workspace: Workspace;
  readonly clock: Clock;
  readonly timer: Timer;
  isVisible(path: string): Promise<boolean>;
  sources(): Promise<string>;
  /** Starts what shows the pages of a target, in the page of the app unless a place is given. Rejects where nothing can. */
  start(target: PreviewTarget, events: HostEvents, place?: HTMLElement): Promise<PreviewHost>;
  readonly openTab: OpenOwnTab;
}

export interface PreviewState {
  readonly target: PreviewTarget | null;
  readonly path: string;
  readonly title: string;
  readonly phase: 'empty' | 'starting' | 'loading' | 'shown' | 'failed';
  /** The start takes longer than usual, but goes on. */
  readonly isSlow: boolean;
  /** A sentence on why it failed. */
  readonly reason: string;
  readonly host: PreviewHost | null;
  readonly canGoBack: boolean;
  /** The size of the page in CSS pixels; `null` where it fills the room that there is. */
  readonly size: { readonly width: number; readonly height: number } | null;
  /** Whether the page is shown in a tab of its own, and not in the page of the app. */
  readonly isInOwnTab: boolean;
}

const EMPTY: PreviewState = {
  target: null,
  path: '/',
  title: '',
  phase: 'empty',
  isSlow: false,
  reason: '',
  host: null,
  canGoBack: false,
  size: null,
  isInOwnTab: false,
};
/** How long a page may load before those who wait for it go on, in milliseconds. */
const LOAD_MS = 15_000;
/** How long an action waits for what it has set off in the page, in milliseconds. */
const QUIET_MS = 5_000;
const MOMENT_MS = 150;
/** How long a page may take to answer, in milliseconds. A script that never ends keeps it from doing so. */
const ANSWER_MS = 30_000;
const MOST_HISTORY = 50;

/** The preview of one workspace: what it shows, what happens in it, and what can be done there. */
export class Preview {
  readonly log = new PreviewLog();
  readonly #deps: PreviewDeps;
  readonly #cookies: CookieJar;
  readonly #changed = new Listeners<void>();
  #state: PreviewState = EMPTY;
  #link: PageLink | undefined;
  #pageOver = new AbortController();
  #tab: OwnTab | undefined;
  /** The document that a frame got last, unless a page has begun since. */
  #answered: AnsweredDocument | undefined;
  #history: string[] = [];
  /** Counts the targets that were opened, so that what belongs to an earlier one is recognised. */
  #opened = 0;

  constructor(deps: PreviewDeps) {
    this.#deps = deps;
    this.#cookies = new CookieJar(() => deps.clock.now());
  }

  get state(): PreviewState {
    return this.#state;
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }

  /** Shows a path of a target. Resolves once the host is there; rejects with a fault where none can be had. */
  async open(target: PreviewTarget, path = '/'): Promise<void> {
    const { host } = this.#state;
    if (host && sameTarget(target, this.#state.target)) return this.#go(host, path);
    this.#end();
    const opened = ++this.#opened;
    const { size, isInOwnTab } = this.#state;
    this.#become({ ...EMPTY, size, isInOwnTab, target, path, phase: 'starting' });
    try {
      const started = await this.#deps.start(target, this.#events(target, opened), this.#tab?.container);
      if (opened !== this.#opened) return started.close();
      this.#become({ host: started, isSlow: false });
      this.#go(started, path);
    } catch (error) {
      if (opened !== this.#opened) return;
      const reason = faultOf(error).what;
      this.#become({ phase: 'failed', reason });
      throw new FaultError(
        { code: 'preview', what: `The preview could not start: ${reason}` },
        { cause: error },
      );
    }
  }

  /**
   * Shows the page in a tab of its own, where it begins anew. Browsers open one only at a press of a key or a button.
   * Returns false where this one does not.
   */
  openTab(): boolean {
    const tab = this.#deps.openTab({
      ready: () => void this.restart().catch(() => undefined),
      closed: () => this.#bringBack(),
    });
    if (!tab) return false;
    this.#tab?.close();
    this.#leaveHost();
    this.#tab = tab;
    this.#become({ isInOwnTab: true, size: null, phase: this.#state.target ? 'starting' : 'empty' });
    return true;
  }

  /** Brings the tab to the front in which the page is shown, if it has one. */
  focusTab(): void {
    this.#tab?.focus();
  }

  /** Closes the tab of its own, and shows the page in the app again, where it begins anew. */
  closeTab(): void {
    this.#tab?.close();
    this.#bringBack();
  }

  /** Starts what is shown anew, because it did not start as it should have or because its place is another one. */
  async restart(): Promise<void> {
    const { target, path } = this.#state;
    if (!target) return;
    this.#leaveHost();
    await this.open(target, path);
  }

  /** Goes to another path of what is shown. */
  go(path: string): void {
    if (this.#state.host) this.#go(this.#state.host, path);
  }

  back(): void {
    const [previous] = this.#history.splice(-2);
    if (previous !== undefined && this.#state.host) this.#go(this.#state.host, previous);
  }

  reload(): void {
    this.#become({ phase: 'loading' });
    const { host, path } = this.#state;
    host?.reload(path, { cookies: this.#cookies.header(path, true) });
  }

  resize(size: PreviewState['size']): void {
    this.#become({ size });
  }

  /** Lets the page do something. Rejects with a fault where there is none, or it cannot. */
  async act(action: PageAction, signal?: AbortSignal): Promise<string> {
    if (!this.#link) throw this.#nothingToReadFault();
    return action.do === 'pick'
      ? this.#link.act(action, signal)
      : this.#actInTime(this.#link, action, signal);
  }

  #nothingToReadFault(): FaultError {
    const plain = this.#answered;
    if (plain && !plain.isPage) {
      const type = plain.type || 'of no named type';
      return new FaultError({
        code: 'preview',
        what: `What the preview shows is no HTML page: ${plain.target} was answered with status ${plain.status}, ${type}.`,
        next: 'Read it with curl in bash, or open a page.',
      });
    }
    const isThere = this.#state.phase === 'shown' || this.#state.phase === 'loading';
    return new FaultError({
      code: 'preview',
      what: isThere
        ? 'What the preview shows is no web page whose content could be read.'
        : 'The preview shows nothing yet.',
      next: 'Open a page first.',
    });
  }

  async #actInTime(link: PageLink, action: PageAction, signal: AbortSignal | undefined): Promise<string> {
    const limit = new AbortController();
    const stop = this.#deps.timer.after(ANSWER_MS, () =>
      limit.abort(
        new FaultError({
          code: 'timeout',
          what: `The page did not answer within ${ANSWER_MS / 1000} seconds.`,
          next: 'Reload it. Where that does not help, look for a script in it that does not end.',
        }),
      ),
    );
    try {
      return await link.act(action, signal ? AbortSignal.any([signal, limit.signal]) : limit.signal);
    } finally {
      stop();
    }
  }

  /** Resolves once the page has loaded, or has taken too long. */
  settled(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const over = new AbortController();
      const finish = () => (over.abort(), resolve());
      const unlisten = this.onChange(() => this.#isSettled() && finish());
      const stop = this.#deps.timer.after(LOAD_MS, finish);
      over.signal.addEventListener('abort', () => (unlisten(), stop()));
      signal?.addEventListener('abort', finish, { signal: over.signal });
      if (this.#isSettled() || signal?.aborted) finish();
    });
  }

  /** Resolves once nothing has happened in the page for a moment, or enough time has passed. */
  async quiet(signal?: AbortSignal): Promise<void> {
    const end = this.#deps.clock.now() + QUIET_MS;
    do {
      const { next } = this.log;
      const before = this.#state;
      await this.moment(signal);
      await this.settled(signal);
      if (this.log.next === next && this.#state === before) return;
    } while (this.#deps.clock.now() < end && !signal?.aborted);
  }

  /** A moment, after which something may have changed. */
  moment(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const stop = this.#deps.timer.after(MOMENT_MS, resolve);
      signal?.addEventListener('abort', () => (stop(), resolve()), { once: true });
    });
  }

  /** Removes the page, and everything that it has stored here. */
  close(): void {
    this.#opened++;
    this.#end();
    this.#tab?.close();
    this.#tab = undefined;
    this.#become(EMPTY);
  }

  #bringBack(): void {
    this.#leaveHost();
    this.#tab = undefined;
    this.#become({ isInOwnTab: false });
    void this.restart().catch(() => undefined);
  }

  #leaveHost(): void {
    this.#opened++;
    this.#end();
    this.#become({ host: null });
  }

  #isSettled(): boolean {
    return this.#state.phase !== 'loading' && this.#state.phase !== 'starting';
  }

  #go(host: PreviewHost, path: string, form?: PreviewForm): void {
    this.#become({ path, phase: 'loading', reason: '' });
    host.open(path, { cookies: this.#cookies.header(path, true), ...(form && { form }) });
  }

  #end(): void {
    this.#leavePage();
    this.#answered = undefined;
    this.#history = [];
    this.#state.host?.close();
  }

  #leavePage(): void {
    this.#link?.lose();
    this.#link = undefined;
    this.#pageOver.abort();
    this.#pageOver = new AbortController();
  }

  #events(target: PreviewTarget, opened: number): HostEvents {
    const { workspace, clock, isVisible, sources } = this.#deps;
    const { servers, files } = workspace;
    const answers = new PreviewAnswers(target, {
      ...{ servers, files, clock, isVisible, sources },
      cookies: this.#cookies,
      log: this.log,
      cookiesChanged: () => this.#showCookies(),
      documentAnswered: (answered) => isCurrent() && this.#documentAnswered(answered),
    });
    const isCurrent = () => opened === this.#opened;
    return {
      request: (request, channel) => {
        const parsed = previewRequest.safeParse(request);
        if (parsed.success && isCurrent()) return void answers.serve(parsed.data, channel);
        const message = 'The preview shows something else now.';
        if (!isCurrent()) channel.postMessage({ kind: 'failed', code: 'EGONE', message } satisfies ToClient);
        channel.close();
      },
      page: (port) => isCurrent() && this.#begin(port, answers),
      slow: () => isCurrent() && this.#state.phase === 'starting' && this.#become({ isSlow: true }),
      failed: (reason) => isCurrent() && this.#become({ phase: 'failed', reason }),
    };
  }

  #documentAnswered(answered: AnsweredDocument): void {
    this.#answered = answered;
    if (!this.#link) this.#showPlain();
  }

  /** Only HTML has the script of the preview in it, which would say that the document is there. */
  #showPlain(): void {
    if (!this.#answered || this.#answered.isPage) return;
    this.#at({ target: this.#answered.target, title: '', loaded: true });
  }

  /** Another page has begun. */
  #begin(port: MessagePort, answers: PreviewAnswers): void {
    this.#leavePage();
    this.#answered = undefined;
    const link: PageLink = new PageLink(port, (message, channel) => {
      if (this.#link === link) this.#hear(message, channel, answers);
    });
    this.#link = link;
  }

  #hear(message: PageNews, channel: MessagePort | undefined, answers: PreviewAnswers): void {
    switch (message.kind) {
      case 'at':
        return this.#at(message);
      case 'left':
        this.#leavePage();
        this.#become({ phase: 'loading' });
        return this.#showPlain();
      case 'console':
      case 'error':
      case 'blocked':
        return this.log.add(message);
      case 'cookie':
        if (this.#cookies.set(message.text, this.#state.path, true)) this.#showCookies();
        return;
      case 'socket':
        if (channel) void passSocket(channel, message, answers, this.log, this.#pageOver.signal);
        return;
      case 'request':
        if (channel) void answers.serve(message.request, channel);
        return;
      case 'navigate':
        if (this.#state.host) this.#go(this.#state.host, message.target, message.form);
        return;
    }
  }

  #at({ target, title, loaded }: Omit<Extract<FromPage, { kind: 'at' }>, 'kind'>): void {
    const isNew = this.#history.at(-1) !== target;
    if (isNew) this.#history = [...this.#history, target].slice(-MOST_HISTORY);
    if (isNew) this.log.add({ kind: 'page', target });
    this.#become({
      path: target,
      title,
      phase: loaded ? 'shown' : 'loading',
      canGoBack: this.#history.length > 1,
    });
  }

  #showCookies(): void {
    this.#link?.showCookies(this.#cookies.header(this.#state.path, true));
  }

  #become(change: Partial<PreviewState>): void {
    this.#state = { ...this.#state, ...change };
    this.#tab?.show(this.#state);
    this.#changed.emit();
  }
}
