import * as z from 'zod/mini';
import { transferableBytes as bytes } from '../base/byte-schema.ts';
import { CONSOLE_LEVELS, LONGEST_PAGE_PICTURE, LONGEST_PAGE_TEXT } from '../protocol/preview.ts';

/* Validates everything that comes from a preview, because whatever runs in it may send anything. */

const count = z.number().check(z.int(), z.nonnegative());
const text = z.string().check(z.maxLength(LONGEST_PAGE_TEXT + 1));
const address = z.string().check(z.maxLength(64_000));
const path = address.check(z.regex(/^\/[^\s\\]*$/));

export const previewRequest = z.object({
  method: z.string().check(z.regex(/^[!#$%&'*+.^_`|~\w-]{1,32}$/)),
  target: path,
  headers: z.array(z.tuple([z.string().check(z.regex(/^[!#$%&'*+.^_`|~\w-]+$/)), address])),
  hasBody: z.boolean(),
  destination: z.string().check(z.maxLength(40)),
  referrer: address,
  cookies: z.boolean(),
});

export const fromClient = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('gone') }),
  z.object({ kind: z.literal('used'), bytes: count }),
  z.object({ kind: z.literal('body'), bytes }),
  z.object({ kind: z.literal('end') }),
]);

export const fromShell = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('worker') }),
  z.object({ kind: z.literal('page') }),
]);

export const shellMessage = z.object({
  vitrine: z.enum(['shell-progress', 'shell-ready', 'shell-failed']),
  reason: z.optional(text),
});

export const fromPage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('at'), target: path, title: text, loaded: z.boolean() }),
  z.object({ kind: z.literal('console'), level: z.enum(CONSOLE_LEVELS), text, source: text }),
  z.object({ kind: z.literal('error'), text, source: text, stack: text }),
  z.object({ kind: z.literal('blocked'), url: text, directive: text }),
  z.object({ kind: z.literal('cookie'), text: z.string().check(z.maxLength(8_192)) }),
  z.object({ kind: z.literal('socket'), url: path, protocols: z.array(text) }),
  z.object({ kind: z.literal('left') }),
  z.object({ kind: z.literal('request'), request: previewRequest }),
  z.object({
    kind: z.literal('navigate'),
    target: path,
    form: z.optional(z.object({ type: text, bytes })),
  }),
  z.object({
    kind: z.literal('answer'),
    id: count,
    value: z.string().check(z.maxLength(LONGEST_PAGE_PICTURE)),
  }),
  z.object({ kind: z.literal('failed'), id: count, message: text }),
]);
export type ParsedFromPage = z.infer<typeof fromPage>;

const socketData = z.union([z.string(), bytes]);
export const fromSocketPage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('send'), data: socketData }),
  z.object({ kind: z.literal('close'), code: z.optional(count), reason: z.optional(z.string()) }),
]);
