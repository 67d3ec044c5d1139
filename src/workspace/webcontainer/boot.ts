import { messageOf } from '../../base/message-of.ts';
import type { BootOptions } from '@webcontainer/api';
import { FaultError, faultOf } from '../../base/fault.ts';
import type { BootEnvironment, BootLimits, ClientModule } from './boot-environment.ts';
import { PROBLEMS } from './boot-problems.ts';
import { BootWatch } from './boot-watch.ts';
import type { Client } from './container.ts';

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
    const watch = new BootWatch(this.#environment, this.#limits, {
      frame: () => this.#frame,
      found: (frame) => (this.#frame = frame),
      spoke: () => this.#spoke,
      speaks: () => (this.#spoke = true),
    });
    // A boot that hangs continues once its frame has loaded.
    if (this.#pending && this.#frame && !this.#spoke) this.#frame.setAttribute('src', this.#frame.src);
    if (!this.#pending) {
      const pending: Promise<Client> = WebContainer.boot(OPTIONS);
      this.#pending = pending;
      pending.catch(() => this.#done(pending));
    }
    try {
      const booted = await Promise.race([this.#pending, watch.failed]);
      this.#pending = undefined;
      return booted;
    } catch (error) {
      if (error instanceof FaultError) throw error;
      const detail = messageOf(error);
      throw new FaultError({ ...PROBLEMS.failed, what: `The WebContainer did not start: ${detail}` });
    } finally {
      watch.stop();
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
}
