import {
  argTypeError,
  needFunction,
  needInteger,
  needObject,
  nodeError,
} from '../../builtins/internal/errors.ts';

export interface CpOptions {
  readonly recursive?: boolean;
  readonly force?: boolean;
  readonly errorOnExist?: boolean;
  readonly dereference?: boolean;
  readonly preserveTimestamps?: boolean;
  readonly verbatimSymlinks?: boolean;
  readonly mode?: number;
  readonly filter?: (source: string, target: string) => unknown;
}

/** Throws where options have the wrong type. */
export function checkOptions(options: unknown): asserts options is CpOptions {
  needObject(options, 'options');
  const given = options;
  for (const name of [
    'dereference',
    'errorOnExist',
    'force',
    'preserveTimestamps',
    'recursive',
    'verbatimSymlinks',
  ])
    if (name in given && typeof given[name] !== 'boolean')
      throw argTypeError(`options.${name}`, 'boolean', given[name]);
  if (given.dereference === true && given.verbatimSymlinks === true)
    throw nodeError(
      'ERR_INCOMPATIBLE_OPTION_PAIR',
      'Option "dereference" cannot be used in combination with option "verbatimSymlinks"',
      TypeError,
    );
  needInteger(given.mode ?? 0, 'mode', 0, 7);
  if (given.filter !== undefined) needFunction(given.filter, 'options.filter');
}
