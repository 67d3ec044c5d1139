import * as z from 'zod';
import { NODE_PARTS, SHELL_PARTS } from '../../protocol/frame.ts';
import { JOB_END_CAUSES, TAIL_CHARACTERS } from '../../protocol/jobs.ts';
import { isCanonicalRelative, isInside } from '../../protocol/paths.ts';
import { ROOT } from '../workspace.ts';

/*
 * Validates everything that comes from the frame, because programs run in there, and the app stores its files, passes them
 * to tools and shows them.
 */

const bytes = z.custom<Uint8Array<ArrayBuffer>>(
  (value) => value instanceof Uint8Array && value.buffer instanceof ArrayBuffer,
  'expected bytes',
);
const count = z.number().int().nonnegative();
const milliseconds = z.number().nonnegative();
const pathInside = z.string().refine((path) => isInside(path, ROOT), 'outside the workspace');
const relativePath = z.string().refine(isCanonicalRelative, 'not a path inside the workspace');
const mode = z.number().int().min(0).max(0o7777);
const nodeType = z.enum(['file', 'directory', 'symlink']);
const hash = z.string().regex(/^[0-9a-f]{64}$/);

const nodeMeta = z.object({
  path: relativePath,
  type: nodeType,
  mode,
  modified: z.number(),
  target: z.string().exactOptional(),
  twin: count.exactOptional(),
  stored: z.object({ hash, size: count }).exactOptional(),
});

const journalChange = z.discriminatedUnion('op', [
  z
    .object({ op: z.literal('put'), node: nodeMeta, bytes })
    // Only the app says which hash a content has: others share what is stored under it.
    .refine(({ node, bytes: content }) => !node.stored || content.byteLength === 0, 'a content with a hash'),
  z.object({ op: z.literal('remove'), path: relativePath }),
]);

const exit = z.object({
  exitCode: z.number().int(),
  reason: z.enum(['exit', 'killed', 'timeout', 'lost']),
  durationMs: milliseconds,
  cwd: z.string(),
  outputMayBeCut: z.boolean(),
  refusedReads: count.exactOptional(),
  refusedWrites: z.array(z.string()).exactOptional(),
  jobs: z.array(count).exactOptional(),
});

const port = z.number().int().min(0).max(65_535);

const job = z.object({
  id: count,
  number: count,
  owner: z.string(),
  command: z.string(),
  started: milliseconds,
  log: z.string(),
  writesTo: z.string().exactOptional(),
  ports: z.array(port),
  tail: z.string().max(TAIL_CHARACTERS),
  end: z.object({ at: milliseconds, exitCode: z.number().int(), by: z.enum(JOB_END_CAUSES) }).exactOptional(),
});

const lineState = z.object({
  count,
  exitCode: z.number().int(),
  cwd: z.string(),
  isIdle: z.boolean(),
  unread: z.string(),
  names: z.object({ commands: z.array(z.string()), variables: z.array(z.string()) }),
});

const netRequest = z.object({
  url: z.string(),
  method: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: bytes.nullable(),
  redirect: z.literal('error').exactOptional(),
});

export const fromKernel = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('hello') }),
  z.object({ kind: z.literal('pong') }),
  z.object({ kind: z.literal('answer'), id: count, value: z.unknown() }),
  z.object({
    kind: z.literal('failed'),
    id: count,
    code: z.string(),
    path: z.string(),
    message: z.string(),
  }),
  z.object({ kind: z.literal('batch'), changes: z.array(journalChange) }),
  z.object({
    kind: z.literal('changes'),
    changes: z.array(z.object({ path: pathInside, change: z.enum(['created', 'modified', 'removed']) })),
  }),
  z.object({ kind: z.literal('output'), process: z.string(), bytes }),
  z.object({ kind: z.literal('lineDone'), process: z.string(), state: lineState }),
  z.object({
    kind: z.literal('keyboard'),
    process: z.string(),
    mode: z.object({ raw: z.boolean(), echo: z.boolean() }),
  }),
  z.object({ kind: z.literal('exited'), process: z.string(), exit }),
  z.object({ kind: z.literal('jobs'), jobs: z.array(job) }),
  z.object({ kind: z.literal('servers'), ports: z.array(port) }),
  z.object({ kind: z.literal('outside'), id: count, path: z.string() }),
  z.object({ kind: z.literal('wantContents'), id: count, hashes: z.array(hash) }),
  z.object({ kind: z.literal('wantNode') }),
  z.object({ kind: z.literal('wantPart'), part: z.enum([...NODE_PARTS, ...SHELL_PARTS]) }),
  z.object({ kind: z.literal('wantImage'), name: z.string() }),
  z.object({ kind: z.literal('reach'), request: netRequest, channel: z.instanceof(MessagePort) }),
]);
export type ParsedFromKernel = z.infer<typeof fromKernel>;

const stat = z.object({ type: nodeType, size: count, modified: z.number(), mode });
const found = { truncated: z.boolean(), timedOut: z.boolean(), hidden: count, ignored: z.boolean() };

function matchesIn<Path extends z.ZodType<string>>(path: Path) {
  return z.object({
    matches: z.array(
      z.object({
        path,
        line: z.number().int().positive(),
        text: z.string(),
        before: z.array(z.string()).exactOptional(),
        after: z.array(z.string()).exactOptional(),
      }),
    ),
    ...found,
  });
}

/** The answer to a search in these texts. It may name no other paths. */
export function grepAnswerIn(texts: readonly { readonly path: string }[]) {
  const paths = new Set(texts.map(({ path }) => path));
  return matchesIn(z.string().refine((path) => paths.has(path), 'not among the texts that were searched'));
}

/** The answer to each call. */
export const answers = {
  nothing: z.unknown().transform(() => undefined),
  resolve: pathInside,
  scratch: z.array(z.object({ node: nodeMeta, bytes })),
  read: bytes,
  stat: stat.nullable(),
  readLink: z.string().nullable(),
  list: z.array(stat.extend({ name: z.string().refine((name) => !name.includes('/')) })),
  glob: z.object({ paths: z.array(pathInside), ...found }),
  grep: matchesIn(pathInside),
  text: z.string(),
  node: z
    .object({
      version: z.string(),
      unsupported: z.array(z.object({ modules: z.array(z.string()), why: z.string(), whole: z.boolean() })),
    })
    .nullable(),
  hashes: z.array(hash),
  contents: z.array(bytes),
  snapshot: z.object({
    id: z.string().max(100),
    whole: z.boolean(),
    changed: z.array(
      z.discriminatedUnion('type', [
        z.object({ type: z.literal('directory'), path: relativePath, mode }),
        z.object({ type: z.literal('symlink'), path: relativePath, target: z.string() }),
        z.object({
          type: z.literal('file'),
          path: relativePath,
          mode,
          modified: z.number(),
          size: count,
          hash,
        }),
      ]),
    ),
    gone: z.array(relativePath),
  }),
};
