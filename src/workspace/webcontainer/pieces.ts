import type { WebContainerProcess } from '@webcontainer/api';
import type { Timer } from '../../base/timer.ts';
import type { Container } from './container.ts';

/**
 * After a process has ended, its output counts as complete once nothing arrives for this long, several times in a row. Once
 * is not enough: in a busy page, a timer may fire before output that was there first.
 */
const QUIET_MS = 15;
const QUIET_TIMES = 3;
const DRAIN_MS = 1_000;

export interface PiecesOptions {
  readonly container: Pick<Container, 'ping'>;
  readonly timer: Timer;
  /** Whether something is still missing in the output, which is then waited for longer. */
  readonly isAwaited?: () => boolean;
}

/** Yields the output of a process until it has ended, because its stream may never close. */
export async function* piecesOf(
  process: WebContainerProcess,
  { container, timer, isAwaited = () => false }: PiecesOptions,
): AsyncGenerator<string> {
  const reader = process.output.getReader();
  const ended = 'ended' as const;
  // The exit and the output come by different ways, and on a busy machine the output can be later than any timer. An answer
  // of the container that comes after both has overtaken neither.
  const exited = process.exit
    .then(
      () => container.ping(),
      () => {},
    )
    .then(
      () => ended,
      () => ended,
    );
  let until: number | undefined;
  let next = reader.read();
  try {
    for (;;) {
      const found = await Promise.race([next, until === undefined ? exited : quiet(timer)]);
      if (found === 'quiet') {
        if (!isAwaited() || until === undefined || performance.now() > until) return;
      } else if (found === 'ended') until = performance.now() + DRAIN_MS;
      else {
        if (found.done) return;
        yield found.value;
        if (until !== undefined && performance.now() > until) return;
        next = reader.read();
      }
    }
  } finally {
    void reader.cancel().catch(() => {});
  }
}

async function quiet(timer: Timer): Promise<'quiet'> {
  for (let time = 0; time < QUIET_TIMES; time++)
    await new Promise<void>((resolve) => timer.after(QUIET_MS, resolve));
  return 'quiet';
}
