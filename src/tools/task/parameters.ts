import * as z from 'zod';

/** Other names that models use for the parameters. */
const ALIASES: readonly (readonly [alias: string, name: string])[] = [
  ['subagent_type', 'agent'],
  ['task_id', 'session_id'],
  ['run_in_background', 'background'],
];

function withoutAliases(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const input: Record<string, unknown> = { ...given };
  for (const [alias, name] of ALIASES) {
    input[name] ??= input[alias];
    delete input[alias];
  }
  // Models may write null or an empty string for a parameter that they leave out.
  for (const name of ['agent', 'session_id', 'background'])
    if (input[name] === null || input[name] === '' || input[name] === undefined) delete input[name];
  return input;
}

const fields = {
  description: z.string().min(1).describe('Names the work in 3 to 5 words'),
  prompt: z
    .string()
    .min(1)
    .describe(
      'Everything that the agent must know: it cannot see this conversation. Say what it should answer.',
    ),
  agent: z.string().optional().describe('The agent to use; default: general'),
  session_id: z
    .string()
    .optional()
    .describe('The id of an earlier task to continue; its agent remembers everything'),
};

export const backgroundParameters = z.preprocess(withoutAliases, z.object(fields));

export const taskParameters = z.preprocess(
  withoutAliases,
  z.object({
    ...fields,
    background: z.boolean().optional().describe('True is the same as background_task'),
  }),
);

const id = z.string().min(1).describe('The id that background_task returned');

/** Accepts `session_id` for `task_id`. */
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
