import {
  CONSOLE_LEVELS,
  LONGEST_PAGE_TEXT,
  type ConsoleLevel,
  type FromPage,
} from '../../../src/protocol/preview.ts';
import { addressOfError, callersIn, firstAddress } from './stack.ts';

/** The origin against which the addresses of a page without one are read. Nothing is ever fetched from it. */
export const SITE = 'http://preview.invalid';

/**
 * Tells what scripts write to the console, the errors that nobody catches, and what the policy does not let them load.
 * `comesLater` knows what is refused only at first, because it is given to the page in another way.
 */
export function reportEvents(
  say: (message: FromPage) => void,
  comesLater: (url: string, directive: string) => boolean = () => false,
): void {
  for (const level of CONSOLE_LEVELS) reportConsole(level, say);
  addEventListener('error', (event) => {
    // Without a message it is an element that could not load, which is among the requests.
    if (!event.message) return;
    const { filename, lineno, colno, error } = event;
    const stack = stackOf(error);
    const source = filename ? placeOf(addressOfError(`${filename}:${lineno}:${colno}`, stack)) : '';
    say({ kind: 'error', text: cut(event.message), source, stack });
  });
  addEventListener('unhandledrejection', ({ reason }) => {
    const stack = stackOf(reason);
    say({
      kind: 'error',
      text: cut(`Uncaught (in promise) ${textOf(reason)}`),
      source: firstPlace(stack),
      stack,
    });
  });
  document.addEventListener('securitypolicyviolation', ({ blockedURI, effectiveDirective, disposition }) => {
    if (disposition === 'enforce' && !comesLater(blockedURI, effectiveDirective))
      say({ kind: 'blocked', url: cut(blockedURI), directive: effectiveDirective });
  });
}

function reportConsole(level: ConsoleLevel, say: (message: FromPage) => void): void {
  const original = console[level].bind(console);
  console[level] = (...args: unknown[]) => {
    original(...args);
    const source = firstPlace(callersIn(new Error().stack ?? ''));
    say({ kind: 'console', level, text: cut(formatted(args)), source });
  };
}

/** Fills in `%s`, `%d`, `%o` and leaves out `%c`, as consoles do. */
function formatted(args: readonly unknown[]): string {
  const [first, ...rest] = args;
  if (typeof first !== 'string') return args.map(textOf).join(' ');
  const filled = first.replace(/%([sdifoOc%])/g, (whole, kind: string) => {
    if (kind === '%') return '%';
    if (rest.length === 0) return whole;
    const value = rest.shift();
    return kind === 'c' ? '' : textOf(value);
  });
  return [filled, ...rest.map(textOf)].join(' ');
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Error) return value.stack?.includes(value.message) ? value.stack : String(value);
  if (value instanceof Element) return `<${value.tagName.toLowerCase()}${value.id && ` id="${value.id}"`}>`;
  if (typeof value !== 'object' || value === null) return String(value);
  try {
    return JSON.stringify(value, plain) ?? String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

function plain(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Map || value instanceof Set) return [...value];
  if (value instanceof Error) return String(value);
  return typeof value === 'function' ? `[function ${value.name}]` : value;
}

function stackOf(error: unknown): string {
  return error instanceof Error
    ? cut((error.stack ?? '').replaceAll(location.origin, '').replaceAll(SITE, ''))
    : '';
}

/** The first place in a stack, as `/main.js:3:5`. */
function firstPlace(stack: string): string {
  return placeOf(firstAddress(stack));
}

function placeOf(address: string): string {
  const site = [location.origin, SITE].find((origin) => address.startsWith(`${origin}/`));
  return cut(site === undefined ? address : address.slice(site.length));
}

function cut(text: string): string {
  return text.length > LONGEST_PAGE_TEXT ? `${text.slice(0, LONGEST_PAGE_TEXT)}…` : text;
}
