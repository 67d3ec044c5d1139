import { fatal, orderOf } from './builtins.ts';
import { valueOf, type Callable, type Code, type Expressions } from './expressions.ts';
import { SLOT, type AwkMachine } from './machine.ts';
import type { AwkFunction, AwkProgram, Case, Expr, Redirect, Rule, Statement } from './tree.ts';
import { compare, isTrue, numberOf, sprintf, type AwkArray, type Value } from './values.ts';

/** How a statement ends; undefined means that the next one follows. */
export type Signal = 'break' | 'continue' | 'next' | 'nextfile' | 'exit' | 'return' | undefined;
export type CompiledStatement = () => Signal | Promise<Signal>;

type StatementOf<T extends Statement['t']> = Extract<Statement, { t: T }>;

/** The number of turns after which a loop that never waits lets others run. */
const BREATH_TURNS = 100_000;

/** Thrown for `next` and `exit` inside a function that an expression calls. */
export class ControlSignal extends Error {
  readonly signal: Signal;

  constructor(signal: Signal) {
    super('left');
    this.signal = signal;
  }
}

export class Statements {
  readonly #expressions: Expressions;
  readonly #machine: AwkMachine;
  readonly #stopped: () => boolean;

  constructor(expressions: Expressions, stopped: () => boolean) {
    this.#expressions = expressions;
    this.#machine = expressions.machine;
    this.#stopped = stopped;
  }

  step(statement: Statement): CompiledStatement {
    const expressions = this.#expressions;
    const machine = this.#machine;
    switch (statement.t) {
      case 'block':
        return inOrder(statement.body.map((one) => this.step(one)));
      case 'expr': {
        const code = expressions.code(statement.expr);
        const { run, later } = code;
        if (later) return async () => void (await later());
        return () => void run();
      }
      case 'print':
        return this.#print(statement.args, statement.redirect, (values) =>
          values.length === 0
            ? machine.record + machine.known('ORS')
            : values.map((value) => machine.shown(value)).join(machine.known('OFS')) + machine.known('ORS'),
        );
      case 'printf':
        return this.#print(statement.args, statement.redirect, ([format, ...values]) =>
          sprintf(machine.text(format), values, machine.convert),
        );
      case 'if':
        return this.#if(statement);
      case 'while':
        return this.#loop(expressions.code(statement.test), this.step(statement.body));
      case 'do':
        return this.#do(statement);
      case 'for':
        return this.#for(statement);
      case 'each':
        return this.#each(statement);
      case 'switch':
        return this.#switch(expressions.code(statement.of), statement.cases);
      case 'break':
      case 'continue':
      case 'next':
      case 'nextfile': {
        const signal = statement.t;
        return () => signal;
      }
      case 'exit':
      case 'return':
        return this.#leave(statement);
      case 'delete':
        return this.#delete(statement);
    }
  }

  #if(statement: StatementOf<'if'>): CompiledStatement {
    const expressions = this.#expressions;
    const test = expressions.code(statement.test);
    const yes = this.step(statement.yes);
    const no = statement.no ? this.step(statement.no) : () => undefined;
    if (!test.later) return () => (isTrue(test.run()) ? yes() : no());
    return async () => (isTrue(await valueOf(test)) ? yes() : no());
  }

  #do(statement: StatementOf<'do'>): CompiledStatement {
    const expressions = this.#expressions;
    const body = this.step(statement.body);
    const again = this.#loop(expressions.code(statement.test), body);
    return async () => {
      const signal = await body();
      if (signal === 'break') return undefined;
      if (signal !== undefined && signal !== 'continue') return signal;
      return again();
    };
  }

  #for(statement: StatementOf<'for'>): CompiledStatement {
    const expressions = this.#expressions;
    const init = statement.init ? this.step(statement.init) : undefined;
    const test = statement.test ? expressions.code(statement.test) : { run: () => 1 };
    const loop = this.#loop(test, this.step(statement.body), statement.step && this.step(statement.step));
    return () => {
      const before = init?.();
      return before instanceof Promise ? before.then(loop) : loop();
    };
  }

  #each(statement: StatementOf<'each'>): CompiledStatement {
    const expressions = this.#expressions;
    const array = expressions.array(statement.name);
    const key = expressions.place(statement.key);
    const body = this.step(statement.body);
    return async () => {
      for (const one of this.#keys(array())) {
        key.resolve().set(one);
        const answer = body();
        const signal = answer instanceof Promise ? await answer : answer;
        if (signal === 'break') return undefined;
        if (signal !== undefined && signal !== 'continue') return signal;
      }
      return undefined;
    };
  }

  #leave(statement: StatementOf<'exit' | 'return'>): CompiledStatement {
    const expressions = this.#expressions;
    const { machine } = expressions;
    const { t } = statement;
    const code = statement.value && expressions.code(statement.value);
    const leave = (value: Value): Signal => {
      if (t === 'return') machine.returned = value;
      else if (code) machine.exitCode = Math.trunc(numberOf(value)) & 255;
      return t;
    };
    if (!code) return () => leave(undefined);
    if (!code.later) return () => leave(code.run());
    return async () => leave(await valueOf(code));
  }

  #delete(statement: StatementOf<'delete'>): CompiledStatement {
    const expressions = this.#expressions;
    const { machine } = expressions;
    const array = expressions.array(statement.name);
    if (!statement.subs) return () => void array().clear();
    const key = expressions.key(statement.subs);
    if (!key.later) return () => void array().delete(machine.text(key.run()));
    return async () => void array().delete(machine.text(await valueOf(key)));
  }

  #keys(array: AwkArray): string[] {
    const settings = this.#machine.globals[SLOT.PROCINFO];
    const name = settings instanceof Map ? settings.get('sorted_in') : undefined;
    const order = name === undefined || name instanceof Map ? undefined : orderOf(this.#machine.text(name));
    return order ? [...array].sort(order).map(([key]) => key) : [...array.keys()];
  }

  #print(
    args: readonly Expr[],
    redirect: Redirect | undefined,
    made: (values: Value[]) => string,
  ): CompiledStatement {
    const machine = this.#machine;
    const codes = args.map((arg) => this.#expressions.code(arg));
    const to = redirect && this.#expressions.code(redirect.to);
    const write = (text: string, name: Value) =>
      redirect ? machine.streams.write(redirect.kind, machine.text(name), text) : machine.out.write(text);
    if (to?.later || codes.some(({ later }) => later)) {
      return async () => {
        const values: Value[] = [];
        for (const code of codes) values.push(await valueOf(code));
        await write(made(values), to && (await valueOf(to)));
        return undefined;
      };
    }
    return () => {
      const waits = write(made(codes.map((code) => code.run())), to?.run());
      return waits?.then(() => undefined);
    };
  }

  #loop(test: Code, body: CompiledStatement, step?: CompiledStatement): CompiledStatement {
    const stopped = this.#stopped;
    const isOver = (signal: Signal) => signal !== undefined && signal !== 'continue';
    const end = (signal: Signal): Signal => (signal === 'break' ? undefined : signal);
    const later = async (pending?: Promise<Signal>): Promise<Signal> => {
      if (pending) {
        const signal = await pending;
        if (isOver(signal)) return end(signal);
        await step?.();
      }
      for (let turn = 1; isTrue(await valueOf(test)); turn++) {
        const answer = body();
        const signal = answer instanceof Promise ? await answer : answer;
        if (isOver(signal)) return end(signal);
        const stepped = step?.();
        if (stepped instanceof Promise) await stepped;
        if (turn % BREATH_TURNS !== 0) continue;
        await new Promise((resolve) => setTimeout(resolve));
        if (stopped()) return 'exit';
      }
      return undefined;
    };
    if (test.later) return () => later();
    return () => {
      for (let turn = 1; isTrue(test.run()); turn++) {
        const answer = body();
        if (answer instanceof Promise) return later(answer);
        if (isOver(answer)) return end(answer);
        const stepped = step?.();
        if (stepped instanceof Promise) return stepped.then(() => later());
        if (turn % BREATH_TURNS === 0) return later();
      }
      return undefined;
    };
  }

  #switch(of: Code, cases: readonly Case[]): CompiledStatement {
    const machine = this.#machine;
    const bodies = cases.map(({ body }) => inOrder(body.map((one) => this.step(one))));
    const tests = cases.map(({ value }) => {
      if (!value) return undefined;
      if (value.t === 'regex') return (given: Value) => machine.regex(value.source).test(machine.text(given));
      const code = this.#expressions.code(value);
      return (given: Value) => {
        const wanted = code.run();
        if (typeof given === 'string' && typeof wanted === 'number') return false;
        return compare(given, wanted, machine.convert) === 0;
      };
    });
    return async () => {
      const given = await valueOf(of);
      let at = tests.findIndex((test) => test?.(given) === true);
      if (at < 0) at = cases.findIndex(({ value }) => !value);
      for (; at >= 0 && at < bodies.length; at++) {
        const signal = await bodies[at]?.();
        if (signal === 'break') return undefined;
        if (signal !== undefined) return signal;
      }
      return undefined;
    };
  }
}

function inOrder(steps: readonly CompiledStatement[]): CompiledStatement {
  const [only] = steps;
  if (steps.length === 1 && only) return only;
  const from = (start: number): Signal | Promise<Signal> => {
    for (let at = start; at < steps.length; at++) {
      const answer = steps[at]?.();
      if (answer instanceof Promise) return answer.then((signal) => signal ?? from(at + 1));
      if (answer !== undefined) return answer;
    }
    return undefined;
  };
  return () => from(0);
}

/** Makes a function that can be called. `body` is called once all functions are compiled. */
export function callable(
  machine: AwkMachine,
  made: AwkFunction,
  body: () => CompiledStatement,
  waits: boolean,
): Callable {
  let step: CompiledStatement | undefined;
  let depth = 0;
  const enter = (args: (Value | AwkArray)[]) => {
    if (++depth > 5000) throw fatal('function calls are nested too deep');
    const before = machine.frame;
    machine.frame = made.parameters.map((_name, at) => args[at]);
    machine.returned = undefined;
    return before;
  };
  const leave = (before: (Value | AwkArray)[], signal: Signal): Value => {
    depth--;
    machine.frame = before;
    if (signal === 'exit' || signal === 'next' || signal === 'nextfile') throw new ControlSignal(signal);
    const value = machine.returned;
    machine.returned = undefined;
    return value;
  };
  return {
    made,
    waits,
    run(args) {
      const before = enter(args);
      const signal = (step ??= body())();
      if (signal instanceof Promise) throw fatal(`function \`${made.name}' has to wait`);
      return leave(before, signal);
    },
    async later(args) {
      const before = enter(args);
      return leave(before, await (step ??= body())());
    },
  };
}

/** The names of functions whose bodies may wait, judged by their contents and the functions they call. */
export function waitingFunctions(program: AwkProgram): ReadonlySet<string> {
  const found = new Set<string>();
  const waits = (node: unknown): boolean => {
    if (Array.isArray(node)) return node.some(waits);
    if (typeof node !== 'object' || node === null) return false;
    if ('t' in node) {
      if (['getline', 'print', 'printf', 'each', 'switch', 'do', 'while', 'for'].includes(String(node.t)))
        return true;
      if (node.t === 'call' && 'name' in node && found.has(String(node.name))) return true;
      if (node.t === 'builtin' && 'name' in node && ['system', 'close', 'fflush'].includes(String(node.name)))
        return true;
    }
    return Object.values(node).some(waits);
  };
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const [name, { body }] of program.functions) if (!found.has(name) && waits(body)) found.add(name);
  }
  return found;
}

/** Finds the parameters that are arrays: those subscripted, looped over, or passed on as arrays. */
export function arrayParameters(program: AwkProgram): ReadonlyMap<string, readonly boolean[]> {
  const found = new Map<string, boolean[]>();
  for (const [name, { parameters }] of program.functions)
    found.set(
      name,
      parameters.map(() => false),
    );
  let changed = true;
  const scan = (node: unknown, mark: (name: string) => void): void => {
    if (Array.isArray(node)) return node.forEach((one) => scan(one, mark));
    if (typeof node !== 'object' || node === null) return;
    const one = node as Partial<{ t: string; name: string; args: readonly Expr[] }>;
    if (['index', 'in', 'each', 'delete'].includes(one.t ?? '') && one.name !== undefined) mark(one.name);
    if (one.t === 'builtin' && one.args) {
      const places =
        { split: [1, 3], patsplit: [1], match: [2], asort: [0, 1], asorti: [0, 1] }[one.name ?? ''] ?? [];
      for (const at of places) markName(one.args[at], mark);
    }
    if (one.t === 'call' && one.args) {
      const arrays = found.get(one.name ?? '') ?? [];
      one.args.forEach((arg, at) => arrays[at] && markName(arg, mark));
    }
    Object.values(node).forEach((child) => scan(child, mark));
  };
  while (changed) {
    changed = false;
    for (const [name, { parameters, body }] of program.functions) {
      const flags = found.get(name) ?? [];
      scan(body, (used) => {
        const at = parameters.indexOf(used);
        if (at < 0 || flags[at]) return;
        flags[at] = true;
        changed = true;
      });
    }
  }
  return found;
}

function markName(expr: Expr | undefined, mark: (name: string) => void): void {
  if (expr?.t === 'var') mark(expr.name);
}

export interface ReadyRule {
  readonly kind: Rule['kind'];
  readonly from?: Code;
  readonly to?: Code;
  readonly body: CompiledStatement;
  open: boolean;
}

export function readyRule(rule: Rule, expressions: Expressions, statements: Statements): ReadyRule {
  return {
    kind: rule.kind,
    ...(rule.from && { from: expressions.code(rule.from) }),
    ...(rule.to && { to: expressions.code(rule.to) }),
    body: statements.step(rule.body ?? { t: 'print', args: [] }),
    open: false,
  };
}
