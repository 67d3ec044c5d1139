import * as z from 'zod/mini';
import { REMOTE_PROVIDERS, type RemoteProvider } from './names.ts';

export type { RemoteProvider } from './names.ts';
export const remoteProviderSchema = z.enum(REMOTE_PROVIDERS);

/** `browser` is the browser's own model. With `you`, the person answers in place of a model. */
export const providerIDSchema = z.enum([...remoteProviderSchema.options, 'browser', 'scripted', 'you']);
export type ProviderID = z.infer<typeof providerIDSchema>;

/** The protocols, named after the provider that each is for in the first place. */
export type Protocol = 'openai' | 'anthropic' | 'google' | 'openai-compatible';

interface ProviderInfo {
  readonly name: string;
  readonly protocol: Protocol;
  /** The environment variable that programs usually read the key from. */
  readonly keyName: string;
  /** The default base URL; where it is absent, one must be set. */
  readonly baseURL?: string;
  /** Where a person gets a key. */
  readonly keysAt?: string;
}

export const PROVIDERS: Record<RemoteProvider, ProviderInfo> = {
  openai: {
    name: 'OpenAI',
    protocol: 'openai',
    keyName: 'OPENAI_API_KEY',
    baseURL: 'https://api.openai.com/v1',
    keysAt: 'https://platform.openai.com/api-keys',
  },
  anthropic: {
    name: 'Anthropic',
    protocol: 'anthropic',
    keyName: 'ANTHROPIC_API_KEY',
    baseURL: 'https://api.anthropic.com/v1',
    keysAt: 'https://platform.claude.com/settings/keys',
  },
  google: {
    name: 'Google',
    protocol: 'google',
    keyName: 'GOOGLE_GENERATIVE_AI_API_KEY',
    baseURL: 'https://generativelanguage.googleapis.com/v1beta',
    keysAt: 'https://aistudio.google.com/apikey',
  },
  openrouter: {
    name: 'OpenRouter',
    protocol: 'openai-compatible',
    keyName: 'OPENROUTER_API_KEY',
    baseURL: 'https://openrouter.ai/api/v1',
    keysAt: 'https://openrouter.ai/settings/keys',
  },
  'openai-compatible': {
    name: 'OpenAI-compatible server',
    protocol: 'openai-compatible',
    keyName: 'API_KEY',
  },
};

/** Servers that people run themselves, with their default addresses. */
export const LOCAL_SERVERS = [
  { id: 'ollama', name: 'Ollama', baseURL: 'http://localhost:11434/v1' },
  { id: 'lm-studio', name: 'LM Studio', baseURL: 'http://localhost:1234/v1' },
  { id: 'llama-cpp', name: 'llama.cpp', baseURL: 'http://localhost:8080/v1' },
  { id: 'vllm', name: 'vLLM', baseURL: 'http://localhost:8000/v1' },
  { id: 'jan', name: 'Jan', baseURL: 'http://localhost:1337/v1' },
] as const;
export type LocalServer = (typeof LOCAL_SERVERS)[number]['id'];
