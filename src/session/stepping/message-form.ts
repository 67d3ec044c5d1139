import * as z from 'zod/mini';
import { isObject, jsonSchema } from '../../base/json.ts';
import type { ModelMessage } from '../../models/types.ts';

/** What keeps a content from being that of a message. `path` is its place within the content, such as `[0].input`. */
export type FormProblem =
  | { readonly kind: 'lacks'; readonly path: string }
  | { readonly kind: 'empty'; readonly path: string }
  | { readonly kind: 'wrong'; readonly path: string; readonly expected: string };

const text = z.looseObject({ type: z.literal('text'), text: z.string() });
const data = z.union([z.string(), z.looseObject({})]);
const file = z.looseObject({ type: z.literal('file'), data, mediaType: z.string() });
const image = z.looseObject({ type: z.literal('image'), image: data });
const reasoning = z.looseObject({ type: z.literal('reasoning'), text: z.string() });
const ids = { toolCallId: z.string(), toolName: z.string() };
const call = z.looseObject({ type: z.literal('tool-call'), ...ids, input: jsonSchema });
const piece = z.union([
  text,
  z.looseObject({ type: z.enum(['file', 'file-data', 'image-data', 'file-url']) }),
]);
const output = z.discriminatedUnion('type', [
  z.looseObject({ type: z.enum(['text', 'error-text']), value: z.string() }),
  z.looseObject({ type: z.enum(['json', 'error-json']), value: jsonSchema }),
  z.looseObject({ type: z.literal('content'), value: z.array(piece) }),
  z.looseObject({ type: z.literal('execution-denied') }),
]);
const result = z.looseObject({ type: z.literal('tool-result'), ...ids, output });

/** The parts that messages of each role may have, by type. */
const PARTS: Readonly<Record<ModelMessage['role'], Readonly<Record<string, z.ZodMiniType>>>> = {
  system: {},
  user: { text, file, image },
  assistant: { text, file, reasoning, 'tool-call': call, 'tool-result': result },
  tool: { 'tool-result': result },
};

/**
 * Checks a content against the form that the messages of a request have. The SDK has a schema, too, but loading it
 * takes the whole SDK, and it accepts a call without arguments.
 */
export function formProblem(role: ModelMessage['role'], content: unknown): FormProblem | null {
  const parts = PARTS[role];
  if (typeof content === 'string' && role !== 'tool') return null;
  if (role === 'system') return wrong('', 'string');
  if (!Array.isArray(content)) return wrong('', role === 'tool' ? 'array' : 'string, array');
  if (content.length === 0) return { kind: 'empty', path: '' };
  for (const [index, part] of content.entries()) {
    const problem = partProblem(parts, part, [index]);
    if (problem) return problem;
  }
  return null;
}

function partProblem(
  parts: Readonly<Record<string, z.ZodMiniType>>,
  part: unknown,
  at: readonly PropertyKey[],
): FormProblem | null {
  if (!isObject(part)) return wrong(pathOf(at), 'object');
  const { type } = part;
  if (type === undefined) return { kind: 'lacks', path: pathOf([...at, 'type']) };
  const schema = typeof type === 'string' && Object.hasOwn(parts, type) ? parts[type] : undefined;
  if (!schema) return wrong(pathOf([...at, 'type']), Object.keys(parts).join(', '));
  const parsed = z.safeParse(schema, part, { reportInput: true });
  const issue = parsed.error?.issues[0];
  if (!issue) return null;
  const path = pathOf([...at, ...issue.path]);
  if (issue.input === undefined) return { kind: 'lacks', path };
  return wrong(path, 'expected' in issue ? String(issue.expected) : issue.message);
}

function wrong(path: string, expected: string): FormProblem {
  return { kind: 'wrong', path, expected };
}

function pathOf(path: readonly PropertyKey[]): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');
}
