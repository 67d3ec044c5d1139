import type { JsonObject } from '../../base/json.ts';

/** The exit code in the metadata of a call; `null` if there is none. */
export function exitCodeOf(metadata: JsonObject): number | null {
  const code = metadata.exitCode ?? metadata.exit;
  return typeof code === 'number' ? code : null;
}
