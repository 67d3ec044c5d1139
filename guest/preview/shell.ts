import { messageOf } from '../../src/base/message-of.ts';
import type { FromShell, ShellReady, ToShell } from '../../src/protocol/preview.ts';
import { PREVIEW_WORKER_PATH } from '../../src/protocol/preview.ts';

/*
 * The shell: the frame of the app on the preview's origin. It registers the service worker, gives it a way to the app, and
 * holds the frame with the page, which may do with the shell what it likes, because they have the same origin.
 */

const frame = document.querySelector('iframe') as HTMLIFrameElement;
let app: MessagePort | undefined;
/** Resolves once the service worker has its way to the app. A page that is opened before would be asked of an app that is gone. */
let workerConnected = Promise.resolve();
let setConnected: () => void = () => {};

function tell(message: ShellReady, ports: MessagePort[] = []): void {
  // The app checks who sends it. It holds no secret.
  parent.postMessage(message, '*', ports);
}

function say(message: FromShell, port: MessagePort): void {
  app?.postMessage(message, [port]);
}

/** Gives the service worker another way to the app. */
function connectWorker(worker: ServiceWorker): void {
  if (!app) return;
  const { port1, port2 } = new MessageChannel();
  const answer = new MessageChannel();
  // A worker of an earlier version does not answer. Whoever waits for it waits for the one that replaces it.
  const setEarlier = setConnected;
  workerConnected = new Promise<void>((resolve) => (setConnected = resolve)).then(setEarlier);
  answer.port1.onmessage = setConnected;
  worker.postMessage('vitrine-app', [port1, answer.port2]);
  say({ kind: 'worker' }, port2);
}

function carryOut(message: ToShell): void {
  switch (message.kind) {
    case 'open':
      return frame.contentWindow?.location.replace(message.target);
    case 'reload':
      return frame.contentWindow?.location.reload();
  }
}

addEventListener('message', ({ source, data, ports: [port] }: MessageEvent<unknown>) => {
  if (port && source === frame.contentWindow && isMessage(data, 'page')) say({ kind: 'page' }, port);
});

/**
 * Gives the app a port over which it answers, so that its answer is known by that: where a preview has a tab of its own, the app
 * speaks from another window than the parent.
 */
function offer(): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data, ports: [port] }: MessageEvent<unknown>) => {
    if (port && isMessage(data, 'connect')) connect(port);
  };
  tell({ vitrine: 'shell-ready' }, [port2]);
}

function connect(port: MessagePort): void {
  app = port;
  port.onmessage = ({ data: message }: MessageEvent<ToShell>) =>
    void workerConnected.then(() => carryOut(message));
  if (navigator.serviceWorker.controller) connectWorker(navigator.serviceWorker.controller);
}

function isMessage(data: unknown, name: string): boolean {
  return typeof data === 'object' && data !== null && 'vitrine' in data && data.vitrine === name;
}

async function start(): Promise<void> {
  if (parent === window) throw new Error('Vitrine shows its previews here. Open Vitrine itself.');
  // Undefined in private windows of some browsers.
  const workers = (navigator as Partial<Navigator>).serviceWorker;
  if (!workers) throw new Error('This browser has no service workers here.');
  workers.addEventListener('message', ({ data, source }) => {
    if (data === 'vitrine-worker-asks' && source instanceof ServiceWorker) connectWorker(source);
  });
  workers.addEventListener('controllerchange', () => workers.controller && connectWorker(workers.controller));
  // The app waits for as long as it hears of steps, however slow the computer is.
  tell({ vitrine: 'shell-progress' });
  const registration = await workers.register(PREVIEW_WORKER_PATH, { scope: '/', updateViaCache: 'none' });
  await Promise.race([controlled(workers), discarded(registration)]);
  offer();
}

/** Tells of the steps of a new worker. Rejects where the browser discards the only one that there is. */
function discarded(registration: ServiceWorkerRegistration): Promise<never> {
  return new Promise((_, reject) => {
    tell({ vitrine: 'shell-progress' });
    const worker = registration.installing ?? registration.waiting ?? registration.active;
    worker?.addEventListener('statechange', () => {
      tell({ vitrine: 'shell-progress' });
      if (worker.state === 'redundant' && !registration.active)
        reject(new Error('The browser did not install the service worker of the preview.'));
    });
  });
}

/**
 * Resolves once the worker answers for this page and its frames. One that began its work just before this page was there does not
 * know of it, and is asked to take it over.
 */
async function controlled(workers: ServiceWorkerContainer): Promise<void> {
  const changed = () =>
    new Promise<unknown>((resolve) => workers.addEventListener('controllerchange', resolve, { once: true }));
  void workers.ready.then(({ active }) => workers.controller ?? active?.postMessage('vitrine-claim'));
  while (!workers.controller) await changed();
}

start().catch((error: unknown) => {
  const reason = messageOf(error);
  if (parent === window) document.body.textContent = reason;
  else tell({ vitrine: 'shell-failed', reason });
});
