import * as z from 'zod';
import { isObject, type Json } from '../base/json.ts';
import { problemAt, valueAt, type Problem, type ConfigDocument } from './parse.ts';

const priceSchema = z.object({
  input: z.number().min(0),
  output: z.number().min(0),
  cache_read: z.number().min(0).optional(),
  cache_write: z.number().min(0).optional(),
});

const modelSchema = z.looseObject({
  /** The server's name for the model, if it differs from the key. */
  id: z.string().min(1).optional(),
  modelID: z.string().min(1).optional(),
  limit: z.object({ context: z.int().min(0).optional(), output: z.int().min(0).optional() }).optional(),
  /** US dollars per million tokens. */
  cost: priceSchema.optional(),
  /** `false` if the model takes no temperature. */
  temperature: z.boolean().optional(),
});

const headersSchema = z.record(z.string(), z.string());

const optionsSchema = z.looseObject({
  baseURL: z.string().refine(isAddress, 'must be an address that begins with https:// or http://').optional(),
  headers: headersSchema.optional(),
});

const providerSchema = z.looseObject({
  name: z.string().optional(),
  npm: z.string().optional(),
  api: z.string().refine(isAddress, 'must be an address that begins with https:// or http://').optional(),
  options: optionsSchema.optional(),
  /** The names that opencode 2 uses. */
  package: z.string().optional(),
  settings: optionsSchema.optional(),
  headers: headersSchema.optional(),
  models: z.record(z.string(), modelSchema).optional(),
});

/** The shape of `provider` and `providers` in a file. */
export const providersSchema = z.record(z.string(), providerSchema);

/** The protocols that the app supports, named after its own providers. */
const protocols = ['openai', 'anthropic', 'google', 'openrouter', 'openai-compatible'] as const;
type Protocol = (typeof protocols)[number];

const PACKAGES = new Map<string, Protocol>([
  ['@ai-sdk/openai', 'openai'],
  ['@ai-sdk/anthropic', 'anthropic'],
  ['@ai-sdk/google', 'google'],
  ['@ai-sdk/openai-compatible', 'openai-compatible'],
  ['@openrouter/ai-sdk-provider', 'openrouter'],
]);

/** A provider as a file describes it: a server of its own, or one that the app already knows. */
export interface FileProvider {
  readonly id: string;
  /** The name that people see. */
  readonly name?: string;
  readonly file: string;
  /** The protocol it speaks. */
  readonly speaks: Protocol;
  /** Absent if the app knows the address. */
  readonly baseURL?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Keyed by the name that configuration files use. */
  readonly models: Readonly<Record<string, FileModel>>;
}

export interface FileModel {
  /** The server's name for the model, if it differs. */
  readonly id?: string;
  readonly contextLimit?: number;
  readonly outputLimit?: number;
  /** US dollars per million tokens. */
  readonly price?: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead?: number;
    readonly cacheWrite?: number;
  };
  readonly takesNoTemperature?: true;
}

const KNOWN_KEYS = new Set([...Object.keys(providerSchema.shape), 'id', 'env', 'whitelist', 'blacklist']);
const OPTION_KEYS = new Set([...Object.keys(optionsSchema.shape), 'apiKey', 'timeout', 'setCacheKey']);

/** Reads the providers that a file describes, and reports what cannot be used. */
export function providersAt(
  file: string,
  written: ConfigDocument,
): { readonly providers: readonly FileProvider[]; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const providers = (['provider', 'providers'] as const).flatMap((key) =>
    written.keys([key]).flatMap((id): FileProvider[] => {
      const path = [key, id];
      const report = (at: readonly string[], what: string, next: string) =>
        problems.push(problemAt(file, written.line(at) ?? written.line(path), what, next));
      const value = valueAt(written.values, path);
      const known = providerSchema.safeParse(value);
      if (!known.success) {
        const [issue] = known.error.issues;
        const at = [...path, ...(issue?.path ?? []).map(String)];
        report(at, `${at.join('.')} cannot be used: ${issue?.message}.`, NEXT);
        return [];
      }
      reportUnknownKeys(value, path, report);
      const result = providerOf(id, file, known.data);
      if ('why' in result) {
        report(path, `The provider ${id} cannot be used: ${result.why}.`, NEXT);
        return [];
      }
      return [result];
    }),
  );
  return { providers, problems };
}

const NEXT = 'It is ignored until that is fixed.';

type Report = (at: readonly string[], what: string, next: string) => void;

function reportUnknownKeys(value: Json | undefined, path: readonly string[], report: Report): void {
  if (!isObject(value)) return;
  const unknown = (at: readonly string[]) =>
    report(at, `"${at.join('.')}" has no effect here.`, 'You can leave it for other programs.');
  for (const key of Object.keys(value)) if (!KNOWN_KEYS.has(key)) unknown([...path, key]);
  for (const key of ['options', 'settings']) {
    const options = value[key];
    if (!isObject(options)) continue;
    for (const name of Object.keys(options)) if (!OPTION_KEYS.has(name)) unknown([...path, key, name]);
    if (options.apiKey !== undefined)
      report(
        [...path, key, 'apiKey'],
        'Keys are not read from files.',
        'Enter the key in Settings, for the same address.',
      );
  }
}

function providerOf(
  id: string,
  file: string,
  config: z.output<typeof providerSchema>,
): FileProvider | { readonly why: string } {
  const packageName = (config.npm ?? config.package)?.replace(/^aisdk:/, '').replace(/(?<=.)@[^/]*$/, '');
  const speaks =
    packageName === undefined
      ? (protocols.find((each) => each === id) ?? 'openai-compatible')
      : PACKAGES.get(packageName);
  if (speaks === undefined) return { why: `the package ${packageName} is not supported` };
  const baseURL = config.settings?.baseURL ?? config.options?.baseURL ?? config.api;
  if (baseURL === undefined && speaks === 'openai-compatible') return { why: 'it has no options.baseURL' };
  const headers = { ...config.options?.headers, ...config.settings?.headers, ...config.headers };
  if (Object.values(headers).some((text) => /\{(?:env|file):/.test(text)))
    return { why: 'its headers refer to secrets, which providers never receive' };
  const models = Object.entries(config.models ?? {}).map(([name, model]) => [name, modelOf(model)] as const);
  return {
    ...{ id, file, speaks },
    ...(config.name && { name: config.name }),
    ...(baseURL !== undefined && { baseURL: baseURL.replace(/\/+$/, '') }),
    ...(Object.keys(headers).length > 0 && { headers }),
    models: Object.fromEntries(models),
  };
}

function modelOf({ id, modelID, limit, cost, temperature }: z.output<typeof modelSchema>): FileModel {
  const serverName = modelID ?? id;
  return {
    ...(serverName !== undefined && { id: serverName }),
    // Model lists use 0 for an unknown limit.
    ...(limit?.context && { contextLimit: limit.context }),
    ...(limit?.output && { outputLimit: limit.output }),
    ...(cost && {
      price: {
        input: cost.input,
        output: cost.output,
        ...(cost.cache_read !== undefined && { cacheRead: cost.cache_read }),
        ...(cost.cache_write !== undefined && { cacheWrite: cost.cache_write }),
      },
    }),
    ...(temperature === false && { takesNoTemperature: true as const }),
  };
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** Merges the descriptions from several files. Later ones override earlier ones, model by model. */
export function mergedProviders(providers: readonly FileProvider[]): readonly FileProvider[] {
  const merged = new Map<string, FileProvider>();
  for (const provider of providers) {
    const before = merged.get(provider.id);
    const models = { ...before?.models };
    for (const [name, model] of Object.entries(provider.models)) models[name] = { ...models[name], ...model };
    merged.set(provider.id, { ...before, ...provider, models });
  }
  return [...merged.values()];
}

/** The line that the person reads before trusting the provider. */
export function providerInWords({ id, baseURL, headers, models }: FileProvider): string {
  const where = baseURL ?? Object.keys(models).join(', ');
  return `${id}: ${where}${headers ? ` (${Object.keys(headers).join(', ')})` : ''}`;
}
