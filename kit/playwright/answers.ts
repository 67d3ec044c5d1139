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
    readonly options: readonly { readonly label: string; readonly description: string }[];
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
 * Answers what the agent asks. Without a handler a request is refused and noted, because a test that waits for an
 * answer that never comes says nothing about its cause.
 */
export class Answers {
  #permission: PermissionHandler | null | undefined;
  #question: QuestionHandler | null | undefined;
  readonly #unanswered: string[] = [];

  onPermission(handler: PermissionHandler | null): void {
    this.#permission = handler;
  }

  onQuestion(handler: QuestionHandler | null): void {
    this.#question = handler;
  }

  /** Returns what nothing has answered since the last call, and forgets it. */
  takeUnanswered(): readonly string[] {
    return this.#unanswered.splice(0);
  }

  async permission(request: PermissionRequest): Promise<PermissionReply> {
    if (this.#permission) return this.#permission(request);
    if (this.#permission === null) return undefined;
    this.#unanswered.push(
      `The agent asked for the permission "${request.permission}" (${request.patterns.join(', ')}) to call ${request.tool}, ` +
        'and nothing answers it. Allow it with test.use({ vitrine: { permission: … } }), or answer with ' +
        'agent.onPermission(…); agent.onPermission(null) leaves it to the page.',
    );
    return { reject: 'The test answers no permission.' };
  }

  async question(request: QuestionRequest): Promise<QuestionReply> {
    if (this.#question) return this.#question(request);
    if (this.#question === null) return undefined;
    const [first] = request.questions;
    this.#unanswered.push(
      `The agent asked "${first?.question ?? ''}", and nothing answers it. Answer with agent.onQuestion(…); ` +
        'agent.onQuestion(null) leaves it to the page.',
    );
    return null;
  }
}
