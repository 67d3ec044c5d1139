import { manifests } from '../../src/tools/manifests.ts';
import { permissions } from '../../src/tools/permissions.ts';
import { closest } from './closest.ts';

/** All names of the app's own permissions and tools that rules are written for, those of other programs among them. */
const NAMES: readonly string[] = [
  ...permissions.map(({ id }) => id),
  ...manifests.flatMap(({ id, aliases = {} }) => [id, ...Object.keys(aliases)]),
  ...['patch', 'multiedit', 'ls', 'shell', 'subagent'],
];

export const isAppName = (name: string): boolean => NAMES.includes(name);

/**
 * The tool or permission of the app that was probably meant by a name. `undefined` if the app has the name itself, and where
 * none is close: it may be the name of a tool of the test, a page or a server.
 */
export function meantAppName(name: string): string | undefined {
  return isAppName(name) ? undefined : closest(name.toLowerCase(), NAMES);
}
