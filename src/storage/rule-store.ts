import { FaultError, type Fault } from '../base/fault.ts';
import type { PlacedRule, Rule, RuleStore, SavedRule } from '../permissions/types.ts';
import type { Database } from './database.ts';
import { checked, savedRuleSchema } from './records.ts';
import { ruleID } from './rule-id.ts';

/** Saved rules in IndexedDB. A damaged rule is left out and reported: what it allowed is asked for again. */
export class IdbRuleStore implements RuleStore {
  readonly #database: Database;
  readonly #onProblem: (fault: Fault) => void;

  constructor(database: Database, onProblem: (fault: Fault) => void) {
    this.#database = database;
    this.#onProblem = onProblem;
  }

  async list(workspaceID: string): Promise<readonly SavedRule[]> {
    const rows = await this.#database.run(['rules'], 'readonly', (tx) =>
      tx.objectStore('rules').index('workspace').getAll(workspaceID),
    );
    const rules: SavedRule[] = [];
    for (const row of rows) {
      try {
        rules.push(checked(savedRuleSchema, row, 'rules', row.id));
      } catch (error) {
        if (!(error instanceof FaultError)) throw error;
        this.#onProblem(error.fault);
      }
    }
    return rules.sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1));
  }

  save(workspaceID: string, rules: readonly Rule[], time: number): Promise<void> {
    return this.saveAll(
      rules.map((rule) => ({ ...rule, workspaceID })),
      time,
    );
  }

  async saveAll(rules: readonly PlacedRule[], time: number): Promise<void> {
    await this.#database.run(
      ['rules'],
      'readwrite',
      async (tx) => {
        const store = tx.objectStore('rules');
        await Promise.all(
          rules.map(async (rule) => store.put({ ...rule, id: ruleID(rule.workspaceID, rule), time })),
        );
      },
      'strict',
    );
  }

  async remove(id: string): Promise<void> {
    await this.#database.run(['rules'], 'readwrite', (tx) => tx.objectStore('rules').delete(id), 'strict');
  }
}
