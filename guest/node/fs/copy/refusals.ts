import { plainError } from '../../builtins/internal/errors.ts';
import { fsRefusal } from '../errors.ts';

interface CopyFailure {
  readonly code: string;
  readonly path: string;
  readonly errno: number;
  /** `text` and `detail` are the wording of the asynchronous form, `plain` that of the synchronous form. */
  readonly text: string;
  readonly detail: string;
  readonly plain: string;
}

/** The errors of `cp`, each with the wording of the synchronous or the asynchronous form. */
export class CopyRefusals {
  readonly #isSync: boolean;

  constructor(isSync: boolean) {
    this.#isSync = isSync;
  }

  #refusal({ code, path, errno, text, detail, plain }: CopyFailure): Error {
    if (this.#isSync) return plainError(code, plain);
    return fsRefusal(code, `${text}: cp returned ${detail} ${path}`, { errno, syscall: 'cp', path });
  }

  same(target: string): Error {
    return this.#refusal({
      code: 'ERR_FS_CP_EINVAL',
      path: target,
      errno: 22,
      text: 'Invalid src or dest',
      detail: 'EINVAL (src and dest cannot be the same)',
      plain: `src and dest cannot be the same ${target}`,
    });
  }

  folderOverFile(source: string, target: string): Error {
    return this.#refusal({
      code: 'ERR_FS_CP_DIR_TO_NON_DIR',
      path: target,
      errno: 21,
      text: 'Cannot overwrite non-directory with directory',
      detail: `EISDIR (cannot overwrite non-directory ${target} with directory ${source})`,
      plain: `Cannot overwrite non-directory ${target} with directory ${source}`,
    });
  }

  fileOverFolder(source: string, target: string): Error {
    return this.#refusal({
      code: 'ERR_FS_CP_NON_DIR_TO_DIR',
      path: target,
      errno: 20,
      text: 'Cannot overwrite directory with non-directory',
      detail: `ENOTDIR (cannot overwrite directory ${target} with non-directory ${source})`,
      plain: `Cannot overwrite directory ${target} with non-directory ${source}`,
    });
  }

  folderIntoItself(source: string, target: string): Error {
    return this.#refusal({
      code: 'ERR_FS_CP_EINVAL',
      path: target,
      errno: 22,
      text: 'Invalid src or dest',
      detail: `EINVAL (cannot copy ${source} to a subdirectory of self ${target})`,
      plain: `Cannot copy ${source}/ to a subdirectory of self ${target}`,
    });
  }

  notRecursive(source: string): Error {
    return this.#refusal({
      code: 'ERR_FS_EISDIR',
      path: source,
      errno: 21,
      text: 'Path is a directory',
      detail: `EISDIR (${source} is a directory (not copied))`,
      plain: `Recursive option not enabled, cannot copy a directory: ${source}/`,
    });
  }

  /** `goal` and `before` are the targets of the symlink that is copied, and of the one that is there. */
  linkIntoItself(target: string, goal: string, before: string): Error {
    const detail = `cannot copy ${goal} to a subdirectory of self ${before}`;
    return this.#linkRefusal('ERR_FS_CP_EINVAL', target, 'Invalid src or dest', detail);
  }

  linkOverParent(target: string, goal: string, before: string): Error {
    return this.#linkRefusal(
      'ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY',
      target,
      'Cannot overwrite symlink in subdirectory of self',
      `cannot overwrite ${before} with ${goal}`,
    );
  }

  #linkRefusal(code: string, path: string, text: string, detail: string): Error {
    return this.#refusal({ code, path, errno: 22, text, detail: `EINVAL (${detail})`, plain: detail });
  }

  exists(path: string): Error {
    return fsRefusal(
      'ERR_FS_CP_EEXIST',
      `Target already exists: cp returned EEXIST (${path} already exists) ${path}`,
      {
        errno: 17,
        syscall: 'cp',
        path,
      },
    );
  }
}
