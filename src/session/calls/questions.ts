import type { Ids } from '../../base/clock.ts';
import { PermissionCancelled, type AnsweredBy } from '../../permissions/types.ts';
import {
  answersFit,
  QuestionDismissed,
  type Answers,
  type Question,
  type QuestionRequest,
} from '../../tools/question/schema.ts';
import type { SessionLog } from '../log/log.ts';

/**
 * Answers instead of the person; `null` dismisses the question, `undefined` leaves it to the person. An
 * invalid answer or an error also dismisses it.
 */
export type QuestionAnswerer = (
  request: QuestionRequest,
  signal: AbortSignal,
) => Promise<Answers | null | undefined>;

export interface QuestionsDeps {
  readonly log: Pick<SessionLog, 'append' | 'state'>;
  readonly ids: Ids;
  answerer?(): QuestionAnswerer | undefined;
  /** Called when a question was dismissed, to withdraw everything else that waits for the person. */
  dismissed(): void;
}

/** The call that asks. */
export interface QuestionCall {
  readonly messageID: string;
  readonly callID: string;
  readonly tool: string;
  readonly signal: AbortSignal;
}

interface WaitingQuestion {
  readonly request: QuestionRequest;
  readonly signal: AbortSignal;
  settle(outcome: Answers | Error): void;
}

/** Keeps the questions that the calls of one session ask until they are answered, dismissed or withdrawn. */
export class Questions {
  readonly #deps: QuestionsDeps;
  readonly #waiting = new Map<string, WaitingQuestion>();

  constructor(deps: QuestionsDeps) {
    this.#deps = deps;
  }

  /** Resolves with the answers. Throws {@link QuestionDismissed} or `PermissionCancelled`. */
  async ask(questions: readonly Question[], { signal, ...call }: QuestionCall): Promise<Answers> {
    if (signal.aborted) throw new PermissionCancelled();
    const { log, ids } = this.#deps;
    const request = { id: ids.next('req'), sessionID: log.state.sessionID, ...call, questions };
    const answered = new Promise<Answers>((resolve, reject) => {
      const withdraw = () => this.#cancel(request.id);
      this.#waiting.set(request.id, {
        request,
        signal,
        settle: (outcome) => {
          signal.removeEventListener('abort', withdraw);
          if (outcome instanceof Error) reject(outcome);
          else resolve(outcome);
        },
      });
      signal.addEventListener('abort', withdraw);
    });
    log.append({ type: 'question.asked', ...call, requestID: request.id, questions: [...questions] });
    void this.#consult(request, signal);
    return answered;
  }

  /** `null` dismisses the question. Returns false if the answers do not fit, or the id is unknown. */
  answer(requestID: string, answers: Answers | null, by: AnsweredBy): boolean {
    const entry = this.#waiting.get(requestID);
    if (!entry || (answers && !answersFit(entry.request.questions, answers))) return false;
    this.#end(entry, answers, by, answers ?? new QuestionDismissed());
    if (answers === null) this.#deps.dismissed();
    return true;
  }

  /** Call this when the answerer changed: the new one gets the questions that still wait. */
  answererChanged(): void {
    for (const { request, signal } of this.#waiting.values()) void this.#consult(request, signal);
  }

  /** Withdraws everything that waits. */
  cancelAll(): void {
    for (const id of [...this.#waiting.keys()]) this.#cancel(id);
  }

  #cancel(requestID: string): void {
    const entry = this.#waiting.get(requestID);
    if (entry) this.#end(entry, null, 'cancelled', new PermissionCancelled());
  }

  #end(entry: WaitingQuestion, answers: Answers | null, by: AnsweredBy, outcome: Answers | Error): void {
    const { id: requestID, messageID, callID } = entry.request;
    this.#waiting.delete(requestID);
    this.#deps.log.append({ type: 'question.answered', messageID, callID, requestID, answers, by });
    entry.settle(outcome);
  }

  async #consult(request: QuestionRequest, signal: AbortSignal): Promise<void> {
    const answerer = this.#deps.answerer?.();
    if (!answerer) return;
    const answers = await answerer(request, signal).catch(() => null);
    if (answers === undefined) return;
    if (!this.answer(request.id, answers, 'automation')) this.answer(request.id, null, 'automation');
  }
}
