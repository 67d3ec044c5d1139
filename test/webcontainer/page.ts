import { configureAPIKey, WebContainer, type BootOptions } from '@webcontainer/api';
import { questions } from './questions.ts';

/*
 * The page that asks. Each answer goes to the server at once, so that one which takes the page along loses only itself: the
 * page is loaded again and goes on with the next. `/credentialless` and `/refused-key` are pages of their own, because a
 * page boots with one policy and one key.
 */

const BOOT_SECONDS = 60;
const shown = document.querySelector('pre');
const place = location.pathname;
/** No site has this key. */
const REFUSED_KEY = 'wc_api_vitrine_refused_key';

async function post(path: string, value: unknown): Promise<unknown> {
  const response = await fetch(path, {
    method: 'POST',
    body: JSON.stringify({ browser: navigator.userAgent, ...Object(value) }),
  });
  return response.json();
}

async function settled(work: () => Promise<unknown>, seconds: number): Promise<unknown> {
  const late = new Promise((resolve) => setTimeout(resolve, seconds * 1000, `no answer in ${seconds} s`));
  try {
    return await Promise.race([work(), late]);
  } catch (error) {
    return { error: String(error), ...(error instanceof Object && { ...error }) };
  }
}

/** Asks one question, unless it was asked before the page was loaded again. */
async function ask(id: string, asks: string, work: () => Promise<unknown>, seconds = 20): Promise<void> {
  const { isNew } = (await post('/begin', { id, asks })) as { isNew: boolean };
  if (!isNew) return;
  const started = performance.now();
  const answer = (await settled(work, seconds)) ?? null;
  const ms = Math.round(performance.now() - started);
  await post('/answer', { id, asks, answer, ms });
  shown?.append(`${asks}\n  ${JSON.stringify(answer)}\n`);
}

const boot = (options: BootOptions = {}) => WebContainer.boot({ workdirName: 'project', ...options });

async function main(): Promise<void> {
  if (place === '/credentialless')
    await ask(
      'credentialless',
      'Does a container boot with `credentialless`?',
      async () => {
        const client = await boot({ coep: 'credentialless' });
        return {
          isolated: crossOriginIsolated,
          ended: await (await client.spawn('jsh', ['-c', 'exit 3'])).exit,
        };
      },
      BOOT_SECONDS,
    );
  else if (place === '/refused-key')
    await ask(
      'refused-key',
      'What comes of a key that is refused?',
      async () => {
        configureAPIKey(REFUSED_KEY);
        const late = new Promise((resolve) => setTimeout(resolve, 15_000, 'boot says nothing in 15 s'));
        const came = boot().then(() => 'it boots');
        const address = () => document.querySelector('iframe')?.src ?? '';
        const result = await Promise.race([came, late]);
        const read = await fetch(address()).then(({ status }) => status, String);
        return { result, address: address(), read };
      },
      BOOT_SECONDS,
    );
  else await askAll();
  await post('/done', { place });
}

async function askAll(): Promise<void> {
  const booting = boot();
  booting.catch(() => {});
  await ask(
    'boot',
    'How long does the first boot take, and where is the work?',
    async () => {
      const started = performance.now();
      const { workdir, path } = await booting;
      return { workdir, path, isolated: crossOriginIsolated, ms: Math.round(performance.now() - started) };
    },
    BOOT_SECONDS,
  );
  const client = await Promise.race([
    booting,
    new Promise<undefined>((resolve) => setTimeout(resolve, BOOT_SECONDS * 1000)),
  ]);
  if (!client) return;
  for (const { id, asks, seconds, ask: work } of questions) await ask(id, asks, () => work(client), seconds);
  await ask('second-boot', 'What does a second boot beside the first come to?', async () => {
    await boot();
    return 'it boots';
  });
  await ask(
    'teardown',
    'What comes of a process on teardown, and does a boot after it work?',
    async () => {
      const { exit } = await client.spawn('node', ['-e', 'setTimeout(() => {}, 60000)']);
      const ended = exit.then(
        (code) => `ends with ${code}`,
        (error: unknown) => `rejects: ${String(error)}`,
      );
      client.teardown();
      const exits = await Promise.race([
        ended,
        new Promise((resolve) => setTimeout(resolve, 5_000, 'nothing in 5 s')),
      ]);
      const started = performance.now();
      const next = await boot();
      return { exits, rebootMs: Math.round(performance.now() - started), files: await next.fs.readdir('.') };
    },
    BOOT_SECONDS,
  );
}

void main();
