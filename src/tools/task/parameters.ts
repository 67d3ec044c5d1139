import * as z from 'zod';

/** Other names by which models know the parameters. */
const ALIASES: readonly (readonly [alias: string, name: string])[] = [
  ['subagent_type', 'agent'],
  ['task_id', 'session_id'],
  ['run_in_background', 'background'],
];

function named(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const named: Record<string, unknown> = { ...given };
  for (const [alias, name] of ALIASES) {
    named[name] ??= named[alias];
    delete named[alias];
  }
  // Left out may be written as null, or as an empty text.
  for (const name of ['agent', 'session_id', 'background'])
    if (named[name] === null || named[name] === '' || named[name] === undefined) delete named[name];
  return named;
}

const fields = {
  description: z.string().min(1).describe('Names the work in 3 to 5 words'),
  prompt: z
    .string()
    .min(1)
    .describe(
      'All that the agent must know: it sees nothing of this conversation. Say what it should answer with.',
    ),
  agent: z.string().optional().describe('Which agent does it; general where left out'),
  session_id: z
    .string()
    .optional()
    .describe('The id of an earlier task, to go on where its agent left off; it still knows everything'),
};

export const backgroundParameters = z.preprocess(named, z.object(fields));

export const taskParameters = z.preprocess(
  named,
  z.object({
    ...fields,
    background: z.boolean().optional().describe('True is the same as background_task'),
  }),
);

const id = z.string().min(1).describe('As background_task gave it');

/** `session_id` is the same thing. */
const withID = (given: unknown): unknown =>
  typeof given === 'object' && given !== null && !('task_id' in given) && 'session_id' in given
    ? { ...given, task_id: given.session_id }
    : given;

export const outputParameters = z.preprocess(
  withID,
  z.object({
    task_id: id,
    wait: z.boolean().default(false).describe('Wait for the end, up to the timeout'),
    timeout: z.number().int().positive().max(600).default(60).describe('Seconds'),
  }),
);

export const cancelParameters = z.preprocess(withID, z.object({ task_id: id }));
