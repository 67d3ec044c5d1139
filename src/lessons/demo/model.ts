/** The name of the demo's scripted model. */
export const DEMO_MODEL = 'demo';
/** The same for the demo that builds a page. */
export const PAGE_DEMO_MODEL = 'demo-page';
