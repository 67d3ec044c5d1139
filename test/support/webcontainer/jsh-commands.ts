/** What the real shell has, and this host can do as well. No grep, find, sed, awk, wc, xargs, tee, diff, tar, git. */
export const JSH: readonly string[] =
  'alias cat chmod clear cp curl echo env false head hostname jq ln ls mkdir mv pwd rm rmdir sort tail touch true which'.split(
    ' ',
  );
