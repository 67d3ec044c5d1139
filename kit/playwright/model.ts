import type { Page } from '@playwright/test';
import { callPage, type ModelSettings } from './page-calls.ts';

/** One answer of a scripted model. Its tools really run. */
export interface ScriptedAnswer {
  readonly reasoning?: string;
  readonly text?: string;
  /** `raw` is the text of the arguments in place of `input`, which may be broken JSON. */
  readonly tools?: readonly ({ readonly tool: string } & (
    { readonly input: unknown; readonly raw?: never } | { readonly raw: string; readonly input?: never }
  ))[];
  /** The request fails with this status; the retry gets the next step. `retryAfter` is in seconds. */
  readonly error?: { readonly status: number; readonly retryAfter?: number };
  /** Milliseconds before the answer begins or fails. */
  readonly delayMs?: number;
  /** Milliseconds between pieces of this answer. */
  readonly chunkDelayMs?: number;
  /** The stream breaks off after this many characters of reasoning, text and arguments; the retry gets the next step. */
  readonly cut?: number;
}

/** What a request must contain: regular expressions, and names of tools. All that is given must hold. */
export interface ScriptedCondition {
  readonly prompt?: string;
  /** Matches a result that came back since the model last answered. */
  readonly result?: string;
  readonly system?: string;
  readonly tools?: readonly string[];
}

/** An answer, the first of several cases that holds, or one of several by chance. */
export type ScriptedStep =
  | ScriptedAnswer
  | { readonly cases: readonly (ScriptedAnswer & { readonly if?: ScriptedCondition })[] }
  | { readonly chance: readonly (ScriptedAnswer & { readonly weight?: number })[] };

/** The answers of a scripted model, turn by turn, in the format of "Scripts" in docs/automation.md. */
export interface Script {
  readonly version: 1;
  readonly title: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Milliseconds between pieces of the stream. */
  readonly chunkDelayMs?: number;
  /** Decides what `chance` takes. */
  readonly seed?: number;
  readonly turns: readonly { readonly when?: string; readonly steps: readonly ScriptedStep[] }[];
}

/** The rules and hosts that go with every choice of a model. */
export interface Allowed {
  readonly permission?: unknown;
  readonly hosts?: readonly string[];
}

/** The model that answers the agent's requests. */
export class TestModel {
  readonly #page: Page;
  readonly #allowed: Allowed;
  #isChosen = false;

  constructor(page: Page, allowed: Allowed) {
    this.#page = page;
    this.#allowed = allowed;
  }

  get isChosen(): boolean {
    return this.#isChosen;
  }

  /** Plays a script: steps for the one prompt of the test, or a whole script with turns. */
  async script(given: Script | readonly ScriptedStep[]): Promise<void> {
    const script = isSteps(given)
      ? { version: 1, title: 'test', chunkDelayMs: 0, turns: [{ steps: given }] }
      : given;
    await this.#configure({ provider: 'scripted', model: 'script', script });
    this.#isChosen = true;
  }

  /** Uses a real model, or a server of the test that speaks its protocol. The key stays in this page. */
  async use(settings: ModelSettings): Promise<void> {
    await this.#configure(settings);
    this.#isChosen = true;
  }

  /** Applies the rules and hosts before a model is chosen, so that the test can use the workspace. */
  async none(): Promise<void> {
    const script = { version: 1, title: 'none', turns: [{ steps: [{ error: { status: 400 } }] }] };
    await this.#configure({ provider: 'scripted', model: 'none', script });
  }

  #configure(settings: ModelSettings & { readonly script?: unknown }): Promise<void> {
    const { permission, hosts } = this.#allowed;
    return callPage(this.#page, 'configure', {
      ...settings,
      ...(permission !== undefined && { permission }),
      ...(hosts && { hosts: [...hosts] }),
    });
  }
}

function isSteps(given: Script | readonly ScriptedStep[]): given is readonly ScriptedStep[] {
  return Array.isArray(given);
}
