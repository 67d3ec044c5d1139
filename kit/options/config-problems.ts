import * as z from 'zod';
import { configSchema } from '../../src/config/schema.ts';
import { hintFor } from './closest.ts';
import { permissionProblems } from './permission-problems.ts';

/** Keys of opencode.json that have no effect here. A test may give the configuration of its project as it is. */
const OTHERS: readonly string[] = [
  ...[
    'theme',
    'keybinds',
    'tui',
    'layout',
    'logLevel',
    'server',
    'watcher',
    'snapshot',
    'share',
    'autoshare',
  ],
  ...[
    'autoupdate',
    'username',
    'enabled_providers',
    'disabled_providers',
    'formatter',
    'enterprise',
    'skills',
  ],
];

/** Says which keys opencode.json does not have, and which values it cannot have. */
export function configProblems(
  config: Readonly<Record<string, unknown>>,
  where: string,
  tools: readonly string[] = [],
): string[] {
  const known = Object.keys(configSchema.shape);
  const unknown = Object.keys(config).filter((key) => ![...known, ...OTHERS].includes(key));
  const { permission, ...rest } = config;
  const { error } = configSchema.safeParse(rest);
  return [
    ...unknown.map((key) => {
      const hint = hintFor(key, known, `Its keys are ${known.join(', ')}.`);
      return `${where} has "${key}", which opencode.json has not. ${hint}`;
    }),
    ...(error?.issues ?? []).map(
      ({ path, message }) => `${where}${z.core.toDotPath(path).replace(/^(?=\w)/, '.')}: ${message}.`,
    ),
    ...permissionProblems(permission, `${where}.permission`, tools),
  ];
}
