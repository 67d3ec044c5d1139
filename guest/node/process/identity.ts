import type { NodeStart } from '../../shared/wire.ts';
import { EXEC_PATH, VERSION, versions } from '../start/versions.ts';
import { environment } from './environment.ts';
import type { SharedEnv } from './shared-env.ts';

/** Returns the members of `process` that say what it is and how it was started. */
export function identityOf(start: NodeStart, sharedEnv: () => SharedEnv | undefined) {
  return {
    title: 'node',
    version: VERSION,
    versions: readOnly(versions),
    arch: 'x64',
    platform: 'linux',
    release: { name: 'node', lts: 'Jod' },
    pid: start.pid,
    ppid: start.ppid,
    execPath: EXEC_PATH,
    execArgv: [] as string[],
    argv: [EXEC_PATH],
    argv0: 'node',
    debugPort: 9229,
    exiting: false,
    _exiting: false,
    domain: null,
    env: environment(start.env, sharedEnv),
    config: { target_defaults: {}, variables: { napi_build_version: '10', node_module_version: 127 } },
    features: {
      inspector: false,
      debug: false,
      uv: true,
      ipv6: true,
      tls_alpn: true,
      tls_sni: true,
      tls_ocsp: true,
      tls: true,
      cached_builtins: true,
      require_module: true,
      typescript: 'strip',
    },
    allowedNodeEnvironmentFlags: new Set<string>(),
    moduleLoadList: [],
  };
}

/** Copies an object so that its members stay as they are, and programs can add more, as tests of Electron do. */
function readOnly<T extends object>(members: T): T {
  const copy = { ...members };
  for (const name of Object.keys(copy)) Object.defineProperty(copy, name, { writable: false });
  return copy;
}
