import { isObject } from '../../src/base/json.ts';
import { shown } from '../matchers/matches.ts';
import { closestAppName, isAppName } from './app-names.ts';

const ACTIONS: readonly unknown[] = ['allow', 'ask', 'deny'];
const ACTION = '"allow", "ask" or "deny"';

/**
 * Says what is wrong in rules, which stand at `where`. A name that is none of the app's may be that of a tool of the test, a
 * page or a server; it is refused where it is almost one of the app's. `own` are the names of tools that are known already.
 */
export function permissionProblems(rules: unknown, where: string, own: readonly string[] = []): string[] {
  if (rules === undefined || ACTIONS.includes(rules)) return [];
  if (!isObject(rules))
    return [
      `${where} is ${shown(rules)}. Write ${ACTION}, or an object with one of these for each permission.`,
    ];
  return Object.entries(rules).flatMap(([name, value]) => [
    ...nameProblems(name, where, own),
    ...actionProblems(value, `${where}[${JSON.stringify(name)}]`),
  ]);
}

function nameProblems(name: string, where: string, own: readonly string[]): string[] {
  if (isAppName(name) || own.includes(name) || /[*?/]/.test(name.replace(/\(.*/, ''))) return [];
  const [, plain = name, pattern] = /^(\w+)\((.*)\)$/.exec(name) ?? [];
  const meant = closestAppName(plain);
  if (meant === undefined) return [];
  const instead = pattern === undefined ? `"${meant}"` : `{ ${meant}: { ${JSON.stringify(pattern)}: … } }`;
  return [
    `${where} has ${JSON.stringify(name)}, which is no permission and no tool. Did you mean ${instead}?`,
  ];
}

function actionProblems(value: unknown, where: string): string[] {
  if (ACTIONS.includes(value)) return [];
  if (!isObject(value))
    return [`${where} is ${shown(value)}. Write ${ACTION}, or an object with one of these for each pattern.`];
  return Object.entries(value)
    .filter(([, action]) => !ACTIONS.includes(action))
    .map(([pattern, action]) => `${where}[${JSON.stringify(pattern)}] is ${shown(action)}. Write ${ACTION}.`);
}
