import { fullName, isNotForEnvironment, isSwitch, WITH_VALUE } from './flags.ts';

interface Flag {
  readonly word: string;
  readonly name: string;
  /** The value after `=`. */
  readonly inline: string | undefined;
  /** The next word, which may be its value. */
  readonly next: string | undefined;
}

/** The flags that may be given more than once. Their values are joined by line breaks. */
const REPEATS = /^--(?:test-|disable-warning$|loader$|experimental-loader$)/;

/** Collects the flags of `NODE_OPTIONS` and of a command line. */
export class FlagReader {
  readonly flags = new Map<string, string | true>();
  readonly requires: string[] = [];
  readonly imports: string[] = [];
  readonly conditions: string[] = [];
  readonly envFiles: { readonly path: string; readonly optional: boolean }[] = [];
  readonly watchPaths: string[] = [];
  readonly execArgv: string[] = [];
  /** The text of `--eval`. */
  source: string | undefined;
  failure: string | undefined;

  /** Reads the flags at the beginning of a list. Returns the index of the first word after them. */
  read(words: readonly string[], from: 'environment' | 'command line'): number {
    const isTyped = from === 'command line';
    let at = 0;
    while (at < words.length && this.failure === undefined) {
      const word = words[at] ?? '';
      if (word === '--') return at + 1;
      if (word === '-' || !word.startsWith('-')) return at;
      if (!isTyped && isNotForEnvironment(word)) {
        this.failure = `${word} is not allowed in NODE_OPTIONS`;
        return at;
      }
      const flag = flagOf(word, words[at + 1]);
      const end = at + (this.#take(flag) ? 2 : 1);
      if (isTyped && !flag.name.startsWith('--watch')) this.execArgv.push(...words.slice(at, end));
      at = end;
    }
    return at;
  }

  /** Records a flag. Returns whether the next word is its value. */
  #take(flag: Flag): boolean {
    const { word, name, inline, next } = flag;
    if (name === '--print') {
      this.flags.set(name, true);
      const hasSource = inline !== undefined || (next !== undefined && !next.startsWith('-'));
      if (!hasSource || this.source !== undefined) return false;
      this.source = inline ?? next;
      return inline === undefined;
    }
    if (name === '--eval' || WITH_VALUE.has(name)) {
      const value = inline ?? valueIn(flag);
      if (value === undefined) this.failure = `${word} requires an argument`;
      this.#set(name, value ?? '');
      return inline === undefined && value !== undefined;
    }
    if (isSwitch(name)) this.flags.set(name, inline ?? true);
    else this.failure = `bad option: ${word}`;
    return false;
  }

  #set(name: string, value: string): void {
    switch (name) {
      case '--eval':
        this.source = value;
        this.flags.set(name, true);
        return;
      case '--require':
        this.requires.push(value);
        return;
      case '--import':
        this.imports.push(value);
        return;
      case '--conditions':
        this.conditions.push(value);
        return;
      case '--env-file':
      case '--env-file-if-exists':
        this.envFiles.push({ path: value, optional: name !== '--env-file' });
        return;
      case '--watch-path':
        this.watchPaths.push(value);
        this.flags.set('--watch', true);
        return;
      default: {
        const before = REPEATS.test(name) ? this.flags.get(name) : undefined;
        this.flags.set(name, typeof before === 'string' ? `${before}\n${value}` : value);
      }
    }
  }
}

function flagOf(word: string, next: string | undefined): Flag {
  const equals = word.startsWith('--') ? word.indexOf('=') : -1;
  const name = fullName(equals > 0 ? word.slice(0, equals) : word);
  return { word, name, inline: equals > 0 ? word.slice(equals + 1) : undefined, next };
}

/** The next word, if it can be the value of a flag. */
function valueIn({ name, next }: Flag): string | undefined {
  if (next?.startsWith('-') && next.length > 1 && name !== '--eval') return undefined;
  return next;
}
