/**
 * The names of the shell's commands, sorted. The app and `node` have them from here, so that neither waits until the shell
 * is loaded. The commands themselves are in guest/shell/commands/registry.ts; a test compares the two.
 */
export const SHELL_COMMANDS: readonly string[] = `
  alias arch awk b2sum base64 basename bash bc cat chmod cksum clear cmp column comm cp curl cut date dd df diff
  dirname du echo egrep env envsubst expand expr factor false fgrep file find fold free gawk getopt gh git grep groups
  gunzip gzip hd head help hexdump history hostname id install join jq kill less link ln ls md5sum mkdir mkfifo mktemp
  more mv nice nl node nohup npm nproc npx numfmt od paste patch pgrep pkill pnpm pnpx printenv printf ps pwd readlink
  realpath rev rg rm rmdir sed seq setsid sh sha1sum sha224sum sha256sum sha384sum sha512sum shuf sleep sort split
  stat stdbuf strings stty sync tac tail tar tee time timeout touch tput tr tree true truncate tty umask unalias uname
  unexpand uniq unlink unzip uptime wc which whoami xargs xxd yarn yes zcat zgrep zip
`
  .trim()
  .split(/\s+/);
