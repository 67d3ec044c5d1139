import { WorkspaceError, type Files } from '../workspace/workspace.ts';
import { bytesAnswer, textAnswer, type Answered } from './answered.ts';
import { mediaTypeOf } from './media-types.ts';

export interface SiteFolder {
  /** Absolute. */
  readonly path: string;
  readonly files: Files;
  /** Whether the rules for reading show the file at an absolute path. */
  isVisible(path: string): Promise<boolean>;
}

/**
 * Answers as a static server does: the file at the path, or the `index.html` of a folder. Files whose names begin with a dot,
 * and those that the rules for reading hide, are not there.
 */
export async function answerFromFolder(site: SiteFolder, method: string, target: string): Promise<Answered> {
  if (method !== 'GET' && method !== 'HEAD')
    return textAnswer(405, `A folder answers only GET, not ${method}. Start a server for more.`, [
      ['allow', 'GET, HEAD'],
    ]);
  const path = pathIn(target);
  if (path === undefined) return textAnswer(400, 'This is not a path.');
  if (path.split('/').some((name) => name.startsWith('.') && name !== '.well-known')) return missing(path);
  try {
    const at = path === '/' ? site.path : `${site.path}${path.replace(/\/$/, '')}`;
    const stat = await site.files.stat(at);
    if (stat?.type === 'directory' && !path.endsWith('/')) return redirect(`${target.split('?')[0]}/`);
    const file = stat?.type === 'directory' ? `${at}/index.html` : at;
    // A link may lead to a file that is hidden under its own name.
    const real = await site.files.resolve(file);
    if (!(await site.isVisible(file)) || !(await site.isVisible(real))) return missing(path);
    const bytes = await site.files.read(real, { real: true });
    return bytesAnswer(200, method === 'HEAD' ? new Uint8Array() : bytes.slice(), [
      ['content-type', mediaTypeOf(file)],
      ['cache-control', 'no-store'],
    ]);
  } catch (error) {
    if (error instanceof WorkspaceError && error.code !== 'EGONE') return missing(path);
    throw error;
  }
}

function redirect(location: string): Answered {
  return bytesAnswer(301, new Uint8Array(), [['location', location]]);
}

function missing(path: string): Answered {
  return textAnswer(404, `There is no file ${path} here.`);
}

/** The decoded path, without `..`; undefined where it is none. */
function pathIn(target: string): string | undefined {
  try {
    const path = decodeURIComponent(new URL(target, 'http://preview').pathname);
    return path.includes('\0') || path.split('/').includes('..') ? undefined : path;
  } catch {
    return undefined;
  }
}
