import { manifests } from '../../src/tools/manifests.ts';
import { permissions } from '../../src/tools/permissions.ts';
import { closest } from './closest.ts';

/** All names of the app's own permissions and tools that rules are written for, those of other programs among them. */
const NAMES: readonly string[] = [
  ...permissions.map(({ id }) => id),
  ...manifests.flatMap(({ id, aliases = {} }) => [id, ...Object.keys(aliases)]),
  ...['patch', 'multiedit', 'ls', 'shell', 'subagent'],
];

/** Returns the name of the app that was probably meant by one that the app has not. Returns `undefined` where the name is right, or close to none. */
export function meantName(name: string): string | undefined {
  return isAppName(name) ? undefined : closestAppName(name);
}

/** Tells whether the app has a tool or a permission of this name. Others can be those of a test, a page or a server. */
export const isAppName = (name: string): boolean => NAMES.includes(name);

/** Returns the tool or permission of the app that was probably meant by a name. Returns `undefined` where none is close. */
export function closestAppName(name: string): string | undefined {
  return closest(name.toLowerCase(), NAMES);
}
