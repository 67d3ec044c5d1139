import type { OfferedModels } from '../../state/session-models.svelte.ts';

/** The same models with each provider once, since files may describe one that has a key in Settings, too. */
export function modelGroups(offered: readonly OfferedModels[]): readonly OfferedModels[] {
  const groups: OfferedModels[] = [];
  for (const each of offered) {
    const at = groups.findIndex(({ provider }) => provider === each.provider);
    const group = groups[at];
    if (!group) groups.push(each);
    else {
      const more = each.models.filter((model) => !group.models.includes(model));
      groups[at] = { ...group, models: [...group.models, ...more] };
    }
  }
  return groups;
}
