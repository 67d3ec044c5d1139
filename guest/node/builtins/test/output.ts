import { dotReporter, specReporter, tapReporter, type Reporter } from './reporters.ts';
import { nodeError } from '../internal/errors.ts';

/** The reporter that a run was asked for, or what suits where its output goes. */
export function reporterFor(process: NodeJS.Process, asked: string | undefined): Reporter {
  const { stdout } = process;
  const colors = Boolean(stdout.isTTY) && !process.env.NO_COLOR;
  switch (asked ?? (stdout.isTTY ? 'spec' : 'tap')) {
    case 'spec':
      return specReporter({ cwd: process.cwd(), colors });
    case 'tap':
      return tapReporter();
    case 'dot':
      return dotReporter({ columns: Math.max(stdout.columns || 20, 20) });
    default:
      throw nodeError(
        'ERR_INVALID_ARG_VALUE',
        `The reporter '${asked}' is not available in this workspace: there are spec, tap and dot`,
        TypeError,
      );
  }
}

/** Begins a line of output that holds an event for the process that runs the test files. */
export const EVENT_MARK = '\u0001test\u0001';
/** In the environment of a test file's process. */
export const CHILD_CONTEXT = 'child-vitrine';
