import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Begun {
  readonly browser: string;
  readonly id: string;
  readonly asks: string;
}

interface Answer extends Begun {
  readonly answer: unknown;
  readonly ms: number;
}

/** Answers by browser and question. Every one is on disk before the next question is asked. */
export class Answers {
  readonly #folder: string;
  readonly #byBrowser = new Map<string, Map<string, Begun | Answer>>();

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** False: it was asked before, and must not take the page along a second time. */
  begin(begun: Begun): boolean {
    const known = this.#of(begun.browser);
    if (known.has(begun.id)) return false;
    known.set(begun.id, begun);
    this.#save();
    return true;
  }

  add(answer: Answer): void {
    this.#of(answer.browser).set(answer.id, answer);
    this.#save();
  }

  /** Ids of the questions that have an answer, in any browser. */
  get answered(): readonly string[] {
    return this.#all().flatMap((each) => ('answer' in each ? [each.id] : []));
  }

  /** The report that a person reads and pastes. */
  report(): string {
    const parts = [...this.#byBrowser].map(([browser, known]) =>
      [`## ${browser}`, ...[...known.values()].map(shown)].join('\n\n'),
    );
    return `${['# What WebContainer answers', ...parts].join('\n\n')}\n`;
  }

  #of(browser: string): Map<string, Begun | Answer> {
    const known = this.#byBrowser.get(browser) ?? new Map<string, Begun | Answer>();
    this.#byBrowser.set(browser, known);
    return known;
  }

  #all(): readonly (Begun | Answer)[] {
    return [...this.#byBrowser.values()].flatMap((known) => [...known.values()]);
  }

  #save(): void {
    writeFileSync(join(this.#folder, 'answers.json'), `${JSON.stringify(this.#all(), null, 2)}\n`);
    writeFileSync(join(this.#folder, 'report.md'), this.report());
  }
}

function shown(each: Begun | Answer): string {
  if (!('answer' in each))
    return `**${each.asks}** (${each.id})\n\n    the page did not outlive this question`;
  const lines = JSON.stringify(each.answer, null, 2).split('\n');
  return `**${each.asks}** (${each.id}, ${each.ms} ms)\n\n${lines.map((line) => `    ${line}`).join('\n')}`;
}
