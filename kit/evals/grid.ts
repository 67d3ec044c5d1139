import * as z from 'zod/mini';
import { messageOf } from '../../src/base/message-of.ts';
import '../../src/base/zod-config.ts';
import { configProblems } from '../options/config-problems.ts';
import { permissionProblems } from '../options/permission-problems.ts';
import { isRegExp } from '../../src/base/regexp.ts';

const number = z.number().check(z.nonnegative());

const taskSchema = z.strictObject({
  name: z.string().check(z.minLength(1)),
  prompt: z.string().check(z.minLength(1)),
  /** A folder that is copied into the workspace, relative to the grid's file. */
  folder: z.optional(z.string()),
  /** Files of the workspace, text by path. */
  files: z.optional(z.record(z.string(), z.string())),
  /** A command of the workspace that decides: it must end with 0. */
  check: z.optional(z.string()),
  /** A regular expression that one of the answers must match. */
  said: z.optional(z.string().check(z.refine(isRegExp, 'is not a regular expression'))),
  calls: z.optional(
    z.strictObject({
      are: z.array(
        z.union([z.string(), z.strictObject({ tool: z.string(), input: z.optional(z.unknown()) })]),
      ),
      mode: z.optional(z.enum(['strict', 'unordered', 'subset', 'superset'])),
    }),
  ),
  /** Limits of the turn: steps, tokens, US dollars and milliseconds. */
  budget: z.optional(
    z.strictObject({
      steps: z.optional(number),
      tokens: z.optional(number),
      cost: z.optional(number),
      ms: z.optional(number),
    }),
  ),
});

const common = {
  name: z.string().check(z.minLength(1)),
  /** Becomes `opencode.json` of the workspace. */
  config: z.optional(z.record(z.string(), z.unknown())),
};
const scriptedSchema = z.strictObject({ ...common, script: z.string() });
const providerSchema = z.strictObject({
  ...common,
  provider: z.string(),
  model: z.string(),
  baseURL: z.optional(z.string()),
  /** The name of the environment variable with the key. A key itself never stands in a grid. */
  keyFrom: z.optional(z.string()),
});

const gridSchema = z.strictObject({
  title: z._default(z.string(), 'Evaluation'),
  tasks: z.array(taskSchema).check(z.minLength(1)),
  models: z.array(z.union([scriptedSchema, providerSchema])).check(z.minLength(1)),
  /** How often each task is given to each model. */
  runs: z._default(z.int().check(z.minimum(1), z.maximum(1000)), 1),
  permission: z._default(z.unknown(), 'allow'),
  /** For one run. */
  timeoutSeconds: z._default(z.number().check(z.minimum(1), z.maximum(86_400)), 600),
  /** The share of runs that must pass in every cell for the exit code 0. */
  atLeast: z._default(z.number().check(z.minimum(0), z.maximum(1)), 1),
});

export type Grid = z.infer<typeof gridSchema>;
export type Task = z.infer<typeof taskSchema>;
export type GridModel = Grid['models'][number];

/** Reads the text of a grid's file. Throws an error that names the file and each member that does not fit. */
export function readGrid(text: string, file: string): Grid {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is not JSON: ${messageOf(error)}`);
  }
  const parsed = gridSchema.safeParse(value);
  if (!parsed.success) throw new Error(`${file} is no grid:\n${z.prettifyError(parsed.error)}`);
  const { permission, models } = parsed.data;
  const problems = [
    ...permissionProblems(permission, 'permission'),
    ...models.flatMap(({ config }, at) => (config ? configProblems(config, `models[${at}].config`) : [])),
  ];
  if (problems.length > 0) throw new Error(`${file} is no grid:\n${problems.join('\n')}`);
  for (const list of [parsed.data.tasks, parsed.data.models]) requireDifferentNames(list, file);
  return parsed.data;
}

function requireDifferentNames(list: readonly { readonly name: string }[], file: string): void {
  const names = list.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`${file} is no grid: the name "${twice}" stands there twice.`);
  const alike = names.find((name, at) => names.findIndex((one) => fileName(one) === fileName(name)) !== at);
  if (alike !== undefined)
    throw new Error(
      `${file} is no grid: the name "${alike}" gives recordings the same names as another one.`,
    );
}

/** A name as the part of a recording's file name. */
export function fileName(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-+|-+$/g, '') || 'unnamed'
  );
}
