import type { BootOptions, WebContainer } from '@webcontainer/api';
import { FaultError, faultOf, type Fault } from '../../base/fault.ts';
import type { Unlisten } from '../../base/listeners.ts';
import type { Timer } from '../../base/timer.ts';
import { onBlocked } from './boot-blocked.ts';
import { PROBLEMS } from './boot-problems.ts';
import type { Client } from './container.ts';

export interface BootEnvironment {
  readonly timer: Timer;
  /** The client, loaded when it is needed. */
  readonly load?: () => Promise<ClientModule>;
  /** Where the client gets its runtime from. */
  readonly origin: string;
  readonly key?: string | undefined;
  readonly limits?: Partial<BootLimits>;
  readonly isolated?: boolean;
  readonly online?: () => boolean;
  readonly userAgent?: string;
}

export interface ClientModule {
  readonly WebContainer: Pick<typeof WebContainer, 'boot'>;
  readonly configureAPIKey: (key: string) => void;
  readonly forgetRuntime: () => void;
}

declare module '@webcontainer/api' {
  /** A patch of ours: the next boot begins from nothing, with a frame of its own. */
  function forgetRuntime(): void;
}

/** Milliseconds. */
export interface BootLimits {
  /** Until the frame has loaded anything. */
  readonly load: number;
  /** From there to its first word; less where its host cannot be reached. */
  readonly word: number;
  readonly unreachable: number;
  /** Into that, until its host is asked whether it refuses this page. */
  readonly ask: number;
  /** From its first word to a running container. */
  readonly start: number;
  /** The same in a frame that has had one before; then another frame is tried. */
  readonly again: number;
}

const LIMITS: BootLimits = {
  load: 15_000,
  word: 10_000,
  unreachable: 2_000,
  ask: 1_000,
  start: 30_000,
  again: 10_000,
};

const OPTIONS: BootOptions = { workdirName: 'project', coep: 'require-corp' };

/** The page's one runtime: the client puts one frame into the page and keeps it. */
export class RuntimeBoot {
  readonly #environment: BootEnvironment;
  readonly #limits: BootLimits;
  #pending: Promise<Client> | undefined;
  #frame: HTMLIFrameElement | undefined;
  #configured = false;
  /** The frame is there and has said so: later boots are between the client and it. */
  #spoke = false;
  #lost = false;

  constructor(environment: BootEnvironment) {
    this.#environment = environment;
    this.#limits = { ...LIMITS, ...environment.limits };
  }

  /** The boot that an attempt gave up waiting for, if it may still come to something. */
  get late(): Promise<Client> | undefined {
    return this.#pending;
  }

  /**
   * Boots, or tries again. Always comes to an end: the client's own `boot` waits for ever whatever goes wrong. Rejects with a
   * fault that says what it was.
   */
  async attempt(): Promise<Client> {
    this.#check();
    const { load = () => import('@webcontainer/api'), key } = this.#environment;
    const client = await load().catch(() => {
      throw new FaultError(PROBLEMS.notLoaded);
    });
    if (key !== undefined && !this.#configured) client.configureAPIKey(key);
    this.#configured = true;
    if (this.#lost) this.#renew(client);
    const again = this.#spoke;
    try {
      return await this.#try(client);
    } catch (error) {
      // Whoever was torn down and does not say so holds up every boot after it.
      if (!again || faultOf(error).code !== PROBLEMS.slow.code) throw error;
      this.#renew(client);
      return await this.#try(client);
    }
  }

  /** What was booted is dead: it cannot be torn down, and the next attempt needs another frame. */
  abandon(): void {
    this.#lost = true;
  }

  /** What came late is taken, or given back by its taker. */
  take(): void {
    this.#pending = undefined;
  }

  async #try({ WebContainer }: ClientModule): Promise<Client> {
    const wait = this.#watch();
    // The boot that hangs goes on once its frame is there.
    if (this.#pending && this.#frame && !this.#spoke) this.#frame.setAttribute('src', this.#frame.src);
    if (!this.#pending) {
      const pending: Promise<Client> = WebContainer.boot(OPTIONS);
      this.#pending = pending;
      pending.catch(() => this.#done(pending));
    }
    try {
      const booted = await Promise.race([this.#pending, wait.failed]);
      this.#pending = undefined;
      return booted;
    } catch (error) {
      if (error instanceof FaultError) throw error;
      const detail = error instanceof Error ? error.message : String(error);
      throw new FaultError({ ...PROBLEMS.failed, what: `The WebContainer did not start: ${detail}` });
    } finally {
      wait.stop();
    }
  }

  #renew({ forgetRuntime }: ClientModule): void {
    this.#frame?.remove();
    this.#frame = undefined;
    this.#pending = undefined;
    this.#spoke = false;
    this.#lost = false;
    forgetRuntime();
  }

  #done(pending: Promise<Client>): void {
    if (this.#pending === pending) this.#pending = undefined;
  }

  #check(): void {
    const {
      isolated = crossOriginIsolated,
      online = () => navigator.onLine,
      userAgent = navigator.userAgent,
    } = this.#environment;
    if (/iPhone|iPad|iPod/.test(userAgent)) throw new FaultError(PROBLEMS.phone);
    if (!isolated) throw new FaultError(PROBLEMS.notIsolated);
    if (!online()) throw new FaultError(PROBLEMS.offline);
  }

  /** Listens for what can be seen of a boot from outside, phase by phase. */
  #watch() {
    const { timer, origin, key } = this.#environment;
    const limits = this.#limits;
    const ends: Unlisten[] = [];
    let fail: (error: FaultError) => void = () => {};
    const failed = new Promise<never>((_, reject) => (fail = reject));
    failed.catch(() => {});
    const problem = (fault: Fault) => fail(new FaultError(fault));
    let cancel: Unlisten = () => {};
    const phase = (ms: number, fault: () => Fault) => {
      cancel();
      cancel = timer.after(ms, () => problem(fault()));
    };
    const on = (target: EventTarget, name: string, listener: (event: Event) => void) => {
      target.addEventListener(name, listener);
      ends.push(() => target.removeEventListener(name, listener));
    };
    let isReachable: boolean | undefined;
    let loaded = false;
    const over = new AbortController();
    ends.push(() => over.abort());
    const refused = (how: string) => (key === undefined ? PROBLEMS.refused(how) : PROBLEMS.keyRefused(how));
    const afterLoad = () => {
      if (this.#spoke || !loaded) return;
      if (isReachable === false) return phase(limits.unreachable, () => PROBLEMS.unreachable);
      phase(limits.word, () => refused('not with a WebContainer for this site'));
      ends.push(timer.after(limits.ask, () => void ask()));
    };
    // Where the browser lets the page see the answer, nobody has to wait for what will not come.
    const ask = async () => {
      const address = this.#frame?.src;
      if (this.#spoke || address === undefined) return;
      const how = { credentials: 'omit', cache: 'no-store', signal: over.signal } as const;
      const answer = await fetch(address, how).catch(() => undefined);
      if (answer && !answer.ok && !this.#spoke) problem(refused(`with ${answer.status}`));
    };
    on(window, 'message', (event) => {
      if (!(event instanceof MessageEvent) || event.origin !== origin) return;
      const data: unknown = event.data;
      if (typeof data !== 'object' || data === null || !('type' in data) || data.type !== 'init') return;
      this.#spoke = true;
      phase(limits.start, () => PROBLEMS.slow);
    });
    on(document, 'securitypolicyviolation', (event) => {
      if (event instanceof SecurityPolicyViolationEvent && event.blockedURI.startsWith(origin))
        problem(PROBLEMS.policy);
    });
    ends.push(onBlocked(origin, () => problem(PROBLEMS.headers)));
    // Only tells whether anything is there: what it answers cannot be seen.
    if (!this.#spoke)
      fetch(`${origin}/headless`, {
        mode: 'no-cors',
        credentials: 'omit',
        cache: 'no-store',
        signal: over.signal,
      }).then(
        () => (isReachable = true),
        () => {
          if (over.signal.aborted) return;
          isReachable = false;
          afterLoad();
        },
      );
    const follow = (frame: HTMLIFrameElement) =>
      on(frame, 'load', () => {
        loaded = true;
        afterLoad();
      });
    const added = new MutationObserver(() => {
      const { body } = document;
      const frame = [...body.querySelectorAll('iframe')].find(({ src }) =>
        src.startsWith(`${origin}/headless`),
      );
      if (!frame) return;
      added.disconnect();
      this.#frame = frame;
      follow(frame);
    });
    ends.push(() => added.disconnect());
    if (this.#frame) follow(this.#frame);
    else added.observe(document.body, { childList: true });
    if (this.#spoke) phase(limits.again, () => PROBLEMS.slow);
    else phase(limits.load, () => PROBLEMS.silent);
    return {
      failed,
      stop() {
        cancel();
        for (const end of ends) end();
      },
    };
  }
}
