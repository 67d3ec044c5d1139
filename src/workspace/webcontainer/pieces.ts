import type { WebContainerProcess } from '@webcontainer/api';
import type { Timer } from '../../base/timer.ts';
import type { Container } from './container.ts';

/**
 * After its end, what a process printed is waited for until nothing has come so often for this long: of what waits in a busy
 * page, a timer may be served before the output that was there first.
 */
const QUIET_MS = 15;
const QUIET_TIMES = 3;
const DRAIN_MS = 1_000;

export interface PiecesOptions {
  readonly container: Pick<Container, 'ping'>;
  readonly timer: Timer;
  /** Something that must still come has not; it is waited for longer. */
  readonly isAwaited?: () => boolean;
}

/** What a process prints, until it has ended: its stream may never say so. */
export async function* piecesOf(
  process: WebContainerProcess,
  { container, timer, isAwaited = () => false }: PiecesOptions,
): AsyncGenerator<string> {
  const reader = process.output.getReader();
  const ended = 'ended' as const;
  // Its end and its output come by different ways. What the container answers after both has overtaken neither: on a busy
  // machine the output can be later than any timer.
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
