/** A provider, at another address than the one that Settings have for it. */
export interface Server {
  readonly provider: string;
  /** Absent for the address that Settings have for the provider. */
  readonly baseURL?: string;
}

/**
 * The id of a provider at one of several addresses, as models and sessions name it: `openai-compatible@http://localhost:1234/v1`.
 */
export function serverID(provider: string, baseURL: string): string {
  return `${provider}@${baseURL}`;
}

/** The provider and the address in such an id. Any other id is that of a provider alone. */
export function serverOf(id: string): Server {
  const at = id.indexOf('@');
  return at < 0 ? { provider: id } : { provider: id.slice(0, at), baseURL: id.slice(at + 1) };
}
