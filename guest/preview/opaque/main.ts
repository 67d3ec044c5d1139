import { messageOf } from '../../../src/base/message-of.ts';
import { headerOf } from '../../../src/protocol/exchange.ts';
import type { PreviewForm, PreviewRequest } from '../../../src/protocol/preview.ts';
import { AppLink } from '../page/link.ts';
import { reportNewTabs } from '../page/new-tabs.ts';
import { preparePicking } from '../page/pick.ts';
import { reportEvents } from '../page/report.ts';
import { refuseRtc } from '../page/own-servers.ts';
import { reachSockets } from '../page/socket.ts';
import { followMedia, isFollowed } from './media.ts';
import { PageAddress, takeNavigation } from './navigation.ts';
import { replaceNetwork } from './network.ts';
import { rewrittenPage } from './page.ts';
import { Resources, targetOf } from './resources.ts';
import { replaceStorage } from './storage.ts';

/*
 * Shows one page in a frame without an origin, where no service worker answers: the page and all that it loads are fetched
 * through the app and rewritten, and what its scripts ask for goes the same way.
 */

declare global {
  interface Window {
    /** The page to show, which public/preview.html received from the app. */
    readonly previewStart: {
      readonly port: MessagePort;
      readonly target: string;
      readonly form?: PreviewForm;
      readonly cookies: string;
    };
  }
}

const { port, target, form, cookies } = window.previewStart;
let loaded = false;
const { say } = new AppLink(port, cookies);
const send = (request: PreviewRequest, channel: MessagePort) => say({ kind: 'request', request }, channel);
const address = new PageAddress(target, tell);
const resources = new Resources(send, target);

function tell(): void {
  say({ kind: 'at', target: address.target, title: document.title, loaded });
}

async function show(): Promise<void> {
  const answer = await resources.request(target, {
    headers: [
      ['accept', 'text/html,application/xhtml+xml,*/*;q=0.8'],
      ...(form ? [['content-type', form.type] as const] : []),
    ],
    ...(form && {
      method: 'POST',
      body: new Blob([form.bytes]).stream(),
    }),
  });
  const location = headerOf(answer.headers, 'location');
  const next = location === undefined ? undefined : targetOf(location, target);
  if (answer.status >= 300 && answer.status < 400 && next !== undefined)
    return say({ kind: 'navigate', target: next });
  // Only now is it a page, to which the person may want to go back.
  tell();
  const type = headerOf(answer.headers, 'content-type') ?? '';
  const text = await new Response(answer.body).text();
  const html = /^text\/html/i.test(type) ? await rewrittenPage(text, target, resources) : plainPage(text);
  refuseRtc();
  replaceStorage();
  document.open();
  // Opening a document takes its listeners away, so they come after it.
  reportEvents(say, isFollowed);
  preparePicking();
  replaceNetwork(resources, () => address.target);
  reachSockets(say);
  reportNewTabs(say, (link) => targetOf(link.getAttribute('href') ?? '', address.target) !== undefined);
  takeNavigation(address, say);
  followMedia(resources, () => address.target);
  addEventListener('load', () => {
    loaded = true;
    tell();
  });
  document.write(html);
  document.close();
  tell();
}

function plainPage(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<!doctype html><pre style="white-space: pre-wrap">${escaped}</pre>`;
}

show().catch((error: unknown) => {
  document.body.textContent = messageOf(error);
  loaded = true;
  tell();
});
