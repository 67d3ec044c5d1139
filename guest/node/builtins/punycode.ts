import punycode from 'punycode/';
import type { MakeBuiltin } from './builtin.ts';
import { isInsideNodeModules } from './internal/caller.ts';

export const makePunycode: MakeBuiltin = ({ process }) => {
  if (!isInsideNodeModules())
    process.emitWarning(
      'The `punycode` module is deprecated. Please use a userland alternative instead.',
      'DeprecationWarning',
      'DEP0040',
    );
  return { ...punycode, version: '2.1.0' };
};
