import { fileURLToPath } from 'node:url';
import { headersBy } from '../../scripts/header-rules.mjs';
import { startSite } from '../../scripts/site-server.mjs';
import rules from '../../build/headers.json';

export interface ServeOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** Files of JSON and pages that are served too, keyed by path. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface AppServer {
  readonly url: string;
  close(): void;
}

/** Serves the app of this package on loopback. Rejects with the server's error, such as EADDRINUSE. */
export function serveApp({ port = 0, files = {} }: ServeOptions = {}): Promise<AppServer> {
  return startSite({
    folder: fileURLToPath(new URL('./app', import.meta.url)),
    headersFor: headersBy(rules),
    port,
    previewPort: port && port + 1,
    files,
    onlyCompressed: true,
  });
}
