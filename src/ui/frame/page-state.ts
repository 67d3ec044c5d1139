/** The tab's title and icon show this state, since the person is often looking at another tab. */
export type PageState = 'resting' | 'working' | 'waiting';

const ICONS: Readonly<Record<PageState, string>> = {
  resting: 'icons/vitrine.svg',
  working: 'icons/vitrine-working.svg',
  waiting: 'icons/vitrine-waiting.svg',
};

export function showPageState(state: PageState, title: string): void {
  document.title = title;
  const link = document.querySelector<HTMLLinkElement>('link[rel~="icon"]');
  const href = new URL(ICONS[state], document.baseURI).href;
  if (link && link.href !== href) link.href = href;
}
