import type { SourcePosition } from './events.ts';

/** The position of the caller in the program, outside this runtime's own code. */
export function callerPosition(): SourcePosition | undefined {
  for (const line of new Error().stack?.split('\n') ?? []) {
    const found = /\(?((?:file:\/\/)?\/[^()]*?):(\d+):(\d+)\)?$/.exec(line);
    if (!found || /blob:|node:/.test(line)) continue;
    const [, path = '', row = '', column = ''] = found;
    const file = path.startsWith('file://') ? decodeURIComponent(path.slice(7)) : path;
    return { line: Number(row), column: Number(column), file: file.replace(/\?.*$/, '') };
  }
  return undefined;
}
