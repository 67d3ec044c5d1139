import * as z from 'zod/mini';
import { faultOf, type Fault } from '../base/fault.ts';
import { parseJson } from '../models/error-bodies.ts';
import { FAULT_TEXTS as TEXTS, fill } from '../base/fault-texts.ts';
import { browserFetch } from '../models/fetch.ts';
import type { LocalServer } from '../models/providers/ids.ts';
import type { LocalFinding, ModelOption } from '../ui/app.ts';

/** A server that listens for less long than this is still starting, or no model server. */
const PATIENCE_MS = 5_000;

export interface LocalAddress {
  readonly id: LocalServer;
  readonly name: string;
  readonly baseURL: string;
}

/** Lists the models at a base URL; rejects with a fault that names what stands in the way. */
export type ListAt = (baseURL: string, signal: AbortSignal) => Promise<readonly ModelOption[]>;

/** Asks all usual addresses of model servers on this machine at once. Never rejects. */
export function lookForLocal(
  servers: readonly LocalAddress[],
  list: ListAt,
  patienceMs = PATIENCE_MS,
): Promise<readonly LocalFinding[]> {
  return Promise.all(servers.map((server) => look(server, list, patienceMs)));
}

async function look(server: LocalAddress, list: ListAt, patienceMs: number): Promise<LocalFinding> {
  const { id, name, baseURL } = server;
  const signal = AbortSignal.timeout(patienceMs);
  try {
    const models = await list(baseURL, signal);
    if (models.length > 0) return { name, baseURL, state: 'found', models };
    return {
      name,
      baseURL,
      state: 'blocked',
      fault: { ...NO_MODELS, where: baseURL, next: FIRST_MODEL[id] },
    };
  } catch (error) {
    const fault = faultOf(error);
    if (fault.code === 'unreachable') return { name, baseURL, state: 'silent', fault };
    if (signal.aborted) return { name, baseURL, state: 'blocked', fault: { ...HANGS, where: baseURL } };
    const tagged = id === 'ollama' && fault.code !== 'cors' ? await tags(baseURL, signal) : [];
    return tagged.length > 0
      ? { name, baseURL, state: 'found', models: tagged }
      : { name, baseURL, state: 'blocked', fault: here(fault, name) };
  }
}

/** The same fault with what to do about it in this place, where no server was chosen and no message sent. */
function here(fault: Fault, server: string): Fault {
  switch (fault.code) {
    case 'cors':
    case 'local-network':
      return fault;
    case 'auth':
      return { ...fault, next: fill(TEXTS.keyAbove, { server }) };
    case 'wrong-base-url':
    case 'model-not-found':
      return { ...fault, what: TEXTS.noList, next: fill(TEXTS.otherProgram, { server }) };
    default:
      return { ...fault, next: fill(TEXTS.restart, { server }) };
  }
}

const tagsSchema = z.object({ models: z.array(z.object({ name: z.string() })) });

/** Ollama's own list, for versions whose list in OpenAI's form is missing. */
async function tags(baseURL: string, signal: AbortSignal): Promise<readonly ModelOption[]> {
  try {
    const response = await browserFetch()(new URL('/api/tags', baseURL), { signal });
    const read = tagsSchema.safeParse(parseJson(await response.text()));
    return response.ok && read.success ? read.data.models.map((model) => ({ id: model.name })) : [];
  } catch {
    return [];
  }
}

const NO_MODELS = { code: 'no-models', what: TEXTS.noModels, retryable: false };

const HANGS = {
  code: 'timeout',
  what: TEXTS.hangs,
  next: TEXTS.stillLoading,
  retryable: false,
};

/** How each server gets its first model. */
const FIRST_MODEL: Readonly<Record<LocalServer, string>> = {
  ollama: TEXTS.firstOllama,
  'lm-studio': TEXTS.firstLMStudio,
  'llama-cpp': TEXTS.firstLlamaCpp,
  vllm: TEXTS.firstVLLM,
  jan: TEXTS.firstJan,
};
