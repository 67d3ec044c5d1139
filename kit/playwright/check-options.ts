import * as z from 'zod/mini';
import '../../src/base/zod-config.ts';
import { REMOTE_PROVIDERS } from '../../src/models/providers/names.ts';
import type { VitrineOptions } from './options.ts';

const textByName = z.optional(z.record(z.string(), z.string()));
const object = z.record(z.string(), z.unknown());

const schema = z.strictObject({
  files: z.optional(z.record(z.string(), z.union([z.string(), z.instanceof(Uint8Array)]))),
  folder: z.optional(z.string()),
  config: z.optional(object),
  recording: z.optional(z.union([z.string(), object])),
  mcp: textByName,
  permission: z.optional(z.union([z.string(), object])),
  agent: z.optional(z.string()),
  hosts: z.optional(z.array(z.string())),
  script: z.optional(z.union([z.array(object), object])),
  model: z.optional(
    z.strictObject({
      provider: z.enum(REMOTE_PROVIDERS),
      model: z.string(),
      baseURL: z.optional(z.string()),
      apiKey: z.optional(z.string()),
    }),
  ),
  tools: z.optional(
    z.array(
      z.strictObject({
        name: z.string(),
        description: z.optional(z.string()),
        schema: z.optional(object),
        execute: z.custom((value) => typeof value === 'function', 'is no function'),
      }),
    ),
  ),
  seed: z.optional(z.number()),
  time: z.optional(z.union([z.string(), z.number(), z.date()])),
  parameters: textByName,
});

/**
 * Throws if an option has an unknown name or a wrong type, or if two of them cannot both hold. Playwright runs tests without
 * checking types, so a misspelt option would otherwise be as if it were not there.
 */
export function checkOptions(options: VitrineOptions): void {
  const { success, error } = schema.safeParse(options);
  if (!success)
    throw new Error(
      `The option "vitrine" is wrong:\n${z.prettifyError(error)}\nIts members are ${Object.keys(schema.shape).join(', ')}.`,
    );
  const { script, model, seed, time } = options;
  if (script !== undefined && model !== undefined)
    throw new Error('The options "script" and "model" exclude each other: one of them answers the agent.');
  if (seed === undefined && time !== undefined)
    throw new Error('The option "time" needs a "seed": without one, the test runs in real time.');
}
