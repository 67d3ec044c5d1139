/** Without this header the API refuses calls from web pages; the SDK does not send it. */
export const BROWSER_HEADER = { 'anthropic-dangerous-direct-browser-access': 'true' };
