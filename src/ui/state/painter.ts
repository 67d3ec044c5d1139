/** Decides when changed state reaches the screen. Implementations: once per frame, or by hand in a test. */
export interface Painter {
  /** Runs `paint` with the next frame; repeated calls before that still run it once. */
  schedule(paint: () => void): void;
  cancel(paint: () => void): void;
}

/**
 * Paints at most once per frame. A hidden page has no frames, so it paints at the end of the current task
 * instead. Painting that waits for a frame when the page becomes hidden is done then.
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
