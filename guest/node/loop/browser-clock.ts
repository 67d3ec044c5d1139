/** The browser's `performance`. Programs get one of their own, which is made when they first read it. */
export const clock = performance;
