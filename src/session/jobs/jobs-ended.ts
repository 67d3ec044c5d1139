import { wrapJobs } from '../request/steering.ts';
import { clip, oneLine } from '../../tools/text.ts';
import type { Job, JobEnd } from '../../workspace/jobs.ts';

/** How much of its newest output the end of a job brings along. */
const TOLD_LINES = 15;
const TOLD_CHARACTERS = 1_500;
const COMMAND_CHARACTERS = 200;

export type EndedJob = Pick<Job, 'id' | 'command' | 'tail'> & Pick<JobEnd, 'by' | 'exitCode'>;

/** The text that tells an agent which of its jobs have ended. */
export function jobsEndedText(jobs: readonly EndedJob[]): string {
  return wrapJobs(jobs.map(ended).join('\n'));
}

function ended({ id, command, by, exitCode, tail }: EndedJob): string {
  const job = `Background job ${id} (\`${clip(oneLine(command), COMMAND_CHARACTERS)}\`)`;
  if (by === 'lost')
    return `${job} no longer runs: the page was reloaded, or the workspace restarted. Start it again if it is still needed.`;
  if (by === 'copied')
    return `${job} does not run here: this session is a copy of the one that started it, and begins without the job. Start it here if it is needed.`;
  if (by === 'person') return `${job} was stopped by the user.`;
  const text = tail.trimEnd().slice(-TOLD_CHARACTERS).split('\n').slice(-TOLD_LINES).join('\n');
  return `${job} ended with exit code ${exitCode}.${text && ` The end of its output:\n<output>\n${text}\n</output>`}`;
}
