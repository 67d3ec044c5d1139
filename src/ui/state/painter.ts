/** When changed state reaches the screen. Implementations: once a frame; a test's, by hand. */
export interface Painter {
  /** Runs `paint` with the next frame; asked again before that, it still runs once. */
  schedule(paint: () => void): void;
  cancel(paint: () => void): void;
}

/**
 * Paints at most once a frame. A hidden page has no frames, so there it paints at the end of the current task:
 * what waits for a frame when the page is hidden is painted then.
 */
export function framePainter(): Painter {
  const waiting = new Set<() => void>();
  let frame: number | null = null;
  let task = false;

  function flush(): void {
    if (frame !== null) cancelAnimationFrame(frame);
    frame = null;
    task = false;
    const paints = [...waiting];
    waiting.clear();
    for (const paint of paints) paint();
  }

  document.addEventListener('visibilitychange', () => {
    if (document.hidden && waiting.size > 0) flush();
  });

  return {
    schedule(paint) {
      waiting.add(paint);
      if (document.hidden) {
        if (!task) queueMicrotask(flush);
        task = true;
      } else {
        frame ??= requestAnimationFrame(flush);
      }
    },
    cancel: (paint) => void waiting.delete(paint),
  };
}
