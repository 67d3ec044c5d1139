/** A person's key press or paste, decoded from the bytes that a terminal sends. */
export type Key =
  | { readonly type: 'text'; readonly text: string }
  /** Text between bracketed-paste marks, in which line ends do not run anything. */
  | { readonly type: 'paste'; readonly text: string }
  | { readonly type: 'key'; readonly name: KeyName };

export type KeyName =
  | 'enter'
  | 'tab'
  | 'backspace'
  | 'delete'
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'home'
  | 'end'
  | 'word-left'
  | 'word-right'
  | 'kill-to-start'
  | 'kill-to-end'
  | 'kill-word'
  | 'kill-word-right'
  | 'yank'
  | 'interrupt'
  | 'search'
  | 'leave'
  | 'end-of-input'
  | 'clear';

const CONTROLS: Readonly<Record<string, KeyName>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\x01': 'home',
  '\x02': 'left',
  '\x03': 'interrupt',
  '\x04': 'end-of-input',
  '\x05': 'end',
  '\x06': 'right',
  '\x07': 'leave',
  '\x08': 'backspace',
  '\x0b': 'kill-to-end',
  '\x0c': 'clear',
  '\x0e': 'down',
  '\x10': 'up',
  '\x12': 'search',
  '\x15': 'kill-to-start',
  '\x17': 'kill-word',
  '\x19': 'yank',
  '\x7f': 'backspace',
};

const SEQUENCES: Readonly<Record<string, KeyName>> = {
  '[A': 'up',
  '[B': 'down',
  '[C': 'right',
  '[D': 'left',
  '[H': 'home',
  '[F': 'end',
  '[1~': 'home',
  '[4~': 'end',
  '[3~': 'delete',
  '[1;5C': 'word-right',
  '[1;5D': 'word-left',
  '[1;3C': 'word-right',
  '[1;3D': 'word-left',
  OA: 'up',
  OB: 'down',
  OC: 'right',
  OD: 'left',
  OH: 'home',
  OF: 'end',
  b: 'word-left',
  f: 'word-right',
  d: 'kill-word-right',
  '\x7f': 'kill-word',
};

/**
 * Matches the rest of an escape sequence after ESC: CSI, SS3, a string (OSC, DCS, APC, PM) to its end, or one
 * character.
 */
const SEQUENCE = /^(?:\[[0-?]*[ -/]*[@-~]|O[ -~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\|$)|[^])/u;

const PASTE_START = '[200~';
const PASTE_END = '\x1b[201~';

/**
 * Decodes keys. Sequences that are no key are dropped as a whole: a terminal also sends its answers to
 * queries this way, and a printed file can cause one. No part of an answer may ever enter the command line.
 */
export function readKeys(data: string): readonly Key[] {
  const keys: Key[] = [];
  let at = 0;
  let text = '';
  const flush = () => {
    if (text) keys.push({ type: 'text', text });
    text = '';
  };
  while (at < data.length) {
    const char = data[at] ?? '';
    const control = CONTROLS[char];
    if (char === '\x1b') {
      flush();
      const sequence = SEQUENCE.exec(data.slice(at + 1))?.[0] ?? '';
      at += 1 + sequence.length;
      if (sequence === PASTE_START) {
        const end = data.indexOf(PASTE_END, at);
        const pasted = data.slice(at, end < 0 ? data.length : end);
        keys.push({ type: 'paste', text: printable(pasted) });
        at = end < 0 ? data.length : end + PASTE_END.length;
      } else {
        const name = SEQUENCES[sequence];
        if (name) keys.push({ type: 'key', name });
      }
    } else if (control) {
      flush();
      keys.push({ type: 'key', name: control });
      at += 1;
    } else {
      text += printable(char);
      at += 1;
    }
  }
  flush();
  return keys;
}

function printable(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/g, (char) => (char === '\t' ? '    ' : ''));
}
