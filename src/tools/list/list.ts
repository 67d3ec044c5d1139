import * as z from 'zod';
import { FaultError } from '../../base/fault.ts';
import { define } from '../define.ts';
import { hiddenNote, listFiles, listOutputs, type Listing } from '../listing.ts';
import { askForOutputs, literal, placeOf } from '../places.ts';
import { searchPlace } from '../search-place.ts';
import { oneLine, plural } from '../text.ts';
import type { ToolResult } from '../tool.ts';
import { fitting } from '../truncate.ts';

const LIMIT = 1000;

const parameters = z.object({
  path: z.string().default('.').describe('Directory; default: the workspace root'),
});

export const listTool = define('list', {
  description: 'Lists a directory: type, size in bytes, time of change and name of each entry.',
  parameters,
  limits: [plural(LIMIT, 'entry', 'entries')],
  readOnly: true,
  async execute({ path }, context) {
    const place = await placeOf(context, path);
    if (place.kind === 'output') {
      await askForOutputs(context, place.path);
      const listing = listOutputs(context, place.path);
      if (listing) return table(place.path, listing);
      throw new FaultError({ code: 'not-found', what: `There is no directory ${oneLine(place.path)}.` });
    }
    await context.ask({
      permission: 'list',
      patterns: place.patterns,
      always: literal(place.patterns),
      subject: { kind: 'path', path: place.title },
    });
    await searchPlace(context, path, 'directory');
    // What was asked for: by now the path may lead elsewhere.
    return table(place.title, await listFiles(context, place.path));
  },
});

function table(title: string, { entries, hidden }: Listing): ToolResult {
  const first = entries.slice(0, LIMIT);
  const width = Math.max(...first.map(({ size }) => String(size).length), 1);
  const rows = fitting(
    first.map(({ name, type, size, modified }) => {
      const time = modified === undefined ? '' : `  ${new Date(modified).toISOString().slice(0, 19)}Z`;
      return `${type.padEnd(9)}  ${String(size).padStart(width)}${time}  ${oneLine(name)}`;
    }),
  );
  const truncated = rows.length < entries.length;
  const notes = [
    truncated ? `(${rows.length} of ${entries.length} entries. Use the glob tool to find a file.)` : '',
    rows.length === 0 ? 'The directory is empty.' : '',
    hiddenNote(hidden),
  ].filter(Boolean);
  return {
    title,
    output: [
      ...rows,
      ...(rows.length > 0 ? ['', `(${plural(entries.length, 'entry', 'entries')})`] : []),
      ...notes,
    ].join('\n'),
    metadata: { count: rows.length, truncated, hidden },
  };
}
