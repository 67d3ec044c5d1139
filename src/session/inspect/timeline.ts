import { exitCodeOf } from '../log/exit-code.ts';
import type { Event, EventOf } from '../log/events.ts';
import type { Call, Hold, Item, Span, Step, Turn, Wait } from './timeline-items.ts';

/**
 * A log as turns, steps and calls with their times. The cost of adding an event does not grow with the log. A
 * changed item becomes another object, so that a reader can tell by identity what is new.
 */
export class Timeline {
  readonly #items = new Map<string, Item>();
  readonly #turns: string[] = [];
  readonly #prompts = new Map<string, string>();
  /** The `seq` at which each message begins. */
  readonly #seqs = new Map<string, number>();
  /** Messages that have a lasting edit, and below, agents whose system prompt has one. */
  readonly #retoldMessages = new Set<string>();
  readonly #retoldAgents = new Set<string>();
  #changes = 0;
  #last = 0;

  /** Goes up whenever an item is added or changed; deltas alone change none. */
  get changes(): number {
    return this.#changes;
  }

  /** Time of the newest event. */
  get last(): number {
    return this.#last;
  }

  get turns(): readonly Turn[] {
    return this.#turns.flatMap((key) => this.#of('turn', key) ?? []);
  }

  item(key: string): Item | undefined {
    return this.#items.get(key);
  }

  childrenOf({ children }: Turn): readonly (Step | Call)[] {
    return children.flatMap((key) => this.#of('step', key) ?? this.#of('call', key) ?? []);
  }

  stepsOf(turn: Turn): readonly Step[] {
    return this.childrenOf(turn).flatMap((child) => (child.kind === 'step' ? child : []));
  }

  callsOf({ calls }: Step): readonly Call[] {
    return calls.flatMap((key) => this.#of('call', key) ?? []);
  }

  take(events: readonly Event[]): void {
    for (const event of events) this.#take(event);
  }

  #take(event: Event): void {
    this.#last = event.time;
    switch (event.type) {
      case 'prompt.accepted':
        this.#prompts.set(event.messageID, event.text);
        this.#seqs.set(event.messageID, event.seq);
        return;
      case 'turn.started':
        return this.#startTurn(event);
      case 'turn.ended': {
        const { time, status, fault } = event;
        return this.#change('turn', this.#turns.at(-1), { ended: time, status, ...(fault && { fault }) });
      }
      case 'step.started':
        return this.#startStep(event);
      case 'step.sent': {
        const { messageID, time, bodyHash } = event;
        return this.#change('step', messageID, { sent: { time, bodyHash } });
      }
      case 'step.part':
        return this.#part(event);
      case 'step.ended':
        return this.#endStep(event);
      case 'step.waiting': {
        const { time, attempt, delay } = event;
        return this.#change('step', event.messageID, { retry: { time, attempt, delay } });
      }
      case 'request.edited':
        return this.#change('step', event.messageID, { edited: true });
      case 'message.retold':
        return setPresent(this.#retoldMessages, event.messageID, event.told !== null);
      case 'system.retold':
        return setPresent(this.#retoldAgents, event.agent, event.told !== null);
      case 'context.compacted':
        return this.#forgetReplaced(event);
      case 'pause.began': {
        const { pauseID, point, time: from } = event;
        return this.#changeHolds(event, (holds) => [...holds, { pauseID, point, from }]);
      }
      case 'pause.ended':
        return this.#endHold(event);
      default:
        return this.#takeOfCall(event);
    }
  }

  #takeOfCall(event: Event): void {
    switch (event.type) {
      case 'call.added':
        this.#addCall(event, { tool: event.tool, parent: event.parent });
        return this.#change('call', callKey(event), { resolved: event.time, input: event.input });
      case 'permission.decided': {
        const { time, action } = event;
        return this.#change('call', callKey(event), { ruled: { time, action } });
      }
      case 'permission.asked':
      case 'question.asked':
        return this.#startWait(event);
      case 'permission.answered':
      case 'question.answered':
        return this.#endWait(event);
      case 'call.edited':
        return this.#changeCall(event, ({ edits }) => ({ edits: [...edits, event.edit] }));
      case 'call.running':
        return this.#changeCall(event, ({ runs }) => ({
          ...{ tool: event.tool, input: event.input },
          runs: runs.at(-1)?.to === undefined && runs.length > 0 ? runs : [...runs, { from: event.time }],
        }));
      case 'call.ended':
        return this.#endCall(event);
      default:
        return;
    }
  }

  #startTurn({ seq, time, promptID, purpose }: EventOf<'turn.started'>): void {
    const key = `turn/${seq}`;
    this.#turns.push(key);
    this.#put({
      ...{ kind: 'turn', key, seq, time, children: [] },
      prompt: purpose ? '' : (this.#prompts.get(promptID) ?? ''),
      ...(purpose && { purpose }),
    });
  }

  #startStep(event: EventOf<'step.started'>): void {
    const { seq, time, messageID, step, agent, model, request, purpose } = event;
    const turn = this.#turns.at(-1) ?? '';
    this.#seqs.set(messageID, seq);
    const retold = !purpose && (this.#retoldMessages.size > 0 || this.#retoldAgents.has(agent));
    this.#put({
      ...{ kind: 'step', key: messageID, turn, seq, time, messageID, step, agent, model, request },
      ...{ calls: [], holds: [] },
      ...(purpose && { purpose }),
      ...(retold && { retold }),
    });
    const known = this.#of('turn', turn);
    if (known) this.#put({ ...known, children: [...known.children, messageID] });
  }

  #part(event: EventOf<'step.part'>): void {
    const { messageID, part, time } = event;
    const step = this.#of('step', messageID);
    if (!step) return;
    if (step.first === undefined && part.type !== 'start') this.#put({ ...step, first: time });
    if (part.type === 'tool-input-start')
      this.#addCall({ ...event, callID: part.callID }, { tool: part.tool });
    else if (part.type === 'tool-call') {
      const { callID, tool, input, invalid } = part;
      this.#addCall({ ...event, callID }, { tool });
      this.#change('call', callKey({ messageID, callID }), {
        ...{ tool, input, resolved: time },
        ...(invalid && { invalid }),
      });
    } else if (part.type === 'finish') this.#change('step', messageID, { answered: time });
  }

  #addCall(
    { messageID, callID, seq, time }: Pick<Call, 'messageID' | 'callID' | 'seq' | 'time'>,
    { tool, parent }: { readonly tool: string; readonly parent?: string | undefined },
  ): void {
    const key = callKey({ messageID, callID });
    const step = this.#of('step', messageID);
    const turn = this.#of('turn', this.#turns.at(-1) ?? '');
    const of = step ?? turn;
    if (!of || this.#items.has(key)) return;
    this.#put({
      ...{ kind: 'call', key, of: of.key, seq, time, messageID, callID, tool },
      ...{ waits: [], runs: [], holds: [], edits: [] },
      ...(parent !== undefined && { parent }),
    });
    if (of.kind === 'turn') return this.#put({ ...of, children: [...of.children, key] });
    const family = of.calls.findLastIndex((other) => {
      const call = this.#of('call', other);
      return parent !== undefined && (call?.callID === parent || call?.parent === parent);
    });
    const at = family < 0 ? of.calls.length : family + 1;
    this.#put({ ...of, calls: of.calls.toSpliced(at, 0, key) });
  }

  #endStep(event: EventOf<'step.ended'>): void {
    const { messageID, time, reason, usage, cost, fault } = event;
    const step = this.#of('step', messageID);
    this.#change('step', messageID, {
      ...{ ended: time, answered: step?.answered ?? time, reason, usage },
      holds: closed(step?.holds ?? [], time),
      ...(cost !== undefined && { cost }),
      ...(fault && { fault }),
    });
  }

  /** The messages that a summary replaces are no longer sent, and neither are their edits. */
  #forgetReplaced({ tail, messageID }: EventOf<'context.compacted'>): void {
    const kept = this.#seqs.get(tail ?? messageID) ?? 0;
    for (const id of this.#retoldMessages)
      if ((this.#seqs.get(id) ?? 0) < kept) this.#retoldMessages.delete(id);
  }

  #startWait(event: EventOf<'permission.asked' | 'question.asked'>): void {
    const kind = event.type === 'permission.asked' ? 'permission' : 'question';
    const wait: Wait = { kind, requestID: event.requestID, from: event.time };
    this.#changeCall(event, (call) => ({
      waits: [...call.waits, wait],
      runs: closed(call.runs, event.time),
    }));
  }

  #endWait(event: EventOf<'permission.answered' | 'question.answered'>): void {
    const { requestID, time: to } = event;
    const refused =
      event.by === 'cancelled' ||
      (event.type === 'permission.answered' ? event.reply.reply === 'reject' : event.answers === null);
    this.#changeCall(event, ({ waits }) => ({
      waits: waits.map((wait) =>
        wait.requestID === requestID ? { ...wait, to, ...(refused && { refused }) } : wait,
      ),
    }));
  }

  #endHold(event: EventOf<'pause.ended'>): void {
    const { pauseID, time: to } = event;
    this.#changeHolds(event, (holds) =>
      holds.map((hold) => (hold.pauseID === pauseID && hold.to === undefined ? { ...hold, to } : hold)),
    );
  }

  #endCall(event: EventOf<'call.ended'>): void {
    const { time, outcome, title, metadata } = event;
    const exit = exitCodeOf(metadata) ?? 0;
    this.#changeCall(event, (call) => ({
      ...{ ended: time, outcome, title },
      ...(outcome === 'ok' && exit !== 0 && { failedExit: exit }),
      runs: closed(call.runs, time),
      holds: closed(call.holds, time),
      waits: call.waits.map((wait) => (wait.to === undefined ? { ...wait, to: time, refused: true } : wait)),
    }));
  }

  #changeCall(
    of: { readonly messageID: string; readonly callID: string },
    update: (call: Call) => Partial<Call>,
  ): void {
    const call = this.#of('call', callKey(of));
    // Events that arrive after a call's end are in its stream, but do not change the item.
    if (call && call.outcome === undefined) this.#put({ ...call, ...update(call) });
  }

  #changeHolds(
    { messageID, call: callID }: EventOf<'pause.began' | 'pause.ended'>,
    update: (holds: readonly Hold[]) => readonly Hold[],
  ): void {
    if (callID !== undefined)
      return this.#changeCall({ messageID, callID }, ({ holds }) => ({ holds: update(holds) }));
    const step = this.#of('step', messageID);
    if (step && step.ended === undefined) this.#put({ ...step, holds: update(step.holds) });
  }

  #change<K extends Item['kind']>(
    kind: K,
    key: string | undefined,
    update: Partial<Extract<Item, { kind: K }>>,
  ): void {
    const item = key === undefined ? undefined : this.#items.get(key);
    if (item?.kind === kind) this.#put({ ...item, ...update });
  }

  #of<K extends Item['kind']>(kind: K, key: string): Extract<Item, { kind: K }> | undefined {
    const item = this.#items.get(key);
    return item !== undefined && isOf(item, kind) ? item : undefined;
  }

  #put(item: Item): void {
    this.#items.set(item.key, item);
    this.#changes++;
  }
}

function callKey({ messageID, callID }: { readonly messageID: string; readonly callID: string }): string {
  return `${messageID}/${callID}`;
}

function isOf<K extends Item['kind']>(item: Item, kind: K): item is Extract<Item, { kind: K }> {
  return item.kind === kind;
}

function closed<S extends Span>(spans: readonly S[], time: number): readonly S[] {
  return spans.map((span) => (span.to === undefined ? { ...span, to: time } : span));
}

function setPresent(set: Set<string>, value: string, present: boolean): void {
  if (present) set.add(value);
  else set.delete(value);
}
