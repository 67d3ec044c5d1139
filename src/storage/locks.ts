import * as z from 'zod/mini';

/** Allows one writer per workspace across all tabs, so that two tabs never change the same files and logs. */
export interface WorkspaceLocks {
  /** Returns `undefined` if another tab has the workspace: this tab may then only read. */
  acquire(workspaceID: string, holder: LockHolder): Promise<HeldLock | undefined>;
  /** Asks the other tab to stop and release the lock; takes it by force if that tab does not answer. */
  takeOver(workspaceID: string, holder: LockHolder): Promise<HeldLock>;
  /** Resolves when no tab has the workspace. Another tab may have taken it by then. */
  freed(workspaceID: string): Promise<void>;
}

export interface LockHolder {
  /**
   * Another tab takes over: stop everything and write what is left. Must not reject; the lock is released afterwards.
   */
  stop(): Promise<void>;
  /** The lock was released or taken by force: nothing may be written any more. */
  lost(): void;
}

export interface HeldLock {
  /** Releases the lock; `lost` is not called then. */
  release(): Promise<void>;
}

export interface LockTimes {
  /** How long to wait for an answer before the other tab counts as dead, in milliseconds. */
  readonly answerMs: number;
  /** How long a tab that answered has to stop and write, in milliseconds. */
  readonly stopMs: number;
}

const messageSchema = z.object({ type: z.enum(['take-over', 'stopping']) });
type Message = z.infer<typeof messageSchema>;

/**
 * Uses Web Locks, which the browser releases when a tab dies. If a page has no access to them, every tab is a writer.
 */
export function webLocks(times: LockTimes = { answerMs: 2_000, stopMs: 15_000 }): WorkspaceLocks {
  return {
    acquire: (workspaceID, holder) => requestLock(workspaceID, holder, { ifAvailable: true }),
    async takeOver(workspaceID, holder) {
      const released = await askForLock(workspaceID, holder, times);
      const lock = released ?? (await requestLock(workspaceID, holder, { steal: true }));
      if (!lock) throw new Error(`The lock of ${workspaceID} was neither given nor taken.`);
      return lock;
    },
    async freed(workspaceID) {
      await navigator.locks.request(nameOf(workspaceID), async () => undefined);
    },
  };
}

/** Returns `undefined` if the other tab does not release the lock in time. */
async function askForLock(
  workspaceID: string,
  holder: LockHolder,
  { answerMs, stopMs }: LockTimes,
): Promise<HeldLock | undefined> {
  const channel = new BroadcastChannel(nameOf(workspaceID));
  const patience = new AbortController();
  const giveUp = () => patience.abort();
  let timer = setTimeout(giveUp, answerMs);
  channel.onmessage = ({ data }) => {
    if (typeOf(data) !== 'stopping') return;
    channel.onmessage = null;
    clearTimeout(timer);
    timer = setTimeout(giveUp, stopMs);
  };
  const call = () => channel.postMessage({ type: 'take-over' } satisfies Message);
  // Asks repeatedly, because another tab may get the lock while we wait.
  const calls = setInterval(call, answerMs / 4);
  call();
  try {
    return await requestLock(workspaceID, holder, { signal: patience.signal });
  } catch (error) {
    if (patience.signal.aborted) return undefined;
    throw error;
  } finally {
    clearTimeout(timer);
    clearInterval(calls);
    channel.close();
  }
}

/** Resolves when the lock is acquired, or with `undefined` if it is not available. */
function requestLock(
  workspaceID: string,
  holder: LockHolder,
  options: LockOptions,
): Promise<HeldLock | undefined> {
  const name = nameOf(workspaceID);
  const locks: LockManager | undefined = navigator.locks;
  if (!locks) return Promise.resolve({ release: async () => {} });
  return new Promise((resolve, reject) => {
    let mine: Tenure | undefined;
    const request = locks.request(name, options, (lock) => {
      if (!lock) return resolve(undefined);
      mine = new Tenure(name, holder);
      resolve({
        async release() {
          mine?.finish();
          await request.catch(() => {});
        },
      });
      return mine.over;
    });
    request.catch((error: unknown) => {
      // The request also rejects later, when the lock is taken from us by force.
      if (mine) mine.taken();
      else reject(error);
    });
  });
}

/** The period in which this tab has one lock. */
class Tenure {
  readonly over: Promise<void>;
  readonly #holder: LockHolder;
  readonly #channel: BroadcastChannel;
  #end!: () => void;
  #stopping = false;
  #ended = false;

  constructor(name: string, holder: LockHolder) {
    this.#holder = holder;
    this.over = new Promise((resolve) => (this.#end = resolve));
    this.#channel = new BroadcastChannel(name);
    this.#channel.onmessage = ({ data }) => {
      if (typeOf(data) === 'take-over') void this.#stop();
    };
  }

  /** Called when the lock is taken by force. */
  taken(): void {
    if (this.finish()) this.#holder.lost();
  }

  /** Releases the lock; returns false if that has already happened. */
  finish(): boolean {
    if (this.#ended) return false;
    this.#ended = true;
    this.#channel.close();
    this.#end();
    return true;
  }

  async #stop(): Promise<void> {
    this.#channel.postMessage({ type: 'stopping' } satisfies Message);
    if (this.#stopping) return;
    this.#stopping = true;
    await this.#holder.stop();
    if (this.finish()) this.#holder.lost();
  }
}

function typeOf(data: unknown): Message['type'] | undefined {
  return messageSchema.safeParse(data).data?.type;
}

function nameOf(workspaceID: string): string {
  return `vitrine:workspace:${workspaceID}`;
}
