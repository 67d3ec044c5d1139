import { expect, test } from 'vitest';
import { notingDirectory } from './container-directory.ts';

test.each(['cd src', ' cd', 'cd src && ls', 'mkdir a; cd a', 'false || cd "b c"'])(
  '%j notes where it ends',
  (line) => {
    expect(notingDirectory(line, '/tmp/note')).toBe(`${line} && pwd > /tmp/note`);
  },
);

test.each(['ls', 'echo cd', 'cd src # there', 'cd src &', 'cd src;', 'cat <<E\ncd x\nE', 'abcd x'])(
  '%j is run as it is',
  (line) => {
    expect(notingDirectory(line, '/tmp/note')).toBe(line);
  },
);
