import { faultOf, type Fault } from '../../../../base/fault.ts';
import { isPermitted } from '../../../../workspace/folder/access.ts';
import { ConnectedFolder, type Base } from '../../../../workspace/folder/connected-folder.ts';
import { DiskFolder } from '../../../../workspace/folder/disk-folder.ts';
import type { SideChange } from '../../../../workspace/folder/sides.ts';
import type { FolderStore } from '../../../../workspace/folder/store.ts';
import { ROOT, type Workspace } from '../../../../workspace/workspace.ts';
import { showName } from '../../show-name.ts';
import { folderWords as words } from './folder-words.ts';

/** Several writes in a row are counted once, after this time in milliseconds. */
const SETTLE_MS = 500;
const DETAILS = 5;
const NO_FILES: Base = new Map();

export interface FolderNotice {
  readonly text: string;
  readonly failed?: boolean;
  readonly details?: readonly string[];
  readonly undo?: () => void;
}

/** The action that the person chose for a file that differs. */
export type Direction = 'out' | 'in' | 'leave';

interface Connection {
  readonly folder: DiskFolder;
  readonly connected: ConnectedFolder;
}

/** The folder of the disk that belongs to a workspace, and the person's actions with it. */
export class FolderState {
  readonly #workspace: Workspace;
  readonly #store: () => Promise<FolderStore>;
  readonly #unwatch: () => void;
  readonly #pick: (() => Promise<FileSystemDirectoryHandle | null>) | undefined;
  #connection = $state.raw<Connection | null>(null);
  #changed = $state.raw(0);
  #plan = $state.raw<readonly SideChange[] | null>(null);
  #busy = $state.raw('');
  #notice = $state.raw<FolderNotice | null>(null);
  #stop = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `pick` is undefined where the browser has no dialog for that. */
  constructor(
    workspace: Workspace,
    store: () => Promise<FolderStore>,
    pick: (() => Promise<FileSystemDirectoryHandle | null>) | undefined,
  ) {
    this.#workspace = workspace;
    this.#store = store;
    this.#pick = pick;
    this.#unwatch = workspace.watch(() => {
      if (!this.#connection) return;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#count(), SETTLE_MS);
    });
    void this.#try(() => this.#reopen());
  }

  /** The name of the connected folder; `null` if none is. */
  get name(): string | null {
    return this.#connection?.folder.name ?? null;
  }
  /** How many files of the workspace have changed since they were equal to those of the folder. */
  get changed(): number {
    return this.#changed;
  }
  /** The differences that the person decides about. */
  get plan(): readonly SideChange[] | null {
    return this.#plan;
  }
  /** A text that says what is being done; empty if nothing is. */
  get busy(): string {
    return this.#busy;
  }
  get notice(): FolderNotice | null {
    return this.#notice;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#unwatch();
    this.#stop.abort();
  }

  dismiss(): void {
    this.#notice = null;
  }

  stop(): void {
    this.#stop.abort();
  }

  cancelPlan(): void {
    this.#plan = null;
  }

  /** Lets the person choose a folder. Its files come in at once if the workspace is empty. */
  connect(): Promise<void> {
    return this.#try(async () => {
      if (!this.#pick) {
        this.#notice = { text: words.unsupported };
        return;
      }
      const handle = await this.#pick();
      if (!handle) return;
      const isEmpty = (await this.#workspace.files.list(ROOT)).length === 0;
      await (await this.#store()).put(this.#workspace.id, { handle, base: NO_FILES });
      await this.#reopen();
      await this.compare();
      const { plan } = this;
      if (isEmpty && plan && plan.length > 0)
        await this.carryOut(({ kind }) => (kind === 'in' ? 'in' : 'leave'));
    });
  }

  /** Forgets the folder. Nothing in it or in the workspace changes. */
  disconnect(): Promise<void> {
    return this.#try(async () => {
      const { id } = this.#workspace;
      const store = await this.#store();
      const record = await store.get(id);
      const name = showName(this.name ?? '');
      await store.remove(id);
      this.#connection = null;
      this.#plan = null;
      const undo = () =>
        void this.#try(async () => {
          if (record) await store.put(id, record);
          await this.#reopen();
          this.#notice = null;
        });
      this.#notice = { text: words.disconnected(name), undo };
    });
  }

  /** Compares both, and shows what differs. Must be called while a click is handled: the browser may ask the person. */
  compare(): Promise<void> {
    return this.#work(async ({ folder, connected }) => {
      if (!(await isPermitted(folder.handle))) {
        this.#notice = { text: words.refused(showName(folder.name)), failed: true };
        return;
      }
      this.#busy = words.reading(0);
      const plan = await connected.compare({
        signal: this.#stop.signal,
        onProgress: (count) => (this.#busy = words.reading(count)),
      });
      this.#plan = plan.length > 0 ? plan : null;
      this.#notice = plan.length > 0 ? null : { text: words.nothing };
    });
  }

  /** Copies the files of the plan in the directions that the person chose. */
  carryOut(directionOf: (change: SideChange) => Direction): Promise<void> {
    const plan = this.#plan ?? [];
    const out = plan.filter((change) => directionOf(change) === 'out');
    const into = plan.filter((change) => directionOf(change) === 'in');
    return this.#work(async ({ connected }) => {
      this.#plan = null;
      const total = out.length + into.length;
      const options = (before: number) => ({
        signal: this.#stop.signal,
        onProgress: (done: number) => (this.#busy = words.copying(before + done, total)),
      });
      const wrote = await connected.toDisk(out, options(0));
      const brought = await connected.fromDisk(into, options(out.length));
      this.#report(wrote.done, brought.done, [...wrote.refused, ...brought.refused]);
    });
  }

  #report(wrote: number, brought: number, refused: readonly Fault[]): void {
    const sentences = [
      wrote > 0 ? words.wrote(wrote) : '',
      brought > 0 ? words.brought(brought) : '',
      refused.length > 0 ? words.left(refused.length) : '',
    ];
    this.#notice = {
      text: sentences.filter(Boolean).join(' '),
      failed: refused.length > 0,
      details: refused.slice(0, DETAILS).map(({ where, what }) => `${showName(where ?? '')}: ${what}`),
    };
  }

  async #reopen(): Promise<void> {
    const { id } = this.#workspace;
    const store = await this.#store();
    const record = await store.get(id);
    if (!record) return;
    const folder = new DiskFolder(record.handle);
    const keep = (base: typeof record.base) => store.put(id, { handle: record.handle, base });
    this.#connection = {
      folder,
      connected: new ConnectedFolder(this.#workspace, folder, record.base, keep),
    };
    await this.#count();
  }

  async #count(): Promise<void> {
    const { connected } = this.#connection ?? {};
    if (connected) await this.#try(async () => void (this.#changed = await connected.changedHere()));
  }

  /** Does one thing at a time with the folder; what is asked for meanwhile is not done. */
  async #work(action: (connection: Connection) => Promise<void>): Promise<void> {
    const connection = this.#connection;
    if (!connection || this.#busy !== '') return;
    this.#busy = words.working;
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    await this.#try(() => action(connection), signal);
    this.#busy = '';
    await this.#count();
  }

  async #try(action: () => Promise<void>, signal?: AbortSignal): Promise<void> {
    try {
      await action();
    } catch (error) {
      if (signal?.aborted) return;
      const { what, next } = faultOf(error);
      this.#notice = { text: words.failed([what, next].filter(Boolean).join(' ')), failed: true };
    }
  }
}
