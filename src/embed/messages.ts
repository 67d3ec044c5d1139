/**
 * The messages between a frame of `embed.html` and the page that embeds it. Each has `vitrine: 'player'`, so that a page can
 * tell them from those of other frames. They are public: docs/embedding.md describes them.
 */
export const MARK = 'player';

export type Theme = 'light' | 'dark' | 'auto';
export const THEMES: readonly Theme[] = ['light', 'dark', 'auto'];

/** A message by which the frame tells the page what happens. Times are in milliseconds of the played recording. */
export type Report =
  /** The content is there. `duration` is 0 for what does not play. */
  | {
      readonly type: 'ready';
      readonly kind: 'recording' | 'step' | 'call' | 'lesson';
      readonly title: string;
      readonly duration: number;
    }
  | { readonly type: 'playing' }
  | { readonly type: 'paused' }
  | { readonly type: 'position'; readonly position: number; readonly duration: number }
  | { readonly type: 'ended' }
  | {
      readonly type: 'error';
      readonly code: string;
      readonly what: string;
      readonly where?: string;
      readonly next?: string;
    }
  /** `step` is the step of the lesson that is shown, from 1; `done` is how many the reader has left behind. */
  | { readonly type: 'progress'; readonly step: number; readonly steps: number; readonly done: number }
  /** The reader has left the last step of the lesson behind. */
  | { readonly type: 'completed'; readonly steps: number };

/** A message by which the page asks the frame to do something. */
export type Command =
  | { readonly type: 'play' }
  | { readonly type: 'pause' }
  | { readonly type: 'seek'; readonly position: number }
  | { readonly type: 'theme'; readonly theme: Theme };

const REPORTS: readonly string[] = [
  'ready',
  'playing',
  'paused',
  'position',
  'ended',
  'error',
  'progress',
  'completed',
] satisfies Report['type'][];

/** Reads a message of another page; `null` if it is no command. */
export function commandIn(data: unknown): Command | null {
  const message = ownMessage(data);
  if (message?.['type'] === 'play' || message?.['type'] === 'pause') return { type: message['type'] };
  if (message?.['type'] === 'seek') {
    const { position } = message;
    return typeof position === 'number' && Number.isFinite(position) ? { type: 'seek', position } : null;
  }
  if (message?.['type'] === 'theme') {
    const theme = THEMES.find((each) => each === message['theme']);
    return theme ? { type: 'theme', theme } : null;
  }
  return null;
}

/** Reads a message of the player's frame. Its type is the name of the event that the element makes of it. */
export function reportIn(data: unknown): { readonly type: string; readonly detail: object } | null {
  const message = ownMessage(data);
  const type = REPORTS.find((each) => each === message?.['type']);
  if (!message || type === undefined) return null;
  const { vitrine: _vitrine, type: _type, ...detail } = message;
  return { type, detail };
}

function ownMessage(data: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof data !== 'object' || data === null || !('vitrine' in data)) return undefined;
  return data.vitrine === MARK ? { ...data } : undefined;
}
