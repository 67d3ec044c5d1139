/**
 * A store within a transaction, without the transaction's type, so that code for one store does not depend on the
 * other stores of the transaction.
 */
export interface Rows<K extends IDBValidKey, V> {
  get(key: K): Promise<V | undefined>;
  getKey(key: K): Promise<K | undefined>;
  getAll(range?: IDBKeyRange): Promise<V[]>;
  count(range: IDBKeyRange): Promise<number>;
  put(value: V): Promise<K>;
  delete(key: K | IDBKeyRange): Promise<void>;
}
