/** The actions that keys have. */
export type Action =
  | 'forward'
  | 'back'
  | 'down'
  | 'up'
  | 'half-forward'
  | 'half-back'
  | 'first'
  | 'last'
  | 'search'
  | 'search-back'
  | 'next'
  | 'previous'
  | 'right'
  | 'left'
  | 'option'
  | 'next-file'
  | 'previous-file'
  | 'where'
  | 'redraw'
  | 'help'
  | 'unmark'
  | 'quit';

export const KEYS: readonly (readonly [action: Action, keys: string, what: string])[] = [
  ['forward', 'SPACE f ^F ^V PAGEDOWN', 'a screen on'],
  ['back', 'b ^B ESC-v PAGEUP', 'a screen back'],
  ['down', 'j e ^N ^E RETURN DOWN', 'a row on'],
  ['up', 'k y ^P ^Y UP', 'a row back'],
  ['half-forward', 'd ^D', 'half a screen on'],
  ['half-back', 'u ^U', 'half a screen back'],
  ['first', 'g < HOME', 'to the first line, or to line N'],
  ['last', 'G > END', 'to the last line, or to line N'],
  ['search', '/', 'searches a pattern'],
  ['search-back', '?', 'searches a pattern backwards'],
  ['next', 'n', 'to the next match'],
  ['previous', 'N', 'to the match before'],
  ['unmark', 'ESC-u', 'matches are no longer marked'],
  ['right', 'RIGHT', 'half a screen to the right, lines being cut'],
  ['left', 'LEFT', 'half a screen to the left'],
  [
    'option',
    '-',
    'switches an option: S cuts lines, N numbers them, i takes upper case for lower, R colours',
  ],
  ['next-file', ':n', 'to the next file'],
  ['previous-file', ':p', 'to the file before'],
  ['where', '= ^G', 'tells where this is'],
  ['redraw', 'r ^L', 'draws the screen anew'],
  ['help', 'h H', 'this'],
  ['quit', 'q Q ZZ', 'ends'],
];

const NAMES: Readonly<Record<string, readonly string[]>> = {
  SPACE: [' '],
  RETURN: ['\n', '\r'],
  PAGEUP: ['\x1b[5~'],
  PAGEDOWN: ['\x1b[6~'],
  UP: ['\x1b[A', '\x1bOA'],
  DOWN: ['\x1b[B', '\x1bOB'],
  RIGHT: ['\x1b[C', '\x1bOC'],
  LEFT: ['\x1b[D', '\x1bOD'],
  HOME: ['\x1b[H', '\x1bOH', '\x1b[1~'],
  END: ['\x1b[F', '\x1bOF', '\x1b[4~'],
};

const ACTIONS = new Map<string, Action>(
  KEYS.flatMap(([action, keys]) =>
    keys.split(' ').flatMap((key) => charsOf(key).map((chars) => [chars, action] as const)),
  ),
);

function charsOf(key: string): readonly string[] {
  const named = NAMES[key];
  if (named) return named;
  if (/^\^.$/.test(key)) return [String.fromCharCode(key.charCodeAt(1) - 64)];
  return [key.replace(/^ESC-/, '\x1b')];
}

export function actionOf(key: string): Action | undefined {
  return ACTIONS.get(key);
}

/** Whether a key is only the first part of a command. */
export function isPrefix(key: string): boolean {
  return key === ':' || key === 'Z';
}

/** Splits terminal input into keys; an escape sequence counts as one key. */
export function keysIn(text: string): readonly string[] {
  return text.match(/\x1b\[[0-?]*[ -/]*[@-~]|\x1bO[ -~]|\x1b[^]|[^]/gu) ?? [];
}
