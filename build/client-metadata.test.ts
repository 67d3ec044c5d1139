import { expect, test } from 'vitest';
import { documentAddress, documentAt } from './client-metadata.ts';

test('the document says who the page is, at its own address', () => {
  const address = documentAddress('https://vitrine.example/app');
  expect(address).toBe('https://vitrine.example/app/client-metadata.json');
  expect(documentAt(address)).toMatchObject({
    client_id: address,
    client_uri: 'https://vitrine.example/app/',
    redirect_uris: ['https://vitrine.example/app/signed-in.html'],
  });
});

test.each(['http://vitrine.example/', 'vitrine.example'])(
  '%s is no address that a server would take',
  (site) => {
    expect(() => documentAddress(site)).toThrow('VITRINE_SITE');
  },
);
