import { FaultError } from '../base/fault.ts';

const REFERENCE = /\$\{(\w+)\}|\{env:(\w+)\}/g;

/** The names of secrets that a text refers to, as `${NAME}` or `{env:NAME}`. */
export function secretsIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(REFERENCE)].map(([, first, second]) => first ?? second ?? ''))];
}

/**
 * Replaces the references with values. `allow` is called once for each name and throws if this host may not have it.
 * A name without a value is a fault (`no-secret`).
 */
export async function fillSecrets(
  text: string,
  value: (name: string) => string | undefined,
  allow: (name: string) => Promise<unknown>,
): Promise<string> {
  const values = new Map<string, string>();
  for (const name of secretsIn(text)) {
    const known = value(name);
    if (known === undefined)
      throw new FaultError({
        code: 'no-secret',
        what: `There is no secret named ${name}.`,
        next: 'Add it under Settings, Secrets.',
      });
    await allow(name);
    values.set(name, known);
  }
  return text.replace(
    REFERENCE,
    (_, first?: string, second?: string) => values.get(first ?? second ?? '') ?? '',
  );
}
