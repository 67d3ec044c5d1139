import { builtins } from './builtins/index.ts';
import { invoke } from './command.ts';
import { addParameter } from './parameters.ts';
import { run, runList, runScript } from './run.ts';
import type { Interpreter } from './shell.ts';
import { processSubstitution, substitute } from './substitution.ts';

export const interpreter: Interpreter = {
  builtins,
  addParameter,
  substitute,
  processSubstitution,
  invoke,
  run,
  runList,
  runScript,
};
