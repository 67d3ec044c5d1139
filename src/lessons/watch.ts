import { matches } from '../permissions/wildcard.ts';
import type { Event, EventOf, RestoreKind } from '../session/log/events.ts';
import { alike } from './answers.ts';
import type { Check, CheckOf } from './checks.ts';

/** Details of calls, requests and texts that later events refer to by id. */
export class EventIndex {
  readonly #calls = new Map<string, { readonly tool: string; readonly input: string }>();
  readonly #asks = new Map<string, string>();
  readonly #texts = new Map<string, string>();
  readonly #agents = new Map<string, string>();
  /** Keyed by the `seq` at which each restore ended. */
  readonly #restores = new Map<number, RestoreKind>();
  #restoring: RestoreKind | undefined;

  feed(event: Event): void {
    if (event.type === 'permission.asked') this.#asks.set(event.requestID, event.permission);
    else if (event.type === 'task.started') this.#agents.set(event.childID, event.agent);
    else if (event.type === 'restore.began') this.#restoring = event.kind;
    else if (event.type === 'restore.ended' && this.#restoring)
      this.#restores.set(event.seq, this.#restoring);
    else if (event.type === 'call.added') this.#note(event, event);
    else if (event.type !== 'step.part') return;
    else if (event.part.type === 'tool-call')
      this.#note({ messageID: event.messageID, callID: event.part.callID }, event.part);
    else if (event.part.type === 'text-delta')
      this.#texts.set(event.messageID, this.text(event.messageID) + event.part.text);
  }

  call(messageID: string, callID: string): { readonly tool: string; readonly input: string } {
    return this.#calls.get(`${messageID}/${callID}`) ?? { tool: '', input: '' };
  }

  permissionOf(requestID: string): string {
    return this.#asks.get(requestID) ?? '';
  }

  text(messageID: string): string {
    return this.#texts.get(messageID) ?? '';
  }

  agentOf(childID: string): string {
    return this.#agents.get(childID) ?? '';
  }

  restoreOf({ seq }: Pick<Event, 'seq'>): RestoreKind | undefined {
    return this.#restores.get(seq);
  }

  #note(
    { messageID, callID }: { readonly messageID: string; readonly callID: string },
    { tool, input }: { readonly tool: string; readonly input: unknown },
  ): void {
    this.#calls.set(`${messageID}/${callID}`, { tool, input: JSON.stringify(input) });
  }
}

/** Whether this event meets the check; `false` for checks that do not look at events. */
export function fits(check: Check, event: Event, index: EventIndex): boolean {
  switch (check.kind) {
    case 'prompt':
      return event.type === 'prompt.accepted' && !event.origin && alike(check.prompt, event.text);
    case 'call':
      return event.type === 'call.ended' && isCall(check, event, index);
    case 'asked':
      return event.type === 'permission.asked' && matches(check.asked, event.permission);
    case 'permission':
      return event.type === 'permission.answered' && isReply(check, event, index);
    case 'decided':
      return (
        event.type === 'permission.decided' &&
        matches(check.decided, event.permission) &&
        event.action === check.action &&
        (check.source === undefined || event.decisions.some(({ source }) => source === check.source))
      );
    case 'question':
      return (
        event.type === 'question.answered' &&
        event.by !== 'cancelled' &&
        (event.answers !== null) === (check.question === 'answered')
      );
    case 'turn':
      return event.type === 'turn.ended' && event.status === check.turn;
    case 'steps':
      return event.type === 'step.started' && event.purpose === undefined;
    case 'says':
      return event.type === 'step.ended' && alike(check.says, index.text(event.messageID));
    case 'mode':
      return event.type === 'mode.set' && event.mode === check.mode;
    case 'task':
      return (
        event.type === 'task.ended' &&
        event.state === check.task &&
        (check.agent === undefined || matches(check.agent, index.agentOf(event.childID)))
      );
    case 'compacted':
      return event.type === 'context.compacted';
    case 'restored':
      return event.type === 'restore.ended' && !event.fault && index.restoreOf(event) === check.restored;
    case 'file':
    case 'ask':
      return false;
  }
}

/** How many matching events the check needs. */
export function timesOf(check: Check): number {
  if (check.kind === 'steps') return check.steps;
  return check.kind === 'call' ? (check.times ?? 1) : 1;
}

function isCall(check: CheckOf<'call'>, event: EventOf<'call.ended'>, index: EventIndex): boolean {
  const { tool, input } = index.call(event.messageID, event.callID);
  return (
    matches(check.call, tool) &&
    (check.outcome === undefined || check.outcome === event.outcome) &&
    (check.with === undefined || alike(check.with, input)) &&
    (check.output === undefined || alike(check.output, event.output))
  );
}

function isReply(
  check: CheckOf<'permission'>,
  event: EventOf<'permission.answered'>,
  index: EventIndex,
): boolean {
  if (event.by === 'cancelled' || !matches(check.permission, index.permissionOf(event.requestID)))
    return false;
  if (check.reply === undefined) return true;
  const { reply } = event;
  const kind = reply.reply === 'reject' && reply.message ? 'feedback' : reply.reply;
  const wanted = typeof check.reply === 'string' ? [check.reply] : check.reply;
  return wanted.includes(kind);
}
