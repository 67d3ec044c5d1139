import type { FromShell, ToShell } from '../protocol.ts';
import { workerScope } from '../worker-scope.ts';
import { serveShell } from './serve.ts';

serveShell(workerScope<FromShell, ToShell>());
