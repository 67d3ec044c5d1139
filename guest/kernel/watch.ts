import { isInside } from '../../src/protocol/paths.ts';
import { ROOT } from '../../src/base/places.ts';
import type { FileChange } from '../../src/protocol/workspace-values.ts';

const GATHER_MS = 20;
/** How many changes go into one message at most: the page handles each message in one go. */
const MAX_CHANGES = 2000;

/** Combines changes below the root into reports, with one change for each path. */
export class WatchGatherer {
  readonly #send: (changes: readonly FileChange[]) => void;
  readonly #changes = new Map<string, FileChange['change'] | null>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(send: (changes: readonly FileChange[]) => void) {
    this.#send = send;
  }

  note(path: string, change: FileChange['change']): void {
    if (!isInside(path, ROOT) || path === ROOT) return;
    this.#changes.set(path, combined(this.#changes.get(path), change));
    this.#timer ??= setTimeout(() => this.flush(), GATHER_MS);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const changes = [...this.#changes].flatMap(([path, change]) => (change ? [{ path, change }] : []));
    this.#changes.clear();
    for (let at = 0; at < changes.length; at += MAX_CHANGES) this.#send(changes.slice(at, at + MAX_CHANGES));
  }
}

/** The one change that two changes of a path amount to; `null` where they cancel each other out. */
function combined(
  before: FileChange['change'] | null | undefined,
  now: FileChange['change'],
): FileChange['change'] | null {
  if (before === undefined || before === null) return now;
  if (before === 'created') return now === 'removed' ? null : 'created';
  if (before === 'removed' && now === 'created') return 'modified';
  return now;
}
