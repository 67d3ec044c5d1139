import type { JsonObject } from '../../base/json.ts';
import type {
  CodeAction,
  Diagnostic,
  DocumentSymbol,
  Hover,
  Location,
  NamedSymbol,
  Range,
  SymbolCall,
} from '../../language/language.ts';
import { relativeToRoot } from '../paths.ts';
import { oneLine } from '../text.ts';

/** An answer as lines for the model and as data for the page and hooks. Positions count from 1 in both. */
export interface Answer {
  readonly lines: readonly string[];
  readonly results: readonly JsonObject[];
}

export function locations(found: readonly Location[]): Answer {
  return {
    lines: found.map((location) => `${positionText(location)}: ${oneLine(location.text)}`),
    results: found.map((location) => ({ ...resultOf(location), text: location.text })),
  };
}

export function hover(found: Hover | null): Answer {
  if (!found) return { lines: [], results: [] };
  const { signature, documentation } = found;
  return {
    lines: [signature, ...(documentation === '' ? [] : ['', documentation])],
    results: [{ signature, documentation }],
  };
}

export function outline(symbols: readonly DocumentSymbol[], indent = ''): Answer {
  const all = symbols.map(({ name, kind, range, children }): Answer => {
    const place = from(range);
    const below = outline(children, `${indent}  `);
    return {
      lines: [`${indent}${place.line}:${place.character} ${kind} ${oneLine(name)}`, ...below.lines],
      results: [{ name, kind, ...place }, ...below.results],
    };
  });
  return { lines: all.flatMap(({ lines }) => lines), results: all.flatMap(({ results }) => results) };
}

export function symbols(found: readonly NamedSymbol[]): Answer {
  return { lines: found.map(lineOf), results: found.map(symbolOf) };
}

export function symbolCalls(found: readonly SymbolCall[]): Answer {
  const places = (ranges: readonly Range[]) =>
    ranges.map((range) => `${from(range).line}:${from(range).character}`);
  return {
    lines: found.map(({ symbol, ranges }) => `${lineOf(symbol)}, called at ${places(ranges).join(', ')}`),
    results: found.map(({ symbol, ranges }) => ({ ...symbolOf(symbol), calls: places(ranges) })),
  };
}

export function diagnostics(found: readonly Diagnostic[]): Answer {
  return {
    lines: found.map(diagnosticLine),
    results: found.map(({ range, severity, message, code }) => ({ ...from(range), severity, message, code })),
  };
}

/** One line, unless the message itself has line breaks. */
export function diagnosticLine({ range, severity, message, code }: Diagnostic): string {
  const { line, character } = from(range);
  return `${severity.toUpperCase()} [${line}:${character}] ${message} (${code})`;
}

export function actions(found: readonly CodeAction[]): Answer {
  return {
    lines: found.map(({ title, kind }) => `${title} (${kind})`),
    results: found.map(({ title, kind }) => ({ title, kind })),
  };
}

function lineOf({ name, kind, container, location }: NamedSymbol): string {
  const inContainer = container === '' ? '' : ` in ${oneLine(container)}`;
  return `${positionText(location)} ${kind} ${oneLine(name)}${inContainer}`;
}

function symbolOf({ name, kind, container, location }: NamedSymbol): JsonObject {
  return { name, kind, container, ...resultOf(location) };
}

function positionText({ path, range }: Location): string {
  const { line, character } = from(range);
  return `${oneLine(relativeToRoot(path))}:${line}:${character}`;
}

function resultOf({ path, range }: Location): JsonObject {
  return { file: relativeToRoot(path), ...from(range) };
}

function from({ start }: Range): { line: number; character: number } {
  return { line: start.line + 1, character: start.character + 1 };
}
