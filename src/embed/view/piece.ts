import type { Message, SessionState, ToolPart } from '../../session/log/state.ts';
import type { Recording } from '../../session/recording/recording.ts';
import type { Decided, FoundPiece } from '../pieces.ts';
import type { Words } from '../words/english.ts';
import { numberIn } from '../words/number.ts';
import { callBody, callHead } from './call.ts';
import { messageNode } from './conversation.ts';
import { element } from './dom.ts';

/** A single step or call, all of it open. */
export function pieceView(piece: FoundPiece, { contents }: Recording, words: Words): readonly Node[] {
  const { state, message } = piece;
  const content =
    piece.kind === 'step'
      ? [...requestBefore(message, state, contents, words), messageNode(message, state, contents, words)]
      : [callNode(piece.call, piece.decided, contents, words)];
  return [
    element(
      'div',
      { class: 'log', role: 'region', 'aria-label': nameOf(piece, words), tabindex: 0 },
      ...content,
      element('p', { class: 'note' }, factsOf(message, piece.kind === 'call' ? piece.call : null, words)),
    ),
  ];
}

export function nameOf(piece: FoundPiece, words: Words): string {
  return piece.kind === 'step' ? words.stepTitle(piece.number) : words.call(piece.call.tool);
}

/** Finds the person's message before the first step of an answer; later steps follow a step, which is not shown. */
function requestBefore(
  message: Message,
  state: SessionState,
  contents: Recording['contents'],
  words: Words,
): Node[] {
  const before = message.parentID === null ? undefined : state.messages.get(message.parentID);
  if (before?.role !== 'user') return [];
  return [element('h2', { class: 'hidden' }, words.asked), messageNode(before, state, contents, words)];
}

function callNode(
  call: ToolPart,
  decided: readonly Decided[],
  contents: Recording['contents'],
  words: Words,
): Node {
  return element(
    'article',
    { class: 'call', 'data-tool': call.tool, 'data-call': call.callID },
    element('p', { class: 'head' }, ...callHead(call, words)),
    ...(decided.length > 0
      ? [
          element('h2', {}, words.decisions),
          element('ul', {}, ...decided.map((event) => element('li', {}, sentenceOf(event, words)))),
        ]
      : []),
    ...callBody(call, contents, words),
  );
}

function sentenceOf(event: Decided, words: Words): string {
  if (event.type === 'permission.answered') return words.answers[event.reply.reply];
  return event.action === 'allow'
    ? words.allowedByRules(event.permission)
    : words.deniedByRules(event.permission);
}

function factsOf({ model, usage, created, ended }: Message, call: ToolPart | null, words: Words): string {
  const [from, to] = call ? [call.started ?? call.created, call.ended] : [created, ended];
  return [
    ...(model ? [model.model] : []),
    ...(to === undefined
      ? []
      : [words.took(numberIn(document.documentElement.lang, Math.round((to - from) / 100) / 10, 1))]),
    ...(usage?.inputTokens === undefined || call
      ? []
      : [words.usage(usage.inputTokens, usage.outputTokens ?? 0)]),
  ].join(' · ');
}
