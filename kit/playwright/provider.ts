import { REMOTE_PROVIDERS, type RemoteProvider } from '../../src/models/providers/names.ts';

/** Throws for a name that no provider has, and says which ones there are. */
export function requireProvider(name: string): RemoteProvider {
  const known = REMOTE_PROVIDERS.find((each) => each === name);
  if (known) return known;
  const hint = name === 'scripted' ? ' A script is played by model.script().' : '';
  throw new Error(
    `There is no provider "${name}" whose models a test can use. There are ${REMOTE_PROVIDERS.join(', ')}.${hint}`,
  );
}
