import { ROOT } from '../../../base/places.ts';
import type { PreviewTarget } from '../../../preview/target.ts';
import { previewWords as words } from './words.ts';

/** Things of one kind that the preview can show. */
export interface SourceGroup {
  readonly name: string;
  readonly options: readonly { readonly value: string; readonly name: string }[];
}

/** `ended` is the port of the shown server if it does not run any more. `folders` are paths below the root. */
export function sourceGroups(
  ports: readonly number[],
  ended: number | null,
  folders: readonly string[],
): readonly SourceGroup[] {
  const servers = ports.map((port) => ({ value: serverValue(port), name: words.serverName(port) }));
  const over = ended === null ? [] : [{ value: serverValue(ended), name: words.serverOver(ended) }];
  const sites = folders.map((folder) => ({
    value: sourceOf({ kind: 'folder', path: folderPath(folder) }),
    name: words.folder(folder),
  }));
  return [
    { name: words.servers, options: [...over, ...servers] },
    { name: words.folders, options: sites },
  ].filter(({ options }) => options.length > 0);
}

/** The value of the option for a target; empty for none. */
export function sourceOf(target: PreviewTarget | null | undefined): string {
  if (!target) return '';
  return target.kind === 'server' ? serverValue(target.port) : `folder ${target.path}`;
}

export function targetOf(value: string): PreviewTarget | undefined {
  const [kind, ...rest] = value.split(' ');
  const what = rest.join(' ');
  if (kind === 'port') return { kind: 'server', port: Number(what) };
  return kind === 'folder' ? { kind: 'folder', path: what } : undefined;
}

export function folderPath(folder: string): string {
  return folder === '' ? ROOT : `${ROOT}/${folder}`;
}

function serverValue(port: number): string {
  return `port ${port}`;
}
