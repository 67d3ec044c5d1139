import { expect, test } from 'vitest';
import { faultOf } from '../base/fault.ts';
import { appAddress, readAddress } from './address.ts';

const read = (address: string) => readAddress(new URL(address, 'https://vitrine.example/app/embed.html'));
const code = (address: string) => {
  try {
    read(address);
    return 'read';
  } catch (error) {
    return faultOf(error).code;
  }
};

test('a frame shows a recording or a lesson, at an address or in the link itself', () => {
  expect(read('?recording=https%3A%2F%2Fa.b%2Fc.json').source).toEqual({
    kind: 'recording',
    address: 'https://a.b/c.json',
  });
  expect(read('#recording=abc_-1').source).toEqual({ kind: 'recording', packed: 'abc_-1' });
  expect(read('?lesson=the-loop').source).toEqual({ kind: 'lesson', id: 'the-loop' });
  expect(read('#lesson=xyz').source).toEqual({ kind: 'lesson', packed: 'xyz' });
});

test('a single step or call is named by its number, a call by its id too', () => {
  expect(read('?step=2#recording=a').piece).toEqual({ kind: 'step', number: 2 });
  expect(read('?call=call_7#recording=a').piece).toEqual({ kind: 'call', name: 'call_7' });
  expect(read('#recording=a').piece).toBeNull();
  for (const step of ['0', '-1', 'two', '1.5']) expect(code(`?step=${step}#recording=a`)).toBe('embed-piece');
});

test('an address that names nothing to show is refused', () => {
  for (const address of ['', '?recording=', '?lesson=../x', '#recording=', '#recording=a"b', '#other=a'])
    expect(code(address), address).toBe('embed-nothing');
});

test('light, dark and the language can be asked for, and nothing else counts as one', () => {
  expect(read('?theme=dark&lang=de#recording=a')).toMatchObject({ theme: 'dark', language: 'de' });
  expect(read('?theme=pink#recording=a')).toMatchObject({ theme: 'auto', language: '' });
});

test('the app has a link to the same thing', () => {
  const page = 'https://vitrine.example/app/embed.html?step=2&theme=dark#recording=abc';
  expect(appAddress(page, { kind: 'recording', packed: 'abc' })).toBe(
    'https://vitrine.example/app/#recording=abc',
  );
  expect(appAddress(page, { kind: 'recording', address: 'examples/a.json' })).toBe(
    'https://vitrine.example/app/?recording=https%3A%2F%2Fvitrine.example%2Fapp%2Fexamples%2Fa.json',
  );
  expect(appAddress(page, { kind: 'lesson', id: 'the-loop' })).toBe(
    'https://vitrine.example/app/?lesson=the-loop',
  );
  expect(appAddress(page, { kind: 'lesson', id: 'the-loop' }, 'de')).toBe(
    'https://vitrine.example/app/?lang=de&lesson=the-loop',
  );
});
