import * as z from 'zod';
import { FaultError } from '../../base/fault.ts';
import { builtin } from '../define.ts';
import { hiddenNote, listFiles, listOutputs, type Listing } from '../listing.ts';
import { askForOutputs, literal, resolvePath } from '../paths.ts';
import { resolveSearchPath } from '../search-path.ts';
import { oneLine, plural } from '../text.ts';
import type { ToolContext, ToolResult } from '../tool.ts';
import { fittingLines } from '../truncate.ts';
import { listManifest } from './manifest.ts';

const LIMIT = 1000;
/** How many ignored entries are named. */
const MAX_NAMED = 20;

const parameters = z.object({
  path: z.string().default('.').describe('Directory; default: the workspace root'),
});

export const listTool = builtin(listManifest, {
  description:
    'Lists a directory: type, size in bytes, time of change and name of each entry. What `.gitignore` or `.ignore` leaves out, and `node_modules` and the like, is only named; its own path can be listed.',
  parameters,
  limits: [plural(LIMIT, 'entry', 'entries')],
  readOnly: true,
  async execute({ path }, context) {
    const resolved = await resolvePath(context, path);
    if (resolved.kind === 'output') {
      await askForOutputs(context, resolved.path);
      const listing = listOutputs(context, resolved.path);
      if (listing) return table(resolved.path, listing);
      throw new FaultError({ code: 'not-found', what: `There is no directory ${oneLine(resolved.path)}.` });
    }
    await context.ask({
      permission: 'list',
      patterns: resolved.patterns,
      always: literal(resolved.patterns),
      subject: { kind: 'path', path: resolved.title },
    });
    await resolveSearchPath(context, path, 'directory');
    // Lists the path that was allowed, as the named path may lead elsewhere by now.
    const listing = await listFiles(context, resolved.path);
    return table(resolved.title, await withoutIgnored(context, resolved.path, listing));
  },
});

interface ShownListing extends Listing {
  readonly ignored?: readonly string[];
}

async function withoutIgnored(context: ToolContext, path: string, listing: Listing): Promise<ShownListing> {
  const { ignoredEntries } = await import('../../protocol/ignored.ts');
  const ignored = await ignoredEntries(context.workspace.files, path, listing.entries);
  return {
    entries: listing.entries.filter(({ name }) => !ignored.has(name)),
    hidden: listing.hidden,
    ignored: listing.entries.flatMap(({ name, type }) =>
      ignored.has(name) ? (type === 'directory' ? `${name}/` : name) : [],
    ),
  };
}

function table(title: string, { entries, hidden, ignored = [] }: ShownListing): ToolResult {
  const first = entries.slice(0, LIMIT);
  const width = Math.max(...first.map(({ size }) => String(size).length), 1);
  const rows = fittingLines(
    first.map(({ name, type, size, modified }) => {
      const time = modified === undefined ? '' : `  ${new Date(modified).toISOString().slice(0, 19)}Z`;
      return `${type.padEnd(9)}  ${String(size).padStart(width)}${time}  ${oneLine(name)}`;
    }),
  );
  const truncated = rows.length < entries.length;
  const notes = [
    truncated ? `(${rows.length} of ${entries.length} entries. Use the glob tool to find a file.)` : '',
    rows.length === 0 && ignored.length === 0 ? 'The directory is empty.' : '',
    hiddenNote(hidden),
    ignoredNames(ignored),
  ].filter(Boolean);
  return {
    title,
    output: [
      ...rows,
      ...(rows.length > 0 ? ['', `(${plural(entries.length, 'entry', 'entries')})`] : []),
      ...notes,
    ].join('\n'),
    metadata: { count: rows.length, truncated, hidden, ignored: ignored.length },
  };
}

function ignoredNames(names: readonly string[]): string {
  if (names.length === 0) return '';
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return `(Ignored: ${names.slice(0, MAX_NAMED).map(oneLine).join(', ')}${more})`;
}
