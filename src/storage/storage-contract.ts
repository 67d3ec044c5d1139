import { describe, expect, test } from 'vitest';
import { blobOf, TestLog } from '../../test/support/storage/test-log.ts';
import { FaultError } from '../base/fault.ts';
import type { JournalChange } from '../protocol/journal.ts';
import type { WorkspaceRecord } from '../workspace/registry.ts';
import type { Storage } from './storage.ts';

/** Tests that every workspace registry must pass, including a workspace's files, rules and sessions. */
export function storageContract(name: string, make: () => Promise<Storage>): void {
  describe(`${name}: workspaces`, () => {
    test('the list is newest first; names, kinds and times change', async () => {
      const { workspaces } = await make();
      expect(await workspaces.list()).toEqual([]);
      await workspaces.create(workspace('wsp_1', { updated: 1 }));
      await workspaces.create(workspace('wsp_2', { updated: 2 }));
      expect((await workspaces.list()).map(({ id }) => id)).toEqual(['wsp_2', 'wsp_1']);
      const renamed = await workspaces.update('wsp_1', { name: 'New', updated: 3 });
      expect(renamed).toEqual(workspace('wsp_1', { name: 'New', updated: 3 }));
      expect(await workspaces.get('wsp_1')).toEqual(renamed);
      expect((await workspaces.list()).map(({ id }) => id)).toEqual(['wsp_1', 'wsp_2']);
    });

    test('the kind changes until files are touched', async () => {
      const { workspaces } = await make();
      await workspaces.create(workspace('wsp_1'));
      await workspaces.update('wsp_1', { kind: 'webcontainer' });
      await workspaces.update('wsp_1', { kind: 'embedded', touched: true });
      expect(await codeOf(workspaces.update('wsp_1', { kind: 'webcontainer' }))).toBe('workspace-touched');
      await workspaces.update('wsp_1', { kind: 'embedded', name: 'same kind' });
      expect(await workspaces.get('wsp_1')).toMatchObject({ kind: 'embedded', name: 'same kind' });
    });

    test('ids are unique and known', async () => {
      const { workspaces } = await make();
      await workspaces.create(workspace('wsp_1'));
      expect(await codeOf(workspaces.create(workspace('wsp_1')))).toBe('workspace-exists');
      expect(await codeOf(workspaces.update('wsp_2', {}))).toBe('workspace-unknown');
      expect(await codeOf(workspaces.copy('wsp_2', workspace('wsp_3')))).toBe('workspace-unknown');
      expect(await codeOf(workspaces.copy('wsp_1', workspace('wsp_1')))).toBe('workspace-exists');
      expect(await workspaces.get('wsp_3')).toBeUndefined();
    });

    test('a deletion can be undone until the purge, which removes everything', async () => {
      const storage = await make();
      const { workspaces, sessions, rules } = storage;
      for (const id of ['wsp_1', 'wsp_2']) {
        await workspaces.create(workspace(id));
        await storage.journal(id).append([file('a', id)]);
        await rules.save(id, [{ permission: 'bash', pattern: '*', action: 'allow' }], 1);
        await sessions.commit(new TestLog(`ses_${id}`, { workspaceID: id }).commit([blobOf(id)]), 'relaxed');
      }
      await workspaces.markDeleted('wsp_1', 10);
      expect((await workspaces.list()).map(({ id }) => id)).toEqual(['wsp_2']);
      await workspaces.markDeleted('wsp_1', null);
      expect(await workspaces.list()).toHaveLength(2);
      await workspaces.markDeleted('wsp_1', 10);
      await workspaces.purge(10);
      expect(await workspaces.get('wsp_1')).toMatchObject({ deleted: 10 });
      await workspaces.purge(11);
      expect(await workspaces.get('wsp_1')).toBeUndefined();
      expect((await storage.journal('wsp_1').load()).packs).toEqual([]);
      expect(await rules.list('wsp_1')).toEqual([]);
      expect((await sessions.sessions()).map(({ id }) => id)).toEqual(['ses_wsp_2']);
      expect(await storage.blobs.missing([blobOf('wsp_1').hash, blobOf('wsp_2').hash])).toHaveLength(1);
      expect((await storage.journal('wsp_2').load()).packs).toHaveLength(1);
      expect(await rules.list('wsp_2')).toHaveLength(1);
    });

    test('a copy has the same files and changes independently', async () => {
      const storage = await make();
      await storage.workspaces.create(workspace('wsp_1'));
      await storage.journal('wsp_1').append([file('a', 'first'), file('b', 'second')]);
      await storage.journal('wsp_1').append([file('b', 'changed')]);
      await storage.workspaces.copy('wsp_1', workspace('wsp_2'));
      await storage.journal('wsp_2').append([{ op: 'remove', path: 'a' }]);
      await storage.journal('wsp_1').append([file('c', 'third')]);
      expect(await texts(storage, 'wsp_1')).toEqual({ a: 'first', b: 'changed', c: 'third' });
      expect(await texts(storage, 'wsp_2')).toEqual({ b: 'changed' });
    });
  });
}

function workspace(id: string, change: Partial<WorkspaceRecord> = {}): WorkspaceRecord {
  return {
    id,
    name: 'Old',
    kind: 'embedded',
    created: 0,
    updated: 0,
    deleted: null,
    touched: false,
    ...change,
  };
}

function file(path: string, text: string): JournalChange {
  return {
    op: 'put',
    node: { path, type: 'file', mode: 0o644, modified: 1 },
    bytes: new TextEncoder().encode(text),
  };
}

async function texts(storage: Storage, id: string): Promise<Record<string, string>> {
  const { packs } = await storage.journal(id).load();
  return Object.fromEntries(
    packs.flatMap(({ entries, bytes }) =>
      entries.map(({ path, offset, length }) => [
        path,
        new TextDecoder().decode(bytes.subarray(offset, offset + length)),
      ]),
    ),
  );
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'none';
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    return error.fault.code;
  }
}
