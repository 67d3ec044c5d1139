import * as z from 'zod';

/** One writer a workspace, over all tabs: two of them never run over the same files and logs. */
export interface WorkspaceLocks {
  /** `undefined` where another tab holds the workspace: this one may only read. */
  acquire(workspaceID: string, holder: LockHolder): Promise<HeldLock | undefined>;
  /** Asks the holding tab to stop and let go; takes the lock by force from one that does not answer. */
  takeOver(workspaceID: string, holder: LockHolder): Promise<HeldLock>;
}

export interface LockHolder {
  /** Another tab takes over: stop what runs and write what is left. Must not reject; the lock is let go after it. */
  stop(): Promise<void>;
  /** The lock is gone, let go or taken by force: nothing may be written from here on. */
  lost(): void;
}

export interface HeldLock {
  /** Lets go; `lost` is not called for it. */
  release(): Promise<void>;
}

export interface LockTimes {
  /** A holder that has not answered by then is taken for dead. Milliseconds, like the others. */
  readonly answerMs: number;
  /** What a holder that answered has to stop and to write. */
  readonly stopMs: number;
}

const messageSchema = z.object({ type: z.enum(['take-over', 'stopping']) });
type Message = z.infer<typeof messageSchema>;

/** Web Locks, which the browser frees when a tab dies. Where a page may not have them, every tab is a writer. */
export function webLocks(times: LockTimes = { answerMs: 2_000, stopMs: 15_000 }): WorkspaceLocks {
  return {
    acquire: (workspaceID, holder) => hold(workspaceID, holder, { ifAvailable: true }),
    async takeOver(workspaceID, holder) {
      const asked = await ask(workspaceID, holder, times);
      const held = asked ?? (await hold(workspaceID, holder, { steal: true }));
      if (!held) throw new Error(`The lock of ${workspaceID} was neither given nor taken.`);
      return held;
    },
  };
}

/** `undefined` where the holder does not let go in time. */
async function ask(
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
  // Again and again: whoever holds the lock may change while we stand in line.
  const calls = setInterval(call, answerMs / 4);
  call();
  try {
    return await hold(workspaceID, holder, { signal: patience.signal });
  } catch (error) {
    if (patience.signal.aborted) return undefined;
    throw error;
  } finally {
    clearTimeout(timer);
    clearInterval(calls);
    channel.close();
  }
}

/** Resolves when the lock is held, or `undefined` where it was not available. */
function hold(workspaceID: string, holder: LockHolder, options: LockOptions): Promise<HeldLock | undefined> {
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
      // It rejects also when the lock was taken from us by force, later on.
      if (mine) mine.taken();
      else reject(error);
    });
  });
}

/** The time in which this tab holds one lock. */
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

  /** Taken by force. */
  taken(): void {
    if (this.finish()) this.#holder.lost();
  }

  /** Lets go; false where that has happened already. */
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
