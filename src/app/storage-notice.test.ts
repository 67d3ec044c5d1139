import { expect, test } from 'vitest';
import { StorageNotice } from './storage-notice.ts';

const full = { code: 'storage-full', what: 'Full.' };
const lost = { code: 'storage-lost', what: 'Lost.' };

test('a problem stays until it is resolved for every source', () => {
  const notice = new StorageNotice();
  const [one, other] = [{}, {}];
  const shown: (string | undefined)[] = [];
  notice.onChange(() => shown.push(notice.problem?.code));
  notice.tell(full);
  notice.tell(lost, one);
  notice.tell(lost, other);
  notice.tell(null, one);
  notice.tell(null);
  notice.tell(null, other);
  expect(shown).toEqual([
    'storage-full',
    'storage-full',
    'storage-full',
    'storage-full',
    'storage-lost',
    undefined,
  ]);
  expect(notice.problem).toBeNull();
});
