import { workerScope } from '../shared/worker-scope.ts';
import type { FromSearch, ToSearch } from '../shared/protocol.ts';
import { serveSearch } from './serve.ts';

serveSearch(workerScope<FromSearch, ToSearch>());
