import { describe, expect, test } from 'vitest';
import type { Rule, RuleStore } from '../permissions/types.ts';

/** Tests that every {@link RuleStore} must pass. `make` returns a new, empty one each time. */
export function ruleStoreContract(name: string, make: () => Promise<RuleStore>): void {
  describe(`${name}: rules`, () => {
    const rule = (pattern: string): Rule => ({ permission: 'bash', pattern, action: 'allow' });

    test('rules are saved for their workspace, oldest first', async () => {
      const store = await make();
      await store.save('wsp_1', [rule('git *')], 2);
      await store.save('wsp_1', [rule('ls *')], 1);
      await store.save('wsp_2', [rule('rm *')], 3);
      expect(await store.list('wsp_1')).toEqual([
        { ...rule('ls *'), id: expect.any(String), workspaceID: 'wsp_1', time: 1 },
        { ...rule('git *'), id: expect.any(String), workspaceID: 'wsp_1', time: 2 },
      ]);
      expect(await store.list('wsp_3')).toEqual([]);
    });

    test('the same rule is saved once', async () => {
      const store = await make();
      await store.save('wsp_1', [rule('ls'), rule('ls')], 1);
      await store.save('wsp_1', [rule('ls')], 2);
      await store.save('wsp_1', [{ ...rule('ls'), action: 'deny' }], 3);
      expect(await store.list('wsp_1')).toMatchObject([{ time: 2 }, { action: 'deny' }]);
    });

    test('rules for several workspaces are saved together', async () => {
      const store = await make();
      const placed = [
        { ...rule('a'), workspaceID: 'wsp_1' },
        { ...rule('b'), workspaceID: '*' },
      ];
      await store.saveAll(placed, 1);
      expect(await store.list('wsp_1')).toMatchObject([{ pattern: 'a', time: 1, workspaceID: 'wsp_1' }]);
      expect(await store.list('*')).toMatchObject([{ pattern: 'b', workspaceID: '*' }]);
    });

    test('a removed rule is gone, others stay', async () => {
      const store = await make();
      await store.save('wsp_1', [rule('a'), rule('b')], 1);
      const [first] = await store.list('wsp_1');
      await store.remove(first!.id);
      await store.remove('unknown');
      expect(await store.list('wsp_1')).toMatchObject([{ pattern: 'b' }]);
    });
  });
}
