/* eslint-disable svelte/prefer-svelte-reactivity -- the map here is bookkeeping: what is shown is in the `$state` fields */
import type { Message, Part, SessionState, ToolPart } from '../../session/log/state.ts';
import { manifestOf } from '../../tools/manifests.ts';

/**
 * The messages that models get in an edited version, and the steps at which an agent got another system
 * prompt.
 */
export interface Retellings {
  readonly messages: ReadonlySet<string>;
  /** Names of agents, keyed by the messages of those steps. */
  readonly systems: ReadonlyMap<string, string>;
}

export class PartView {
  readonly key: string;
  #part = $state.raw<Part>()!;

  constructor(part: Part) {
    this.key = part.key;
    this.#part = part;
  }

  get part(): Part {
    return this.#part;
  }

  show(part: Part): void {
    this.#part = part;
  }
}

export class MessageView {
  readonly id: string;
  #message = $state.raw<Message>()!;
  #parts = $state.raw<readonly PartView[]>([]);
  /** True for a message of only finished readings and thoughts, which shares one line with others. */
  readonly quiet = $derived(isQuiet(this.#message, this.#parts));

  constructor(message: Message) {
    this.id = message.id;
    this.#message = message;
  }

  get message(): Message {
    return this.#message;
  }

  get parts(): readonly PartView[] {
    return this.#parts;
  }

  /** Takes over changes. The state replaces changed parts and messages, so comparing identity is enough. */
  show(state: SessionState): void {
    const message = state.messages.get(this.id);
    if (!message) return;
    this.#message = message;
    const views = new Map(this.#parts.map((view) => [view.key, view]));
    let changed = message.partKeys.length !== this.#parts.length;
    const next: PartView[] = [];
    for (const key of message.partKeys) {
      const part = state.parts.get(key);
      if (!part) continue;
      const view = views.get(key);
      if (view) view.show(part);
      else changed = true;
      next.push(view ?? new PartView(part));
    }
    if (changed) this.#parts = next;
  }
}

/** One line of the conversation, or several messages that share a line. */
export interface MessageGroup {
  readonly key: string;
  readonly quiet: boolean;
  readonly messages: readonly MessageView[];
  /** The steps of the turn that ends with this group; empty if no turn ends here. */
  readonly turn: readonly MessageView[];
}

function isQuiet(message: Message, parts: readonly PartView[]): boolean {
  if (message.role !== 'assistant' || message.ended === undefined || message.fault) return false;
  let calls = 0;
  for (const { part } of parts) {
    if (part.type === 'text' && part.text.trim() === '') continue;
    if (part.type === 'reasoning') continue;
    if (part.type !== 'tool' || !isQuietCall(part)) return false;
    calls++;
  }
  return calls > 0;
}

export function isQuietCall(part: ToolPart): boolean {
  if (part.edited || part.outcome !== 'ok' || part.attachments?.length) return false;
  return manifestOf(part.tool)?.quiet === true && part.metadata.diff === undefined;
}

/** Groups that are as they were `before` are the same objects, so that what shows them is left alone. */
export function groupMessages(
  messages: readonly MessageView[],
  before: readonly MessageGroup[] = [],
): readonly MessageGroup[] {
  const groups: MessageGroup[] = [];
  let steps: MessageView[] = [];
  for (const [index, view] of messages.entries()) {
    if (view.message.role === 'assistant') steps.push(view);
    else steps = [];
    const next = messages[index + 1];
    const turn = next?.message.role === 'assistant' ? [] : steps;
    const last = groups.at(-1);
    if (view.quiet && last?.quiet && last.turn.length === 0)
      groups[groups.length - 1] = { ...last, turn, messages: [...last.messages, view] };
    else groups.push({ key: view.id, quiet: view.quiet, messages: [view], turn });
  }
  const known = new Map(before.map((group) => [group.key, group]));
  return groups.map((group) => {
    const old = known.get(group.key);
    return old && isSameGroup(old, group) ? old : group;
  });
}

function isSameGroup(a: MessageGroup, b: MessageGroup): boolean {
  return a.quiet === b.quiet && sameItems(a.messages, b.messages) && sameItems(a.turn, b.turn);
}

export function sameItems<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, i) => item === b[i]);
}
