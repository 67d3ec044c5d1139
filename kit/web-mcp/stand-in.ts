/** A tool that a page passes to `registerTool()`. Nothing about it has been checked yet. */
interface GivenTool {
  readonly name?: unknown;
  readonly title?: unknown;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly execute?: unknown;
  readonly annotations?: { readonly readOnlyHint?: unknown; readonly untrustedContentHint?: unknown };
}

/** The globals of the page that the stand-in uses. */
interface PageScope {
  readonly document: object;
  readonly isSecureContext: boolean;
  readonly location: { readonly origin: string };
}

/**
 * Gives a page `document.modelContext` where the browser has none, after the draft of WebMCP: the same registrations are
 * accepted and refused, with the same errors. It runs in the page, so it uses nothing from outside. `getTools()` and
 * `executeTool()` are Chromium's; tools of other documents, declarative tools and the permissions policy are left out.
 */
export function offerModelContext(scope: PageScope = globalThis): void {
  const { document } = scope;
  if (!scope.isSecureContext || 'modelContext' in document) return;

  interface Registered {
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly inputSchema?: unknown;
    readonly annotations: { readonly readOnlyHint: boolean; readonly untrustedContentHint: boolean };
    readonly execute: (input: object, options: { readonly signal: AbortSignal }) => unknown;
  }
  const registered = new Map<string, Registered>();
  const refused = (why: string, name = 'InvalidStateError') => new DOMException(why, name);

  function checked(tool: GivenTool): Registered {
    const { name, title, description, inputSchema, execute, annotations } = tool;
    if (name === undefined || description === undefined)
      throw new TypeError('A tool needs name and description.');
    if (typeof execute !== 'function') throw new TypeError('execute is no function.');
    if (inputSchema !== undefined && (typeof inputSchema !== 'object' || inputSchema === null))
      throw new TypeError('inputSchema is no object.');
    if (registered.has(String(name))) throw refused('Duplicate tool name');
    if (!/^[A-Za-z0-9_.-]{1,128}$/.test(String(name))) throw refused('Invalid tool name');
    if (String(description) === '') throw refused('Description is required');
    const schema = inputSchema === undefined ? undefined : JSON.stringify(inputSchema);
    if (inputSchema !== undefined && schema === undefined) throw new TypeError('inputSchema is not JSON.');
    return {
      ...{
        name: String(name),
        title: title === undefined ? '' : String(title),
        description: String(description),
      },
      ...(schema !== undefined && { inputSchema: JSON.parse(schema) as unknown }),
      annotations: {
        readOnlyHint: annotations?.readOnlyHint === true,
        untrustedContentHint: annotations?.untrustedContentHint === true,
      },
      execute: execute as Registered['execute'],
    };
  }

  function checkOrigins(origins: Iterable<unknown>): void {
    for (const origin of origins) {
      const url = URL.canParse(String(origin)) ? new URL(String(origin)) : undefined;
      const isLoopback = url !== undefined && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
      if (!url || (url.protocol !== 'https:' && !isLoopback))
        throw refused('exposedTo has an origin that is not trustworthy.', 'SecurityError');
    }
  }

  class ModelContext extends EventTarget {
    ontoolchange: ((event: Event) => unknown) | null = null;

    async registerTool(
      tool: GivenTool,
      options: { readonly signal?: AbortSignal; readonly exposedTo?: Iterable<unknown> } = {},
    ): Promise<undefined> {
      const definition = checked(tool);
      const { signal, exposedTo = [] } = options;
      signal?.throwIfAborted();
      checkOrigins(exposedTo);
      registered.set(definition.name, definition);
      signal?.addEventListener('abort', () => {
        if (registered.get(definition.name) === definition) registered.delete(definition.name);
        this.#changed();
      });
      this.#changed();
      return undefined;
    }

    async getTools(): Promise<readonly object[]> {
      const byName = [...registered.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
      return byName.map(({ execute: _, ...about }) => ({
        ...about,
        origin: scope.location.origin,
        window: scope,
      }));
    }

    async executeTool(
      tool: { readonly name: string },
      input: object,
      options: { readonly signal?: AbortSignal } = {},
    ): Promise<string> {
      const definition = registered.get(tool.name);
      if (!definition) throw refused('The tool is not registered.');
      const signal = options.signal ?? new AbortController().signal;
      // The page gets a copy, as it would from the browser.
      const result = await definition.execute(JSON.parse(JSON.stringify(input)) as object, { signal });
      return JSON.stringify(result) ?? 'undefined';
    }

    /** Tells it in a task of its own, as the draft says. */
    #changed(): void {
      setTimeout(() => {
        const event = new Event('toolchange');
        this.ontoolchange?.(event);
        this.dispatchEvent(event);
      });
    }
  }

  const context = new ModelContext();
  Object.defineProperty(document, 'modelContext', {
    get: () => context,
    configurable: true,
    enumerable: true,
  });
}
