import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { ToolSpec } from '../../session/request/model.ts';

/*
 * Small models write calls in the form that they were trained on, and not always quite right. What they evidently mean is put
 * right here. Nothing is guessed that they did not write: what does not fit then is refused by the tool's schema, as in any call.
 */

/** A call in the text of an answer. */
export interface FoundCall {
  /** The text before the call, for the person. */
  readonly say: string;
  readonly tool: string;
  /** The arguments; the text itself where it breaks off, which no schema accepts. */
  readonly input: Json;
}

/** Where a call may begin: a tag, a block of code, or an object at the start of a line. */
const BEGINNING = /<\|?tool_call\|?>|```(?:json|tool_call|tool_code)?\s*\{|^[ \t]*\{/m;

/** The part of an unfinished text that can be shown because no call can begin in it. */
export function withoutCall(text: string): string {
  const at = BEGINNING.exec(text)?.index;
  // A tag or a fence that has only begun is held back, too.
  return at === undefined ? text.replace(/(?:<\|?[a-z_]*\|?|`{1,3}\w*\s*)$/, '') : text.slice(0, at);
}

/** Finds the call of a known tool in a whole text. Objects before it that are no calls belong to what the model says. */
export function callIn(text: string, tools: readonly ToolSpec[]): FoundCall | undefined {
  const beginnings = new RegExp(BEGINNING, 'gm');
  for (let begin = beginnings.exec(text); begin; begin = beginnings.exec(text)) {
    const say = text.slice(0, begin.index).trimEnd();
    const from = text.indexOf('{', begin.index);
    if (from < 0) return undefined;
    const source = text.slice(from);
    const { value, brokenOff, length } = jsonAt(source);
    if (brokenOff) {
      const named = /"(?:tool|name)"\s*:\s*"([^"]+)"/.exec(source)?.[1];
      const tool = named === undefined ? undefined : toolOf(named, tools);
      return tool && { say, tool: tool.name, input: source };
    }
    const call = isObject(value) ? namedCall(value, tools, begin[0].startsWith('<')) : undefined;
    if (call) return { say, ...call };
    beginnings.lastIndex = from + length;
  }
  return undefined;
}

/** Tells whether the object that a text begins with ends within a string. */
export const isBrokenOff = (text: string): boolean =>
  jsonAt(text.slice(Math.max(0, text.indexOf('{')))).brokenOff;

/** The call as it is meant: the tool by its own name, the arguments by those of its schema. */
export function fittedCall(name: string, input: Json, tools: readonly ToolSpec[]): Omit<FoundCall, 'say'> {
  const tool = toolOf(name, tools);
  return tool ? { tool: tool.name, input: fitted(input, tool.schema) } : { tool: name, input };
}

function namedCall(
  value: JsonObject,
  tools: readonly ToolSpec[],
  isMarked: boolean,
): Omit<FoundCall, 'say'> | undefined {
  const inner = [value.call, value.function, value.tool_call].find(isObject) ?? value;
  const name = [inner.tool, inner.name, inner.function].find((each) => typeof each === 'string');
  if (typeof name !== 'string') return undefined;
  // Any object may have a name. One that is marked as a call is one, also of a tool that does not exist.
  if (!isMarked && !toolOf(name, tools)) return undefined;
  const input = [inner.arguments, inner.parameters, inner.args, inner.input].find(
    (each) => each !== undefined,
  );
  return fittedCall(name, input ?? {}, tools);
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

function toolOf(name: string, tools: readonly ToolSpec[]): ToolSpec | undefined {
  return tools.find((tool) => tool.name === name) ?? tools.find((tool) => plain(tool.name) === plain(name));
}

function fitted(input: Json, schema: JsonObject): Json {
  const given = typeof input === 'string' ? (jsonAt(input).value ?? input) : input;
  const properties = isObject(schema.properties) ? schema.properties : {};
  if (!isObject(given)) return given;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const result: Record<string, Json> = {};
  for (const [key, value] of Object.entries(given)) {
    const name = Object.hasOwn(properties, key) ? key : nameOf(key, properties, given);
    // An argument that may be left out is left out by small models with `null`.
    if (value === null && !required.includes(name)) continue;
    const wanted = properties[name];
    result[name] = isObject(wanted) ? converted(value, wanted.type) : value;
  }
  return result;
}

/** The argument that is meant by another name: `file_path` and `path` are `filePath`, where nothing else is. */
function nameOf(key: string, properties: JsonObject, given: JsonObject): string {
  const free = Object.keys(properties).filter((name) => !(name in given));
  const same = free.find((name) => plain(name) === plain(key));
  if (same !== undefined) return same;
  const alike = free.filter((name) => plain(name).includes(plain(key)) || plain(key).includes(plain(name)));
  const [only] = alike;
  return alike.length === 1 && only !== undefined && plain(key).length > 2 ? only : key;
}

function converted(value: Json, type: Json | undefined): Json {
  if (type === 'string')
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (type === 'array') return Array.isArray(value) || value === null ? value : [value];
  if (typeof value !== 'string') return value;
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(value.trim())) return Number(value);
  if (type === 'boolean' && /^(true|false)$/i.test(value.trim())) return /^true$/i.test(value.trim());
  return value;
}

interface ReadJson {
  readonly value?: Json;
  readonly brokenOff: boolean;
  /** How many characters of the text the object takes. */
  readonly length: number;
}

/**
 * Reads the object that a text begins with, whatever follows it. Missing brackets at its end are added; a text that ends within
 * a string broke off, and half a file must not be written.
 */
function jsonAt(text: string): ReadJson {
  const open: string[] = [];
  let isString = false;
  let length = text.length;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    if (isString) {
      if (letter === '\\') at++;
      else if (letter === '"') isString = false;
    } else if (letter === '"') isString = true;
    else if (letter === '{' || letter === '[') open.push(letter === '{' ? '}' : ']');
    else if (letter === '}' || letter === ']') {
      open.pop();
      if (open.length === 0) {
        length = at + 1;
        break;
      }
    } else if (letter === '<' || letter === '`') {
      // Outside of its strings an object has neither: the tag or the block of code around it ends.
      length = at;
      break;
    }
  }
  if (isString) return { brokenOff: true, length };
  return { ...parsed(text.slice(0, length).trimEnd() + open.reverse().join('')), brokenOff: false, length };
}

function parsed(text: string): { readonly value?: Json } {
  const withoutCommas = outsideStrings(text, (part) => part.replace(/,\s*([}\]])/g, '$1'));
  for (const source of [text, withoutCommas, outsideStrings(withoutCommas, withoutPython)]) {
    try {
      return { value: JSON.parse(source) as Json };
    } catch {
      // The next form may be readable.
    }
  }
  return {};
}

/** Changes what stands around the strings of a JSON text, and leaves these as the model wrote them. */
function outsideStrings(json: string, change: (part: string) => string): string {
  return json
    .split(/("(?:[^"\\]|\\.)*")/s)
    .map((part, at) => (at % 2 === 0 ? change(part) : part))
    .join('');
}

/** Many small models have read more Python than JSON. */
const withoutPython = (part: string): string =>
  part.replace(/\b(True|False|None)\b/g, (word) => (word === 'None' ? 'null' : word.toLowerCase()));
