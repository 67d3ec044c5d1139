import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';

/** One module script of everything that `entry` imports, lazily or not: a page for a test, without a dev server. */
export async function bundle(entry: URL): Promise<string> {
  const result = (await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2023',
      minify: false,
      rolldownOptions: {
        input: fileURLToPath(entry),
        preserveEntrySignatures: 'strict',
        output: { codeSplitting: false },
      },
    },
  })) as Rolldown.RolldownOutput;
  return result.output[0].code;
}
