import workerURL from './highlight/worker.ts?worker&url';
import type { HighlightRequest, HighlightResponse, Line } from './highlight/protocol.ts';
import { languageID } from './highlight/names.ts';
import { startWorker } from '../worker.ts';

export { languageOf } from './highlight/names.ts';
export type { Line, Span, SpanKind } from './highlight/protocol.ts';

/** The number of characters above which a text stays plain, since colouring it would take seconds. */
const LONGEST = 200_000;

type Receive = (lines: readonly Line[] | null, last: boolean) => void;

let worker: Worker | null = null;
let lastID = 0;
const waiting = new Map<number, Receive>();

/**
 * Splits `code` into lines of coloured spans, whose texts joined with newlines are `code`. Resolves to `null`
 * if the language is not known or the text is too long. Each span's kind has a class `hl-<kind>` in the
 * page's styles.
 */
export async function highlight(code: string, language: string): Promise<readonly Line[] | null> {
  const lines: Line[] = [];
  const whole = await highlightInParts(code, language, (part) => void lines.push(...part));
  return whole ? lines : null;
}

/**
 * The same for a long text: `receive` gets some hundred lines at a time, in order and each in a task of its own.
 * Resolves to whether all of the text was coloured.
 */
export function highlightInParts(
  code: string,
  language: string,
  receive: (lines: readonly Line[]) => void,
): Promise<boolean> {
  const known = languageID(language);
  if (!known || code.length > LONGEST) return Promise.resolve(false);
  worker ??= start();
  const id = ++lastID;
  const request: HighlightRequest = { id, code, language: known };
  worker.postMessage(request);
  return new Promise((resolve) =>
    waiting.set(id, (lines, last) => {
      if (lines) receive(lines);
      if (last) resolve(lines !== null);
    }),
  );
}

function start(): Worker {
  const started = startWorker(workerURL, 'highlight');
  started.onmessage = ({ data }: MessageEvent<HighlightResponse>) => {
    const receive = waiting.get(data.id);
    if (data.last) waiting.delete(data.id);
    receive?.(data.lines, data.last);
  };
  // If the worker fails, the text stays plain.
  started.onerror = () => {
    for (const receive of waiting.values()) receive(null, true);
    waiting.clear();
    worker = null;
    started.terminate();
  };
  return started;
}
