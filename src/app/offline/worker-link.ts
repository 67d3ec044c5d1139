import type { Answer, Question } from '../../offline/messages.ts';
import type { Kept } from '../../offline/store.ts';

/** How long a worker may be silent before it is asked again: the browser may have ended it, in milliseconds. */
const SILENT_MS = 20_000;
const ATTEMPTS = 5;

/** A service worker, as far as messages go. */
export type Asked = Pick<ServiceWorker, 'postMessage'>;

/**
 * Asks the worker and resolves with its last answer. Rejects with the worker's own words if a download failed, or if the
 * worker stays silent.
 */
export async function ask(
  worker: () => Asked | null,
  question: Question,
  progress: (kept: Kept) => void = () => {},
  silentMs = SILENT_MS,
): Promise<Kept> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const kept = await askOnce(worker(), question, progress, silentMs);
    if (kept) return kept;
  }
  throw new Error('The service worker does not answer.');
}

/** Resolves with null if the worker stays silent. */
function askOnce(
  worker: Asked | null,
  question: Question,
  progress: (kept: Kept) => void,
  silentMs: number,
): Promise<Kept | null> {
  return new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    const close = () => (clearTimeout(silence), port1.close());
    const silent = () => (close(), resolve(null));
    let silence = setTimeout(silent, silentMs);
    port1.onmessage = ({ data }: MessageEvent<Answer>) => {
      if (data.kind === 'failed') return (close(), reject(new Error(data.why)));
      if (data.done) return (close(), resolve(data.kept));
      clearTimeout(silence);
      silence = setTimeout(silent, silentMs);
      progress(data.kept);
    };
    worker?.postMessage(question, [port2]);
  });
}
