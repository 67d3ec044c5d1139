import type { Plugin } from 'vite';

/** The name of the file in the build. */
const FILE = 'client-metadata.json';

/**
 * Makes the document whose address identifies this page to tool servers
 * (https://datatracker.ietf.org/doc/draft-ietf-oauth-client-id-metadata-document/). It contains its own
 * address, so it needs that of the site: `VITRINE_SITE=https://vitrine.example/ npm run build`.
 */
export function clientMetadata(site = process.env.VITRINE_SITE): Plugin {
  const address = site === undefined ? undefined : documentAddress(site);
  return {
    name: 'vitrine-client-metadata',
    apply: 'build',
    generateBundle() {
      if (address !== undefined)
        this.emitFile({
          type: 'asset',
          fileName: FILE,
          source: JSON.stringify(documentAt(address), null, 2),
        });
    },
    transformIndexHtml() {
      if (address === undefined) return [];
      return [{ tag: 'meta', attrs: { name: 'client-metadata', content: address }, injectTo: 'head' }];
    },
  };
}

/** Returns the address of the document. Throws if no tool server would accept it. */
export function documentAddress(site: string): string {
  const base = site.endsWith('/') ? site : `${site}/`;
  if (!URL.canParse(base) || new URL(base).protocol !== 'https:')
    throw new Error(`VITRINE_SITE must be the https address of the site: ${site}`);
  return new URL(FILE, base).href;
}

export function documentAt(address: string) {
  return {
    client_id: address,
    client_name: 'Vitrine',
    client_uri: new URL('.', address).href,
    redirect_uris: [new URL('signed-in.html', address).href],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}
