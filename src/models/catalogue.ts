import * as z from 'zod';
import { FaultError } from '../base/fault.ts';
import type { ModelFacts, Price } from '../session/log/cost.ts';
import { LISTED_EFFORTS } from './efforts.ts';
import { errorIn, parseJson } from './error-bodies.ts';
import { FAULT_TEXTS as TEXTS, fill } from '../base/fault-texts.ts';
import { FetchFailed, type Fetch } from './fetch.ts';
import { address } from './http-faults.ts';
import { KNOWN_MODELS } from './known-models.ts';
import { BROWSER_HEADER } from './providers/anthropic-headers.ts';
import type { ProviderAccess } from './providers/load.ts';
import { PROVIDERS, type RemoteProvider } from './providers/ids.ts';

export interface ModelListing extends ModelFacts {
  readonly provider: RemoteProvider | 'scripted';
  readonly model: string;
  readonly name: string;
}

/** The models that are known without a request, newest first; none for servers with models of their own. */
export function builtInModels(provider: RemoteProvider): readonly ModelListing[] {
  return (KNOWN_MODELS[provider] ?? []).map(({ id, name, contextLimit, outputLimit, price }) =>
    listing({ provider, model: id, name, contextLimit, outputLimit, price }),
  );
}

/** Fetches the provider's own list. Throws what the request threw, or an HTTP refusal in the SDK's shape. */
export async function fetchModels(
  provider: RemoteProvider,
  access: ProviderAccess,
  signal: AbortSignal,
): Promise<readonly ModelListing[]> {
  switch (PROVIDERS[provider].protocol) {
    case 'anthropic':
      return await anthropicModels(access, signal);
    case 'google':
      return await googleModels(access, signal);
    case 'openai':
    case 'openai-compatible':
      return await openAIModels(provider, access, signal);
  }
}

const openAIListSchema = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      name: z.string().nullish(),
      /** Sent by OpenRouter. */
      context_length: z.number().nullish(),
      pricing: z
        .object({
          prompt: z.string(),
          completion: z.string(),
          input_cache_read: z.string().nullish(),
          input_cache_write: z.string().nullish(),
        })
        .nullish(),
      top_provider: z.object({ max_completion_tokens: z.number().nullish() }).nullish(),
      supported_parameters: z.array(z.string()).nullish(),
      architecture: z.object({ input_modalities: z.array(z.string()).nullish() }).nullish(),
      /** Sent by vLLM. */
      max_model_len: z.number().nullish(),
      /** Sent by llama.cpp. */
      meta: z.object({ n_ctx_train: z.number().nullish() }).nullish(),
    }),
  ),
});

async function openAIModels(
  provider: RemoteProvider,
  { baseURL, apiKey, fetch }: ProviderAccess,
  signal: AbortSignal,
): Promise<readonly ModelListing[]> {
  const { data } = await getJson(
    openAIListSchema,
    fetch,
    `${baseURL}/models`,
    { authorization: `Bearer ${apiKey}` },
    signal,
  );
  return data
    .filter(({ id }) => provider !== 'openai' || !NOT_FOR_CHAT.test(id))
    .filter(({ supported_parameters: can }) => !can || can.includes('tools'))
    .map((model) =>
      listing({
        provider,
        model: model.id,
        name: model.name ?? model.id,
        contextLimit: model.context_length ?? model.max_model_len ?? model.meta?.n_ctx_train,
        outputLimit: model.top_provider?.max_completion_tokens,
        price: model.pricing && perMillion(model.pricing),
        efforts: model.supported_parameters?.includes('reasoning') ? LISTED_EFFORTS : undefined,
        seesNoPictures: model.architecture?.input_modalities?.includes('image') === false || undefined,
      }),
    );
}

/** OpenAI lists every model without saying what it is for. */
const NOT_FOR_CHAT =
  /embedding|whisper|tts|dall-e|image|audio|realtime|live|moderation|transcribe|translate|sora|davinci|babbage|instruct|search|computer-use/;

const anthropicListSchema = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      display_name: z.string().nullish(),
      max_input_tokens: z.number().nullish(),
      max_tokens: z.number().nullish(),
    }),
  ),
});

async function anthropicModels({ baseURL, apiKey, fetch }: ProviderAccess, signal: AbortSignal) {
  const headers = { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01', ...BROWSER_HEADER };
  const { data } = await getJson(anthropicListSchema, fetch, `${baseURL}/models?limit=1000`, headers, signal);
  return data.map((model) =>
    listing({
      provider: 'anthropic',
      model: model.id,
      name: model.display_name ?? model.id,
      contextLimit: model.max_input_tokens,
      outputLimit: model.max_tokens,
    }),
  );
}

const googleListSchema = z.object({
  models: z
    .array(
      z.object({
        name: z.string(),
        displayName: z.string().nullish(),
        inputTokenLimit: z.number().nullish(),
        outputTokenLimit: z.number().nullish(),
        supportedGenerationMethods: z.array(z.string()).nullish(),
      }),
    )
    .default([]),
});

async function googleModels({ baseURL, apiKey, fetch }: ProviderAccess, signal: AbortSignal) {
  const headers = { 'x-goog-api-key': apiKey };
  const { models } = await getJson(
    googleListSchema,
    fetch,
    `${baseURL}/models?pageSize=1000`,
    headers,
    signal,
  );
  return models
    .filter((model) => model.supportedGenerationMethods?.includes('generateContent') ?? true)
    .map((model) => {
      const id = model.name.replace(/^models\//, '');
      return listing({
        provider: 'google',
        model: id,
        name: model.displayName ?? id,
        contextLimit: model.inputTokenLimit,
        outputLimit: model.outputTokenLimit,
      });
    });
}

/** An HTTP refusal in the shape in which the SDK throws one. */
class ListRefused extends Error {
  override readonly name = 'ListRefused';
  readonly statusCode: number;
  readonly url: string;
  readonly responseBody: string;
  readonly responseHeaders: Record<string, string>;
  constructor(response: Response, url: string, body: string) {
    super(errorIn(body).message ?? (response.statusText || fill(TEXTS.status, { status: response.status })));
    this.statusCode = response.status;
    this.url = url;
    this.responseBody = body;
    this.responseHeaders = Object.fromEntries(response.headers);
  }
}

async function getJson<T>(
  schema: z.ZodType<T>,
  fetch: Fetch,
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<T> {
  const response = await fetch(url, { headers, signal });
  const text = await bodyText(response);
  if (!response.ok) throw new ListRefused(response, url, text);
  const result = schema.safeParse(parseJson(text));
  if (result.success) return result.data;
  throw new FaultError({
    code: 'wrong-base-url',
    what: fill(TEXTS.notAList, { details: z.prettifyError(result.error) }),
    where: address(url),
    next: TEXTS.checkBaseURLOrType,
    retryable: false,
  });
}

async function bodyText(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw new FetchFailed(TEXTS.listCut, { cause: error });
  }
}

interface ListedPricing {
  readonly prompt: string;
  readonly completion: string;
  readonly input_cache_read?: string | null | undefined;
  readonly input_cache_write?: string | null | undefined;
}

/** Converts a price per token in US dollars, given as text, to a price per million tokens. */
function perMillion(pricing: ListedPricing): Price | undefined {
  const input = dollars(pricing.prompt);
  const output = dollars(pricing.completion);
  if (input === undefined || output === undefined) return undefined;
  const cacheRead = dollars(pricing.input_cache_read);
  const cacheWrite = dollars(pricing.input_cache_write);
  return {
    input,
    output,
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
  };
}

function dollars(each: string | null | undefined): number | undefined {
  if (each === null || each === undefined || each.trim() === '') return undefined;
  const million = Number((Number(each) * 1e6).toFixed(9));
  // OpenRouter sends -1 where the price depends on where it routes the request.
  return million >= 0 ? million : undefined;
}

type Nullish<T> = { [K in keyof T]: T[K] | null | undefined };

function listing(
  from: Pick<ModelListing, 'provider' | 'model' | 'name'> &
    Partial<
      Nullish<Pick<ModelListing, 'contextLimit' | 'outputLimit' | 'price' | 'efforts' | 'seesNoPictures'>>
    >,
): ModelListing {
  return {
    provider: from.provider,
    model: from.model,
    name: from.name,
    ...(typeof from.contextLimit === 'number' && { contextLimit: from.contextLimit }),
    ...(typeof from.outputLimit === 'number' && { outputLimit: from.outputLimit }),
    ...(from.price && { price: from.price }),
    ...(from.efforts && { efforts: from.efforts }),
    ...(from.seesNoPictures && { seesNoPictures: true as const }),
  };
}
