/** The providers whose models are reached over the network. */
export const REMOTE_PROVIDERS = ['openai', 'anthropic', 'google', 'openrouter', 'openai-compatible'] as const;
export type RemoteProvider = (typeof REMOTE_PROVIDERS)[number];
