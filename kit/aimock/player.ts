import { list, record, text } from '../facts/members.ts';
import type { AimockFixture, AimockResponse } from './fixtures.ts';

/** A request in OpenAI's chat protocol, as far as fixtures look at it. */
interface Asked {
  readonly model: string;
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  readonly tools: readonly string[];
}

/** Answers requests by the first fixture that fits, and counts how often each one did. */
export class AimockPlayer {
  readonly #fixtures: readonly AimockFixture[];
  readonly #file: string;
  readonly #counts = new Map<string, number>();
  #problem: string | undefined;

  constructor(fixtures: readonly AimockFixture[], file: string) {
    this.#fixtures = fixtures;
    this.#file = file;
  }

  /** `undefined` if no fixture fits; {@link problem} then says to what. */
  answer(body: unknown): AimockResponse | undefined {
    const asked = askedIn(body);
    for (const fixture of this.#fixtures) {
      if (!fits(fixture, asked)) continue;
      const { sequenceIndex, ...match } = fixture.match;
      // Fixtures that differ only in their index count together, so that each has its turn.
      const key = JSON.stringify(match);
      const count = this.#counts.get(key) ?? 0;
      if (sequenceIndex !== undefined && sequenceIndex !== count) continue;
      this.#counts.set(key, count + 1);
      return fixture.response;
    }
    const last = asked.messages.at(-1);
    this.#problem ??=
      `No fixture of ${this.#file} fits a request whose last message is of the role "${text(last?.['role'])}": ` +
      contentOf(last).slice(0, 300);
    return undefined;
  }

  problem(): string | undefined {
    return this.#problem;
  }
}

function fits({ match }: AimockFixture, { model, messages, tools }: Asked): boolean {
  const of = (role: string) => messages.filter((message) => message['role'] === role);
  const last = messages.at(-1);
  const result = last?.['role'] === 'tool' ? last : undefined;
  const system = of('system').map(contentOf).join('\n');
  const { userMessage, systemMessage = [], toolName, toolCallId, toolResultContains } = match;
  return (
    (userMessage === undefined || contentOf(of('user').at(-1)).includes(userMessage)) &&
    [systemMessage].flat().every((part) => system.includes(part)) &&
    (toolName === undefined || tools.includes(toolName)) &&
    (toolCallId === undefined || result?.['tool_call_id'] === toolCallId) &&
    (toolResultContains === undefined ||
      (result && contentOf(result).includes(toolResultContains)) === true) &&
    (match.model === undefined || match.model === model) &&
    (match.turnIndex === undefined || match.turnIndex === of('assistant').length) &&
    (match.hasToolResult === undefined || match.hasToolResult === of('tool').length > 0)
  );
}

function askedIn(body: unknown): Asked {
  const { model, messages, tools } = record(body);
  return {
    model: text(model),
    messages: list(messages).map(record),
    tools: list(tools).map((tool) => text(record(record(tool)['function'])['name'])),
  };
}

/** The text of a message, whether it is one or comes in parts. */
function contentOf(message: Readonly<Record<string, unknown>> | undefined): string {
  const { content } = message ?? {};
  return typeof content === 'string'
    ? content
    : list(content)
        .map((part) => text(record(part)['text']))
        .join('');
}
