import type { MakeBuiltin } from './builtin.ts';
import { makePosix } from './path/posix.ts';
import { makeWin32 } from './path/win32.ts';

export const makePath: MakeBuiltin = ({ process }) => {
  const posix = makePosix(() => process.cwd());
  const win32 = makeWin32(() => process.cwd());
  for (const each of [posix, win32]) Object.assign(each, { win32, posix });
  return posix;
};
