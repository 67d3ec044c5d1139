import type { BrowserContext, Page, Request } from '@playwright/test';

const names = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Methods for events, which Playwright itself uses at any time. {@link removeNewListeners} removes the listeners of a test. */
const EVENTS = names(`
  on once off emit addListener prependListener prependOnceListener removeListener
  listeners rawListeners listenerCount eventNames getMaxListeners toJSON`);

/** Members of pages and contexts that add or remove routes, which are removed after the test. */
const ROUTES = names('route unroute unrouteAll');

/** Members of a page that change nothing but the open document, or that only read. */
const OF_PAGE = new Set([
  ...EVENTS,
  ...ROUTES,
  ...names(`
    context opener mainFrame frame frames video url content title isClosed workers viewportSize
    goto reload goBack goForward setContent addScriptTag addStyleTag requestGC bringToFront pause
    evaluate evaluateHandle $ $$ $eval $$eval dispatchEvent screenshot pdf ariaSnapshot ariaSnapshotJSON
    consoleMessages pageErrors requests
    waitForSelector waitForLoadState waitForNavigation waitForURL waitForRequest waitForResponse
    waitForEvent waitForTimeout waitForFunction
    locator frameLocator getByTestId getByAltText getByLabel getByPlaceholder getByText getByTitle getByRole
    click dblclick dragAndDrop tap fill focus hover press type check uncheck setChecked selectOption setInputFiles
    textContent innerText innerHTML getAttribute inputValue
    isChecked isDisabled isEditable isEnabled isHidden isVisible
    keyboard mouse touchscreen request localStorage sessionStorage`),
]);

/** Members of a context that change only storage, cookies and permissions, which are cleared after the test, or that only read. */
const OF_CONTEXT = new Set([
  ...EVENTS,
  ...ROUTES,
  ...names(`
    browser pages isClosed cookies addCookies clearCookies grantPermissions clearPermissions
    waitForEvent storageState backgroundPages serviceWorkers request`),
]);

/** Members of a context's client for HTTP requests that keep nothing but cookies, which are cleared after the test. */
const OF_REQUESTS = new Set([...EVENTS, ...names('get post put patch delete head fetch storageState')]);

/** Members of keyboard, mouse and touchscreen. `down` is not one, since a held key stays down when another document is opened. */
const OF_INPUT = new Set(names('click dblclick move wheel up press type insertText tap'));

/**
 * Calls `note` when something is done through a page of Playwright, or its context, that would last for the tests after this one:
 * a script for each document, a clock, another size. Members that are not known here count as such. Returns the objects that
 * are watched.
 */
export function watchLastingChanges(page: Page, note: () => void): readonly object[] {
  const { keyboard, mouse, touchscreen, request } = page;
  const context = page.context();
  watch(page, OF_PAGE, note);
  watch(context, OF_CONTEXT, note);
  watch(request, OF_REQUESTS, note);
  for (const input of [keyboard, mouse, touchscreen]) watch(input, OF_INPUT, note);
  return [page, context, request, keyboard, mouse, touchscreen];
}

function watch(target: object, harmless: ReadonlySet<string>, note: () => void): void {
  for (const name of membersOf(target)) {
    if (harmless.has(name) || name.startsWith('_') || name === 'constructor') continue;
    const member: unknown = Reflect.get(target, name);
    Object.defineProperty(target, name, {
      configurable: true,
      get() {
        note();
        return member;
      },
      set(value: unknown) {
        note();
        Object.defineProperty(target, name, { configurable: true, writable: true, value });
      },
    });
  }
}

function membersOf(target: object): Set<string> {
  const found = new Set<string>();
  for (let at = target; at !== Object.prototype; at = Object.getPrototypeOf(at) as object)
    for (const name of Object.getOwnPropertyNames(at)) found.add(name);
  return found;
}

type Matched = Parameters<Page['route']>[0];
type RouteHandler = Parameters<Page['route']>[1];
type RouteOptions = Parameters<Page['route']>[2];

/** Calls `note` with each request that a route of the test handles. */
export function watchRoutes(target: Page | BrowserContext, note: (request: Request) => void): void {
  const watching = new WeakMap<RouteHandler, RouteHandler>();
  // The same for the same handler, since that is how a test takes a route back.
  const watched = (handler: RouteHandler): RouteHandler => {
    // A test without types may give anything here, and Playwright itself says that it is no function.
    if (typeof handler !== 'function') return handler;
    const known = watching.get(handler);
    if (known) return known;
    const own: RouteHandler = (route, request) => {
      note(request);
      return handler(route, request);
    };
    watching.set(handler, own);
    return own;
  };
  const route = target.route.bind(target);
  const unroute = target.unroute.bind(target);
  Object.assign(target, {
    route: (url: Matched, handler: RouteHandler, options?: RouteOptions) =>
      route(url, watched(handler), options),
    unroute: (url: Matched, handler?: RouteHandler) => unroute(url, handler && watched(handler)),
  });
}

type Listeners = ReadonlyMap<string | symbol, readonly unknown[]>;

/** The listeners that a page or context has now. */
export function listenersOf(emitter: Page | BrowserContext): Listeners {
  const heard: readonly (string | symbol)[] = call(emitter, 'eventNames');
  return new Map(heard.map((name) => [name, call<readonly unknown[]>(emitter, 'rawListeners', name)]));
}

/** Takes off the listeners that have come since, of whichever event. Returns whether all others are still there. */
export function removeNewListeners(emitter: Page | BrowserContext, before: Listeners): boolean {
  for (const [name, listeners] of listenersOf(emitter))
    for (const listener of listeners)
      if (!before.get(name)?.includes(listener)) call(emitter, 'removeListener', name, listener);
  const now = listenersOf(emitter);
  return [...before].every(([name, listeners]) => listeners.every((each) => now.get(name)?.includes(each)));
}

/** Playwright's types leave out most of what its emitters of events have, which are those of Node. */
function call<Result>(emitter: object, method: string, ...args: readonly unknown[]): Result {
  return Reflect.apply(Reflect.get(emitter, method), emitter, args) as Result;
}
