import { describe, expect, test } from 'vitest';
import { blobOf } from '../../test/support/storage/test-log.ts';
import type { BlobStore } from '../session/log/store.ts';

/** Tests that every {@link BlobStore} must pass. `make` returns a new, empty one each time. */
export function blobStoreContract(name: string, make: () => Promise<BlobStore>): void {
  describe(`${name}: blobs`, () => {
    const [a, b] = [blobOf('a'), blobOf('b')];

    test('content is read back by its hash', async () => {
      const store = await make();
      expect(await store.get(a.hash)).toBeUndefined();
      await store.put('one', [a, a, { hash: blobOf('').hash, bytes: new Uint8Array() }]);
      expect(await store.get(a.hash)).toEqual(a.bytes);
      expect(await store.get(blobOf('').hash)).toEqual(new Uint8Array());
      expect(await store.missing([a.hash, b.hash])).toEqual([b.hash]);
    });

    test('stored bytes do not change when a reader or the writer modifies theirs', async () => {
      const store = await make();
      const bytes = new Uint8Array([1, 2]);
      await store.put('one', [{ hash: 'h', bytes }]);
      bytes.fill(9);
      (await store.get('h'))?.fill(9);
      expect(await store.get('h')).toEqual(new Uint8Array([1, 2]));
    });

    test('a blob is deleted with its last owner', async () => {
      const store = await make();
      await store.put('one', [a, b]);
      await store.put('one', [a]);
      await store.put('two', [a]);
      await store.release('one', [a.hash, b.hash]);
      expect(await store.missing([a.hash, b.hash])).toEqual([b.hash]);
      await store.release('one', [a.hash]);
      await store.release('three', [a.hash]);
      expect(await store.get(a.hash)).toEqual(a.bytes);
      await store.release('two', [a.hash]);
      expect(await store.get(a.hash)).toBeUndefined();
    });

    test('retain owns the stored blobs and returns the missing ones', async () => {
      const store = await make();
      await store.put('one', [a]);
      expect(await store.retain('two', [a.hash, b.hash])).toEqual([b.hash]);
      await store.release('one', [a.hash]);
      expect(await store.get(a.hash)).toEqual(a.bytes);
      await store.release('two', [a.hash]);
      expect(await store.missing([a.hash])).toEqual([a.hash]);
    });
  });
}
