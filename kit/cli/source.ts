import { readFile } from 'node:fs/promises';
import { messageOf } from '../../src/base/message-of.ts';
import { parseScript } from '../../src/models/script/schema.ts';
import { RECORDING_FORMAT } from '../../src/session/recording/recording.ts';
import { readRecording } from '../../src/session/recording/read.ts';
import { isPersons, type RecordedTurn } from '../../src/session/recording/steps.ts';
import { answeredTurns, scriptOf } from '../../src/session/recording/script.ts';
import type { Script } from '../playwright/model.ts';

export interface JobPrompt {
  readonly text: string;
  /** The messages that the person sent while the agent worked on the prompt. */
  readonly during?: readonly JobMessage[];
}

export interface JobMessage {
  readonly text: string;
  /** How many steps the agent had begun after the prompt when the message came. */
  readonly step: number;
}

/** The prompts, answers and files that a job takes from a script or a recording. */
export interface JobSource {
  readonly kind: 'script' | 'recording';
  readonly prompts: readonly JobPrompt[];
  /** The script that answers. Its own files are in `files`. */
  readonly script: Script;
  /** The files that the workspace begins with, by their paths. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
}

/** The prompt of each turn of a script after the first. */
const FURTHER = 'Go on.';

/** How long the answer waits, in ms, that a message of the recording is sent during. */
const WAIT_FOR_MESSAGE_MS = 1000;

/** Reads a script or a recording. Rejects with the file's name and what is wrong in it. */
export async function readSource(file: string): Promise<JobSource> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(`There is no file ${file}.`);
  });
  try {
    const value: unknown = JSON.parse(text);
    return isRecording(value) ? await fromRecording(value) : fromScript(value);
  } catch (error) {
    throw new Error(`${file}: ${messageOf(error)}`);
  }
}

function isRecording(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && 'format' in value && value.format === RECORDING_FORMAT
  );
}

function fromScript(value: unknown): JobSource {
  const { files = {}, ...script } = parseScript(value);
  const { title, turns } = script;
  // A turn with a condition waits for its own prompt, which may be a sub-agent's.
  const asked = turns.filter(({ when }) => when === undefined);
  const prompts = asked.map((_, at) => ({ text: at === 0 ? title || FURTHER : FURTHER }));
  return { kind: 'script', prompts, files, script: plainScript(script) };
}

async function fromRecording(value: unknown): Promise<JobSource> {
  const recording = await readRecording(value);
  // The script has a turn for each of these, so no other prompts are sent.
  const turns = answeredTurns(recording.sessions[0]);
  const { files: _texts, ...script } = scriptOf(recording);
  const files = (recording.files ?? []).flatMap((entry): [string, Uint8Array][] => {
    const content = entry.type === 'file' ? recording.contents.get(entry.hash) : undefined;
    return content ? [[entry.path, content]] : [];
  });
  return {
    kind: 'recording',
    prompts: promptsOf(turns),
    files: Object.fromEntries(files),
    script: plainScript({ ...waitingForMessages(script, turns), chunkDelayMs: 0 }),
  };
}

function promptsOf(turns: readonly RecordedTurn[]): readonly JobPrompt[] {
  const prompts: { text: string; during: JobMessage[] }[] = [];
  let begun = 0;
  for (const turn of turns) {
    const { text } = turn.prompt;
    const current = prompts.at(-1);
    if (current && turn.joined && isPersons(turn)) current.during.push({ text, step: begun });
    else if (isPersons(turn)) {
      prompts.push({ text, during: [] });
      begun = 0;
    }
    begun += turn.steps.length;
  }
  return prompts.map(({ text, during }) => (during.length > 0 ? { text, during } : { text }));
}

/** Makes each answer wait that a message came during, so that the message is there before the next request. */
function waitingForMessages(script: ReturnType<typeof scriptOf>, turns: readonly RecordedTurn[]) {
  const asked = script.turns.filter(({ when }) => when === undefined);
  const waiting = new Set(asked.filter((_, at) => turns[at + 1]?.joined).map(({ steps }) => steps.at(-1)));
  return {
    ...script,
    turns: script.turns.map((turn) => ({
      ...turn,
      steps: turn.steps.map((step) => (waiting.has(step) ? { ...step, delayMs: WAIT_FOR_MESSAGE_MS } : step)),
    })),
  };
}

/** A checked script in the shape of its file, without the members that are `undefined`. */
const plainScript = (script: object) => JSON.parse(JSON.stringify(script)) as Script;
