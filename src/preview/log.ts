import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { ConsoleLevel } from '../protocol/preview.ts';

/** Something that happened in a preview. Texts come from the page and may say anything. */
export type PreviewEvent =
  | { readonly kind: 'console'; readonly level: ConsoleLevel; readonly text: string; readonly source: string }
  | { readonly kind: 'error'; readonly text: string; readonly source: string; readonly stack: string }
  | {
      readonly kind: 'request';
      readonly method: string;
      readonly target: string;
      /** Undefined where there was no answer; `problem` then says why. */
      readonly status?: number;
      readonly problem?: string;
      readonly ms: number;
    }
  /** The browser refused an address that the preview's policy does not allow. */
  | { readonly kind: 'blocked'; readonly url: string; readonly directive: string }
  /** The preview went to another page. */
  | { readonly kind: 'page'; readonly target: string };

export type PreviewEntry = PreviewEvent & {
  readonly id: number;
  /** How often it happened one time after the other. */
  readonly times: number;
};

const MOST = 1_000;

/** The newest events of a preview, oldest first. */
export class PreviewLog {
  #entries: readonly PreviewEntry[] = [];
  #next = 1;
  readonly #changed = new Listeners<void>();
  readonly #added = new Listeners<PreviewEvent>();

  get entries(): readonly PreviewEntry[] {
    return this.#entries;
  }

  /** The id that the next entry gets. */
  get next(): number {
    return this.#next;
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }

  /** Called with each event, also with those that repeat the one before. */
  onAdd(listener: (event: PreviewEvent) => void): Unlisten {
    return this.#added.add(listener);
  }

  add(event: PreviewEvent): void {
    const last = this.#entries.at(-1);
    const isSame = last?.kind === 'console' && event.kind === 'console' && repeats(last, event);
    const id = this.#next++;
    const entry: PreviewEntry = { ...event, id, times: isSame ? last.times + 1 : 1 };
    this.#entries = [...(isSame ? this.#entries.slice(0, -1) : this.#entries), entry].slice(-MOST);
    this.#added.emit(event);
    this.#changed.emit();
  }

  clear(): void {
    this.#entries = [];
    this.#changed.emit();
  }
}

type ConsoleEvent = Extract<PreviewEvent, { kind: 'console' }>;

function repeats(last: ConsoleEvent, event: ConsoleEvent): boolean {
  return last.text === event.text && last.level === event.level && last.source === event.source;
}

/** Whether a person should look at it. */
export function isProblem(event: PreviewEvent): boolean {
  switch (event.kind) {
    case 'console':
      return event.level === 'error';
    case 'error':
    case 'blocked':
      return true;
    case 'request':
      return event.status === undefined || event.status >= 400;
    case 'page':
      return false;
  }
}

/** One entry as text, as the agent reads it. */
export function entryText(event: PreviewEvent): string {
  switch (event.kind) {
    case 'console':
      return `[${event.level}] ${event.text}${event.source && ` (${event.source})`}`;
    case 'error':
      return `[error] ${event.text}${event.source && ` (${event.source})`}${indented(event)}`;
    case 'request':
      return `${event.method} ${event.target} → ${event.status ?? event.problem ?? 'no answer'} (${event.ms} ms)`;
    case 'blocked':
      return `[blocked] ${event.url} (${event.directive}): the host is not among those that Settings, Tools and servers allows`;
    case 'page':
      return `--- ${event.target}`;
  }
}

/** The stack, without the message at its beginning, on lines of its own. */
function indented({ text, stack }: Extract<PreviewEvent, { kind: 'error' }>): string {
  const lines = stack.split('\n').map((line) => line.trim());
  const places = lines.filter((line) => line !== '' && !text.endsWith(line));
  return places.map((line) => `\n    ${line}`).join('');
}
