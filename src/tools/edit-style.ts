/** Models that were trained to write patches are given `apply_patch` in place of `edit` and `write`. */
export const WITH_PATCHES = ['*gpt-*', '!*oss*', '!*gpt-4*'];
export const WITHOUT_PATCHES = ['*', '!*gpt-*', '*gpt-*oss*', '*oss*gpt-*', '*gpt-4*'];
