import * as z from 'zod';
import { define, given } from '../define.ts';
import { hiddenNote } from '../listing.ts';
import { inWords } from '../places.ts';
import { searchPlace } from '../search-place.ts';
import { oneLine, plural } from '../text.ts';
import { fitting } from '../truncate.ts';

const LIMIT = 100;
const TIMEOUT_MS = 60_000;

const parameters = z.object({
  pattern: z.string().min(1).describe('Glob, such as `**/*.ts` or `src/{a,b}/*.js`'),
  path: z.string().optional().describe('Directory to search in; default: the workspace root'),
});

export const globTool = define('glob', {
  description: [
    'Finds files by a glob on their path, newest first, up to 100. `**` crosses directories, `*` does not.',
    'Hidden files are found, `.git` is not searched.',
  ].join('\n'),
  parameters,
  limits: [plural(LIMIT, 'file'), `${TIMEOUT_MS / 1000} s`],
  readOnly: true,
  async execute(input, context) {
    await context.ask({
      permission: 'glob',
      patterns: [input.pattern],
      always: ['*'],
      subject: { kind: 'input', input: given(input) },
    });
    const place = await searchPlace(context, input.path ?? '.', 'directory');
    const query = { pattern: input.pattern, path: place, limit: LIMIT, timeoutMs: TIMEOUT_MS };
    const { paths, timedOut, hidden, ...found } = await inWords(input.pattern, () =>
      context.workspace.search.glob({
        ...query,
        visibility: context.visibility(),
        signal: context.abort,
      }),
    );
    const lines = fitting(paths.map(oneLine));
    const truncated = found.truncated || lines.length < paths.length;
    const notes = [
      paths.length === 0 ? 'No files found.' : '',
      truncated ? `(Only the first ${lines.length} are shown. Use a narrower pattern or path.)` : '',
      timedOut ? `(The search was ended after ${TIMEOUT_MS / 1000} seconds; there may be more.)` : '',
      hiddenNote(hidden),
    ].filter(Boolean);
    return {
      title: input.pattern,
      output: [...lines, ...(lines.length > 0 && notes.length > 0 ? [''] : []), ...notes].join('\n'),
      metadata: { count: lines.length, truncated: truncated || timedOut, hidden, timedOut },
    };
  },
});
