import { record } from '../facts/members.ts';

/** A request for a permission, as the page gives it. */
export interface PermissionRequest {
  readonly tool: string;
  readonly permission: string;
  readonly patterns: readonly string[];
  readonly [member: string]: unknown;
}

/** A question of the agent to the person. */
export interface QuestionRequest {
  readonly questions: readonly {
    readonly question: string;
    readonly options: readonly { readonly label: string; readonly description?: string }[];
    readonly multiple?: boolean;
    readonly custom?: boolean;
  }[];
  readonly [member: string]: unknown;
}

export type PermissionReply =
  'once' | 'session' | 'always' | 'everywhere' | 'reject' | { readonly reject: string } | undefined;

/** Returns the reply, or `undefined` to leave it to the page, where the test can click. */
export type PermissionHandler = (request: PermissionRequest) => PermissionReply | Promise<PermissionReply>;

export type QuestionReply = string | readonly (string | readonly string[])[] | null | undefined;

/** Returns one text, or one list of labels for each question; `null` dismisses, `undefined` leaves it to the page. */
export type QuestionHandler = (request: QuestionRequest) => QuestionReply | Promise<QuestionReply>;

/**
 * Answers what the agent asks. What has no answer is refused and noted, because a test that waits for an answer that never
 * comes says nothing about its cause. An error in a handler is the test's own, so it is kept for {@link check}.
 */
export class Answers {
  #permission: PermissionHandler | null | undefined;
  #question: QuestionHandler | null | undefined;
  readonly #unanswered: string[] = [];
  #failure: { readonly error: unknown } | undefined;

  onPermission(handler: PermissionHandler | null): void {
    this.#permission = handler;
  }

  onQuestion(handler: QuestionHandler | null): void {
    this.#question = handler;
  }

  /** Throws what a handler threw since the last call, or else an error about what nothing has answered. */
  check(): void {
    const failure = this.#failure;
    const unanswered = this.#unanswered.splice(0);
    this.#failure = undefined;
    if (failure) throw failure.error;
    if (unanswered.length > 0) throw new Error(unanswered.join('\n'));
  }

  /** Runs a tool of the test. An assertion in it is about the test, so its failure is kept for {@link check}. */
  async ofTool(run: () => unknown): Promise<unknown> {
    try {
      return await run();
    } catch (error) {
      // Playwright's `expect` and Node's `assert` mark their errors in these ways.
      if (error instanceof Error && ('matcherResult' in error || error.name === 'AssertionError'))
        this.#failure ??= { error };
      throw error;
    }
  }

  async permission(request: PermissionRequest): Promise<PermissionReply> {
    const handler = this.#permission;
    const { permission, patterns, tool } = request;
    const about = `the permission "${permission}" (${patterns.join(', ')})`;
    if (handler)
      return this.#ask(() => handler(request), {
        isReply: isPermissionReply,
        instead: { reject: 'The permission handler of the test failed.' },
        about: `the request for ${about}; a reply is "once", "session", "always", "everywhere", "reject" or { reject: "why" }`,
      });
    if (handler === null) return undefined;
    this.#unanswered.push(
      `The agent asked for ${about} to call ${tool}, ` +
        'and nothing answers it. Allow it with test.use({ vitrine: { permission: … } }), or answer with ' +
        'agent.onPermission(…); agent.onPermission(null) leaves it to the page.',
    );
    return { reject: 'The test answers no permission.' };
  }

  async question(request: QuestionRequest): Promise<QuestionReply> {
    const handler = this.#question;
    const asked = request.questions[0]?.question ?? '';
    if (handler)
      return this.#ask(() => handler(request), {
        isReply: isQuestionReply,
        instead: null,
        about: `the question "${asked}"; a reply is a text, a list with the labels for each question, or null`,
      });
    if (handler === null) return undefined;
    this.#unanswered.push(
      `The agent asked "${asked}", and nothing answers it. Answer with agent.onQuestion(…); ` +
        'agent.onQuestion(null) leaves it to the page.',
    );
    return null;
  }

  /** Returns the handler's reply, or what is replied instead where it fails or gives something else. */
  async #ask<Reply>(
    handler: () => Reply | Promise<Reply>,
    { isReply, instead, about }: { isReply(value: unknown): boolean; instead: Reply; about: string },
  ): Promise<Reply> {
    try {
      const reply = await handler();
      if (isReply(reply)) return reply;
      throw new Error(`${JSON.stringify(reply)} is no reply to ${about}.`);
    } catch (error) {
      this.#failure ??= { error };
      return instead;
    }
  }
}

const PERMISSION_REPLIES: readonly unknown[] = [
  undefined,
  'once',
  'session',
  'always',
  'everywhere',
  'reject',
];

function isPermissionReply(value: unknown): boolean {
  return PERMISSION_REPLIES.includes(value) || typeof record(value)['reject'] === 'string';
}

function isQuestionReply(value: unknown): boolean {
  if (value === undefined || value === null || typeof value === 'string') return true;
  const isText = (each: unknown) => typeof each === 'string';
  return (
    Array.isArray(value) && value.every((each) => isText(each) || (Array.isArray(each) && each.every(isText)))
  );
}
