export type Env = Readonly<Record<string, string | undefined>>;

const FORCED: Readonly<Record<string, number>> = { '': 4, 1: 4, true: 4, 2: 8, 3: 24 };

/** The program's own: the bundler would put an empty object for the words `process.env`. */
export function environment(): Env {
  const { env } = process;
  return env;
}

/** Bits of the colours that a terminal of this environment shows; 1 is none. */
export function colorDepth(env: Env): number {
  if (env.FORCE_COLOR !== undefined) return FORCED[env.FORCE_COLOR] ?? 1;
  if (env.NO_COLOR || env.NODE_DISABLE_COLORS || env.TERM === 'dumb') return 1;
  return env.COLORTERM === 'truecolor' || env.COLORTERM === '24bit' ? 24 : 8;
}

/** Whether what is written to a stream is coloured: a terminal's, or any that is told so by its environment. */
export function isColoured(stream: object | null | undefined, env: Env): boolean {
  if (env.FORCE_COLOR !== undefined) return colorDepth(env) > 2;
  if (!stream || Reflect.get(stream, 'isTTY') !== true) return false;
  const depth: unknown = Reflect.get(stream, 'getColorDepth');
  return typeof depth !== 'function' || Number(Reflect.apply(depth, stream, [])) > 2;
}
