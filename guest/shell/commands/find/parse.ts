import { Complaint } from '../../kit/complaint.ts';
import { parseDate } from '../../kit/date-text.ts';
import { globRegex } from '../../kit/glob.ts';
import { changedMode } from '../../kit/mode.ts';
import { posixSource } from '../../kit/posix-regex.ts';
import { now } from '../../kit/strftime.ts';

export type Comparison = { readonly sign: '+' | '-' | ''; readonly amount: number };

export type Node =
  | { readonly t: 'and' | 'or' | 'list'; readonly a: Node; readonly b: Node }
  | { readonly t: 'not'; readonly a: Node }
  | { readonly t: 'constant'; readonly value: boolean }
  | { readonly t: 'text'; readonly of: 'name' | 'path' | 'link'; readonly regex: RegExp }
  | { readonly t: 'type'; readonly letters: readonly string[] }
  | { readonly t: 'empty' }
  | { readonly t: 'size'; readonly compare: Comparison; readonly unit: number }
  | { readonly t: 'age'; readonly compare: Comparison; readonly unit: number }
  | { readonly t: 'newer'; readonly file: string }
  | { readonly t: 'after'; readonly seconds: number }
  | { readonly t: 'perm'; readonly how: '-' | '/' | ''; readonly bits: number }
  | { readonly t: 'same'; readonly file: string }
  | { readonly t: 'can'; readonly bit: number }
  | { readonly t: 'links' | 'owner'; readonly compare: Comparison }
  | { readonly t: 'prune' | 'quit' | 'delete' | 'ls' }
  | { readonly t: 'print'; readonly end: string; readonly file?: string }
  | { readonly t: 'printf'; readonly format: string; readonly file?: string }
  | {
      readonly t: 'exec';
      readonly words: readonly string[];
      readonly all: boolean;
      readonly inFolder: boolean;
      readonly asks: boolean;
    };

export interface Plan {
  readonly paths: readonly string[];
  readonly root: Node;
  readonly follows: boolean;
  readonly depthFirst: boolean;
  /** True where the expression runs commands, which may change files that are still to be visited. */
  readonly runs: boolean;
  readonly least: number;
  readonly most: number;
}

const ACTIONS = new Set(['print', 'printf', 'exec', 'delete', 'ls', 'quit']);

/** Parses the arguments of find. `zone` is the time zone of dates in them. */
export function parseFind(args: readonly string[], zone: string): Plan {
  return new Reading(args, zone).plan();
}

class Reading {
  readonly #words: readonly string[];
  readonly #zone: string;
  #at = 0;
  #acts = false;
  #extended = false;
  #regexEmacs = true;
  #depthFirst = false;
  #follows = false;
  #runs = false;
  #least = 0;
  #most = Infinity;

  constructor(words: readonly string[], zone: string) {
    this.#words = words;
    this.#zone = zone;
  }

  plan(): Plan {
    while (/^-[HLP]$|^-O\d$/.test(this.#words[this.#at] ?? ''))
      this.#follows = this.#words[this.#at++] === '-L';
    const paths: string[] = [];
    while (this.#at < this.#words.length && !/^(?:-.|[()!,]$)/.test(this.#words[this.#at] ?? ''))
      paths.push(this.#words[this.#at++] ?? '');
    const test: Node = this.#at < this.#words.length ? this.#list() : { t: 'constant', value: true };
    if (this.#at < this.#words.length) {
      const word = this.#words[this.#at] ?? '';
      throw new Complaint(
        word === ')'
          ? "invalid expression; you have too many ')'"
          : `paths must precede expression: \`${word}'`,
        1,
      );
    }
    const root: Node = this.#acts ? test : { t: 'and', a: test, b: { t: 'print', end: '\n' } };
    return {
      paths: paths.length > 0 ? paths : ['.'],
      root,
      follows: this.#follows,
      runs: this.#runs,
      depthFirst: this.#depthFirst,
      least: this.#least,
      most: this.#most,
    };
  }

  #is(...words: readonly string[]): boolean {
    return words.includes(this.#words[this.#at] ?? '');
  }

  #list(): Node {
    let a = this.#or();
    while (this.#is(',')) {
      this.#at++;
      a = { t: 'list', a, b: this.#or() };
    }
    return a;
  }

  #or(): Node {
    let a = this.#and();
    while (this.#is('-o', '-or')) {
      this.#at++;
      a = { t: 'or', a, b: this.#and() };
    }
    return a;
  }

  #and(): Node {
    let a = this.#not();
    for (;;) {
      if (this.#is('-a', '-and')) this.#at++;
      else if (this.#at >= this.#words.length || this.#is('-o', '-or', ',', ')')) return a;
      else if (!/^(?:-.|[(!]$)/.test(this.#words[this.#at] ?? '')) return a;
      a = { t: 'and', a, b: this.#not() };
    }
  }

  #not(): Node {
    if (this.#is('!', '-not')) {
      this.#at++;
      return { t: 'not', a: this.#not() };
    }
    if (this.#is('(')) {
      this.#at++;
      const inner = this.#list();
      if (!this.#is(')'))
        throw new Complaint(
          "invalid expression; I was expecting to find a ')' somewhere but did not see one.",
          1,
        );
      this.#at++;
      return inner;
    }
    const node = this.#primary();
    if (ACTIONS.has(node.t)) this.#acts = this.#acts || node.t !== 'quit';
    return node;
  }

  #value(name: string): string {
    const value = this.#words[this.#at++];
    if (value === undefined) throw new Complaint(`missing argument to \`${name}'`, 1);
    return value;
  }

  #number(name: string): number {
    const value = this.#value(name);
    if (!/^\d+$/.test(value))
      throw new Complaint(`Expected a positive decimal integer argument to ${name}, but got '${value}'`, 1);
    return Number(value);
  }

  #comparison(name: string, text = this.#value(name)): Comparison {
    const found = /^([-+]?)(\d+(?:\.\d+)?)$/.exec(text);
    if (!found) throw new Complaint(`invalid argument \`${text}' to \`${name}'`, 1);
    const sign = found[1] === '+' ? '+' : found[1] === '-' ? '-' : '';
    return { sign, amount: Number(found[2]) };
  }

  #primary(): Node {
    const name = this.#words[this.#at++] ?? '';
    const yes: Node = { t: 'constant', value: true };
    const glob = (of: 'name' | 'path' | 'link', ignoreCase: boolean): Node => ({
      t: 'text',
      of,
      regex: globRegex(this.#value(name), ignoreCase),
    });
    switch (name) {
      case '-name':
        return glob('name', false);
      case '-iname':
        return glob('name', true);
      case '-path':
      case '-wholename':
        return glob('path', false);
      case '-ipath':
      case '-iwholename':
        return glob('path', true);
      case '-lname':
        return glob('link', false);
      case '-ilname':
        return glob('link', true);
      case '-regex':
      case '-iregex':
        return { t: 'text', of: 'path', regex: this.#regex(this.#value(name), name === '-iregex') };
      case '-regextype': {
        const type = this.#value(name);
        this.#extended = /extended|egrep|awk/.test(type);
        this.#regexEmacs = /emacs|findutils-default/.test(type);
        return yes;
      }
      case '-type':
      case '-xtype':
        return { t: 'type', letters: this.#value(name).split(',') };
      case '-empty':
        return { t: 'empty' };
      case '-size': {
        const value = this.#value(name);
        const units: Record<string, number> = {
          c: 1,
          w: 2,
          b: 512,
          '': 512,
          k: 1024,
          M: 1024 ** 2,
          G: 1024 ** 3,
        };
        const unit = /[a-zA-Z]$/.exec(value)?.[0] ?? '';
        const factor = units[unit];
        if (factor === undefined) throw new Complaint(`invalid -size type \`${unit}'`, 1);
        return {
          t: 'size',
          compare: this.#comparison(name, unit ? value.slice(0, -1) : value),
          unit: factor,
        };
      }
      case '-mtime':
      case '-atime':
      case '-ctime':
        return { t: 'age', compare: this.#comparison(name), unit: 86400 };
      case '-mmin':
      case '-amin':
      case '-cmin':
        return { t: 'age', compare: this.#comparison(name), unit: 60 };
      case '-newer':
      case '-anewer':
      case '-cnewer':
      case '-newermm':
        return { t: 'newer', file: this.#value(name) };
      case '-newermt':
      case '-newerat':
      case '-newerct': {
        const text = this.#value(name);
        const moment = parseDate(text, now(), this.#zone);
        if (!moment)
          throw new Complaint(`I cannot figure out how to interpret '${text}' as a date or time`, 1);
        return { t: 'after', seconds: moment.seconds + moment.nanoseconds / 1e9 };
      }
      case '-perm': {
        const value = this.#value(name);
        const how = value.startsWith('-') ? '-' : value.startsWith('/') ? '/' : '';
        const bits = changedMode(value.slice(how.length), 0, false);
        if (bits === undefined) throw new Complaint(`invalid mode '${value}'`, 1);
        return { t: 'perm', how, bits };
      }
      case '-samefile':
        return { t: 'same', file: this.#value(name) };
      case '-readable':
        return { t: 'can', bit: 4 };
      case '-writable':
        return { t: 'can', bit: 2 };
      case '-executable':
        return { t: 'can', bit: 1 };
      case '-links':
        return { t: 'links', compare: this.#comparison(name) };
      case '-uid':
      case '-gid':
        return { t: 'owner', compare: this.#comparison(name) };
      case '-user':
      case '-group':
        return { t: 'constant', value: ['user', '1000'].includes(this.#value(name)) };
      case '-nouser':
      case '-nogroup':
      case '-false':
        return { t: 'constant', value: false };
      case '-true':
      case '-noleaf':
      case '-mount':
      case '-xdev':
      case '-ignore_readdir_race':
      case '-daystart':
        return yes;
      case '-follow':
        this.#follows = true;
        return yes;
      case '-depth':
      case '-d':
        this.#depthFirst = true;
        return yes;
      case '-maxdepth':
        this.#most = this.#number(name);
        return yes;
      case '-mindepth':
        this.#least = this.#number(name);
        return yes;
      case '-print':
        return { t: 'print', end: '\n' };
      case '-print0':
        return { t: 'print', end: '\0' };
      case '-fprint':
        return { t: 'print', end: '\n', file: this.#value(name) };
      case '-fprint0':
        return { t: 'print', end: '\0', file: this.#value(name) };
      case '-printf':
        return { t: 'printf', format: this.#value(name) };
      case '-fprintf': {
        const file = this.#value(name);
        return { t: 'printf', format: this.#value(name), file };
      }
      case '-ls':
        return { t: 'ls' };
      case '-prune':
        return { t: 'prune' };
      case '-quit':
        return { t: 'quit' };
      case '-delete':
        this.#depthFirst = true;
        return { t: 'delete' };
      case '-exec':
      case '-execdir':
      case '-ok':
      case '-okdir':
        return this.#exec(name);
      default:
        throw new Complaint(
          name.startsWith('-') ? `unknown predicate \`${name}'` : `paths must precede expression: \`${name}'`,
          1,
        );
    }
  }

  #exec(name: string): Node {
    this.#runs = true;
    const words: string[] = [];
    for (;;) {
      const word = this.#words[this.#at++];
      if (word === undefined) throw new Complaint(`missing argument to \`${name}'`, 1);
      const all = word === '+' && words.at(-1) === '{}';
      if (word !== ';' && !all) {
        words.push(word);
        continue;
      }
      if (words.length === 0) throw new Complaint(`missing argument to \`${name}'`, 1);
      return { t: 'exec', words, all, inFolder: name.endsWith('dir'), asks: name.startsWith('-ok') };
    }
  }

  /** Compiles a regular expression that has to match the whole path. */
  #regex(pattern: string, ignoreCase: boolean): RegExp {
    // In Emacs's syntax, the default, + and ? are operators, and so are \| and \( \).
    const basic = this.#regexEmacs
      ? pattern.replace(
          /(\[\^?\]?[^\]]*\]|\\.)|([+?])/g,
          (_all, kept?: string, sign?: string) => kept ?? `\\${sign ?? ''}`,
        )
      : pattern;
    const source = posixSource(basic, { extended: this.#extended, escapes: 'grep' });
    return new RegExp(`^(?:${source})$`, ignoreCase ? 'usi' : 'us');
  }
}
