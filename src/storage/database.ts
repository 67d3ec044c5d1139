import { openDB, type IDBPDatabase, type IDBPTransaction, type StoreNames } from 'idb';
import { FaultError, type Fault } from '../base/fault.ts';
import type { Durability } from '../session/log/store.ts';
import { asStorageError, STORAGE_WIDE_FAULTS, storageFault } from './faults.ts';
import { migrate } from './migrations.ts';
import { DB_VERSION, type VitrineSchema } from './schema.ts';

/**
 * Every write includes this store, so that writes wait for each other, across tabs too. Chromium records the locks of
 * running writes; if it is killed during two at once, it takes those records for damage and deletes the database.
 * This store is the one that is rarely read.
 */
const WRITE_LOCK: StoreName = 'outputs';

/** How often, and after how many milliseconds, a connection that the browser closed at once is reopened. */
const REOPENINGS = 5;
const REOPEN_AFTER_MS = 50;

export type StoreName = StoreNames<VitrineSchema>;
export type Mode = 'readonly' | 'readwrite';
export type Transaction<Names extends StoreName[], M extends Mode> = IDBPTransaction<VitrineSchema, Names, M>;

export interface DatabaseHooks {
  /**
   * Reports a problem that concerns the whole storage, once until it is resolved; the affected calls reject too. A
   * problem of a single record goes only to the caller.
   */
  onProblem(fault: Fault): void;
  /** Called when writing works again after a problem. */
  onRecovered(): void;
  /**
   * Called when the database did not exist and was created. `known` is true if there had been one before: this tab
   * had used it, or the browser deleted it as damaged.
   */
  onCreated(known: boolean): void;
}

/**
 * The one connection to IndexedDB. It reopens when the browser closes it. When another tab needs a newer schema, it
 * closes for good and every call rejects with `storage-superseded`. All rejections carry a fault.
 */
export class Database {
  readonly name: string;
  readonly #hooks: DatabaseHooks;
  readonly #version: number;
  #connection: Promise<IDBPDatabase<VitrineSchema>> | undefined;
  #ended: Fault | undefined;
  #wasOpen = false;
  #problem: string | undefined;

  private constructor(name: string, hooks: DatabaseHooks, version: number) {
    this.name = name;
    this.#hooks = hooks;
    this.#version = version;
  }

  static async open(name: string, hooks: DatabaseHooks, version = DB_VERSION): Promise<Database> {
    const database = new Database(name, hooks, version);
    await database.#connect();
    return database;
  }

  /**
   * Runs `work` in one transaction and resolves when that is committed. `work` must await nothing but requests of its
   * transaction. If it rejects, nothing is written.
   */
  async run<Names extends StoreName[], M extends Mode, T>(
    names: [...Names],
    mode: M,
    work: (transaction: Transaction<[...Names], M>) => Promise<T>,
    durability: Durability = 'relaxed',
  ): Promise<T> {
    try {
      const result = await this.#attempt(names, mode, work, durability);
      if (mode === 'readwrite') this.#setProblem(undefined);
      return result;
    } catch (error) {
      const failure = asStorageError(error, `${this.name}: ${names.join(', ')}`);
      if (STORAGE_WIDE_FAULTS.has(failure.fault.code) && !this.#ended) this.#setProblem(failure.fault);
      throw failure;
    }
  }

  /** Closes the connection for good. */
  close(): void {
    this.#end(storageFault('storage-unavailable', 'The storage was closed.', this.name));
  }

  async #attempt<Names extends StoreName[], M extends Mode, T>(
    names: [...Names],
    mode: M,
    work: (transaction: Transaction<[...Names], M>) => Promise<T>,
    durability: Durability,
  ): Promise<T> {
    const transaction = await this.#begin(names, mode, durability);
    const done = transaction.done;
    // The transaction rejects together with `work`, whose error says more.
    done.catch(() => {});
    try {
      const result = await work(transaction);
      await done;
      return result;
    } catch (error) {
      abort(transaction);
      await done.catch(() => {});
      throw error;
    }
  }

  #setProblem(fault: Fault | undefined): void {
    if (this.#problem === fault?.code) return;
    this.#problem = fault?.code;
    if (fault) this.#hooks.onProblem(fault);
    else this.#hooks.onRecovered();
  }

  async #begin<Names extends StoreName[], M extends Mode>(
    names: [...Names],
    mode: M,
    durability: Durability,
  ) {
    const stores = mode === 'readwrite' ? withWriteLock(names) : names;
    for (let again = 0; ; again++) {
      const connection = await this.#connect();
      try {
        return connection.transaction(stores, mode, { durability });
      } catch (error) {
        // The browser closed the connection silently. No work has begun, so opening a new one is safe.
        if (again === REOPENINGS) throw asStorageError(error, this.name);
        if (this.#connection && (await this.#connection) === connection) this.#connection = undefined;
      }
    }
  }

  #connect(): Promise<IDBPDatabase<VitrineSchema>> {
    if (this.#ended) return Promise.reject(new FaultError(this.#ended));
    // A failed open is not kept: the next call tries again.
    this.#connection ??= this.#openSoon().catch((error: unknown) => {
      this.#connection = undefined;
      throw asStorageError(error, this.name);
    });
    return this.#connection;
  }

  /**
   * A connection may be closed while it opens, when the browser clears this site's storage. A later attempt then
   * succeeds.
   */
  async #openSoon(): Promise<IDBPDatabase<VitrineSchema>> {
    for (let again = 0; ; again++)
      try {
        return await this.#open();
      } catch (error) {
        const closed = error instanceof DOMException && error.name === 'AbortError';
        if (!closed || again === REOPENINGS || this.#ended) throw error;
        await new Promise((resolve) => setTimeout(resolve, REOPEN_AFTER_MS));
      }
  }

  async #open(): Promise<IDBPDatabase<VitrineSchema>> {
    if (typeof indexedDB === 'undefined') throw new DOMException('No IndexedDB here.', 'SecurityError');
    let created = false;
    let damaged = false;
    const connection = await openDB<VitrineSchema>(this.name, this.#version, {
      upgrade(database, oldVersion, _newVersion, transaction, event) {
        created = oldVersion === 0;
        // This is Chromium's own wording.
        damaged = 'dataLoss' in event && event.dataLoss === 'total';
        // The caller of `open` learns about it.
        transaction.done.catch(() => {});
        migrate(database, oldVersion, transaction);
      },
      blocked: () =>
        this.#hooks.onProblem(
          storageFault(
            'storage-blocked',
            'Another tab holds an older version of the storage open.',
            this.name,
          ),
        ),
      blocking: (_current, blockedVersion) => this.#yield(blockedVersion),
      terminated: () => {
        this.#connection = undefined;
        this.#setProblem(
          storageFault('storage-lost', 'The browser closed the storage. Vitrine is reopening it.', this.name),
        );
      },
    });
    if (this.#ended) {
      connection.close();
      throw new FaultError(this.#ended);
    }
    if (created) this.#hooks.onCreated(this.#wasOpen || damaged);
    this.#wasOpen = true;
    return connection;
  }

  /**
   * Called when another tab upgrades the database (with a version) or deletes it (with `null`) and waits for this
   * connection to close.
   */
  #yield(blockedVersion: number | null): void {
    if (blockedVersion === null) {
      void this.#connection?.then((connection) => connection.close());
      this.#connection = undefined;
      return;
    }
    const fault = storageFault(
      'storage-superseded',
      'Another tab runs a newer version of Vitrine and has taken over the storage.',
      this.name,
    );
    this.#end(fault);
    this.#hooks.onProblem(fault);
  }

  #end(fault: Fault): void {
    this.#ended ??= fault;
    // A connection closes once its running transactions are done.
    this.#connection?.then((connection) => connection.close()).catch(() => {});
    this.#connection = undefined;
  }
}

/** The type still limits which stores the work may use. */
function withWriteLock<Names extends StoreName[]>(names: [...Names]): [...Names] {
  const stores: StoreName[] = [...names];
  if (!stores.includes(WRITE_LOCK)) stores.push(WRITE_LOCK);
  return stores as [...Names];
}

function abort(transaction: { abort(): void }): void {
  try {
    transaction.abort();
  } catch {
    // The transaction has already ended with the error that brought us here.
  }
}
