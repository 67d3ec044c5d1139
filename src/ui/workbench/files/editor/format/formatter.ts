import { startWorker } from '../../../../worker.ts';
import type { FormatOutcome, FormatRequest, FormatResponse } from './protocol.ts';
import workerURL from './worker.ts?worker&url';

/** How long formatting may take, in milliseconds, before its worker is ended. */
const MAX_MS = 30_000;

let worker: Worker | null = null;
let lastID = 0;
const waiting = new Map<number, (outcome: FormatOutcome) => void>();

/** Formats a text in a worker, which is started with the first one. */
export function format(request: Omit<FormatRequest, 'id'>): Promise<FormatOutcome> {
  worker ??= start();
  const id = ++lastID;
  const sent: FormatRequest = { ...request, id };
  worker.postMessage(sent);
  return new Promise((resolve) => {
    const timer = setTimeout(() => stop('It took too long.'), MAX_MS);
    waiting.set(id, (outcome) => {
      clearTimeout(timer);
      resolve(outcome);
    });
  });
}

function start(): Worker {
  const started = startWorker(workerURL, 'format');
  started.onmessage = ({ data }: MessageEvent<FormatResponse>) => {
    waiting.get(data.id)?.(data.outcome);
    waiting.delete(data.id);
  };
  started.onerror = () => stop('The formatter could not be loaded.');
  return started;
}

function stop(message: string): void {
  worker?.terminate();
  worker = null;
  for (const resolve of waiting.values()) resolve({ kind: 'failed', message });
  waiting.clear();
}
