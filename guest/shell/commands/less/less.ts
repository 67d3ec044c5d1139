import type { Keyboard, Program, ProgramCall, Terminal } from '../../program.ts';
import { Complaint } from '../../kit/complaint.ts';
import { complain, complaining, decode, encode, open, optionsOf, sourceOf } from '../../kit/io.ts';
import { Usage, valueOf, type Options } from '../../kit/options.ts';
import { pager } from './pager.ts';
import { Document } from './document.ts';
import { keysIn, KEYS } from './keys.ts';
import { View } from './view.ts';

const SPEC = {
  short: 'aAcdeEfFgGiIJKLmMnNqQrRsSuUVwWXp:P:x:y:z:b:h:j:k:o:O:t:T:D:',
  long: [
    'ignore-case=i',
    'IGNORE-CASE=I',
    'LINE-NUMBERS=N',
    'line-numbers=n',
    'chop-long-lines=S',
    'RAW-CONTROL-CHARS=R',
    'raw-control-chars=r',
    'quit-if-one-screen=F',
    'no-init=X',
    'pattern=p',
    'mouse',
    'tabs=x',
    'use-color',
    'squeeze-blank-lines=s',
  ],
};

/**
 * Shows files or its input a screen at a time, driven by keys. Without a terminal it passes everything
 * through.
 */
export const less: Program = complaining(async (call) => {
  if (call.args[0] === '--help') throw new Usage(SPEC);
  const terminal = call.terminal(1);
  const { keyboard } = terminal ?? {};
  if (!terminal || !keyboard) return pager(call);
  const [starts, words] = startsOf([
    ...(call.env.get('LESS')?.split(/\s+/).filter(Boolean).map(dashed) ?? []),
    ...call.args,
  ]);
  const options = optionsOf(call, SPEC, 1, false, words);
  const isPiped = options.operands.length === 0;
  if (isPiped && call.terminal(0)) throw new Complaint('Missing filename ("less --help" for help)', 1);
  return new Pager(call, terminal, keyboard, options).run(isPiped ? ['-'] : options.operands, starts);
});

/** Adds the dash that options in the variable LESS may leave out. */
function dashed(word: string): string {
  return /^[-+]/.test(word) ? word : `-${word}`;
}

/** Separates `+G` and `+/text`, which are typed first, from the other words. */
function startsOf(args: readonly string[]): [starts: string, words: string[]] {
  const end = args.indexOf('--');
  const isStart = (word: string, index: number) => word.startsWith('+') && (end < 0 || index < end);
  const starts = args.filter(isStart).map((word) => {
    const text = word.replace(/^\++/, '');
    return /^[/?]/.test(text) ? `${text}\n` : /^\d+$/.test(text) ? `${text}g` : text;
  });
  return [starts.join(''), args.filter((word, index) => !isStart(word, index))];
}

const ENTER = '\x1b[?1049h\x1b[H\x1b[J';
const LEAVE = '\x1b[?1049l';

class Pager {
  readonly #call: ProgramCall;
  readonly #terminal: Terminal;
  readonly #keyboard: Keyboard;
  readonly #options: Options;
  readonly #documents: Document[] = [];
  /** Keys that wait to be handled. */
  readonly #typed: string[] = [];
  readonly #aborted: Promise<null>;
  #at = 0;
  #view: View | undefined;

  constructor(call: ProgramCall, terminal: Terminal, keyboard: Keyboard, options: Options) {
    this.#call = call;
    this.#terminal = terminal;
    this.#keyboard = keyboard;
    this.#options = options;
    const { signal } = call;
    this.#aborted = new Promise((resolve) => {
      if (signal.aborted) resolve(null);
      else signal.addEventListener('abort', () => resolve(null), { once: true });
    });
  }

  async run(names: readonly string[], starts: string): Promise<number> {
    const call = this.#call;
    for (const name of names) {
      try {
        const source = await open(call, name);
        const document = new Document(name === '-' ? undefined : name, source, () => this.#view?.changed());
        this.#documents.push(document);
        // A file is available already and is read whole.
        if (name !== '-' && !call.path(name).startsWith('/dev/')) document.want(Infinity);
      } catch (error) {
        if (!(error instanceof Complaint)) throw error;
        await complain(call, error.message);
      }
    }
    if (this.#documents.length === 0) return 1;
    if (this.#options.has.has('F') && (await this.#fits())) return 0;
    const before = this.#keyboard.mode;
    const usesScreen = !this.#options.has.has('X');
    this.#keyboard.setMode({ raw: true, echo: false });
    await call.stdout.write(encode(usesScreen ? ENTER : ''));
    const unlisten = this.#terminal.onResize?.(() => this.#view?.changed());
    try {
      await this.#show(starts);
    } finally {
      unlisten?.();
      for (const document of this.#documents) document.close();
      this.#keyboard.source.unread(encode(this.#typed.join('')));
      this.#keyboard.setMode(before);
      // After a signal nobody waits for the write, because the reader may be gone.
      const left = call.stdout.write(encode(`\r\x1b[K${usesScreen ? LEAVE : ''}`));
      if (!call.signal.aborted) await left;
    }
    return 0;
  }

  /** Whether the document fits on one screen, in which case `-F` only prints it. */
  async #fits(): Promise<boolean> {
    const [document] = this.#documents;
    if (!document || this.#documents.length > 1) return false;
    const { rows } = this.#terminal;
    await document.have(rows);
    const view = this.#viewOf(document);
    if (!document.ended || view.rowCount(rows) >= rows) return false;
    await this.#call.stdout.write(encode(document.lines.map((line) => `${line}\n`).join('')));
    return true;
  }

  async #show(starts: string): Promise<void> {
    this.#typed.push(...keysIn(starts));
    for (;;) {
      const document = this.#documents[this.#at];
      if (!document) return;
      const view = (this.#view = this.#viewOf(document));
      const end = await view.run(() => this.#key());
      if (end === 'quit') return;
      if (end === 'help') await this.#help();
      else {
        const next = this.#at + (end === 'next-file' ? 1 : -1);
        this.#at = Math.min(Math.max(next, 0), this.#documents.length - 1);
      }
    }
  }

  async #help(): Promise<void> {
    const text = KEYS.map(([, keys, what]) => `  ${keys.padEnd(28)} ${what}\n`).join('');
    const document = new Document('HELP -- q ends it', sourceOf(encode(`\n${text}\n`)), () => view.changed());
    const view: View = this.#viewOf(document);
    const shown = this.#view;
    this.#view = view;
    await view.run(() => this.#key());
    this.#view = shown;
  }

  /** Returns the next key; null once the program has to end. */
  async #key(): Promise<string | null> {
    while (this.#typed.length === 0) {
      const bytes = await Promise.race([this.#keyboard.source.read(), this.#aborted]);
      if (!bytes) return null;
      this.#typed.push(...keysIn(decode(bytes)));
    }
    return this.#typed.shift() ?? null;
  }

  readonly #views = new Map<Document, View>();

  #viewOf(document: Document): View {
    const known = this.#views.get(document);
    if (known) return known;
    const { has } = this.#options;
    const view = new View(document, this.#terminal, (text) => this.#call.stdout.write(encode(text)), {
      chops: has.has('S'),
      numbers: has.has('N'),
      colours: has.has('R') || has.has('r'),
      ignoresCase: has.has('i') || has.has('I'),
      squeezes: has.has('s'),
      pattern: valueOf(this.#options, 'p'),
      others:
        this.#documents.length > 1
          ? `file ${this.#documents.indexOf(document) + 1} of ${this.#documents.length}`
          : '',
    });
    this.#views.set(document, view);
    return view;
  }
}
