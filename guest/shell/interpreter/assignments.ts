import type { ArrayValue, Assignment, Word } from 'unbash';
import { parse } from 'unbash';
import { addFields, expandText } from './expand.ts';
import type { Shell } from './shell.ts';
import type { Task } from './task.ts';
import { compile } from './words.ts';

/** Assigns to the variable that the name refers to at this moment. */
export function* assign(shell: Shell, node: Assignment): Task<void> {
  const { variables } = shell;
  const append = node.append === true;
  if (node.value.type === 'ArrayValue') {
    const isMap = variables.find(node.name)?.map !== undefined;
    yield* fill(shell, node.name, node.value, isMap, append);
    return;
  }
  const value = yield* expandText(shell, compile(node.value, 'assignment'));
  if (node.index)
    variables.setElement(
      node.name,
      yield* expandText(shell, compile(node.index, 'assignment')),
      value,
      append,
    );
  else variables.set(node.name, value, append);
}

/**
 * Fills an array from `name=(...)`. All elements are expanded before the array is emptied, because they may
 * refer to it.
 */
export function* fill(
  shell: Shell,
  name: string,
  value: ArrayValue,
  isMap: boolean,
  append: boolean,
): Task<void> {
  const elements: { readonly key?: string; readonly append?: boolean; readonly values: string[] }[] = [];
  for (const element of value.elements) {
    const keyed = keyedElement(element);
    if (keyed) {
      const key = yield* expandText(shell, compile(keyed.index, 'assignment'));
      const text = yield* expandText(shell, compile(keyed.value, 'assignment'));
      elements.push({ key, append: keyed.append, values: [text] });
    } else {
      const values: string[] = [];
      yield* addFields(shell, compile(element), values);
      elements.push({ values });
    }
  }
  const { variables } = shell;
  const variable = variables.makeArray(name, isMap, !append);
  if (isMap) {
    // Elements without subscripts are keys and values in turn.
    const plain: string[] = [];
    for (const { key, values, append: adds } of elements) {
      if (key === undefined) plain.push(...values);
      else variables.setElement(name, key, values[0] ?? '', adds);
    }
    for (let at = 0; at < plain.length; at += 2)
      variables.setElement(name, plain[at] ?? '', plain[at + 1] ?? '');
    return;
  }
  let next = variable.list?.length ?? 0;
  const isPlain = variable.attributes.size === 0 && variable.list;
  for (const { key, values, append: adds } of elements) {
    if (key !== undefined) {
      next = variables.index(variable, key, name);
      variables.setElement(name, String(next), values[0] ?? '', adds);
      next++;
    } else if (isPlain) {
      for (const each of values) isPlain[next++] = each;
    } else {
      for (const each of values) variables.setElement(name, String(next++), each);
    }
  }
}

interface Keyed {
  readonly index: Word;
  readonly value: Word;
  readonly append: boolean;
}

const known = new WeakMap<Word, Keyed | null>();

/** Reads `[key]=value` inside an array by parsing it as an assignment, whose syntax it shares. */
function keyedElement(element: Word): Keyed | null {
  let keyed = known.get(element);
  if (keyed === undefined) {
    keyed = element.text.startsWith('[') ? readKeyed(element.text) : null;
    known.set(element, keyed);
  }
  return keyed;
}

function readKeyed(text: string): Keyed | null {
  const command = parse(`a${text}`).commands[0]?.command;
  const [node] = command?.type === 'Command' ? command.prefix : [];
  if (node?.type !== 'Assignment' || !node.index || node.value.type !== 'Word') return null;
  return { index: node.index, value: node.value, append: node.append === true };
}
