const table = `E2BIG 7 argument list too long
EACCES 13 permission denied
EADDRINUSE 98 address already in use
EADDRNOTAVAIL 99 address not available
EAFNOSUPPORT 97 address family not supported
EAGAIN 11 resource temporarily unavailable
EALREADY 114 connection already in progress
EBADF 9 bad file descriptor
EBUSY 16 resource busy or locked
ECANCELED 125 operation canceled
ECONNABORTED 103 software caused connection abort
ECONNREFUSED 111 connection refused
ECONNRESET 104 connection reset by peer
EDESTADDRREQ 89 destination address required
EEXIST 17 file already exists
EFAULT 14 bad address in system call argument
EFBIG 27 file too large
EHOSTUNREACH 113 host is unreachable
EINTR 4 interrupted system call
EINVAL 22 invalid argument
EIO 5 i/o error
EISCONN 106 socket is already connected
EISDIR 21 illegal operation on a directory
ELOOP 40 too many symbolic links encountered
EMFILE 24 too many open files
EMSGSIZE 90 message too long
ENAMETOOLONG 36 name too long
ENETDOWN 100 network is down
ENETUNREACH 101 network is unreachable
ENFILE 23 file table overflow
ENOBUFS 105 no buffer space available
ENODEV 19 no such device
ENOENT 2 no such file or directory
ENOMEM 12 not enough memory
ENOPROTOOPT 92 protocol not available
ENOSPC 28 no space left on device
ENOSYS 38 function not implemented
ENOTCONN 107 socket is not connected
ENOTDIR 20 not a directory
ENOTEMPTY 39 directory not empty
ENOTSOCK 88 socket operation on non-socket
ENOTSUP 95 operation not supported on socket
EOVERFLOW 75 value too large for defined data type
EPERM 1 operation not permitted
EPIPE 32 broken pipe
EPROTO 71 protocol error
EPROTONOSUPPORT 93 protocol not supported
EPROTOTYPE 91 protocol wrong type for socket
ERANGE 34 result too large
EROFS 30 read-only file system
ESHUTDOWN 108 cannot send after transport endpoint shutdown
ESPIPE 29 invalid seek
ESRCH 3 no such process
ETIMEDOUT 110 connection timed out
ETXTBSY 26 text file is busy
EXDEV 18 cross-device link not permitted
ENXIO 6 no such device or address
EMLINK 31 too many links
ENOTTY 25 inappropriate ioctl for device
EILSEQ 84 illegal byte sequence
ECHILD 10 no child processes
EDOM 33 numerical argument out of domain
ENOEXEC 8 exec format error
EOF 4095 end of file`;

export interface SystemError {
  readonly code: string;
  /** Positive, as the system has it; `errno` of an error is its negative. */
  readonly number: number;
  readonly message: string;
}

export const systemErrors: readonly SystemError[] = table.split('\n').map((line) => {
  const [code = '', number = '', ...words] = line.split(' ');
  return { code, number: Number(number), message: words.join(' ') };
});

/** `connect ECONNREFUSED 127.0.0.1:3000` with code, errno, syscall and what else is given. */
export function systemError<Extra extends object = object>(
  code: string,
  syscall: string,
  about = '',
  extra?: Extra,
): NodeJS.ErrnoException & Extra {
  const known = systemErrors.find((each) => each.code === code);
  const error = new Error(`${syscall} ${code}${about && ` ${about}`}`);
  return Object.assign(error, { errno: -(known?.number ?? 0), code, syscall }, extra);
}

/** No address is known by that name. */
export function nameNotFound(hostname: string): Error {
  // A code of the resolver, not of the system: the table has it not.
  return systemError('ENOTFOUND', 'getaddrinfo', hostname, { hostname, errno: -3008 });
}

/** The error where nobody listens. `port` is empty for the default one of the protocol. */
export function connectionRefused(protocol: string, hostname: string, port: string): Error {
  const number = Number(port || (protocol === 'https:' ? 443 : 80));
  const address = hostname === 'localhost' ? '127.0.0.1' : hostname;
  return systemError('ECONNREFUSED', 'connect', `${address}:${number}`, { address, port: number });
}
