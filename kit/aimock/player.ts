import { list, record, text } from '../facts/members.ts';
import type { AimockAnswer, AimockError, AimockFixture, AimockMatch } from './fixtures.ts';

type Message = Readonly<Record<string, unknown>>;

/** A request in OpenAI's chat protocol, as far as fixtures look at it. */
interface Asked {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools: readonly string[];
  readonly format: string | undefined;
}

/** Answers requests as aimock does: by what fits, then by order and position. */
export class AimockPlayer {
  readonly #fixtures: readonly AimockFixture[];
  readonly #name: string;
  readonly #context: string | undefined;
  /** How often fixtures that differ only in their `sequenceIndex` have answered. */
  readonly #counts = new Map<string, number>();
  #problem: string | undefined;

  /** `name` is that of the file or folder; fixtures with a `context` answer if it is this one. */
  constructor(fixtures: readonly AimockFixture[], name: string, context?: string) {
    this.#fixtures = fixtures;
    this.#name = name;
    this.#context = context;
  }

  /** `undefined` if no fixture fits; {@link problem} then says to what. */
  answer(body: unknown): AimockError | AimockAnswer | undefined {
    const asked = askedIn(body);
    const fitting = this.#fixtures.filter((fixture) => this.#fits(fixture.match, asked));
    const fixture = byTurn(fitting, withRole(asked, 'assistant').length);
    if (!fixture) {
      this.#problem ??= this.#unanswered(asked);
      return undefined;
    }
    if (fixture.match.sequenceIndex !== undefined) {
      const key = keyOf(fixture.match);
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    }
    return fixture.response;
  }

  problem(): string | undefined {
    return this.#problem;
  }

  #fits(match: AimockMatch, asked: Asked): boolean {
    const { context, sequenceIndex } = match;
    return (
      (context === undefined || context === this.#context) &&
      (sequenceIndex === undefined || sequenceIndex === (this.#counts.get(keyOf(match)) ?? 0)) &&
      fits(match, asked)
    );
  }

  #unanswered(asked: Asked): string {
    const last = asked.messages.at(-1);
    const contexts = new Set(this.#fixtures.flatMap(({ match }) => match.context ?? []));
    const hint =
      contexts.size > 0 && this.#context === undefined
        ? `\nFixtures of the context ${[...contexts].join(', ')} answer only with model.aimock(file, { context: … }).`
        : '';
    return (
      `No fixture of ${this.#name} fits a request whose last message is of the role "${text(last?.['role'])}": ` +
      (textOf(last) ?? '').slice(0, 300) +
      hint
    );
  }
}

/** Fixtures with one key differ only in their index and count together, so that each has its turn. */
function keyOf({ sequenceIndex: _, ...match }: AimockMatch): string {
  return JSON.stringify(match);
}

/**
 * Chooses among fixtures that fit. `turnIndex` never refuses a request: the one that is nearest to the number of answers
 * so far, and not above it, is taken; one without an index is taken if it comes before an index that is hit, or if
 * all indexes lie ahead; the lowest if there is nothing else.
 */
function byTurn(fitting: readonly AimockFixture[], turn: number): AimockFixture | undefined {
  const indexOf = ({ match }: AimockFixture) => match.turnIndex;
  const plain = fitting.find((fixture) => indexOf(fixture) === undefined);
  const indexed = fitting.filter((fixture) => indexOf(fixture) !== undefined);
  const sorted = indexed.toSorted((a, b) => (indexOf(a) ?? 0) - (indexOf(b) ?? 0));
  const best = Math.max(...indexed.map((fixture) => indexOf(fixture) ?? 0).filter((index) => index <= turn));
  const reached = indexed.find((fixture) => indexOf(fixture) === best);
  if (!reached) return plain ?? sorted[0];
  const isTie = plain !== undefined && best === turn;
  return isTie && fitting.indexOf(plain) < fitting.indexOf(reached) ? plain : reached;
}

function fits(match: AimockMatch, asked: Asked): boolean {
  const last = asked.messages.at(-1);
  const result = last?.['role'] === 'tool' ? last : undefined;
  const { userMessage, systemMessage = [], toolName, toolCallId, toolResultContains } = match;
  return (
    (userMessage === undefined || lastUserText(asked)?.includes(userMessage) === true) &&
    [systemMessage].flat().every((part) => systemText(asked)?.includes(part)) &&
    (toolName === undefined || asked.tools.includes(toolName)) &&
    (toolCallId === undefined || result?.['tool_call_id'] === toolCallId) &&
    (toolResultContains === undefined || textOf(result)?.includes(toolResultContains) === true) &&
    (match.model === undefined || isModel(asked.model, match.model)) &&
    (match.responseFormat === undefined || match.responseFormat === asked.format) &&
    (match.hasToolResult === undefined || match.hasToolResult === hasToolResult(asked))
  );
}

/** A name fits its dated versions too: `gpt-4o` is `gpt-4o-2024-08-06`, but not `gpt-4o-mini`. */
function isModel(asked: string, expected: string): boolean {
  return asked === expected || (asked.startsWith(expected) && /^-\d/.test(asked.slice(expected.length)));
}

const withRole = ({ messages }: Asked, role: string) =>
  messages.filter((message) => message['role'] === role);

/** The newest message with text counts: a picture alone does not hide the prompt before it. */
function lastUserText(asked: Asked): string | undefined {
  return withRole(asked, 'user')
    .map(textOf)
    .findLast((said) => said !== undefined);
}

/** `undefined` where there is none, so that not even an empty text fits. */
function systemText(asked: Asked): string | undefined {
  return (
    withRole(asked, 'system')
      .flatMap((message) => textOf(message) ?? [])
      .join('\n') || undefined
  );
}

/** Only results since the newest message of the user count. */
function hasToolResult({ messages }: Asked): boolean {
  const start = messages.findLastIndex((message) => message['role'] === 'user');
  return messages.slice(start + 1).some((message) => message['role'] === 'tool');
}

function askedIn(body: unknown): Asked {
  const { model, messages, tools, response_format: format } = record(body);
  const { type } = record(format);
  return {
    model: text(model),
    messages: list(messages).map(record),
    tools: list(tools).map((tool) => text(record(record(tool)['function'])['name'])),
    format: type === undefined ? undefined : text(type),
  };
}

/** The text of a message, whether it is one or comes in parts; `undefined` if it has none. */
function textOf(message: Message | undefined): string | undefined {
  const { content } = message ?? {};
  if (typeof content === 'string') return content;
  const texts = list(content)
    .map(record)
    .filter((part) => typeof part['text'] === 'string');
  return texts.length === 0 ? undefined : texts.map((part) => text(part['text'])).join('');
}
