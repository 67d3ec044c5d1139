/** The names of the keys that a touch keyboard lacks, in the order in which they are shown. */
export const TOUCH_KEYS = [
  'escape',
  'tab',
  'ctrl',
  'interrupt',
  'endOfInput',
  'left',
  'up',
  'down',
  'right',
] as const;

export type TouchKey = (typeof TOUCH_KEYS)[number];

/** A terminal sends these characters for the keys. An arrow key's sequence ends with the one that is here. */
const SENT: Readonly<Record<Exclude<TouchKey, 'ctrl'>, string>> = {
  escape: '\x1b',
  tab: '\t',
  interrupt: '\x03',
  endOfInput: '\x04',
  left: 'D',
  up: 'A',
  down: 'B',
  right: 'C',
};

/** Keys on the page for a terminal, and their Ctrl, which holds for the next key alone. */
export class TouchKeys {
  /** True if Ctrl was pressed, and no key since. */
  ctrl = $state(false);
  readonly #send: (data: string) => void;
  readonly #isApplicationMode: () => boolean;

  /** A program may want arrow keys in another form (`isApplicationMode`). */
  constructor(send: (data: string) => void, isApplicationMode: () => boolean) {
    this.#send = send;
    this.#isApplicationMode = isApplicationMode;
  }

  press(key: TouchKey): void {
    if (key === 'ctrl') {
      this.ctrl = !this.ctrl;
      return;
    }
    const isHeld = this.ctrl;
    this.ctrl = false;
    this.#send(/[A-D]/.test(SENT[key]) ? this.#arrow(SENT[key], isHeld) : SENT[key]);
  }

  /** Returns what goes to the shell for what the keyboard has sent. */
  typed(data: string): string {
    // What begins with Escape may be the terminal's answer to a program, which nobody has typed.
    if (!this.ctrl || data.startsWith('\x1b')) return data;
    this.ctrl = false;
    return /^[@-_a-z ]$/.test(data) ? String.fromCharCode(data.charCodeAt(0) & 0x1f) : data;
  }

  #arrow(letter: string, withCtrl: boolean): string {
    if (withCtrl) return `\x1b[1;5${letter}`;
    return this.#isApplicationMode() ? `\x1bO${letter}` : `\x1b[${letter}`;
  }
}
