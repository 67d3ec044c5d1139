import { makePosix } from '../path/posix.ts';
import { makeWin32 } from '../path/win32.ts';

const cwd = () => globalThis.process.cwd();
export const posix = makePosix(cwd);
export const win32 = makeWin32(cwd);
export default { ...posix, posix, win32 };
