import type {
  Case,
  CommandNode,
  CompoundList,
  HereDoc,
  If,
  Redirection,
  Statement,
  TestExpression,
  Word,
} from 'unbash';
import { singleQuoted } from './quoting.ts';
import type { ShellFunction } from './shell.ts';

const STEP = '    ';

type Node = Statement['command'] | CommandNode | CompoundList;

/** Prints a function as `type` and `declare -f` do, in bash's layout whatever the script looked like. */
export function functionText(name: string, { body, source }: ShellFunction): string {
  return `${name} () \n${new Layout(source.text).body(body)}\n`;
}

class Layout {
  readonly #source: string;
  #text = '';
  #indent = '';
  /** Here-documents whose bodies have not been printed yet. */
  #documents: HereDoc[] = [];
  #afterDocument = false;

  constructor(source: string) {
    this.#source = source;
  }

  /** Prints the body of a function, in braces even where the script had none. */
  body(node: Node): string {
    const [inner, redirects] = node.type === 'Redirected' ? [node.command, node.redirects] : [node, []];
    this.#add(`${this.#indent}{ \n`);
    this.#deeper(() => {
      if (inner.type === 'BraceGroup') this.#list(inner.body);
      else if (inner.type === 'CompoundList') this.#list(inner);
      else {
        this.#add(this.#indent);
        this.#node(inner);
      }
    });
    this.#line('}');
    if (redirects.length > 0) this.#add(' ');
    this.#redirections(redirects);
    return this.#text;
  }

  #add(text: string): void {
    this.#text += text;
  }

  #line(text: string): void {
    this.#add(`\n${this.#indent}${text}`);
  }

  #deeper(work: () => void): void {
    const before = this.#indent;
    this.#indent += STEP;
    work();
    this.#indent = before;
  }

  #semicolon(): void {
    if (!/[&\n]$/.test(this.#text)) this.#add(';');
  }

  #bodies(): void {
    const documents = this.#documents;
    this.#documents = [];
    if (documents.length === 0) return;
    this.#afterDocument = true;
    this.#add('\n');
    for (const { operator, body, delimiter } of documents) {
      const text = operator === '<<-' ? body.text.replace(/^\t+/gm, '') : body.text;
      this.#add(`${text}${delimiter?.value ?? ''}\n`);
    }
  }

  /** Prints statements on lines of their own. */
  #list(list: CompoundList): void {
    this.#add(this.#indent);
    this.#statements(list.commands);
  }

  #statements(statements: readonly Statement[]): void {
    for (const [at, { command, background }] of statements.entries()) {
      const isLast = at === statements.length - 1;
      this.#node(command);
      if (background) {
        this.#add(' &');
        this.#bodies();
        if (!isLast) this.#add(' ');
      } else if (isLast) this.#bodies();
      else {
        if (this.#documents.length > 0) this.#bodies();
        else if (this.#afterDocument) this.#afterDocument = false;
        else this.#semicolon();
        this.#line('');
      }
    }
  }

  /** Prints statements after a keyword such as `if`, the first one on its line. */
  #clause(list: CompoundList, end: string): void {
    this.#statements(list.commands);
    this.#semicolon();
    this.#add(end);
  }

  #block(list: CompoundList, end: string): void {
    this.#deeper(() => this.#list(list));
    this.#semicolon();
    this.#line(end);
  }

  #between(nodes: readonly Node[], operators: readonly string[]): void {
    for (const [at, node] of nodes.entries()) {
      this.#node(node);
      const operator = operators[at];
      if (operator === undefined || at === nodes.length - 1) continue;
      this.#add(operator === '|&' ? ' 2>&1 |' : ` ${operator}`);
      this.#bodies();
      this.#add(' ');
    }
  }

  #node(node: Node): void {
    switch (node.type) {
      case 'Command': {
        const words = [...node.prefix, ...node.suffix].flatMap((part) =>
          part.type === 'Word' || part.type === 'Assignment' ? [part] : [],
        );
        const all = [...words, ...(node.name ? [node.name] : [])].sort((a, b) => a.pos - b.pos);
        this.#add(all.map(({ text }) => text).join(' '));
        if (all.length > 0 && node.redirects.length > 0) this.#add(' ');
        return this.#redirections(node.redirects);
      }
      case 'Redirected':
        this.#node(node.command);
        this.#add(' ');
        return this.#redirections(node.redirects);
      case 'Pipeline':
        for (const prefix of node.prefixes)
          this.#add(prefix.type === 'Negation' ? '! ' : prefix.posix ? 'time -p ' : 'time ');
        return this.#between(node.commands, node.operators);
      case 'AndOr':
        return this.#between(node.commands, node.operators);
      case 'If':
        return this.#if(node, node.elif);
      case 'For':
      case 'Select':
        this.#add(`${node.type === 'For' ? 'for' : 'select'} ${node.name.text} in `);
        this.#add(`${node.wordlist ? textsOf(node.wordlist) : '"$@"'};`);
        this.#line('do\n');
        return this.#block(node.body, 'done');
      case 'ArithmeticFor': {
        const head = this.#source.slice(node.pos, node.body.pos);
        const [, parts = ''] = /\(\(([^]*)\)\)/.exec(head) ?? [];
        this.#add(`for ((${parts.split(';').map(filled).join('; ')}))`);
        this.#line('do\n');
        return this.#block(node.body, 'done');
      }
      case 'While':
        this.#add(`${node.kind} `);
        this.#clause(node.clause, ' do\n');
        return this.#block(node.body, 'done');
      case 'Case':
        return this.#case(node);
      case 'Subshell':
        this.#add('( ');
        this.#statements(node.body.commands);
        return this.#add(' )');
      case 'BraceGroup':
        this.#add('{ \n');
        this.#deeper(() => this.#list(node.body));
        return this.#line('}');
      case 'TestCommand':
        return this.#add(`[[ ${testText(node.expression)} ]]`);
      case 'ArithmeticCommand':
        return this.#add(`((${node.body}))`);
      case 'Function':
        this.#add(`function ${node.name.text} () \n`);
        return void this.body(node.body);
      case 'Coproc':
        this.#add(`coproc ${node.name ? `${node.name.text} ` : ''}`);
        return this.#node(node.body);
      case 'CompoundList':
        return this.#statements(node.commands);
    }
  }

  /** An `elif` is printed as an `if` within `else`. */
  #if(node: Pick<If, 'clause' | 'then' | 'else'>, [elif, ...more]: If['elif']): void {
    this.#add('if ');
    this.#clause(node.clause, ' then\n');
    this.#deeper(() => this.#list(node.then));
    if (elif || node.else) {
      this.#semicolon();
      this.#line('else\n');
      this.#deeper(() => {
        if (elif) {
          this.#add(this.#indent);
          this.#if({ ...elif, else: node.else }, more);
        } else if (node.else) this.#list(node.else);
      });
    }
    this.#semicolon();
    this.#line('fi');
  }

  #case({ word, items }: Case): void {
    this.#add(`case ${word.text} in `);
    this.#deeper(() => {
      for (const { pattern, body, terminator = ';;' } of items) {
        this.#line(`${textsOf(pattern, ' | ')})\n`);
        if (body.commands.length > 0) this.#deeper(() => this.#list(body));
        this.#line(terminator);
      }
    });
    this.#line('esac');
  }

  #redirections(redirects: readonly Redirection[]): void {
    this.#add(redirects.map((one) => redirectionText(one)).join(' '));
    for (const one of redirects) if (one.type === 'HereDoc') this.#documents.push(one);
  }
}

function textsOf(words: readonly Word[], between = ' '): string {
  return words.map(({ text }) => text).join(between);
}

/** A missing part of `for ((;;))` is printed as 1. */
function filled(part: string): string {
  return part.trim() === '' ? '1' : part.trimStart();
}

function testText(node: TestExpression): string {
  switch (node.type) {
    case 'TestUnary':
      return `${node.operator} ${node.operand.text}`;
    case 'TestBinary':
      return `${node.left.text} ${node.operator} ${node.right.text}`;
    case 'TestLogical':
      return node.operands.map(testText).join(` ${node.operator} `);
    case 'TestNot':
      return `${'! '.repeat(node.negations.length)}${testText(node.operand)}`;
    case 'TestGroup':
      return `( ${testText(node.expression)} )`;
  }
}

function redirectionText(one: Redirection): string {
  const { operator, descriptor } = one;
  const usual = operator.startsWith('<') ? 0 : 1;
  const named = descriptor?.type === 'FileDescriptorVariable' ? `{${descriptor.name}}` : undefined;
  const number = descriptor?.type === 'FileDescriptor' ? descriptor.value : usual;
  const before = named ?? (number === usual ? '' : String(number));
  if (one.type === 'HereDoc') {
    const { value = '', quoted } = one.delimiter ?? {};
    return `${before}${operator}${quoted ? singleQuoted(value) : value}`;
  }
  const target = one.target?.text ?? '';
  if (operator === '>&' || operator === '<&') {
    if (target === '-') return `${named ?? number}>&-`;
    if (/^\d+-?$/.test(target)) return `${named ?? number}${operator}${target}`;
    return operator === '>&' && !descriptor && !target.startsWith('$')
      ? `&> ${target}`
      : `${before}${operator}${target}`;
  }
  return `${before}${operator} ${target}`;
}
