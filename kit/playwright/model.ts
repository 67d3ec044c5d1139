import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { PROVIDERS } from '../../src/models/providers/ids.ts';
import { AIMOCK_URL, routeAimock } from '../aimock/aimock.ts';
import type { AimockPlayer } from '../aimock/player.ts';
import { Cassette } from '../cassettes/cassettes.ts';
import type { CassetteMode, Volatile } from '../cassettes/types.ts';
import { requireKnownOptions } from '../options/known-options.ts';
import type { ModelSettings, PageCalls } from './page-calls.ts';
import type { UnplayedStep } from '../matchers/script.ts';
import { requireProvider } from './provider.ts';
import { OpenCalls } from './open-calls.ts';
import type { SentBodies } from './sent-bodies.ts';

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
  /** Where the turns begin: with the first prompt of a session, which is usual, or with the first prompt that the script answers. */
  readonly begins?: 'session' | 'next-prompt';
  readonly turns: readonly { readonly when?: string; readonly steps: readonly ScriptedStep[] }[];
}

/** The rules and hosts that go with every choice of a model. */
export interface Allowed {
  readonly permission?: unknown;
  readonly hosts?: readonly string[];
}

export interface CassetteChoice {
  /** The name of the file without `.json`; default: the titles of the test. */
  readonly name?: string;
  /** Default: `VITRINE_CASSETTES`, else `replay` where `CI` is set, else `auto`, which records what is not there yet. */
  readonly mode?: CassetteMode;
  /** Parts of requests that differ from run to run, besides those that the kit knows. The patterns need the flag `g`. */
  readonly volatile?: readonly Volatile[];
}

/** The part of the agent that the model needs. */
interface AnsweredAgent {
  /** Lets the page tell the agent what happens, unless it does so already. */
  listen(): Promise<void>;
}

/** Where the cassettes of a test are kept. */
export interface CassettePlace {
  readonly folder: string;
  readonly name: string;
}

/** The model that answers the agent's requests. */
export class TestModel {
  /** The calls of model, agent and workspace that the test has made and that have not ended. */
  readonly open = new OpenCalls();
  readonly #page: Page;
  readonly #sent: SentBodies;
  readonly #allowed: Allowed;
  readonly #place: CassettePlace;
  readonly #seed: number | undefined;
  /** The agent whose requests the model answers. There is none before the page is open. */
  #agent: AnsweredAgent | undefined;
  #isChosen = false;
  /** The script that answers, if one does. */
  #script: Script | undefined;
  #cassette: Cassette | null = null;
  #aimock: AimockPlayer | null = null;

  /** `seed` is for scripts that have none of their own. */
  constructor(page: Page, sent: SentBodies, allowed: Allowed, place: CassettePlace, seed?: number) {
    this.#page = page;
    this.#sent = sent;
    this.#allowed = allowed;
    this.#place = place;
    this.#seed = seed;
  }

  get isChosen(): boolean {
    return this.#isChosen;
  }

  /** Plays a script: steps for the next prompt, or a whole script with a turn for each prompt of the session. */
  script(given: Script | readonly ScriptedStep[]): Promise<void> {
    return this.open.track('model.script(…)', this.#play(given));
  }

  async #play(given: Script | readonly ScriptedStep[]): Promise<void> {
    const script: Script = isSteps(given)
      ? { version: 1, title: '', chunkDelayMs: 0, begins: 'next-prompt', turns: [{ steps: given }] }
      : given;
    const seeded = this.#seed === undefined ? script : { seed: this.#seed, ...script };
    await this.#configure({ provider: 'scripted', model: 'script', script: seeded });
    this.#isChosen = true;
    this.#script = script;
  }

  /** The steps of the script that no request has got. Throws if no script answers. */
  async unplayed(): Promise<readonly UnplayedStep[]> {
    const script = this.#script;
    const left = script && (await this.open.call(this.#page, 'unplayed'));
    if (!left) throw new Error('This matcher needs a script, and the model of this test has none.');
    return left.map(({ turn, step }) => {
      const answer = script.turns[turn - 1]?.steps[step - 1];
      return { turn, step, answer };
    });
  }

  /** From now on the model answers this agent. */
  answers(agent: AnsweredAgent): void {
    this.#agent = agent;
  }

  /** Uses a real model, or a server of the test that speaks its protocol. The key stays in this page. */
  use(settings: ModelSettings): Promise<void> {
    return this.open.track('model.use(…)', this.#use(settings));
  }

  async #use(settings: ModelSettings): Promise<void> {
    requireProvider(settings.provider);
    await this.#configure(settings);
    this.#isChosen = true;
    this.#script = undefined;
  }

  /**
   * Uses a real model once and records it, and its recorded answers from then on, without a key and without a network. The
   * test fails where a request is not the one that was recorded, and where an answer is left over.
   */
  cassette(settings: ModelSettings, choice: CassetteChoice = {}): Promise<void> {
    return this.open.track('model.cassette(…)', this.#openCassette(settings, choice));
  }

  async #openCassette(settings: ModelSettings, choice: CassetteChoice): Promise<void> {
    requireKnownOptions('model.cassette()', choice, ['name', 'mode', 'volatile']);
    const { name, mode, volatile = [] } = choice;
    this.open.requireTest('model.cassette()');
    if (this.#cassette)
      throw new Error(
        'model.cassette() was called before in this test. One cassette holds all of its requests.',
      );
    const { apiKey = '' } = settings;
    const provider = requireProvider(settings.provider);
    const { baseURL = PROVIDERS[provider].baseURL } = settings;
    if (baseURL === undefined)
      throw new Error(`model.cassette() needs a baseURL, because "${provider}" has none of its own.`);
    if (mode !== undefined && !isMode(mode))
      throw new Error(`The mode of a cassette is ${JSON.stringify(mode)}; it can be ${MODES.join(', ')}.`);
    this.#cassette = await Cassette.open({
      ...{ page: this.#page, sent: this.#sent, baseURL, key: apiKey, volatile },
      file: path.join(this.#place.folder, `${name ?? this.#place.name}.json`),
      mode: mode ?? usualMode(),
    });
    // The app asks for a key where a provider needs one; what is replayed needs none. The app hides the key wherever it
    // stands, so it must be a text that stands nowhere else.
    await this.#use(this.#cassette.isReplayed ? { ...settings, baseURL, apiKey: randomUUID() } : settings);
  }

  /**
   * Answers by fixtures of aimock, of a file or of all files in a folder. The test fails where none fits a request. `model` is
   * the id that fixtures with `model` look at, `context` what those with `context` do. What is supported stands in
   * docs/testing.md.
   */
  aimock(
    source: string,
    options: { readonly model?: string; readonly context?: string } = {},
  ): Promise<void> {
    requireKnownOptions('model.aimock()', options, ['model', 'context']);
    const { model = 'aimock', context } = options;
    return this.open.track('model.aimock(…)', this.#answerByFixtures(source, model, context));
  }

  async #answerByFixtures(source: string, model: string, context: string | undefined): Promise<void> {
    this.open.requireTest('model.aimock()');
    this.#aimock = await routeAimock(this.#page, this.#sent, source, context);
    await this.#use({ provider: 'openai-compatible', model, baseURL: AIMOCK_URL });
  }

  /** Why the test is not the one that was recorded, or has no fixture; `undefined` if all is well. */
  problem(options: { readonly isOver: boolean }): string | undefined {
    return this.#cassette?.problem(options) ?? this.#aimock?.problem();
  }

  /** Writes what was recorded; the fixture calls it after a test that passed. */
  async save(): Promise<void> {
    await this.#cassette?.save();
  }

  /** Applies the rules and hosts before a model is chosen, so that the test can use the workspace. */
  async none(): Promise<void> {
    const script = { version: 1, title: 'none', turns: [{ steps: [{ error: { status: 400 } }] }] };
    await this.#configure({ provider: 'scripted', model: 'none', script });
  }

  async #configure(
    settings: Pick<
      Parameters<PageCalls['configure']>[0],
      'provider' | 'model' | 'baseURL' | 'apiKey' | 'script'
    >,
  ): Promise<void> {
    const { permission, hosts } = this.#allowed;
    // A page that was loaded again has no listeners, and this is where a test that goes on with it begins.
    await this.#agent?.listen();
    return this.open.call(this.#page, 'configure', {
      ...settings,
      ...(permission !== undefined && { permission }),
      ...(hosts && { hosts: [...hosts] }),
    });
  }
}

function usualMode(): CassetteMode {
  const { VITRINE_CASSETTES: wanted, CI } = process.env;
  if (wanted === undefined || wanted === '') return CI ? 'replay' : 'auto';
  if (isMode(wanted)) return wanted;
  throw new Error(`VITRINE_CASSETTES is "${wanted}"; it can be ${MODES.join(', ')}.`);
}

const MODES: readonly CassetteMode[] = ['record', 'replay', 'auto'];

function isMode(given: string): given is CassetteMode {
  return MODES.some((mode) => mode === given);
}

function isSteps(given: Script | readonly ScriptedStep[]): given is readonly ScriptedStep[] {
  return Array.isArray(given);
}
