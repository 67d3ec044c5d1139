import type { MakeBuiltin } from './builtin.ts';

/** Makes `node:constants`, which has all system constants in one object for old programs. */
export const makeConstants: MakeBuiltin = (_host, load) => {
  const { constants } = load('os');
  return Object.freeze({
    ...constants.dlopen,
    ...constants.errno,
    ...constants.priority,
    ...constants.signals,
    ...load('fs').constants,
    ...(Reflect.get(Object(load('crypto')), 'constants') as object),
  });
};
