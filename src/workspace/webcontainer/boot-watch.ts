import { FaultError, type Fault } from '../../base/fault.ts';
import type { Unlisten } from '../../base/listeners.ts';
import { onBlocked } from './boot-blocked.ts';
import { PROBLEMS } from './boot-problems.ts';
import type { BootEnvironment, BootLimits } from './boot-environment.ts';

/** The state of the frame, which outlasts one attempt to boot. */
export interface FrameState {
  frame(): HTMLIFrameElement | undefined;
  /** The client has added its frame to the page. */
  found(frame: HTMLIFrameElement): void;
  /** Whether the frame has sent its first message. */
  spoke(): boolean;
  speaks(): void;
}

/** Watches a boot from outside, phase by phase, for signs of failure. */
export class BootWatch {
  /** Rejects with a fault as soon as the boot has failed. It never resolves. */
  readonly failed: Promise<never>;
  readonly #environment: BootEnvironment;
  readonly #limits: BootLimits;
  readonly #state: FrameState;
  readonly #ends: Unlisten[] = [];
  readonly #over = new AbortController();
  #fail: (error: FaultError) => void = () => undefined;
  #cancelPhase: Unlisten = () => undefined;
  #isReachable: boolean | undefined;
  #hasLoaded = false;

  constructor(environment: BootEnvironment, limits: BootLimits, state: FrameState) {
    this.#environment = environment;
    this.#limits = limits;
    this.#state = state;
    this.failed = new Promise<never>((_, reject) => (this.#fail = reject));
    this.failed.catch(() => undefined);
    this.#ends.push(() => this.#over.abort());
    this.#listen();
    if (!state.spoke()) void this.#askHost();
    this.#followFrame();
    if (state.spoke()) this.#phase(limits.again, () => PROBLEMS.slow);
    else this.#phase(limits.load, () => PROBLEMS.silent);
  }

  stop(): void {
    this.#cancelPhase();
    for (const end of this.#ends) end();
  }

  #problem(fault: Fault): void {
    this.#fail(new FaultError(fault));
  }

  /** Begins the next phase, which fails after `ms` milliseconds unless another one begins before. */
  #phase(ms: number, fault: () => Fault): void {
    this.#cancelPhase();
    this.#cancelPhase = this.#environment.timer.after(ms, () => this.#problem(fault()));
  }

  #on(target: EventTarget, name: string, listener: (event: Event) => void): void {
    target.addEventListener(name, listener);
    this.#ends.push(() => target.removeEventListener(name, listener));
  }

  #listen(): void {
    const { origin } = this.#environment;
    this.#on(window, 'message', (event) => {
      if (!(event instanceof MessageEvent) || event.origin !== origin) return;
      const data: unknown = event.data;
      if (typeof data !== 'object' || data === null || !('type' in data) || data.type !== 'init') return;
      this.#state.speaks();
      this.#phase(this.#limits.start, () => PROBLEMS.slow);
    });
    this.#on(document, 'securitypolicyviolation', (event) => {
      if (event instanceof SecurityPolicyViolationEvent && event.blockedURI.startsWith(origin))
        this.#problem(PROBLEMS.policy);
    });
    this.#ends.push(onBlocked(origin, () => this.#problem(PROBLEMS.headers)));
  }

  /** Finds out whether the host can be reached. The answer itself is not readable. */
  async #askHost(): Promise<void> {
    const { signal } = this.#over;
    const how = { mode: 'no-cors', credentials: 'omit', cache: 'no-store', signal } as const;
    try {
      await fetch(`${this.#environment.origin}/headless`, how);
      this.#isReachable = true;
    } catch {
      if (signal.aborted) return;
      this.#isReachable = false;
      this.#afterLoad();
    }
  }

  /** Waits for the client to add its frame, and for the frame to load. */
  #followFrame(): void {
    const known = this.#state.frame();
    if (known) return this.#follow(known);
    const address = `${this.#environment.origin}/headless`;
    const added = new MutationObserver(() => {
      const frames = [...document.body.querySelectorAll('iframe')];
      const frame = frames.find(({ src }) => src.startsWith(address));
      if (!frame) return;
      added.disconnect();
      this.#state.found(frame);
      this.#follow(frame);
    });
    this.#ends.push(() => added.disconnect());
    added.observe(document.body, { childList: true });
  }

  #follow(frame: HTMLIFrameElement): void {
    this.#on(frame, 'load', () => {
      this.#hasLoaded = true;
      this.#afterLoad();
    });
  }

  #afterLoad(): void {
    if (this.#state.spoke() || !this.#hasLoaded) return;
    const { unreachable, word, ask } = this.#limits;
    if (this.#isReachable === false) return this.#phase(unreachable, () => PROBLEMS.unreachable);
    this.#phase(word, () => this.#refused('not with a WebContainer for this site'));
    this.#ends.push(this.#environment.timer.after(ask, () => void this.#askForRefusal()));
  }

  /** Where the browser lets the page read the answer, a refusal is known without waiting for the timeout. */
  async #askForRefusal(): Promise<void> {
    const address = this.#state.frame()?.src;
    if (this.#state.spoke() || address === undefined) return;
    const how = { credentials: 'omit', cache: 'no-store', signal: this.#over.signal } as const;
    const answer = await fetch(address, how).catch(() => undefined);
    if (answer && !answer.ok && !this.#state.spoke()) this.#problem(this.#refused(`with ${answer.status}`));
  }

  #refused(how: string): Fault {
    return this.#environment.key === undefined ? PROBLEMS.refused(how) : PROBLEMS.keyRefused(how);
  }
}
