import { FaultError, faultOf, type Fault } from '../../base/fault.ts';
import { digestBytes, type Hash } from '../../base/hash.ts';
import { compareTrees, type ChangedPath } from '../../workspace/changes/compare.ts';
import { readSnapshot, restoreEntries, SnapshotReader } from '../../workspace/snapshot.ts';
import { WorkspaceError, type SnapshotEntry } from '../../workspace/workspace.ts';
import type { SessionContext } from '../context.ts';
import type { Restoring } from '../log/state.ts';
import { textOf } from '../request/messages.ts';
import { momentOf, type RestoreTo } from './moments.ts';
import { desiredFiles, firstReturning, movedPrompts, planFiles, type RestorePlan } from './plan.ts';

/** The part of a plan that is carried out. */
export interface RestoreChoice {
  readonly conversation: boolean;
  readonly files: boolean;
  /** Paths of files that stay as they are. */
  readonly keep?: ReadonlySet<string>;
}

/** Takes one session back to an earlier moment, forth again, or to another version of its conversation. */
export class Restorer {
  readonly #session: SessionContext;
  /** Loads messages until this one is in the state, or until all are. */
  readonly #load: (messageID: string) => Promise<void>;

  constructor(session: SessionContext, load: (messageID: string) => Promise<void>) {
    this.#session = session;
    this.#load = load;
  }

  /** Plans the changes that going there would make. Takes a snapshot of the files. Rejects with a fault. */
  async plan(to: RestoreTo): Promise<RestorePlan> {
    this.#requireRest();
    const { log } = this.#session;
    if (to.kind !== 'redo') await this.#load(to.messageID);
    const moment = momentOf(log.state, to);
    if (moment.head !== null) await this.#load(moment.head);
    const { files, head, prompt } = moment;
    const returning = to.kind === 'redo' ? firstReturning(log.state, head) : undefined;
    return {
      moment,
      ...movedPrompts(log.state, head),
      files:
        files === undefined
          ? null
          : await planFiles(log.state, { ...moment, files }, await this.#present(), this.#read),
      ...(prompt !== undefined && { prompt: this.#textOf(prompt) }),
      ...(returning && { returning: this.#textOf(returning.id) }),
    };
  }

  /**
   * Carries out a plan. A file that was changed since the plan was made stays as it is. Rejects with a fault; the
   * conversation then stays as it was.
   */
  async run({ moment, files }: RestorePlan, choice: RestoreChoice): Promise<void> {
    this.#requireRest();
    const { log, family } = this.#session;
    await family.endTasks();
    const { kind, head } = moment;
    const began = { type: 'restore.began', kind, ...(choice.conversation && { head }) } as const;
    if (!choice.files || !files || moment.files === undefined) {
      log.append(began);
      return this.#end();
    }
    const target = await readSnapshot(moment.files, this.#read);
    const { entries: now, changed } = await this.#presentSince(files.now, target);
    const desired = desiredFiles(target, now, new Set([...(choice.keep ?? []), ...changed]));
    const bytes = new TextEncoder().encode(JSON.stringify(desired));
    const hash = await digestBytes(bytes);
    log.append({ ...began, files: hash }, [{ hash, bytes }]);
    await this.#write(desired, now, changed);
  }

  /** Finishes what the tab that wrote this session before could not. Never rejects. */
  async resume({ from, to }: Restoring): Promise<void> {
    if (to.files === undefined || from.files === undefined) return this.#end();
    try {
      const desired = await readSnapshot(to.files, this.#read);
      const { entries: now, changed } = await this.#presentSince(from.files, desired);
      await this.#write(desiredFiles(desired, now, new Set(changed)), now, changed);
    } catch (error) {
      const fault = faultOf(error, 'not-restored');
      if (this.#session.log.state.restoring) this.#end(fault);
      this.#session.problem(fault);
    }
  }

  /** The files now, and the paths that are neither as they were in the snapshot `since` nor as in `target`. */
  async #presentSince(
    since: Hash,
    target: readonly SnapshotEntry[],
  ): Promise<{ readonly entries: readonly SnapshotEntry[]; readonly changed: readonly string[] }> {
    const reader = new SnapshotReader(this.#read);
    const before = await reader.read(since);
    const entries = await reader.read(await this.#present());
    const wrong = pathsOf(compareTrees(entries, target));
    const changed = [...pathsOf(compareTrees(before, entries))].filter((path) => wrong.has(path));
    return { entries, changed };
  }

  async #write(
    desired: readonly SnapshotEntry[],
    now: readonly SnapshotEntry[],
    leftAlone: readonly string[],
  ): Promise<void> {
    const { snapshots } = this.#session;
    let begun = false;
    try {
      await this.#requireStored();
      const workspace = await this.#session.workspace();
      begun = true;
      await restoreEntries(workspace, desired, now, this.#read);
      await workspace.durable();
      await snapshots.present(workspace);
    } catch (error) {
      if (begun) await this.#takeBack(now, desired);
      const fault = notRestored(error);
      this.#end(fault);
      throw new FaultError(fault);
    }
    this.#end();
    if (leftAlone.length > 0) this.#session.problem(changedSince(leftAlone));
  }

  /** Makes the files as they were before a restore that failed, as far as that is possible. */
  async #takeBack(before: readonly SnapshotEntry[], written: readonly SnapshotEntry[]): Promise<void> {
    try {
      await restoreEntries(await this.#session.workspace(), before, written, this.#read);
    } catch {
      // The first failure is told, which has the cause.
    }
  }

  /** Once files change, a log that ends here must say what was going on. */
  async #requireStored(): Promise<void> {
    const { log } = this.#session;
    await log.barrier('strict');
    if (log.storage.state === 'ok') return;
    const { fault } = log.storage;
    const what = `Nothing was restored, because this session cannot be saved: ${fault.what}`;
    throw new FaultError({ ...fault, what });
  }

  #end(fault?: Fault): void {
    this.#session.log.append({ type: 'restore.ended', ...(fault && { fault }) });
    if (!fault) this.#session.reads.forget();
  }

  /** The manifest of the files now. */
  async #present(): Promise<Hash> {
    return this.#session.snapshots.present(await this.#session.workspace());
  }

  #textOf(messageID: string): string {
    const { messages, parts } = this.#session.log.state;
    const message = messages.get(messageID);
    if (!message) return '';
    return textOf(message, { message: (id) => messages.get(id), part: (key) => parts.get(key) });
  }

  readonly #read = async (hash: Hash): Promise<Uint8Array> => {
    const bytes = await this.#session.log.readBlob(hash);
    if (bytes) return bytes;
    throw new FaultError({
      code: 'snapshot-damaged',
      what: 'A part of this snapshot of the files is no longer stored.',
      where: hash,
      next: 'The files are as they were; another moment can be restored.',
    });
  };

  #requireRest(): void {
    const { log, family, ownCommand } = this.#session;
    if (log.state.turn !== null || ownCommand) throw new FaultError(TURN_RUNS);
    if (family.isWorkspaceBusy()) throw new FaultError(OTHER_TURN_RUNS);
  }
}

function pathsOf(changes: readonly ChangedPath[]): ReadonlySet<string> {
  return new Set(changes.flatMap(({ path, from = path }) => [path, from]));
}

function notRestored(error: unknown): Fault {
  const isGone = error instanceof WorkspaceError && error.code === 'EGONE';
  if (!isGone) return faultOf(error, 'not-restored');
  return {
    code: 'workspace-gone',
    what: `Nothing was restored, because the workspace stopped. ${error.message}`,
    next: 'Once it runs again, its files are as they were before, and you can restore again.',
  };
}

function changedSince(paths: readonly string[]): Fault {
  return {
    code: 'changed-since',
    what: `Files that were changed meanwhile were left as they are: ${paths.join(', ')}.`,
    next: 'Look at them in Changes.',
  };
}

const TURN_RUNS: Fault = {
  code: 'turn-runs',
  what: 'The agent is still working.',
  next: 'Stop it first.',
};

const OTHER_TURN_RUNS: Fault = {
  code: 'turn-runs',
  what: 'Another session of this workspace is still working on the same files.',
  next: 'Stop it first, or wait for its end.',
};
