import * as z from 'zod/mini';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { SettingsStore } from '../base/settings-store.ts';
import type { AppHosts, Wanted } from '../ui/app.ts';

const SETTING = 'hosts';
export const GITHUB: readonly string[] = ['api.github.com', 'raw.githubusercontent.com'];
/** The hosts that a program may ask the person for, each with those that are needed beside it. */
const ASKED: readonly (readonly string[])[] = [['registry.npmjs.org'], GITHUB, ['gitlab.com']];
const storedSchema = z.array(z.string());

/** How long the stored hosts are not read again: a program may make many requests, and each waits for them. */
const FRESH_MS = 100;

/**
 * The hosts that programs may reach; none by default. Read again and again, so that a host removed in another tab is soon
 * gone here too. A change in this tab counts at once.
 */
export class HostSettings implements AppHosts {
  readonly #settings: SettingsStore;
  readonly #own: URL;
  readonly #now: () => number;
  readonly #changed = new Listeners<void>();
  /** The questions that wait for an answer, the oldest first. */
  #questions: readonly Question[] = [];
  readonly #denied = new Set<string>();
  #read: { readonly hosts: Promise<readonly string[]>; readonly at: number } | undefined;

  /** `now` returns milliseconds. */
  constructor(
    settings: SettingsStore,
    own = new URL(location.href),
    now: () => number = performance.now.bind(performance),
  ) {
    this.#settings = settings;
    this.#own = own;
    this.#now = now;
    settings.onChange((name) => {
      if (name === SETTING) this.#read = undefined;
    });
  }

  hosts(): Promise<readonly string[]> {
    const now = this.#now();
    if (!this.#read || now - this.#read.at > FRESH_MS) {
      const hosts = this.#stored();
      this.#read = { hosts, at: now };
      // A failure is not kept.
      hosts.catch(() => (this.#read = undefined));
    }
    return this.#read.hosts;
  }

  async #stored(): Promise<readonly string[]> {
    return storedSchema.safeParse(await this.#settings.get(SETTING)).data ?? [];
  }

  async setHosts(lines: string): Promise<readonly string[]> {
    const { hostsIn } = await import('./reach/hosts.ts');
    const hosts = hostsIn(lines, this.#own);
    await this.#settings.set(SETTING, hosts);
    for (const question of this.#questions)
      if (question.wanted.hosts.length > 0 && question.wanted.hosts.every((host) => hosts.includes(host)))
        this.#answer(question, true);
    return hosts;
  }

  /** Adds hosts to those that are allowed. Rejects with a fault that names the wrong one. */
  async addHosts(more: readonly string[]): Promise<void> {
    await this.setHosts([...(await this.hosts()), ...more].join('\n'));
  }

  /**
   * Asks the person about a host that is not allowed, if it is one of the few that may be asked for. All requests
   * meanwhile share one question, and a refusal holds until the page is loaded again. Resolves to true once it is allowed.
   * The question goes when the signals of all requests are aborted, as nothing waits for the answer then.
   */
  async ask({ protocol, host }: URL, signal?: AbortSignal): Promise<boolean> {
    const hosts = ASKED.find((each) => each.includes(host));
    if (protocol !== 'https:' || !hosts) return false;
    return this.#ask(hosts.join(), { hosts }, signal);
  }

  /** Asks the person whether programs of a workspace may use the GitHub token. */
  askToken(token: NonNullable<Wanted['token']>, signal?: AbortSignal): Promise<boolean> {
    return this.#ask(Object.values(token).join(' '), { hosts: [], token }, signal);
  }

  get wanted(): Wanted | null {
    return this.#questions[0]?.wanted ?? null;
  }

  async answer(allowed: boolean): Promise<void> {
    const [question] = this.#questions;
    if (!question) return;
    if (allowed && question.wanted.hosts.length > 0) return this.addHosts(question.wanted.hosts);
    if (!allowed) this.#denied.add(question.key);
    this.#answer(question, allowed);
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }

  #ask(key: string, wanted: Wanted, signal?: AbortSignal): Promise<boolean> {
    if (signal?.aborted || this.#denied.has(key)) return Promise.resolve(false);
    let question = this.#questions.find((each) => each.key === key);
    if (!question) {
      let resolve: (allowed: boolean) => void = () => {};
      const answered = new Promise<boolean>((done) => (resolve = done));
      question = { key, wanted, answered, resolve, waiting: 0 };
      this.#questions = [...this.#questions, question];
      this.#changed.emit();
    }
    this.#awaitWith(question, signal);
    return question.answered;
  }

  #awaitWith(question: Question, signal: AbortSignal | undefined): void {
    question.waiting++;
    const leave = () => {
      if (--question.waiting === 0 && this.#questions.includes(question)) this.#answer(question, false);
    };
    signal?.addEventListener('abort', leave, { once: true });
    void question.answered.then(() => signal?.removeEventListener('abort', leave));
  }

  #answer(question: Question, allowed: boolean): void {
    this.#questions = this.#questions.filter((each) => each !== question);
    question.resolve(allowed);
    this.#changed.emit();
  }
}

interface Question {
  readonly key: string;
  readonly wanted: Wanted;
  readonly answered: Promise<boolean>;
  resolve(allowed: boolean): void;
  /** How many requests wait for the answer. */
  waiting: number;
}
