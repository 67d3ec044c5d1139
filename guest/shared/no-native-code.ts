/** A program that stands for one in native code, and only says that this cannot run. */
export const NO_NATIVE_CODE = '/usr/lib/no-native-code';

export const NO_NATIVE_CODE_TEXT = `#!/bin/sh
echo 'This program is native code, which cannot run in this workspace.' >&2
exit 126
`;
