/** Without it the API refuses calls that come from a page; the SDK does not send it. */
export const BROWSER_HEADER = { 'anthropic-dangerous-direct-browser-access': 'true' };
