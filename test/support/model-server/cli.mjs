/**
 * A model server from the command line: node test/support/model-server/cli.mjs SCRIPT.json [--port N] [--key KEY]
 * [--no-cors] [--faults FAULTS.json]. Prints its base URL when it is ready.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
// Vite's own runner: Node 20 does not run TypeScript.
import { runnerImport } from 'vite';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: 'string', default: '0' },
    key: { type: 'string' },
    'no-cors': { type: 'boolean', default: false },
    faults: { type: 'string' },
  },
});
const [script] = positionals;
if (!script) {
  console.error(
    'Which script? node test/support/model-server/cli.mjs SCRIPT.json [--port N] [--key KEY] [--no-cors] [--faults FAULTS.json]',
  );
  process.exit(2);
}

const { module } = await runnerImport(fileURLToPath(new URL('server.ts', import.meta.url)), {
  configFile: false,
});
const server = await module.start({
  script: await readFile(script, 'utf8'),
  port: Number(values.port),
  cors: !values['no-cors'],
  key: values.key,
  faults: values.faults && JSON.parse(await readFile(values.faults, 'utf8')),
});
console.log(`${server.url}/v1`);
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => server.close().then(() => process.exit(0)));
