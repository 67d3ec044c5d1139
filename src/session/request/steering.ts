import type { Json } from '../../base/json.ts';

/**
 * Text that the app puts into user messages and the person did not write. It is exported so that code that
 * counts prompts in a request (a scripted model) can recognise it.
 */
const STEERING_START = '<sent-while-you-were-working>\n';
const STEERING_END =
  '\n</sent-while-you-were-working>\nThe user sent this while you were working. Take it into account and continue the task.';

/** A prompt that joined a running turn, as the model reads it. */
export function wrapSteering(text: string): string {
  return STEERING_START + text + STEERING_END;
}

/** The person's own text, if `text` is a wrapped prompt; otherwise `undefined`. */
export function unwrapSteering(text: string): string | undefined {
  if (!text.startsWith(STEERING_START) || !text.endsWith(STEERING_END)) return undefined;
  return text.slice(STEERING_START.length, -STEERING_END.length);
}

const SUMMARY_START = '<summary-of-the-conversation-so-far>\n';
const SUMMARY_END =
  '\n</summary-of-the-conversation-so-far>\nThe conversation before this was summarized to save space; you no longer see it, nor the outputs that were in it. Continue from here, without repeating what is done. Read again what you need to know exactly.';

/** A summary, as the model reads it, with the person's last prompt if it would not be seen otherwise. */
export function wrapSummary(summary: string, prompt: string | undefined): string {
  const asked = prompt === undefined ? '' : `\n\nThe last message of the person was:\n${prompt}`;
  return SUMMARY_START + summary + SUMMARY_END + asked;
}

/** Begins a user message that only carries files from results, for providers that accept none in a result. */
export const RESULT_FILES_NOTE = '[The files that belong to the tool results above.]';

/** Added to the system prompt of the last step that a turn may take. */
export const LAST_STEP_NOTE =
  'This is the last step of this turn: the limit of steps is reached and tools no longer run. Call none. ' +
  'Answer in text: what is done, what is left, and what you would do next.';

const COMMAND_START = '<command-run-by-the-user>\n';
const COMMAND_END = '\n</command-run-by-the-user>';

/** A command that the person ran in the workspace, with its output, as the model reads it. */
export function wrapCommand(command: string, output: string | undefined): string {
  const printed = output === undefined ? '[It still runs.]' : `<output>\n${output}\n</output>`;
  return `${COMMAND_START}$ ${command}\n${printed}${COMMAND_END}\nThe user ran this in the workspace themselves. There is nothing to answer yet.`;
}

const CALL_START = '<call-made-by-the-user>\n';
const CALL_END = '\n</call-made-by-the-user>';

/** A call of a tool that was made outside of a turn, with its result, as the model reads it. */
export function wrapOwnCall(tool: string, input: Json, output: string | undefined): string {
  const result = output === undefined ? '[It still runs.]' : `<output>\n${output}\n</output>`;
  return `${CALL_START}${tool} ${JSON.stringify(input)}\n${result}${CALL_END}\nThe user made this call themselves. There is nothing to answer yet.`;
}

const JOBS_START = '<background-jobs>\n';
const JOBS_END = '\n</background-jobs>';

/** The news of jobs that have ended in the background, as the model reads them. */
export function wrapJobs(news: string): string {
  return `${JOBS_START}${news}${JOBS_END}\nThe app says this, not the user. There is nothing to answer yet.`;
}

/** Whether a user message only tells of something that happened, as the functions above word it. */
export function isNews(text: string): boolean {
  return [COMMAND_START, CALL_START, JOBS_START].some((start) => text.startsWith(start));
}
