import { NO_NATIVE_CODE, NO_NATIVE_CODE_TEXT } from '../shared/no-native-code.ts';

/** Files that programs read to find out where they run. They agree with `uname`, `id` and `nproc`. */
export const SYSTEM_FILES: Readonly<Record<string, string>> = {
  '/etc/group': 'root:x:0:\nuser:x:1000:\n',
  '/etc/hostname': 'localhost\n',
  '/etc/os-release':
    'PRETTY_NAME="Vitrine embedded workspace"\nNAME="Vitrine"\nID=vitrine\nVERSION_ID="1"\nVERSION="1"\n',
  '/etc/passwd': 'root:x:0:0:root:/root:/usr/sbin/nologin\nuser:x:1000:1000:user:/home:/bin/bash\n',
  '/proc/cpuinfo':
    'processor\t: 0\nvendor_id\t: Browser\nmodel name\t: one thread of a browser\ncpu cores\t: 1\n\n',
  '/proc/version': 'Linux version 6.0.0-vitrine (user@localhost) #1\n',
};

/** Programs that others look for as files: they read the node executable, and copy it. */
export const SYSTEM_PROGRAMS: Readonly<Record<string, string>> = {
  '/usr/bin/node': '#!/bin/sh\nexec node "$@"\n',
  [NO_NATIVE_CODE]: NO_NATIVE_CODE_TEXT,
};
