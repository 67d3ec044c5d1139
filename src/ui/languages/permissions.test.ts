import { describe, expect, test } from 'vitest';
import { permissions } from '../../tools/permissions.ts';
import { pageWords } from '../settings/page-words.ts';
import type { Catalogue } from './catalogue.ts';

const pages = import.meta.glob<{ readonly settingsPages: Pick<typeof pageWords, 'permissions'> }>(
  './*/settings-pages.ts',
  { eager: true },
);
const catalogues = import.meta.glob<{ readonly default: Catalogue }>('./*/catalogue.ts', { eager: true });

describe.each(Object.entries(catalogues))('%s', (_path, { default: catalogue }) => {
  test.each(permissions)(
    'has the texts of the permission $id',
    ({ id, question, label, asksByDefault, anything }) => {
      const { page, settings, conversation } = catalogue;
      // A permission of another program is called by its id.
      const other = page.permissionFor('unheard-of').replace('unheard-of', id);
      if (question !== undefined) expect(page.permissionFor(id)).not.toBe(other);
      if (label !== undefined) expect([id, label]).not.toContain(settings.permissionName(id));
      if (asksByDefault !== undefined) expect(conversation.asksByDefault(id)).toBeTruthy();
      const unknown = conversation.meaning.anything('no such permission');
      if (anything !== undefined) expect(conversation.meaning.anything(id)).not.toBe(unknown);
    },
  );
});

test.each(permissions.filter(({ label }) => label !== undefined))(
  'each language says what the permission $id is about',
  ({ id }) => {
    expect(Object.keys(pages)).toHaveLength(4);
    const all = [pageWords, ...Object.values(pages).map(({ settingsPages }) => settingsPages)];
    for (const { permissions: hints } of all) expect(hints[id]).toBeTruthy();
  },
);
