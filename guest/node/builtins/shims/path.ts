import { unavailable } from '../internal/errors.ts';
import { makePosix } from '../path/posix.ts';
import { makeWin32 } from '../path/win32.ts';

const cwd = () => globalThis.process.cwd();
const patterns = () => {
  throw unavailable('path.matchesGlob', 'packages that stand for modules of node have no use for it');
};
export const posix = makePosix(cwd, patterns);
export const win32 = makeWin32(cwd, patterns);
export default { ...posix, posix, win32 };
