import { describePatch } from './apply-patch/describe.ts';
import { describeBatch } from './batch/describe.ts';
import { firstText, trimRoot, type Describe, type DescribedCall, type Description } from './describe.ts';
import { describeLsp } from './lsp/describe.ts';
import type { Manifest } from './manifest.ts';
import { argumentsOf, manifestOf } from './manifests.ts';
import { describeTask } from './task/describe.ts';
import { describeTodos } from './todo/describe.ts';

/** Describers of the tools that need one. They are code, so they are not part of the first page. */
const DESCRIBERS: ReadonlyMap<string, Describe> = new Map([
  ['apply_patch', describePatch],
  ['batch', describeBatch],
  ['lsp', describeLsp],
  ['task', describeTask],
  ['background_task', describeTask],
  ['background_output', describeTask],
  ['background_cancel', describeTask],
  ['todowrite', describeTodos],
]);

/** Describes a call of any tool, also of one that is not the app's own. */
export function describe(tool: string, call: DescribedCall): Description {
  const manifest = manifestOf(tool);
  const input = argumentsOf(tool, call.input);
  const own = DESCRIBERS.get(manifest?.id ?? tool);
  return own ? own({ ...call, input }) : byArguments(manifest, { ...call, input });
}

function byArguments(manifest: Manifest | undefined, { input, title }: DescribedCall): Description {
  const { subject, noSubject = '', folder } = manifest?.card ?? {};
  const named = subject ? firstText(input, subject) : (title ?? firstText(input, Object.keys(input)));
  const searched = folder === undefined ? '' : firstText(input, [folder]);
  return {
    subject: trimRoot(named || noSubject),
    detail: searched !== '' && searched !== '.' ? `in ${trimRoot(searched)}` : '',
  };
}
