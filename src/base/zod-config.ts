import { config } from 'zod';

// Imported before any schema is made: the page's CSP has no eval, which zod's compiled parsers would try.
config({ jitless: true });
