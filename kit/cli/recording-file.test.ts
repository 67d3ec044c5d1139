import { expect, test } from 'vitest';
import { readRecordingFile } from './recording-file.ts';

test('a recording is read', async () => {
  expect(await readRecordingFile('public/examples/demo.vitrine.json')).toContain('vitrine-recording');
});

test('what is no recording is refused with its path and where to find one', async () => {
  const refused = (file: string) => expect(readRecordingFile(file)).rejects;
  await refused('package.json').toThrow(
    /\/package\.json cannot be shown: .*\. A test that has failed leaves/,
  );
  await refused('README.md').toThrow(/\/README\.md cannot be shown: /);
  await refused('none.json').toThrow(/^There is no file .*\/none\.json\.$/);
});
