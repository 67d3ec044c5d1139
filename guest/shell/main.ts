import type { FromShell, ToShell } from '../shared/protocol.ts';
import { workerScope } from '../shared/worker-scope.ts';
import { serveShell } from './serve.ts';

serveShell(workerScope<FromShell, ToShell>());
