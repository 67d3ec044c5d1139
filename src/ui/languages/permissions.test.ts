import { describe, expect, test } from 'vitest';
import { permissions } from '../../tools/permissions.ts';
import type { Catalogue } from './catalogue.ts';

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
