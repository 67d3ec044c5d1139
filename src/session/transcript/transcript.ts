import { fenced, longestRun } from '../../base/code-text.ts';
import { withCommas } from '../../base/with-commas.ts';
import { clip, oneLine } from '../../tools/text.ts';
import { conversationOf } from '../log/path.ts';
import type { Message, SessionState, ToolPart } from '../log/state.ts';

/** How many characters of a result are shown; the whole result is in the recording. */
const RESULT_CHARACTERS = 2_000;
/** How many characters of the arguments of a call are shown if it has no title. */
const ARGUMENT_CHARACTERS = 120;

/**
 * The conversation as Markdown, without its other versions. What a tool or file says stands in a code block that it
 * cannot end. Every message must be loaded.
 */
export function transcriptOf(state: SessionState): string {
  const pieces = [`# ${oneLine(state.title) || 'Session'}`];
  const began = new Date(state.created).toISOString().slice(0, 10);
  let speaker = '';
  for (const message of conversationOf(state)) {
    const text = messageText(state, message);
    if (text === '') continue;
    const name = speakerOf(message);
    if (name !== speaker) pieces.push(`## ${name}`);
    speaker = name;
    pieces.push(text);
  }
  pieces.splice(1, 0, `${began}, ${modelsOf(state).join(', ') || 'no model'}`);
  return `${pieces.join('\n\n')}\n`;
}

/** The text of one message as Markdown; the texts only, without its calls. */
export function textOfMessage(state: SessionState, message: Message): string {
  return message.partKeys
    .flatMap((key) => {
      const part = state.parts.get(key);
      return part?.type === 'text' ? part.text.trim() : [];
    })
    .filter(Boolean)
    .join('\n\n');
}

function speakerOf({ role, origin, purpose }: Message): string {
  if (role === 'user') return origin && origin.kind !== 'command' ? 'Vitrine' : 'You';
  return purpose ? 'Summary' : 'Agent';
}

function modelsOf(state: SessionState): readonly string[] {
  return [
    ...new Set(
      conversationOf(state).flatMap(({ model }) => (model ? `${model.provider}/${model.model}` : [])),
    ),
  ];
}

function messageText(state: SessionState, message: Message): string {
  const pieces = message.partKeys.flatMap((key): string | readonly string[] => {
    const part = state.parts.get(key);
    // The tags in what the app tells of the ends of jobs are for the model; Markdown would take them for HTML.
    if (part?.type === 'text' && message.origin?.kind === 'jobs-ended')
      return ['The model was told:', fenced(part.text.trim())];
    if (part?.type === 'text') return part.text.trim();
    if (part?.type === 'file') return `*Attached: ${code(part.file.filename ?? part.file.mediaType)}*`;
    // A nested call is told by the call that made it.
    return part?.type === 'tool' && part.parent === undefined ? callText(part) : [];
  });
  if (message.fault) pieces.push(`*Failed: ${oneLine(message.fault.what)}*`);
  return pieces.filter(Boolean).join('\n\n');
}

const ENDS: Readonly<Record<string, string>> = {
  failed: 'failed',
  denied: 'was denied',
  cancelled: 'was stopped',
  interrupted: 'was interrupted',
  invalid: 'had arguments that are not valid',
};

function callText(call: ToolPart): string {
  const about = call.title || clip(oneLine(call.raw), ARGUMENT_CHARACTERS);
  const end = call.outcome === undefined ? 'has not ended' : ENDS[call.outcome];
  const head = `**${oneLine(call.tool)}** ${code(about)}${end === undefined ? '' : ` — ${end}`}`;
  const output = (call.output ?? '').trim();
  if (output === '') return head;
  const left = output.length - RESULT_CHARACTERS;
  const more = left > 0 ? `\n\n*${withCommas(left)} more characters are left out.*` : '';
  return `${head}\n\n${fenced(output.slice(0, RESULT_CHARACTERS))}${more}`;
}

function code(text: string): string {
  const plain = oneLine(text).trim();
  if (plain === '') return '';
  const ticks = '`'.repeat(longestRun(plain) + 1);
  // A space keeps a backtick at either end apart from the delimiters.
  const space = plain.startsWith('`') || plain.endsWith('`') ? ' ' : '';
  return `${ticks}${space}${plain}${space}${ticks}`;
}
