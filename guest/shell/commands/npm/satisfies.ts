import satisfiesRange from 'semver/functions/satisfies.js';
import validRange from 'semver/ranges/valid.js';

/** npm accepts versions such as `v1.2.3` and `1.2.3beta`. */
const LOOSE = { loose: true };

/**
 * Whether a version satisfies a range of package.json. A value that is not a range (a tag, an address,
 * `workspace:`) accepts every version.
 */
export function satisfies(version: string, range: string): boolean {
  return validRange(range, LOOSE) === null || satisfiesRange(version, range, LOOSE);
}
