/** The name of the demo's scripted model. */
export const DEMO_MODEL = 'demo';
