import { systemErrors } from '../internal/errno.ts';
import { needInteger, outOfRange } from '../internal/errors.ts';

function errorNumber(value: unknown): number {
  needInteger(value, 'err');
  if (value >= 0 || value < -(2 ** 31)) throw outOfRange('err', 'a negative integer', value);
  return value;
}

/** Returns the name and the text of an error. `errno` is negative, as on errors. */
function systemErrorOf(errno: number): { readonly code: string; readonly message: string } {
  const unknown = `Unknown system error ${errno}`;
  return systemErrors.find((each) => -each.number === errno) ?? { code: unknown, message: unknown };
}

function systemException(errno: number, syscall: string, about?: string): Error {
  const { code } = systemErrorOf(errno);
  return Object.assign(new Error(`${syscall} ${code}${about ? ` ${about}` : ''}`), { errno, code, syscall });
}

/** The members of `util` for the errors of system calls. */
export const systemErrorMembers = {
  _errnoException: (errno: number, syscall: string, about?: string) => systemException(errno, syscall, about),
  _exceptionWithHostPort: (errno: number, syscall: string, address: string, port: number) =>
    Object.assign(systemException(errno, syscall, port ? `${address}:${port}` : address), {
      address,
      ...(port && { port }),
    }),
  getSystemErrorMap: () =>
    new Map(systemErrors.map(({ code, number, message }) => [-number, [code, message]])),
  getSystemErrorName: (errno: unknown) => systemErrorOf(errorNumber(errno)).code,
  getSystemErrorMessage: (errno: unknown) => systemErrorOf(errorNumber(errno)).message,
};
