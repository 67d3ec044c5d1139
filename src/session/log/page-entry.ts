import * as z from 'zod/mini';
import { CONSOLE_LEVELS } from '../../protocol/preview.ts';

/** How often it happened one time after the other; once if absent. */
const repeated = { times: z.exactOptional(z.int().check(z.positive())) };

/** Something that happened in the preview. The texts are the page's, so they may say anything. Long ones are cut. */
export const pageEntrySchema = z.discriminatedUnion('kind', [
  /** The preview went to another page. */
  z.object({ kind: z.literal('page'), target: z.string(), ...repeated }),
  z.object({
    kind: z.literal('console'),
    level: z.enum(CONSOLE_LEVELS),
    text: z.string(),
    source: z.string(),
    ...repeated,
  }),
  z.object({
    kind: z.literal('error'),
    text: z.string(),
    source: z.string(),
    stack: z.string(),
    ...repeated,
  }),
  /** A request that failed, with the status of its answer, or without one and with the reason. */
  z.object({
    kind: z.literal('request'),
    method: z.string(),
    target: z.string(),
    status: z.exactOptional(z.int()),
    problem: z.exactOptional(z.string()),
    ms: z.number(),
    ...repeated,
  }),
  /** The browser refused an address that the preview's policy does not allow. */
  z.object({ kind: z.literal('blocked'), url: z.string(), directive: z.string(), ...repeated }),
]);
export type PageEntry = z.infer<typeof pageEntrySchema>;
