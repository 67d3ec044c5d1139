/** What `node` was told about tests, by its flags. */
interface TestFlags {
  readonly reporter: string | undefined;
  readonly only: boolean;
  readonly updatesSnapshots: boolean;
  readonly names: readonly RegExp[];
  readonly skips: readonly RegExp[];
  readonly concurrency: number | undefined;
  readonly timeout: number | undefined;
}

/** `args`: those before the program, as `process.execArgv` has them. */
export function testFlags(args: readonly string[]): TestFlags {
  const all = (name: string): string[] =>
    args.flatMap((arg, at) => {
      if (arg.startsWith(`${name}=`)) return [arg.slice(name.length + 1)];
      const next = args[at + 1];
      return arg === name && next !== undefined ? [next] : [];
    });
  const number = (name: string) => {
    const [value] = all(name);
    return value === undefined ? undefined : Number(value);
  };
  return {
    reporter: all('--test-reporter').at(-1),
    only: args.includes('--test-only'),
    updatesSnapshots: args.includes('--test-update-snapshots'),
    names: all('--test-name-pattern').map(pattern),
    skips: all('--test-skip-pattern').map(pattern),
    concurrency: number('--test-concurrency'),
    timeout: number('--test-timeout'),
  };
}

function pattern(text: string): RegExp {
  const written = /^\/(.*)\/([a-z]*)$/s.exec(text);
  return written ? new RegExp(written[1] ?? '', written[2]) : new RegExp(text);
}
