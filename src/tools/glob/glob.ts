import * as z from 'zod';
import { builtin, definedFields } from '../define.ts';
import { hiddenNote, ignoredNote } from '../listing.ts';
import { withModelFaults } from '../paths.ts';
import { resolveSearchPath } from '../search-path.ts';
import { oneLine, plural } from '../text.ts';
import { fittingLines } from '../truncate.ts';
import { globManifest } from './manifest.ts';

const LIMIT = 100;
const TIMEOUT_MS = 60_000;

const parameters = z.object({
  pattern: z.string().min(1).describe('Glob, such as `**/*.ts` or `src/{a,b}/*.js`'),
  path: z.string().optional().describe('Directory to search in; default: the workspace root'),
});

export const globTool = builtin(globManifest, {
  description: [
    'Finds files by a glob on their path, newest first, up to 100. `**` crosses directories, `*` does not.',
    'Hidden files are found. Left out: `.git`, `node_modules` and what `.gitignore` or `.ignore` leaves out, unless the pattern or path spells out its name (`node_modules/x/*.js`).',
  ].join('\n'),
  parameters,
  limits: [plural(LIMIT, 'file'), `${TIMEOUT_MS / 1000} s`],
  readOnly: true,
  async execute(input, context) {
    await context.ask({
      permission: 'glob',
      patterns: [input.pattern],
      always: ['*'],
      subject: { kind: 'input', input: definedFields(input) },
    });
    const resolved = await resolveSearchPath(context, input.path ?? '.', 'directory');
    const query = { pattern: input.pattern, path: resolved, limit: LIMIT, timeoutMs: TIMEOUT_MS };
    const { paths, timedOut, hidden, ignored, ...found } = await withModelFaults(input.pattern, () =>
      context.workspace.search.glob({
        ...query,
        skipIgnored: true,
        visibility: context.visibility(),
        signal: context.abort,
      }),
    );
    const lines = fittingLines(paths.map(oneLine));
    const truncated = found.truncated || lines.length < paths.length;
    const notes = [
      paths.length === 0 ? 'No files found.' : '',
      truncated ? `(Only the first ${lines.length} are shown. Use a narrower pattern or path.)` : '',
      timedOut ? `(The search was ended after ${TIMEOUT_MS / 1000} seconds; there may be more.)` : '',
      hiddenNote(hidden),
      paths.length === 0 ? ignoredNote(ignored) : '',
    ].filter(Boolean);
    return {
      title: input.pattern,
      output: [...lines, ...(lines.length > 0 && notes.length > 0 ? [''] : []), ...notes].join('\n'),
      metadata: { count: lines.length, truncated: truncated || timedOut, hidden, timedOut },
    };
  },
});
