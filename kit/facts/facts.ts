import type { Ask, Call, CallOutcome, Entry, Facts, LoggedEvent, TurnFacts } from './events.ts';
import { list, number, record, text } from './members.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type OpenCall = Mutable<Call>;
type OpenTurn = Mutable<TurnFacts> & { readonly started: number };

/** Folds the log of one session into what a test asks about. */
export function factsOf(events: readonly LoggedEvent[]): Facts {
  const fold = new FactsFold();
  for (const event of events) fold.take(event);
  return fold.facts();
}

/** Takes the events of one session one by one. Unknown types are passed over. */
export class FactsFold {
  readonly #calls = new Map<string, OpenCall>();
  readonly #asks = new Map<string, Mutable<Ask>>();
  readonly #texts = new Map<string, { text: string }>();
  readonly #turns: OpenTurn[] = [];
  readonly #entries: (Entry | { readonly kind: 'said'; readonly text: { text: string } })[] = [];
  /** The messages of the test, the person and the app. Their calls, such as one that reads a file which a message names, are not the agent's. */
  readonly #sent = new Set<string>();
  #prompt = '';

  take(event: LoggedEvent): void {
    switch (event.type) {
      case 'prompt.accepted':
        this.#sent.add(text(event.messageID));
        if (record(event.origin).tool !== undefined) {
          this.#entries.push({ kind: 'test' });
          return;
        }
        this.#prompt = text(event.text);
        this.#entries.push({ kind: 'prompt', text: this.#prompt });
        return;
      case 'turn.started':
        this.#turns.push(newTurn(this.#prompt, event.time));
        return;
      case 'turn.ended':
        return this.#turnEnded(event);
      case 'step.started': {
        const turn = this.#turns.at(-1);
        if (turn) turn.steps++;
        return;
      }
      case 'step.part':
        return this.#part(event);
      case 'step.ended':
        return this.#stepEnded(event);
      case 'call.added':
        this.#call(event).input = event.input;
        return;
      case 'call.running':
        this.#call(event).ran = true;
        return;
      case 'call.ended': {
        const call = this.#call(event);
        call.outcome = text(event.outcome) as CallOutcome;
        call.ran = hasRun(call);
        call.output = text(event.output);
        return;
      }
      case 'permission.asked':
        this.#asks.set(text(event.requestID), {
          tool: text(event.tool),
          permission: text(event.permission),
          patterns: list(event.patterns).map(text),
        });
        return;
      case 'permission.answered': {
        const ask = this.#asks.get(text(event.requestID));
        const { reply } = record(event.reply);
        if (ask) ask.reply = text(reply ?? event.reply);
        return;
      }
      default:
      // The other events are no facts that a test asks about.
    }
  }

  /** The call that an event such as `call.ended` is about, as it is now. */
  callOf(event: LoggedEvent): Call {
    return { ...this.#call(event) };
  }

  /** Whether a call, or the event of a call, is of the agent, and not of the test or of a message of the person. */
  isAgents({ messageID }: { readonly messageID?: unknown }): boolean {
    return !this.#sent.has(text(messageID));
  }

  facts(): Facts {
    return {
      calls: [...this.#calls.values()].filter((call) => this.isAgents(call)),
      asks: [...this.#asks.values()],
      said: [...this.#texts.values()].map((part) => part.text).filter((said) => said.trim() !== ''),
      turns: this.#turns.map(({ started: _, ...turn }) => turn),
      entries: this.#entries.map((entry) =>
        entry.kind === 'said' ? { kind: 'text', text: entry.text.text } : entry,
      ),
    };
  }

  #part(event: LoggedEvent): void {
    const part = record(event.part);
    if (part.type === 'text-start') {
      const said = { text: '' };
      this.#texts.set(`${text(event.messageID)} ${text(part.id)}`, said);
      this.#entries.push({ kind: 'said', text: said });
    } else if (part.type === 'text-delta') {
      const said = this.#texts.get(`${text(event.messageID)} ${text(part.id)}`);
      if (said) said.text += text(part.text);
    } else if (part.type === 'tool-call') {
      const call = this.#call({ ...event, ...part });
      call.input = part.input;
    }
  }

  /** The call that an event is about. Ids of calls are unique within a message only. */
  #call(event: LoggedEvent): OpenCall {
    const key = `${text(event.messageID)} ${text(event.callID)}`;
    const known = this.#calls.get(key);
    if (known) return known;
    const call: OpenCall = {
      id: text(event.callID),
      messageID: text(event.messageID),
      tool: text(event.tool),
      input: undefined,
      outcome: 'running',
      ran: false,
      output: '',
    };
    this.#calls.set(key, call);
    this.#entries.push({ kind: 'call', call });
    return call;
  }

  #stepEnded(event: LoggedEvent): void {
    const turn = this.#turns.at(-1);
    if (!turn) return;
    const { inputTokens, outputTokens } = record(event.usage);
    turn.tokens += number(inputTokens) + number(outputTokens);
    turn.cost += number(event.cost);
  }

  #turnEnded(event: LoggedEvent): void {
    const turn = this.#turns.at(-1);
    const status = text(event.status);
    if (turn) {
      turn.status = status;
      turn.ms = event.time - turn.started;
    }
    const { what } = record(event.fault);
    this.#entries.push({ kind: 'end', status, ...(what !== undefined && { fault: text(what) }) });
  }
}

/** A tool may ask for a permission in the middle of its work; a call that was denied there has not run either. */
function hasRun({ outcome, ran }: Call): boolean {
  if (outcome === 'ok' || outcome === 'failed') return true;
  return ran && outcome !== 'denied' && outcome !== 'invalid';
}

function newTurn(prompt: string, started: number): OpenTurn {
  return { prompt, status: 'running', steps: 0, tokens: 0, cost: 0, ms: 0, started };
}
