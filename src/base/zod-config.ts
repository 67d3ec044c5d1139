import { en } from 'zod/locales';
import { config } from 'zod/mini';

// Must be imported before any schema is created: the page's CSP forbids eval, which zod's compiled parsers would use. The
// mini API, unlike the classic one, has no messages of its own.
config({ ...en(), jitless: true });
