import path from 'node:path';
import { build, type InlineConfig, type Rolldown } from 'vite';

/** Bundles a module and all its imports into one classic script. `config` is added to what all of these have in common. */
export async function oneScript(
  root: string,
  entry: string,
  config: InlineConfig = {},
): Promise<Rolldown.OutputChunk> {
  return (await scriptAndStyles(root, entry, config)).script;
}

/** The same for a module that imports styles, which become one text. */
export async function scriptAndStyles(
  root: string,
  entry: string,
  { build: how, ...config }: InlineConfig = {},
): Promise<{ readonly script: Rolldown.OutputChunk; readonly styles: string }> {
  const { output, ...options } = how?.rolldownOptions ?? {};
  const result = await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    ...config,
    build: {
      write: false,
      target: 'es2023',
      ...how,
      rolldownOptions: {
        input: path.join(root, entry),
        ...options,
        output: { format: 'iife', codeSplitting: false, ...output },
      },
    },
  });
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((each) =>
    'output' in each ? each.output : [],
  );
  const [chunk, ...others] = outputs.filter((each) => each.type === 'chunk');
  if (!chunk || others.length > 0) throw new Error(`${entry} did not become one script`);
  const styles = outputs.flatMap((each) =>
    each.type === 'asset' && each.fileName.endsWith('.css') ? String(each.source) : [],
  );
  return { script: chunk, styles: styles.join('\n') };
}
