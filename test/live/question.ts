import type { JsonObject } from '../../src/base/json.ts';

/** The answer to a question, in one sentence and as facts to keep. */
export interface Answer {
  readonly says: string;
  /** Whether it is what the code and the documentation take it to be; `null` where they say nothing about it. */
  readonly asExpected: boolean | null;
  readonly facts: JsonObject;
}

export interface Question {
  readonly id: string;
  /** The question as a sentence. */
  readonly asks: string;
  ask(world: World): Promise<Answer>;
}

/** The means by which questions reach the network; tests have others. */
export interface World {
  /** Sends as a page of this origin would, and tells whether that page could read the answer. */
  fetch(url: string, init?: RequestInit): Promise<Heard>;
  /** Runs a command in the workspace of the built app, in Chromium. */
  run(
    command: string,
    hosts: readonly string[],
  ): Promise<{ readonly exitCode: number; readonly output: string }>;
  /** Evaluates code in an empty page of each Chromium-based browser that this machine has, by the browser's name. */
  inBrowsers(code: string): Promise<Readonly<Record<string, unknown>>>;
}

export interface Heard {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Whether its CORS headers let the page read it. */
  readonly readable: boolean;
}

/** The other side could not be reached, so nothing was learned about it. */
export class NotReached extends Error {
  constructor(what: string, options?: ErrorOptions) {
    super(what, options);
    this.name = 'NotReached';
  }
}

/** The question needs something that this machine does not have. */
export class NotHere extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'NotHere';
  }
}
