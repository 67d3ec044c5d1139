import { shared } from 'virtual:guest-shared';
import type { FromShell, ToShell } from '../shared/protocol.ts';
import { workerScope } from '../shared/worker-scope.ts';
import { loadPartsBy } from './commands/from-part.ts';
import { partScripts } from './part-scripts.ts';
import { serveShell } from './serve.ts';

loadPartsBy(partScripts(shared));
serveShell(workerScope<FromShell, ToShell>());
