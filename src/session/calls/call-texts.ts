/** Texts that a model reads instead of a result when no tool could give one. */
export const callTexts = {
  incomplete: 'The arguments of this call never became complete, so it was not run. Write it again in full.',
  tooDeep: 'The arguments of this call are nested too deep, so it was not run. Write it with fewer levels.',
  failedStep: 'Not run: the answer that this call was part of ended with an error.',
  cutAtLength:
    'Not run: the answer was cut at its length limit before it ended, so this call may not be what you meant. Write shorter pieces.',
  filtered: 'Not run: the answer was stopped by a content filter.',
  stepLimit: 'Not run: the limit of steps for this turn is reached.',
  notStored: 'Not run: the session could no longer be saved, so the turn ended.',
  stopped: 'The user stopped this call.',
  stoppedBefore: 'The user stopped the turn before this call ran.',
  otherRefused: 'Cancelled: the user refused another call of this step.',
  puttingBack: 'Its files are being put back as they were before it: read them again before you continue.',
  batchFailed: 'Cancelled: another call of this atomic batch came to nothing.',
  batchInvalid: 'Not run: another call of this atomic batch cannot be run.',
  noBatch: 'A batch cannot hold another batch. Make the calls themselves.',
  noAgents:
    'An atomic batch cannot start agents: what they change could not be put back. Call this tool outside of it.',
  interrupted:
    'Interrupted: the page was closed while this call was open. What it had done until then is not known.',
  interruptedAtomic: (left: readonly string[]) =>
    left.length === 0
      ? 'Interrupted: the page was closed while this atomic batch was open. None of its calls had begun to change a file.'
      : [
          'Interrupted: the page was closed while this atomic batch was open, so that its files were not, or not all, put back. What these calls did to files may still be there:',
          ...left,
          'Look at the files before you continue.',
        ].join('\n'),
  interruptedBefore: 'Interrupted: the page was closed before this call ran.',
  copied:
    'Interrupted: this session is a copy of another one, made while this call was open. The files are those of the last snapshot before that.',
  copiedBefore: 'Not run: this session is a copy of another one, made before this call ran.',
} as const;

/** The output so far, followed by the reason why there is no more. */
export function withOutput(output: string, note: string): string {
  return output ? `${output.replace(/\n?$/, '\n')}\n[${note}]` : note;
}

const QUOTED_CHARACTERS = 200;

/**
 * Quotes little of the input: the libraries' own messages repeat all of it, which may be a file of 100 kB.
 */
export function badJsonText(tool: string, raw: string): string {
  if (isJson(raw))
    return `The arguments of the call to ${quoted(tool)} hold a key that is not taken, such as __proto__ or constructor.prototype. Call it again without it.`;
  return `The arguments of the call to ${quoted(tool)} are not JSON: ${quoted(raw)}\nCall it again with a JSON object that fits its schema.`;
}

/** The SDK treats JSON with keys that reach prototypes as broken. */
function isJson(raw: string): boolean {
  try {
    JSON.parse(raw);
    return true;
  } catch {
    return false;
  }
}

function quoted(text: string): string {
  return text.length > QUOTED_CHARACTERS ? `${text.slice(0, QUOTED_CHARACTERS - 1)}…` : text;
}
