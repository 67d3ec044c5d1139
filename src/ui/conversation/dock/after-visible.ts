/**
 * Calls `run` once the page has been visible for `ms` without a break, since nobody sees anything in a hidden
 * tab. Returns a function that cancels it.
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
