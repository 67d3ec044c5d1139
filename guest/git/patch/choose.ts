import { hunkHead, hunksOf, type Hunk, type Text } from '../diff/hunks.ts';
import type { Git } from '../kit/git.ts';
import { helpFor } from './help.ts';
import { splitParts, summaryOf, type Part } from './part.ts';

/** Lines of the list that `g` shows at once. */
const LISTED = 20;

export interface Asking {
  readonly texts: { readonly old: Text; readonly now: Text };
  readonly isDeleted: boolean;
  /** This text is printed before each hunk. */
  readonly lead: string;
  next(question: string): Promise<string | undefined>;
  edit(hunk: Hunk): Promise<Hunk | undefined>;
}

export interface Choice {
  readonly chosen: readonly Hunk[];
  readonly areAll: boolean;
  /** Whether the person wants to hear of no further file. */
  readonly quits: boolean;
}

/** Asks about the hunks of one file, in any order that the answers lead to. */
export class Chooser {
  readonly #git: Git;
  readonly #asking: Asking;
  readonly #parts: Part[];
  /**
   * The answers that were offered at some hunk. As in native git, they can be given from then on, and one that goes to the next
   * hunk leads from the last to the first.
   */
  readonly #offered = new Set<string>();
  #at = 0;
  #quits = false;

  constructor(git: Git, asking: Asking) {
    this.#git = git;
    this.#asking = asking;
    const { old, now } = asking.texts;
    const pieces = hunksOf(old, now, { context: 0 });
    this.#parts = hunksOf(old, now).map((hunk) => ({
      shown: hunk,
      staged: hunk,
      pieces: pieces.filter(({ a, aLines }) => a >= hunk.a && a + aLines <= hunk.a + hunk.aLines),
      use: 'undecided',
    }));
  }

  async choose(): Promise<Choice> {
    for (;;) {
      const part = this.#parts[this.#at] ?? this.#parts[(this.#at = 0)];
      if (!part) break;
      if (this.#parts.every(({ use }) => use !== 'undecided')) break;
      const { shown } = part;
      const heading = shown.heading && ` ${shown.heading}`;
      const body = shown.lines.map((line) => `${line}\n`).join('');
      this.#git.out(`${this.#asking.lead}${hunkHead(shown)}${heading}\n${body}`);
      const offers = this.#offers(part);
      for (const letter of offers) this.#offered.add(letter);
      const what = this.#asking.isDeleted ? 'deletion' : 'this hunk';
      const letters = offers.map((letter) => `,${letter}`).join('');
      const answer = await this.#asking.next(
        `(${this.#at + 1}/${this.#parts.length}) Stage ${what} [y,n,q,a,d${letters},?]? `,
      );
      if (answer === undefined) break;
      await this.#follow(answer, part, offers);
      if (this.#quits) break;
    }
    const used = this.#parts.filter(({ use }) => use === 'used');
    const areAll = used.length === this.#parts.length;
    return { chosen: used.map(({ staged }) => staged), areAll, quits: this.#quits };
  }

  #offers({ pieces }: Part): string[] {
    const last = this.#parts.length - 1;
    const offers: readonly (readonly [string, boolean])[] = [
      ['k', this.#previous >= 0],
      ['K', this.#at > 0],
      ['j', this.#next >= 0],
      ['J', this.#at < last],
      ['g', last > 0],
      ['/', last > 0],
      ['s', pieces.length > 1],
      ['e', !this.#asking.isDeleted],
    ];
    return offers.flatMap(([letter, isThere]) => (isThere ? [letter] : []));
  }

  get #previous(): number {
    return this.#parts.findLastIndex(({ use }, at) => at < this.#at && use === 'undecided');
  }

  get #next(): number {
    return this.#parts.findIndex(({ use }, at) => at > this.#at && use === 'undecided');
  }

  #decide(part: Part, use: Part['use']): void {
    part.use = use;
    const next = this.#next;
    this.#at = next < 0 ? this.#parts.length : next;
  }

  #decideRest(use: Part['use']): void {
    for (const part of this.#parts.slice(this.#at)) if (part.use === 'undecided') part.use = use;
    this.#at = this.#parts.length;
  }

  async #follow(answer: string, part: Part, offers: readonly string[]): Promise<void> {
    const letter = answer.charAt(0);
    const rest = answer.slice(1).trim();
    switch (letter.toLowerCase()) {
      case '':
        return;
      case 'y':
        return this.#decide(part, 'used');
      case 'n':
        return this.#decide(part, 'skipped');
      case 'a':
        return this.#decideRest('used');
      case 'd':
      case 'q':
        this.#quits = letter.toLowerCase() === 'q';
        return this.#decideRest('skipped');
    }
    switch (letter) {
      case 'k':
      case 'K':
        return this.#go(letter, letter === 'k' ? this.#previous : this.#at - 1, 'No previous hunk');
      case 'j':
      case 'J':
        return this.#go(letter, letter === 'j' ? this.#next : this.#at + 1, 'No next hunk');
      case 'g':
        return this.#may('g', 'No other hunks to goto', () => this.#goto(rest));
      case '/':
        return this.#may('/', 'No other hunks to search', () => this.#search(answer.slice(1)));
      case 's':
        return this.#may('s', 'Sorry, cannot split this hunk', () => this.#split(part));
      case 'e':
        return this.#may('e', 'Sorry, cannot edit this hunk', () => this.#edit(part));
      default:
        this.#git.out(helpFor(offers));
    }
  }

  async #may(letter: string, otherwise: string, act: () => Promise<void> | void): Promise<void> {
    if (this.#offered.has(letter)) await act();
    else await this.#git.err(`${otherwise}\n`);
  }

  #go(letter: string, to: number, otherwise: string): Promise<void> {
    return this.#may(letter, otherwise, () => {
      this.#at = to;
    });
  }

  async #goto(given: string): Promise<void> {
    let answer: string | undefined = given;
    let at = Math.max(0, this.#at - LISTED / 2);
    while (answer === '') {
      const end = Math.min(this.#parts.length, at + LISTED);
      for (; at < end; at++) this.#git.out(summaryOf(this.#parts[at], at + 1));
      const more = at < this.#parts.length ? ' (<ret> to see more)' : '';
      answer = (await this.#asking.next(`go to which hunk${more}? `))?.trim();
    }
    if (answer === undefined) return;
    const count = this.#parts.length;
    if (!/^[-+]?\d+$/.test(answer)) await this.#git.err(`Invalid number: '${answer}'\n`);
    else if (Number(answer) > 0 && Number(answer) <= count) this.#at = Number(answer) - 1;
    else await this.#git.err(`Sorry, only ${count} hunk${count === 1 ? '' : 's'} available.\n`);
  }

  async #search(given: string): Promise<void> {
    const text = given === '' ? await this.#asking.next('search for regex? ') : given;
    if (text === undefined || text === '') return;
    let pattern: RegExp;
    try {
      pattern = new RegExp(text, 'm');
    } catch {
      return this.#git.err(`Malformed search regexp ${text}: Invalid regular expression\n`);
    }
    const order = [...this.#parts.keys()].map((step) => (this.#at + step) % this.#parts.length);
    const found = order.find((at) => {
      const hunk = this.#parts[at]?.shown;
      return hunk && pattern.test([hunkHead(hunk), ...hunk.lines].join('\n'));
    });
    if (found === undefined) await this.#git.err('No hunk matches the given pattern\n');
    else this.#at = found;
  }

  #split(part: Part): void {
    if (part.pieces.length < 2) return;
    this.#git.out(`Split into ${part.pieces.length} hunks.\n`);
    this.#parts.splice(this.#at, 1, ...splitParts(part));
  }

  async #edit(part: Part): Promise<void> {
    const other = await this.#asking.edit(part.shown);
    if (!other) return;
    part.staged = other;
    this.#decide(part, 'used');
  }
}
