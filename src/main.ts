import './base/zod-config.ts';
import { createApp, type AppParts } from './app/app.ts';
import type { CreatedApp } from './app/automation-host.ts';
import { containersOffBySite } from './app/container-settings.ts';
import { parseLink } from './app/link.ts';
import { afterLoad, holdBuild, Offline } from './app/offline/offline.ts';
import { StorageNotice } from './app/storage-notice.ts';
import { automationAtOnce } from './automation/at-once.ts';
import type { Automation } from './automation/types.ts';
import timerWorkerURL from './base/timer-worker.ts?worker&url';
import { portTimer } from './base/timer.ts';
import { KeyStore, webStorageKeys } from './models/keys.ts';
import { openStorage } from './storage/open.ts';
import type { Storage } from './storage/storage.ts';
import { pageLanguage } from './ui/languages/languages.ts';
import { mountPage } from './ui/mount.ts';
import { scriptAddress, startWorker } from './ui/worker.ts';

const link = parseLink(location.search);
// The code of a sign-in must not stay in the address, where people copy it and other programs read it.
if (link.returned) history.replaceState(null, '', location.pathname);
const offline = new Offline();
holdBuild();
const started = start();
// At once, and not when the app has started: a test asks for it as soon as the page is loaded.
if (link.automation) Object.assign(window, { vitrine: automationAtOnce(automate()) });

async function automate(): Promise<Automation> {
  const [{ createAutomation }, { automationHost }] = await Promise.all([
    import('./automation/automation.ts'),
    import('./app/automation-host.ts'),
  ]);
  return createAutomation(started.then(automationHost));
}

async function beginAtRest(parts: AppParts, { settings }: Storage): Promise<void> {
  const { beginAtRest } = await import('./app/at-rest.ts');
  await beginAtRest(parts, { offline, isAutomation: link.automation, settings, scriptAddress });
}

async function start(): Promise<CreatedApp> {
  const notice = new StorageNotice();
  const [storage, keys] = await Promise.all([
    openStorage({ onProblem: (fault) => notice.tell(fault), onRecovered: () => notice.tell(null) }),
    KeyStore.open(
      webStorageKeys(() => sessionStorage),
      webStorageKeys(() => localStorage),
    ),
    pageLanguage() === 'en'
      ? undefined
      : import('./ui/languages/load.ts').then((load) => load.loadLanguage()),
  ]);
  notice.opened(storage);
  const parts = createApp({
    container: document.body,
    timer: portTimer(startWorker(timerWorkerURL, 'timer')),
    storage,
    notice,
    offline,
    keys,
    kind: link.kind,
    containersOff: containersOffBySite(document),
  });
  afterLoad(() => void beginAtRest(parts, storage));
  const target = document.getElementById('app');
  if (!target) throw new Error('index.html has no #app.');
  mountPage(target, parts.app, link);
  return { parts };
}
