import './kit/buffer-global.ts';
import { git } from './git.ts';

// The code that runs this script takes the command from the global.
Reflect.set(globalThis, '__vtr_part', { git });
