import { conversationOf } from '../../session/log/path.ts';
import type { Message, Part, SessionState } from '../../session/log/state.ts';
import type { Recording } from '../../session/recording/recording.ts';
import type { Words } from '../words/english.ts';
import { attachment, callBody, callHead } from './call.ts';
import { element, place } from './dom.ts';
import { markdown } from './markdown.ts';

interface PartView {
  part: Part;
  readonly node: HTMLElement;
}

/** The messages of a session at a moment, as elements. Only what has changed since the last moment is made anew. */
export class ConversationView {
  readonly node: HTMLElement;
  readonly #words: Words;
  readonly #contents: Recording['contents'];
  readonly #messages = new Map<string, { readonly node: HTMLElement; readonly body: HTMLElement }>();
  readonly #parts = new Map<string, PartView>();
  readonly #end = element('p', { class: 'note' });

  constructor(contents: Recording['contents'], words: Words) {
    this.#contents = contents;
    this.#words = words;
    // A recording plays quickly, so a screen reader reads it where the person goes through it.
    this.node = element('div', {
      class: 'log',
      role: 'log',
      'aria-live': 'off',
      'aria-label': words.conversation,
      tabindex: 0,
    });
  }

  show(state: SessionState): void {
    const atBottom = this.node.scrollHeight - this.node.scrollTop - this.node.clientHeight < 40;
    const shown = conversationOf(state);
    const ids = new Set(shown.map(({ id }) => id));
    for (const id of this.#messages.keys()) if (!ids.has(id)) this.#messages.delete(id);
    for (const key of this.#parts.keys()) if (!state.parts.has(key)) this.#parts.delete(key);
    const nodes: Node[] = shown.map((message) => this.#message(message, state));
    const { lastTurn, turn } = state;
    if (!turn && lastTurn && lastTurn.status !== 'idle') {
      this.#end.textContent = `${this.#words.turns[lastTurn.status]} ${lastTurn.fault?.what ?? ''}`;
      nodes.push(this.#end);
    }
    place(this.node, nodes);
    if (atBottom) this.node.scrollTop = this.node.scrollHeight;
  }

  #message(message: Message, state: SessionState): HTMLElement {
    let view = this.#messages.get(message.id);
    if (!view) {
      view = emptyMessage(message, this.#words);
      this.#messages.set(message.id, view);
    }
    const parts = message.partKeys.flatMap((key) => state.parts.get(key) ?? []);
    place(
      view.body,
      parts.map((part) => this.#part(part)),
    );
    return view.node;
  }

  #part(part: Part): HTMLElement {
    const known = this.#parts.get(part.key);
    // Parts are replaced and never changed, so the same part looks the same.
    if (known?.part === part) return known.node;
    const view = known ?? { part, node: emptyPart(part, this.#words) };
    view.part = part;
    fillPart(view.node, part, this.#contents, this.#words);
    this.#parts.set(part.key, view);
    return view.node;
  }
}

/** One message with all its parts, which stays as it is. */
export function messageNode(
  message: Message,
  state: SessionState,
  contents: Recording['contents'],
  words: Words,
): HTMLElement {
  const { node, body } = emptyMessage(message, words);
  for (const key of message.partKeys) {
    const part = state.parts.get(key);
    if (!part) continue;
    const made = emptyPart(part, words);
    if (made instanceof HTMLDetailsElement) made.open = true;
    fillPart(made, part, contents, words);
    body.append(made);
  }
  return node;
}

function emptyMessage({ role, purpose, model }: Message, words: Words) {
  const who = role === 'user' ? words.person : purpose ? words.summary : words.model;
  const body = element('div');
  const node = element(
    'article',
    { class: role, 'aria-label': who },
    element('p', { class: 'who' }, role === 'user' ? who : `${who} · ${model?.model ?? ''}`),
    body,
  );
  return { node, body };
}

function emptyPart(part: Part, words: Words): HTMLElement {
  if (part.type === 'tool')
    return element(
      'details',
      { class: 'call', 'data-tool': part.tool, 'data-call': part.callID },
      element('summary'),
      element('div'),
    );
  if (part.type === 'reasoning')
    return element('details', { class: 'reasoning' }, element('summary', {}, words.thinking), element('div'));
  return element('div', { class: part.type === 'text' ? 'text' : 'file', dir: 'auto' });
}

function fillPart(node: HTMLElement, part: Part, contents: Recording['contents'], words: Words): void {
  if (part.type === 'text') node.replaceChildren(...markdown(part.text, part.ended === undefined));
  else if (part.type === 'file')
    node.replaceChildren(attachment(contents.get(part.file.blob), part.file.mediaType, undefined, words));
  else if (part.type === 'reasoning')
    node.lastElementChild?.replaceChildren(element('p', { class: 'plain', dir: 'auto' }, part.text));
  else {
    const [summary, body] = node.children;
    const fill = () => body?.replaceChildren(...callBody(part, contents, words));
    summary?.replaceChildren(...callHead(part, words));
    // Most calls stay closed, and a call changes with each piece of its arguments and output.
    node.ontoggle = fill;
    if (node instanceof HTMLDetailsElement && node.open) fill();
  }
}
