import type { PlacedRule, Rule, RuleStore, SavedRule } from '../../permissions/types.ts';
import { ruleID } from '../rule-id.ts';

export class MemoryRuleStore implements RuleStore {
  readonly #rules = new Map<string, SavedRule>();

  async list(workspaceID: string): Promise<readonly SavedRule[]> {
    return [...this.#rules.values()]
      .filter((rule) => rule.workspaceID === workspaceID)
      .sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1));
  }

  async save(workspaceID: string, rules: readonly Rule[], time: number): Promise<void> {
    await this.saveAll(
      rules.map((rule) => ({ ...rule, workspaceID })),
      time,
    );
  }

  async saveAll(rules: readonly PlacedRule[], time: number): Promise<void> {
    for (const rule of rules) {
      const id = ruleID(rule.workspaceID, rule);
      this.#rules.set(id, { ...rule, id, time });
    }
  }

  async remove(id: string): Promise<void> {
    this.#rules.delete(id);
  }

  removeAll(workspaceID: string): void {
    for (const [id, rule] of this.#rules) if (rule.workspaceID === workspaceID) this.#rules.delete(id);
  }
}
