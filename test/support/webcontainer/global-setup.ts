import type { TestProject } from 'vitest/node';
import { serveRuntime } from './server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Origin of the WebContainer runtime's stand-in. */
    runtimeHost: string;
  }
}

/** For the browser project: tests find the address by `inject('runtimeHost')`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, close } = await serveRuntime();
  project.provide('runtimeHost', url);
  return close;
}
