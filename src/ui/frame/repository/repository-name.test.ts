import { expect, test } from 'vitest';
import { repositoryName } from './repository-name.ts';

test.each([
  ['ada/tool', 'ada/tool'],
  [' https://github.com/ada/tool.git ', 'ada/tool'],
  ['git@github.com:ada/tool.js.git', 'ada/tool.js'],
  ['https://github.com/ada/tool/tree/main/src?x#y', 'ada/tool'],
  ['ada', undefined],
  ['ada/..', undefined],
  ['https://gitlab.com/ada/tool', undefined],
  ['$(rm)/x', undefined],
])('%j is the repository %j', (text, name) => expect(repositoryName(text)).toBe(name));
