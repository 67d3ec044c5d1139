import { Complaint } from '../../kit/complaint.ts';
import type { Comparison, Node, Plan } from './plan.ts';
import { primaryOf, type Arguments } from './primaries.ts';

const ACTIONS = new Set(['print', 'printf', 'exec', 'delete', 'ls', 'quit']);

/** Parses the arguments of find. `zone` is the time zone of dates in them. */
export function parseFind(args: readonly string[], zone: string): Plan {
  return new Reading(args, zone).plan();
}

class Reading implements Arguments {
  readonly #words: readonly string[];
  readonly zone: string;
  #at = 0;
  #acts = false;
  isExtended = false;
  isEmacs = true;
  depthFirst = false;
  follows = false;
  runs = false;
  least = 0;
  most = Infinity;

  constructor(words: readonly string[], zone: string) {
    this.#words = words;
    this.zone = zone;
  }

  plan(): Plan {
    while (/^-[HLP]$|^-O\d$/.test(this.#words[this.#at] ?? ''))
      this.follows = this.#words[this.#at++] === '-L';
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
      follows: this.follows,
      runs: this.runs,
      depthFirst: this.depthFirst,
      least: this.least,
      most: this.most,
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
    const name = this.next() ?? '';
    const node = primaryOf(name, this);
    if (ACTIONS.has(node.t)) this.#acts = this.#acts || node.t !== 'quit';
    return node;
  }

  next(): string | undefined {
    return this.#words[this.#at++];
  }

  value(name: string): string {
    const value = this.next();
    if (value === undefined) throw new Complaint(`missing argument to \`${name}'`, 1);
    return value;
  }

  number(name: string): number {
    const value = this.value(name);
    if (!/^\d+$/.test(value))
      throw new Complaint(`Expected a positive decimal integer argument to ${name}, but got '${value}'`, 1);
    return Number(value);
  }

  comparison(name: string, text = this.value(name)): Comparison {
    const found = /^([-+]?)(\d+(?:\.\d+)?)$/.exec(text);
    if (!found) throw new Complaint(`invalid argument \`${text}' to \`${name}'`, 1);
    const sign = found[1] === '+' ? '+' : found[1] === '-' ? '-' : '';
    return { sign, amount: Number(found[2]) };
  }
}
