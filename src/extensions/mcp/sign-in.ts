import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import * as z from 'zod';
import { isSafeAddress, type SignInConfig } from '../../config/servers.ts';

/**
 * Stores credentials by server name. They are secret, so the store must be out of reach of sessions, logs and exports.
 */
export interface CredentialStore {
  get(name: string): string | undefined;
  set(name: string, text: string): Promise<void>;
  forget(name: string): Promise<void>;
  /** Adds a secret that must be redacted from every text from now on. */
  conceal(secret: string): void;
}

const storedSchema = z.object({
  /** The server's address: a server with the same name at another address does not get these credentials. */
  url: z.string(),
  client: z.looseObject({ client_id: z.string(), client_secret: z.string().optional() }).optional(),
  tokens: z
    .looseObject({ access_token: z.string(), token_type: z.string(), refresh_token: z.string().optional() })
    .optional(),
  verifier: z.string().optional(),
  state: z.string().optional(),
  discovery: z.looseObject({ authorizationServerUrl: z.string() }).optional(),
});
type Stored = z.output<typeof storedSchema>;

export interface SignInOptions {
  /** The name of the server. */
  readonly server: string;
  readonly url: string;
  readonly config: SignInConfig;
  readonly store: CredentialStore;
  /** The address that the person returns to after signing in. */
  readonly redirectUrl: string;
  /** The address of this page's client metadata document, for servers that support such documents. */
  readonly clientMetadataUrl?: string | undefined;
  readonly random: () => string;
}

/**
 * The sign-in at one server (OAuth 2.1 with PKCE). Without a configured client, the page identifies itself by its metadata
 * document or registers by RFC 7591. It opens nothing by itself: `address` waits for the person's click.
 */
export class SignIn implements OAuthClientProvider {
  readonly clientMetadataUrl?: string;
  readonly #options: SignInOptions;
  #address: URL | undefined;

  constructor(options: SignInOptions) {
    this.#options = options;
    if (options.clientMetadataUrl !== undefined) this.clientMetadataUrl = options.clientMetadataUrl;
    this.#conceal(this.#stored());
  }

  /** The address to sign in at, once the server has asked for it. */
  get address(): URL | undefined {
    return this.#address;
  }

  /** Whether this state belongs to the current sign-in. */
  expects(state: string | null): boolean {
    const expected = this.#stored().state;
    return state !== null && expected !== undefined && state === expected;
  }

  get redirectUrl(): string {
    return this.#options.redirectUrl;
  }

  get clientMetadata(): OAuthClientMetadata {
    const { config, redirectUrl } = this.#options;
    return {
      client_name: 'Vitrine',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: config.clientSecret === undefined ? 'none' : 'client_secret_post',
      ...(config.scope !== undefined && { scope: config.scope }),
    };
  }

  async state(): Promise<string> {
    const state = this.#options.random();
    await this.#keep({ state });
    return state;
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    const { clientId, clientSecret } = this.#options.config;
    if (clientId !== undefined)
      return { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) };
    return this.#stored().client as StoredOAuthClientInformation | undefined;
  }

  saveClientInformation(client: StoredOAuthClientInformation): Promise<void> {
    return this.#keep({ client: { ...client } });
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.#stored().tokens as StoredOAuthTokens | undefined;
  }

  saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    return this.#keep({ tokens: { ...tokens }, verifier: undefined, state: undefined });
  }

  redirectToAuthorization(address: URL): void {
    // The page shows this address as a link, and the server may be malicious.
    if (!isSafeAddress(address.href))
      throw new Error(`It wants the sign-in at ${address.protocol}, which is not safe.`);
    this.#address = address;
  }

  saveCodeVerifier(verifier: string): Promise<void> {
    return this.#keep({ verifier });
  }

  codeVerifier(): string {
    const { verifier } = this.#stored();
    if (verifier === undefined) throw new Error('No sign-in is under way.');
    return verifier;
  }

  saveDiscoveryState(discovery: OAuthDiscoveryState): Promise<void> {
    return this.#keep({ discovery: { ...discovery } });
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#stored().discovery as OAuthDiscoveryState | undefined;
  }

  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    if (scope === 'all') return this.#options.store.forget(this.#options.server);
    return this.#keep({ [scope]: undefined });
  }

  #stored(): Stored {
    const { store, server, url } = this.#options;
    const text = store.get(server);
    const nothing = { url };
    if (text === undefined) return nothing;
    const parsed = storedSchema.safeParse(jsonOf(text));
    return parsed.success && parsed.data.url === url ? parsed.data : nothing;
  }

  async #keep(change: Partial<{ [Key in keyof Stored]: Stored[Key] | undefined }>): Promise<void> {
    const stored = storedSchema.parse(JSON.parse(JSON.stringify({ ...this.#stored(), ...change })));
    this.#conceal(stored);
    await this.#options.store.set(this.#options.server, JSON.stringify(stored));
  }

  #conceal({ client, tokens, verifier }: Stored): void {
    const secrets = [client?.client_secret, tokens?.access_token, tokens?.refresh_token, verifier];
    for (const secret of [...secrets, this.#options.config.clientSecret])
      if (secret !== undefined) this.#options.store.conceal(secret);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
