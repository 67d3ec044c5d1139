/** Usage texts of the programs that parse their words themselves. */

export const dd = `Usage: dd [OPERAND]...

  if=FILE of=FILE       read and write these, not the streams
  bs=N ibs=N obs=N      bytes at once; c, w, b, K, M, G and kB, MB, GB may follow
  count=N skip=N seek=N blocks to copy, to leave out of the input, to leave out of the output
  conv=LIST              of ucase, lcase and notrunc
  status=none|noxfer|progress
`;

export const env = `Usage: env [OPTION]... [-] [NAME=VALUE]... [COMMAND [ARGUMENT]...]

  -i, --ignore-environment    begin with no variables
  -u NAME, --unset=NAME       leave one out
  -C DIR, --chdir=DIR         run in that folder
  -S TEXT, --split-string=TEXT  split it into words, as in a first line with #!
  -0, --null                  end what is printed with NUL
`;

export const expr = `Usage: expr EXPRESSION

  A | B   A & B   A < B   A <= B   A = B   A != B   A >= B   A > B   A + B   A - B   A * B   A / B   A % B
  STRING : REGEX   match STRING REGEX   substr STRING POS LENGTH   index STRING CHARS   length STRING   ( A )
`;

export const factor = `Usage: factor [NUMBER]...

Prints the prime factors of each number; of those that are read, where none is given.
`;

export const find = `Usage: find [-H] [-L] [-P] [PATH]... [EXPRESSION]

  operators   ( EXPR )   ! EXPR, -not EXPR   EXPR -a EXPR, -and   EXPR -o EXPR, -or   EXPR , EXPR
  tests       -name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname (with a PATTERN)
              -type -xtype -size -empty -perm -links -uid -gid -user -group -nouser -nogroup -samefile
              -mtime -atime -ctime -mmin -amin -cmin -newer -anewer -cnewer -newermt -newerat -newerct
              -readable -writable -executable -true -false
  actions     -print -print0 -printf -fprint -fprint0 -fprintf -ls -prune -quit -delete
              -exec -execdir -ok -okdir (COMMAND ; or COMMAND {} +)
  options     -maxdepth -mindepth -depth -mount -xdev -follow -daystart -regextype
`;

export const nice = `Usage: nice [-n N] COMMAND [ARGUMENT]...

Runs the command. There are no priorities here.
`;

export const nohup = `Usage: nohup COMMAND [ARGUMENT]...

Runs the command. It ends with its shell all the same.
`;

export const nproc = `Usage: nproc [OPTION]...

Prints 1: a shell and what it runs share one thread.
`;

export const setsid = `Usage: setsid COMMAND [ARGUMENT]...

Runs the command. There are no sessions of processes here.
`;

export const stdbuf = `Usage: stdbuf [-i MODE] [-o MODE] [-e MODE] COMMAND [ARGUMENT]...

Runs the command. Nothing is held back here as it is.
`;

export const stty = `Usage: stty [-a] [-g] [size] [SETTING]...

  [-]echo           show what is typed
  [-]icanon         give it to programs by lines, not key by key; raw, cbreak and cooked stand for that
  sane              as it was at first
`;

export const timeout = `Usage: timeout [OPTION] DURATION COMMAND [ARGUMENT]...

  -s SIGNAL, --signal=SIGNAL        sent when the time is over; TERM where it is not told
  -k DURATION, --kill-after=DURATION  sends KILL too, where it still runs so long after that
  --preserve-status                 ends as COMMAND did, not with 124
  -v, --verbose                     says what is sent
A DURATION is a number of seconds, or one with s, m, h or d; 0 is none.
`;

export const tput = `Usage: tput CAPABILITY [PARAMETER]...

  cols lines colors setaf N setab N cup ROW COLUMN, and those for clearing, bold and the like
`;

export const zgrep = `Usage: zgrep [OPTION]... PATTERN [FILE]

Takes what grep takes; the file, or what is read, may be packed by gzip.
`;
