import { expect, test } from 'vitest';
import { decideOffline, type OfflineFacts } from './decide.ts';

const page: OfflineFacts = {
  build: 'a',
  link: null,
  isAutomation: false,
  isOffBySite: false,
  isOffByPerson: false,
  isSecure: true,
  hasWorkers: true,
};
const decide = (change: Partial<OfflineFacts>) => decideOffline({ ...page, ...change });

test('a built page has the worker', () => {
  expect(decide({})).toEqual({ use: true });
});

test('a page of automation has it only if its link says so, and so has one that the person switched off', () => {
  expect(decide({ isAutomation: true })).toEqual({ use: false, why: 'link', remove: false });
  expect(decide({ isAutomation: true, link: 'on' })).toEqual({ use: true });
  expect(decide({ isOffByPerson: true, link: 'on' })).toEqual({ use: true });
});

test('the owner of the site, the person and a link remove it', () => {
  expect(decide({ isOffBySite: true, link: 'on' })).toEqual({ use: false, why: 'site', remove: true });
  expect(decide({ isOffByPerson: true })).toEqual({ use: false, why: 'person', remove: true });
  expect(decide({ link: 'off' })).toEqual({ use: false, why: 'link', remove: true });
});

test('there is none on the development server, over http, and in browsers without workers', () => {
  expect(decide({ build: '', link: 'on' })).toMatchObject({ use: false, why: 'link' });
  expect(decide({ isSecure: false, hasWorkers: false })).toMatchObject({ use: false, why: 'insecure' });
  expect(decide({ hasWorkers: false })).toMatchObject({ use: false, why: 'unsupported' });
});
