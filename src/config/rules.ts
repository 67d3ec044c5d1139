import { isObject, type Json } from '../base/json.ts';
import { actionSchema, type Rule } from '../permissions/types.ts';
import { own, problemAt, valueAt, type Problem, type Written } from './parse.ts';

/**
 * The rules written at `path`, in their order. What is not an action is taken as "ask", so that a slip of the pen never
 * allows what was to be denied.
 */
export function rulesAt(
  file: string,
  written: Written,
  path: readonly string[],
): { readonly rules: readonly Rule[]; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const value = valueAt(written.values, path);
  if (value === undefined) return { rules: [], problems };

  function actionAt(at: readonly string[], action: Json | undefined) {
    const known = actionSchema.safeParse(action);
    if (known.success) return known.data;
    problems.push(
      problemAt(
        file,
        written.line(at),
        `${at.join('.')} is not an action.`,
        'Write "allow", "ask" or "deny". Until then it asks.',
      ),
    );
    return 'ask' as const;
  }

  if (!isObject(value))
    return { rules: [{ permission: '*', pattern: '*', action: actionAt(path, value) }], problems };
  const rules = written.keys(path).flatMap((permission): Rule[] => {
    const at = [...path, permission];
    const entry = own(value, permission);
    if (!isObject(entry)) return [{ permission, pattern: '*', action: actionAt(at, entry) }];
    return written
      .keys(at)
      .map((pattern) => ({ permission, pattern, action: actionAt([...at, pattern], own(entry, pattern)) }));
  });
  return { rules, problems };
}

/** `tools: {name: false}`: the older way of writing permissions. */
export function toolRulesAt(written: Written, path: readonly string[]): Rule[] {
  const value = valueAt(written.values, path);
  return written.keys(path).flatMap((permission): Rule[] => {
    const on = own(value, permission);
    return typeof on === 'boolean' ? [{ permission, pattern: '*', action: on ? 'allow' : 'deny' }] : [];
  });
}
