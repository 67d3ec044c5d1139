import { messageOf } from '../base/message-of.ts';
import type { Build } from './build.ts';
import { withHeaders } from './headers.ts';
import { buildsInUse } from './in-use.ts';
import type { Answer, Question } from './messages.ts';
import { answerPage } from './page.ts';
import { routeOf, type Route } from './routes.ts';
import type { FetchEvent, WorkerScope } from './scope.ts';
import { Store, type Kept } from './store.ts';

/*
 * The service worker: serves the app's own files, each page those of its own build, with the headers that isolate it, and
 * keeps them for when there is no network. `build/service-worker.ts` makes `sw.js` of it.
 */

declare const self: WorkerScope;
declare const __VITRINE_BUILD__: Build;

const build = __VITRINE_BUILD__;
const { scope } = self.registration;
const store = new Store({ build, scope, caches: self.caches, fetch: (url, init) => fetch(url, init) });
const site = { scope, has: (path: string) => store.has(path) };

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('fetch', (event) => {
  const { method, url, mode, cache, headers } = event.request;
  const route = routeOf({ method, url, mode, cache, isRange: headers.has('range') }, site);
  if (route) event.respondWith(answer(route, event));
});
self.addEventListener('message', (event) => {
  const [port] = event.ports;
  if (port) event.waitUntil(tell(event.data as Question, (answer) => port.postMessage(answer)));
});

/** The first worker starts with little, because the page may need its headers. A later one has everything before it takes over. */
async function install(): Promise<void> {
  await store.download(['start']);
  const isUpdate = self.registration.active !== null;
  if (isUpdate && !self.navigator.connection?.saveData) await store.download(['core']);
  await self.skipWaiting();
}

async function activate(): Promise<void> {
  await self.clients.claim();
  await clean();
}

async function clean(): Promise<void> {
  const [{ held = [] }, clients] = await Promise.all([
    self.navigator.locks.query(),
    self.clients.matchAll({ includeUncontrolled: true, type: 'window' }),
  ]);
  const inUse = buildsInUse(scope, held, clients);
  if (inUse) await store.clean(inUse);
}

async function answer(route: Route, event: FetchEvent): Promise<Response> {
  if (route.kind === 'page') return withHeaders(await answerPage(pageDeps(event)), '', build);
  const { path } = route;
  const kept = await (route.kind === 'asset' ? store.asset(path) : store.file(path, route.build));
  if (kept) return withHeaders(kept, path, build);
  const response = await fetch(event.request);
  // Another build's file is not kept as one of this build.
  if (route.kind === 'asset' || (route.build ?? build.id) === build.id)
    event.waitUntil(store.keep(path, response.clone()).catch(() => undefined));
  return withHeaders(response, path, build);
}

function pageDeps({ request }: FetchEvent): Parameters<typeof answerPage>[0] {
  return {
    build: build.id,
    // A request for a page cannot be copied with another cache mode.
    fetch: () => fetch(request.url, { cache: 'no-cache', redirect: 'manual', credentials: 'same-origin' }),
    kept: () => store.file(''),
    keep: (response) => store.keep('', response),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  };
}

/** The download under way, which every page that asks for one shares. */
let downloading: Promise<void> | null = null;
const followers = new Set<(answer: Answer) => void>();

async function tell(question: Question, answer: (answer: Answer) => void): Promise<void> {
  if (question.kind === 'kept') return answer({ kind: 'kept', kept: await store.kept(), done: true });
  if (question.kind === 'stop') {
    store.stop();
    await downloading?.catch(() => undefined);
    return answer({ kind: 'kept', kept: await store.kept(), done: true });
  }
  store.start();
  followers.add(answer);
  try {
    await (downloading ??= download());
    answer({ kind: 'kept', kept: await store.kept(), done: true });
  } catch (error) {
    answer({ kind: 'failed', why: messageOf(error) });
  } finally {
    followers.delete(answer);
  }
}

async function download(): Promise<void> {
  const progress = (kept: Kept) =>
    followers.forEach((tellOne) => tellOne({ kind: 'kept', kept, done: false }));
  try {
    // Pages of older builds may have been closed since this worker took over.
    await clean();
    await store.download(['start', 'core'], progress);
    await store.download(['later'], progress);
  } finally {
    downloading = null;
  }
}
