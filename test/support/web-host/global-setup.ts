import type { TestProject } from 'vitest/node';
import { webHost } from './server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Two hosts, as `127.0.0.1:PORT`. */
    webHosts: readonly [string, string];
  }
}

/** For the browser project: tests find the hosts by `inject('webHosts')`. */
export default async function setup(project: TestProject): Promise<() => Promise<unknown>> {
  const hosts = await Promise.all([webHost(), webHost()]);
  project.provide('webHosts', [hosts[0].host, hosts[1].host]);
  return () => Promise.all(hosts.map((host) => host.close()));
}
