import { workerScope } from '../worker-scope.ts';
import type { FromSearch, ToSearch } from '../protocol.ts';
import { serveSearch } from './serve.ts';

serveSearch(workerScope<FromSearch, ToSearch>());
