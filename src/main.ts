import './base/zod-config.ts';
import { createApp } from './app/app.ts';
import type { CreatedApp } from './app/automation-host.ts';
import { containersOffBySite } from './app/container-settings.ts';
import { parseLink } from './app/link.ts';
import { StorageNotice } from './app/storage-notice.ts';
import { createAutomation, type AutomationHost } from './automation/automation.ts';
import timerWorkerURL from './base/timer-worker.ts?worker&url';
import { portTimer } from './base/timer.ts';
import { KeyStore, webStorageKeys } from './models/keys.ts';
import { openStorage } from './storage/open.ts';
import { mountPage } from './ui/mount.ts';
import { startWorker } from './ui/worker.ts';

const link = parseLink(location.search);
const started = start();
// At once, and not when the app has started: a test asks for it as soon as the page is loaded.
if (link.automation) Object.assign(window, { vitrine: createAutomation(lend()) });

async function lend(): Promise<AutomationHost> {
  const [{ automationHost }, parts] = await Promise.all([import('./app/automation-host.ts'), started]);
  return automationHost(parts);
}

async function start(): Promise<CreatedApp> {
  const notice = new StorageNotice();
  const [storage, keys] = await Promise.all([
    openStorage({ onProblem: (fault) => notice.tell(fault), onRecovered: () => notice.tell(null) }),
    KeyStore.open(
      webStorageKeys(() => sessionStorage),
      webStorageKeys(() => localStorage),
    ),
  ]);
  notice.opened(storage);
  const parts = createApp({
    container: document.body,
    timer: portTimer(startWorker(timerWorkerURL, 'timer')),
    storage,
    notice,
    keys,
    kind: link.kind,
    containersOff: containersOffBySite(document),
  });
  const target = document.getElementById('app');
  if (!target) throw new Error('index.html has no #app.');
  mountPage(target, parts.app, link);
  return { parts };
}
