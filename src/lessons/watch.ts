import { matches } from '../permissions/wildcard.ts';
import type { Event, EventOf } from '../session/events.ts';
import type { Check, CheckOf } from './checks.ts';

/** What events say only by reference. */
export class Told {
  readonly #calls = new Map<string, { readonly tool: string; readonly input: string }>();
  readonly #asks = new Map<string, string>();
  readonly #texts = new Map<string, string>();
  readonly #agents = new Map<string, string>();

  feed(event: Event): void {
    if (event.type === 'permission.asked') this.#asks.set(event.requestID, event.permission);
    else if (event.type === 'task.started') this.#agents.set(event.childID, event.agent);
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

  #note(
    { messageID, callID }: { readonly messageID: string; readonly callID: string },
    { tool, input }: { readonly tool: string; readonly input: unknown },
  ): void {
    this.#calls.set(`${messageID}/${callID}`, { tool, input: JSON.stringify(input) });
  }
}

/** Whether this event is what the check looks for; for those that look at events. */
export function fits(check: Check, event: Event, told: Told): boolean {
  switch (check.kind) {
    case 'prompt':
      return event.type === 'prompt.accepted' && !event.origin && alike(check.prompt, event.text);
    case 'call':
      return event.type === 'call.ended' && isCall(check, event, told);
    case 'permission':
      return event.type === 'permission.answered' && isReply(check, event, told);
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
      return event.type === 'step.ended' && alike(check.says, told.text(event.messageID));
    case 'mode':
      return event.type === 'mode.set' && event.mode === check.mode;
    case 'task':
      return (
        event.type === 'task.ended' &&
        event.state === check.task &&
        (check.agent === undefined || matches(check.agent, told.agentOf(event.childID)))
      );
    case 'compacted':
      return event.type === 'context.compacted';
    case 'file':
    case 'ask':
      return false;
  }
}

/** How many such events it takes. */
export function timesOf(check: Check): number {
  if (check.kind === 'steps') return check.steps;
  return check.kind === 'call' ? (check.times ?? 1) : 1;
}

/** Whether this is an answer that is accepted. */
export function accepts(check: CheckOf<'ask'>, answer: string): boolean {
  return check.accept.some((pattern) => alike(pattern, answer));
}

export function alike(pattern: string, text: string): boolean {
  return matches(pattern.trim().toLowerCase(), text.trim().toLowerCase());
}

function isCall(check: CheckOf<'call'>, event: EventOf<'call.ended'>, told: Told): boolean {
  const { tool, input } = told.call(event.messageID, event.callID);
  return (
    matches(check.call, tool) &&
    (check.outcome === undefined || check.outcome === event.outcome) &&
    (check.with === undefined || alike(check.with, input)) &&
    (check.output === undefined || alike(check.output, event.output))
  );
}

function isReply(check: CheckOf<'permission'>, event: EventOf<'permission.answered'>, told: Told): boolean {
  if (event.by === 'cancelled' || !matches(check.permission, told.permissionOf(event.requestID)))
    return false;
  if (check.reply === undefined) return true;
  const { reply } = event;
  const kind = reply.reply === 'reject' && reply.message ? 'feedback' : reply.reply;
  const wanted = typeof check.reply === 'string' ? [check.reply] : check.reply;
  return wanted.includes(kind);
}
