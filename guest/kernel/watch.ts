import { isInside } from '../../src/workspace/paths.ts';
import { ROOT, type FileChange } from '../../src/workspace/workspace.ts';

const GATHER_MS = 20;
/** So many go in one message: the page takes each in one piece. */
const MESSAGE = 2000;

/** Gathers changes below the root into notices: one for each path, saying what it comes to. */
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
    for (let at = 0; at < changes.length; at += MESSAGE) this.#send(changes.slice(at, at + MESSAGE));
  }
}

/** What two changes of one path come to; `null`: nothing, for who looks only now. */
function combined(
  before: FileChange['change'] | null | undefined,
  now: FileChange['change'],
): FileChange['change'] | null {
  if (before === undefined || before === null) return now;
  if (before === 'created') return now === 'removed' ? null : 'created';
  if (before === 'removed' && now === 'created') return 'modified';
  return now;
}
