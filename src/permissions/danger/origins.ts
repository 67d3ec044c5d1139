import type { ShellCommand, ShellWord } from '../shell/opaque.ts';
import { INPUT_WORD } from './fed.ts';
import { findsProtected } from './find.ts';
import { nameOf } from './program-name.ts';
import type { Hit } from './targets.ts';

/** A chain of variables that is longer than this is not followed. */
const MAX_DEPTH = 8;
/** The beginnings of a path that lead to the workspace or above it. */
const HERE =
  /^(?:\.\/+|(?:\$PWD|\$\{PWD\}|\$\(pwd\)|`pwd`|\/+home\/+project)\/+|(?:[\w.-]+\/+)*\.\.\/(?:[\w.-]+\/+)*)+/;
const MARK = new RegExp(String.raw`^${INPUT_WORD.replace(/[{}]/g, '\\$&')}/?$`);
const SUBSTITUTION = /^(?:\$\((?<inner>[^]*)\)|`(?<old>[^]*)`)$/;
const VARIABLE = /^\$(?:(?<plain>\w+|[@*])|\{(?<braced>\w+|[@*])(?:\[[^\]]*\])?(?:[-:%#/^,@].*)?\})$/;
/** Programs that let a part of their input through. */
const FILTERS = new Set('sort uniq head tail tr tac cut grep egrep fgrep'.split(' '));

/**
 * Tells whether a word may stand for any file, because it comes from a list that is made when the command runs:
 * the input of `xargs`, what `find` comes upon, a substitution, or a variable of a loop over one of these.
 */
export class Origins {
  readonly #commands: readonly ShellCommand[];
  readonly #hit: (word: ShellWord) => Hit;

  constructor(commands: readonly ShellCommand[], hit: (word: ShellWord) => Hit) {
    this.#commands = commands;
    this.#hit = hit;
  }

  /** Whether the word, which `command` has, may be any file of a protected place. */
  isAny(word: ShellWord, command: ShellCommand, depth = 0): boolean {
    if (depth > MAX_DEPTH) return true;
    if (word.value !== null && !word.value.includes(INPUT_WORD)) return false;
    const text = word.text.replaceAll('"', '').replace(HERE, '');
    if (MARK.test(text)) return this.#feedsAny(command);
    const substituted = SUBSTITUTION.exec(text)?.groups;
    const script = substituted?.inner ?? substituted?.old;
    if (script !== undefined) return this.#printsAny(script);
    const named = VARIABLE.exec(text)?.groups;
    const name = named?.plain ?? named?.braced;
    if (name === undefined) return this.#isEverything(word);
    return /^(?:\d+|[@*])$/.test(name)
      ? this.#areArgumentsAny(command, depth)
      : this.#isVariableAny(name, command, depth);
  }

  /** Whether what `xargs` or `find -exec` inserts into a command may be any file. */
  #feedsAny(command: ShellCommand): boolean {
    for (let each: ShellCommand | undefined = command; each; each = each.within) {
      const [name, ...args] = each.words;
      if (nameOf(name) === 'find') return findsProtected(args, this.#hit);
      if (/^(?:xargs|parallel)$/.test(nameOf(name))) return this.#isListOfAny(each.fedBy);
    }
    return true;
  }

  #isVariableAny(name: string, command: ShellCommand, depth: number): boolean {
    const looped = command.loops?.get(name) ?? [];
    const given = this.#commands.flatMap((each) => assignedIn(each, name).map((word) => ({ word, each })));
    return (
      looped.some((word) => this.isAny(word, command, depth + 1)) ||
      given.some(({ word, each }) => this.isAny(word, each, depth + 1)) ||
      this.#commands.some((each) => reads(each, name) && this.#isListOfAny(each.fedBy))
    );
  }

  /** Whether `$1` and the like may be any file: in a script that is run with arguments, or after `set -- *`. */
  #areArgumentsAny(command: ShellCommand, depth: number): boolean {
    if (command.within) return true;
    return this.#commands.some(
      ({ words: [name, ...args], ...rest }) =>
        name?.value === 'set' && args.some((word) => this.isAny(word, { ...rest, words: [] }, depth + 1)),
    );
  }

  /** Whether the commands in front of a pipe may print any file. */
  #isListOfAny(pipe: ShellCommand['fedBy']): boolean {
    if (!pipe) return true;
    const [first, ...filters] = pipe;
    if (!first || !filters.every((each) => each && FILTERS.has(nameOf(each.words[0])))) return true;
    return this.#listsAny(first) && !filters.some((each) => each && isNarrowFilter(each.words));
  }

  #listsAny({ words: [name, ...args] }: ShellCommand): boolean {
    const operands = args.filter(({ value }) => !value?.startsWith('-'));
    switch (nameOf(name)) {
      case 'find':
        return findsProtected(args, this.#hit);
      case 'mktemp':
        return false;
      case 'ls':
      case 'echo':
        return this.#areAny(operands);
      case 'printf':
        return this.#areAny(operands.slice(1));
      case 'git':
        return args[0]?.value !== 'ls-files' || this.#areAny(operands.slice(1));
      default:
        return true;
    }
  }

  #areAny(words: readonly ShellWord[]): boolean {
    return words.length === 0 || words.some((word) => this.#isEverything(word) || /[$`]/.test(word.text));
  }

  /** Whether a substitution may print any file: only a list without anything computed is understood. */
  #printsAny(script: string): boolean {
    if (/[$`;&\\\n<>()]/.test(script)) return true;
    const pipe = script.split('|').map((part) => ({ assignments: [], words: wordsIn(part), redirects: [] }));
    return this.#isListOfAny(pipe);
  }

  #isEverything(word: ShellWord): boolean {
    const text = word.value ?? word.text;
    return this.#hit(word) === 'yes' || /^(?:\.\/)?[.*?]*[*?][.*?]*(?:\/[.*?]*[*?][.*?]*)*$/.test(text);
  }
}

/** The words that a command assigns to a variable; those of an array are in one. */
function assignedIn({ assignments, words }: ShellCommand, name: string): ShellWord[] {
  const texts = [
    ...assignments.filter((each) => each.name === name).map(({ text }) => text),
    ...words.filter(({ assigns }) => assigns === name).map(({ text }) => text),
  ];
  return texts.flatMap((text) => {
    const value = text.slice(text.indexOf('=') + 1);
    const list = /^\(([^]*)\)$/.exec(value)?.[1];
    if (list === undefined || /[$`]/.test(list)) return [wordOf(list ?? value)];
    return wordsIn(list);
  });
}

/** Whether a command fills a variable with what it reads. */
function reads({ words: [name, ...args] }: ShellCommand, variable: string): boolean {
  return (
    /^(?:read|mapfile|readarray)$/.test(name?.value ?? '') && args.some(({ value }) => value === variable)
  );
}

/** Whether `grep` lets only lines through that contain a certain text. */
function isNarrowFilter([name, ...args]: readonly ShellWord[]): boolean {
  if (!/grep$/.test(nameOf(name)) || args.some(({ value }) => /^-\w*[vLz]|^--(?!ext|fix)/.test(value ?? '')))
    return false;
  const pattern = args.find(({ value }) => !value?.startsWith('-'))?.value ?? '';
  return /^\^?[\w/\\.-]+\$?$/.test(pattern) && /\w{3}|\\\.\w+\$$/.test(pattern);
}

function wordsIn(text: string): ShellWord[] {
  return (text.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []).map(wordOf);
}

/** A word whose value is known if it needs no shell to tell. */
function wordOf(text: string): ShellWord {
  const quoted = /^'([^']*)'$/.exec(text)?.[1] ?? /^"([^"$`\\]*)"$/.exec(text)?.[1];
  return { text, value: quoted ?? (/[$`*?[\]{}\\'"]/.test(text) ? null : text) };
}
