import type { LoadBuiltin, NodeHost } from '../builtin.ts';
import { unavailable } from '../internal/errors.ts';
import type { CoverageSummary } from './harness.ts';
import type { CoverageConfig } from './options.ts';

export interface Coverage {
  /** What the processes of test files are given, so that they count, too. */
  readonly env: Readonly<Record<string, string>>;
  summary(): CoverageSummary;
}

export function startCoverage(_host: NodeHost, _load: LoadBuiltin, _config: CoverageConfig): Coverage {
  throw unavailable('--experimental-test-coverage', 'the engine counts nothing for programs here');
}
