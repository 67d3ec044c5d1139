import { config } from 'zod';

// Must be imported before any schema is created: the page's CSP forbids eval, which zod's compiled parsers would use.
config({ jitless: true });
