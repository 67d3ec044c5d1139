import type { Place } from './events.ts';

/** The position of the caller in the program, outside this runtime's own code. */
export function callerPlace(): Place | undefined {
  for (const line of new Error().stack?.split('\n') ?? []) {
    const found = /\(?((?:file:\/\/)?\/[^()]*?):(\d+):(\d+)\)?$/.exec(line);
    if (!found || /blob:|node:/.test(line)) continue;
    const [, place = '', row = '', column = ''] = found;
    const file = place.startsWith('file://') ? decodeURIComponent(place.slice(7)) : place;
    return { line: Number(row), column: Number(column), file: file.replace(/\?.*$/, '') };
  }
  return undefined;
}
