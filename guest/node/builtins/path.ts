import type { MakeBuiltin } from './builtin.ts';
import { makePosix } from './path/posix.ts';
import { makeWin32 } from './path/win32.ts';

export const makePath: MakeBuiltin = (host) => {
  const cwd = () => host.process.cwd();
  const patterns = () => host.part('patterns');
  const posix = makePosix(cwd, patterns);
  const win32 = makeWin32(cwd, patterns);
  for (const each of [posix, win32]) Object.assign(each, { win32, posix });
  return posix;
};
