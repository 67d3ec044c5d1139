/**
 * Calls `run` once the page has been visible for `ms` in one go: time in a hidden tab shows nobody anything.
 * Returns what cancels it.
 */
export function afterVisible(ms: number, run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', changed);
  };
  const changed = () => {
    clearTimeout(timer);
    if (document.hidden) return;
    timer = setTimeout(() => {
      stop();
      run();
    }, ms);
  };
  document.addEventListener('visibilitychange', changed);
  changed();
  return stop;
}
