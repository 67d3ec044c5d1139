import type { BootOptions, WebContainer } from '@webcontainer/api';
import { FaultError, faultOf, type Fault } from '../../base/fault.ts';
import type { Unlisten } from '../../base/listeners.ts';
import type { Timer } from '../../base/timer.ts';
import { onBlocked } from './boot-blocked.ts';
import { PROBLEMS } from './boot-problems.ts';
import type { Client } from './container.ts';

export interface BootEnvironment {
  readonly timer: Timer;
  /** Loads the client when it is first needed. */
  readonly load?: () => Promise<ClientModule>;
  /** The origin from which the client loads the runtime. */
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
  /** Added by our patch: makes the next boot start from scratch, with a new frame. */
  function forgetRuntime(): void;
}

/** Limits in milliseconds. */
export interface BootLimits {
  /** How long the frame may take to load anything. */
  readonly load: number;
  /** How long it may then take to send its first message. `unreachable` is the limit where its host cannot be reached. */
  readonly word: number;
  readonly unreachable: number;
  /** How long to wait for that message before asking the host whether it refuses this page. */
  readonly ask: number;
  /** How long the container may take to start after the first message. */
  readonly start: number;
  /** How long it may take in a frame that has had a container before. After that, a new frame is tried. */
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

/** Boots the page's one runtime. The client adds one frame to the page and keeps it. */
export class RuntimeBoot {
  readonly #environment: BootEnvironment;
  readonly #limits: BootLimits;
  #pending: Promise<Client> | undefined;
  #frame: HTMLIFrameElement | undefined;
  #configured = false;
  /** Whether the frame has sent its first message. Later boots then happen between the client and the frame. */
  #spoke = false;
  #lost = false;

  constructor(environment: BootEnvironment) {
    this.#environment = environment;
    this.#limits = { ...LIMITS, ...environment.limits };
  }

  /** The boot that an attempt gave up waiting for, if it may still succeed. */
  get late(): Promise<Client> | undefined {
    return this.#pending;
  }

  /**
   * Boots, or tries again. The client's own `boot` can wait forever when something goes wrong; this always settles. Rejects
   * with a fault that says what went wrong.
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
      // A torn-down container that never confirms it blocks every later boot in the same frame.
      if (!again || faultOf(error).code !== PROBLEMS.slow.code) throw error;
      this.#renew(client);
      return await this.#try(client);
    }
  }

  /** Called when the container is dead. It cannot be torn down, so the next attempt needs another frame. */
  abandon(): void {
    this.#lost = true;
  }

  /** Called by the code that takes over a late boot, or tears it down. */
  take(): void {
    this.#pending = undefined;
  }

  async #try({ WebContainer }: ClientModule): Promise<Client> {
    const wait = this.#watch();
    // A boot that hangs continues once its frame has loaded.
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

  /** Watches a boot from outside, phase by phase, for signs of failure. */
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
    // Where the browser lets the page read the answer, a refusal is known without waiting for the timeout.
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
    // This only shows whether the host can be reached. The answer itself is not readable.
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
