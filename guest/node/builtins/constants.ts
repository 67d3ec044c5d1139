import type { MakeBuiltin } from './builtin.ts';

/** All constants of the system in one, as programs of long ago want them. */
export const makeConstants: MakeBuiltin = (_host, load) => {
  const { constants } = load('os');
  return Object.freeze({
    ...constants.dlopen,
    ...constants.errno,
    ...constants.priority,
    ...constants.signals,
    ...load('fs').constants,
    ...(Reflect.get(Object(load('crypto')) as object, 'constants') as object),
  });
};
