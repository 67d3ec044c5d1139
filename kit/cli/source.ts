import { readFile } from 'node:fs/promises';
import { messageOf } from '../../src/base/message-of.ts';
import { parseScript } from '../../src/models/script/schema.ts';
import { RECORDING_FORMAT } from '../../src/session/recording/recording.ts';
import { readRecording } from '../../src/session/recording/read.ts';
import { isPersons, turnsOf } from '../../src/session/recording/steps.ts';
import { scriptOf } from '../../src/session/recording/script.ts';
import type { Script } from '../playwright/model.ts';

/** The prompts, answers and files that a job takes from a script or a recording. */
export interface JobSource {
  readonly kind: 'script' | 'recording';
  readonly prompts: readonly string[];
  /** The script that answers. Its own files are in `files`. */
  readonly script: Script;
  /** The files that the workspace begins with, by their paths. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
}

/** The prompt of each turn of a script after the first. */
const FURTHER = 'Go on.';

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
  const prompts = asked.map((_, at) => (at === 0 ? title || FURTHER : FURTHER));
  return { kind: 'script', prompts, files, script: plainScript(script) };
}

async function fromRecording(value: unknown): Promise<JobSource> {
  const recording = await readRecording(value);
  // The script has a turn for each answered prompt of the version with which the recording ends, so only these prompts are sent.
  const prompts = turnsOf(recording.sessions[0]).flatMap((turn) =>
    isPersons(turn) && turn.steps.length > 0 ? turn.prompt.text : [],
  );
  const { files: _texts, ...script } = scriptOf(recording);
  const files = (recording.files ?? []).flatMap((entry): [string, Uint8Array][] => {
    const content = entry.type === 'file' ? recording.contents.get(entry.hash) : undefined;
    return content ? [[entry.path, content]] : [];
  });
  return {
    kind: 'recording',
    prompts,
    files: Object.fromEntries(files),
    script: plainScript({ ...script, chunkDelayMs: 0 }),
  };
}

/** A checked script in the shape of its file, without the members that are `undefined`. */
const plainScript = (script: object) => JSON.parse(JSON.stringify(script)) as Script;
