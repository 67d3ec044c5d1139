import { isObject, type Json } from '../base/json.ts';
import { isException } from '../permissions/rules.ts';
import { actionSchema, type Rule, type Ruleset } from '../permissions/types.ts';
import { own, problemAt, valueAt, type Problem, type ConfigDocument } from './parse.ts';

/** The rules of a file. */
export interface WrittenRules {
  /** In the order they are written. */
  readonly rules: readonly Rule[];
  /**
   * Permissions that ask because the file has an entry about them that we could not understand; see {@link closedBy}.
   */
  readonly closing: readonly Rule[];
  readonly problems: readonly Problem[];
}

/**
 * Reads all rules at `path`: `tools`, then `permission` or `permissions`, each as a map (opencode 1) or a list
 * (opencode 2). An entry that cannot be understood makes its permission ask.
 */
export function rulesAt(file: string, written: ConfigDocument, path: readonly string[]): WrittenRules {
  const reader = new RulesReader(file, written);
  reader.switches([...path, 'tools']);
  for (const key of ['permission', 'permissions']) reader.rulesAt([...path, key]);
  // A mistyped key may have denied something, so everything asks.
  for (const key of written.keys(path))
    if (isMeantForRules(key)) reader.close([...path, key], {}, 'is not a known key for rules', 'permission');
  return reader;
}

/** Whether an unknown key looks like a mistyped one for rules. */
export function isMeantForRules(key: string): boolean {
  return /^perm/i.test(key) && !/^permissions?$/.test(key);
}

/**
 * The rules that replace unclear entries, to be put after `rules`. They ask, or deny if asking would weaken a rule
 * that denies.
 */
export function closedBy(closing: Ruleset, rules: Ruleset): Rule[] {
  if (closing.length > MANY) return [{ permission: '*', pattern: '*', action: 'ask' }];
  const source = 'config' as const;
  const denies = rules.filter(({ action }) => action === 'deny').map((rule) => ({ ...rule, source }));
  return closing.map(({ permission, pattern, action }) => {
    const rule = { permission, pattern, action };
    const weakens = denies.some((deny) => isException({ ...rule, source }, deny));
    return weakens ? { ...rule, action: 'deny' } : rule;
  });
}

/** If more entries than this cannot be understood, everything asks. */
const MANY = 100;

/**
 * Maps permissions of opencode 2 to those of opencode 1. Rules apply to both names, because a custom tool may use the
 * other one.
 */
const ALSO: Readonly<Record<string, string>> = { shell: 'bash', subagent: 'task' };

class RulesReader implements WrittenRules {
  readonly rules: Rule[] = [];
  readonly closing: Rule[] = [];
  readonly problems: Problem[] = [];
  readonly #file: string;
  readonly #written: ConfigDocument;

  constructor(file: string, written: ConfigDocument) {
    this.#file = file;
    this.#written = written;
  }

  /** Reads `tools: {name: false}`, the older way of writing permissions. */
  switches(path: readonly string[]): void {
    const value = valueAt(this.#written.values, path);
    if (value === undefined) return;
    if (!isObject(value)) return this.close(path, {}, 'is not a list of tools', '{"name": false}');
    for (const permission of this.#written.keys(path)) {
      const on = own(value, permission);
      if (typeof on === 'boolean') this.#add({ permission, pattern: '*', action: on ? 'allow' : 'deny' });
      else this.close([...path, permission], { permission }, 'is not a switch', 'true or false');
    }
  }

  rulesAt(path: readonly string[]): void {
    const value = valueAt(this.#written.values, path);
    if (value === undefined) return;
    if (Array.isArray(value)) value.forEach((entry, index) => this.#entry([...path, String(index)], entry));
    else if (!isObject(value)) this.#rule(path, {}, value);
    else
      for (const permission of this.#written.keys(path)) {
        const at = [...path, permission];
        const entry = own(value, permission);
        if (!isObject(entry)) this.#rule(at, { permission }, entry);
        else
          for (const pattern of this.#written.keys(at))
            this.#rule([...at, pattern], { permission, pattern }, own(entry, pattern));
      }
  }

  close(path: readonly string[], about: Partial<Rule>, why: string, instead: string): void {
    const { permission = '*', pattern = '*' } = about;
    for (const name of namesOf(permission)) this.closing.push({ permission: name, pattern, action: 'ask' });
    const written = this.#written;
    this.problems.push(
      problemAt(
        this.#file,
        written.line(path) ?? written.line(path.slice(0, -1)),
        `${path.join('.')} ${why}.`,
        `Write ${instead}. Until then ${permission === '*' ? 'everything' : permission} asks for permission.`,
      ),
    );
  }

  #rule(path: readonly string[], about: Partial<Rule>, value: Json | undefined): void {
    const { permission = '*', pattern = '*' } = about;
    const action = actionSchema.safeParse(value);
    if (action.success) this.#add({ permission, pattern, action: action.data });
    else this.close(path, about, 'is not an action', '"allow", "ask" or "deny"');
  }

  /** Reads one rule of a list: `{action, resource, effect}`. */
  #entry(path: readonly string[], entry: Json): void {
    const form = '{"action": …, "resource": …, "effect": "allow", "ask" or "deny"}';
    const permission = own(entry, 'action');
    const pattern = own(entry, 'resource');
    const effect = actionSchema.safeParse(own(entry, 'effect'));
    const about = {
      ...(typeof permission === 'string' && { permission }),
      ...(typeof pattern === 'string' && { pattern }),
    };
    const { permission: name, pattern: resource } = about;
    if (name === undefined || resource === undefined || !effect.success)
      return this.close(path, about, 'is not a rule', form);
    const others = isObject(entry) ? Object.keys(entry).filter((key) => !ENTRY_KEYS.has(key)) : [];
    // Another key may limit when the rule applies. A deny or an ask that always applies is no weaker, so only an
    // allow is refused.
    if (others.length > 0 && effect.data === 'allow')
      return this.close(path, about, `says "${others[0]}", which rules do not`, form);
    this.#add({ permission: name, pattern: resource, action: effect.data });
  }

  #add({ permission, pattern, action }: Rule): void {
    for (const name of namesOf(permission)) this.rules.push({ permission: name, pattern, action });
  }
}

const ENTRY_KEYS: ReadonlySet<string> = new Set(['action', 'resource', 'effect']);

function namesOf(permission: string): readonly string[] {
  const also = Object.hasOwn(ALSO, permission) ? ALSO[permission] : undefined;
  return also === undefined ? [permission] : [permission, also];
}
