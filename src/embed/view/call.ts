import type { Json, JsonObject } from '../../base/json.ts';
import { exitCodeOf } from '../../session/log/exit-code.ts';
import type { ToolPart } from '../../session/log/state.ts';
import type { Recording } from '../../session/recording/recording.ts';
import type { Words } from '../words/english.ts';
import { element } from './dom.ts';

/** More than a reader takes in, and as much as a page can lay out at once. */
const LONGEST_TEXT = 100_000;
/** Types that are pictures in every browser and cannot hold script. */
const PICTURES = /^image\/(?:png|jpeg|gif|webp)$/;

/** The head of a call: what was called, on what, and how it went. */
export function callHead(call: ToolPart, words: Words): Node[] {
  // A command that fails is a call that was done, and readers look for what failed.
  const code = call.outcome === 'ok' ? exitCodeOf(call.metadata) : null;
  const state = code ? 'failed' : stateOf(call);
  const exit = code ? ` · exit ${code}` : '';
  return [
    element('code', { class: 'tool' }, call.tool),
    element('span', { class: 'subject' }, call.title ?? subjectOf(call.input)),
    element('span', { class: 'state', 'data-state': state }, words.states[state] + exit),
  ];
}

/** All of a call: its arguments, what it changed, its result, its whole output and its attachments. */
export function callBody(call: ToolPart, contents: Recording['contents'], words: Words): Node[] {
  const { metadata, outcome, fullOutput, attachments = [] } = call;
  const output = outcome === undefined ? call.live : (call.output ?? '');
  const diff = textIn(metadata, 'diff');
  const whole = fullOutput && contents.get(fullOutput.blob);
  return [
    ...(call.edited ? [element('p', { class: 'note' }, words.edited)] : []),
    ...section(words.arguments, argumentsOf(call)),
    ...(diff ? section(words.change, diff) : []),
    ...section(words.result, call.invalid && !output ? call.invalid.message : output),
    ...(whole ? section(words.wholeOutput, new TextDecoder().decode(whole)) : []),
    ...attachments.map(({ blob, mediaType, filename }) =>
      attachment(contents.get(blob), mediaType, filename, words),
    ),
  ];
}

/** A picture of the recording, or the name of its type. */
export function attachment(
  bytes: Uint8Array<ArrayBuffer> | undefined,
  mediaType: string,
  filename: string | undefined,
  words: Words,
): Node {
  const name = filename ?? words.picture;
  if (!bytes || !PICTURES.test(mediaType))
    return element('p', { class: 'note' }, words.attachment(filename ?? mediaType));
  const src = URL.createObjectURL(new Blob([bytes], { type: mediaType }));
  const release = () => URL.revokeObjectURL(src);
  return element('img', { src, alt: name, load: release, error: release });
}

function section(title: string, text: string): Node[] {
  if (text === '') return [];
  const shown = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
  return [element('h2', {}, title), element('pre', { tabindex: 0 }, shown)];
}

function stateOf({ outcome, status, waiting, started }: ToolPart): keyof Words['states'] {
  if (outcome !== undefined) return outcome;
  if (waiting !== undefined) return 'waiting';
  return status === 'running' || started !== undefined ? 'running' : 'typing';
}

function argumentsOf({ input, raw }: ToolPart): string {
  return input === undefined ? raw : JSON.stringify(input, null, 2);
}

/** The first argument that is a text, which says of most calls what they are about. */
function subjectOf(input: Json | undefined): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return '';
  const text = Object.values(input).find((value) => typeof value === 'string');
  return typeof text === 'string' ? (text.split('\n')[0] ?? '').slice(0, 200) : '';
}

function textIn(metadata: JsonObject, name: string): string {
  const value = metadata[name];
  return typeof value === 'string' ? value : '';
}
