export type Env = Readonly<Record<string, string | undefined>>;

const FORCED: Readonly<Record<string, number>> = { '': 4, 1: 4, true: 4, 2: 8, 3: 24 };

/** Returns the program's environment. The bundler would put an empty object for a literal `process.env`. */
export function environment(): Env {
  const { env } = process;
  return env;
}

/** Returns the colour depth of a terminal with this environment, in bits. 1 means no colours. */
export function colorDepth(env: Env): number {
  if (env.FORCE_COLOR !== undefined) return FORCED[env.FORCE_COLOR] ?? 1;
  if (env.NO_COLOR || env.NODE_DISABLE_COLORS || env.TERM === 'dumb') return 1;
  return env.COLORTERM === 'truecolor' || env.COLORTERM === '24bit' ? 24 : 8;
}

/** The members of a terminal's stream that tell of its colours. */
export const colorMembers = {
  getColorDepth: (env = environment()) => colorDepth(env),
  hasColors: (count: number | Env = 16, env = environment()) =>
    typeof count === 'number' ? count <= 2 ** colorDepth(env) : 16 <= 2 ** colorDepth(count),
};

/** Tells whether to colour output. `FORCE_COLOR` decides for every stream. Without it, only terminals may. */
export function isColoured(stream: object | null | undefined, env: Env): boolean {
  if (env.FORCE_COLOR !== undefined) return colorDepth(env) > 2;
  if (!stream || Reflect.get(stream, 'isTTY') !== true) return false;
  const depth: unknown = Reflect.get(stream, 'getColorDepth');
  return typeof depth !== 'function' || Number(Reflect.apply(depth, stream, [])) > 2;
}
