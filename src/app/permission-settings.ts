import * as z from 'zod/mini';
import { FaultError } from '../base/fault.ts';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { SettingsStore } from '../base/settings-store.ts';
import { decide } from '../permissions/rules.ts';
import { permissionSettingsSchema, rulesOf, type PermissionSettings } from '../permissions/settings.ts';
import { EVERYWHERE, type Action, type RuleStore, type SavedRule } from '../permissions/types.ts';
import { defaultRules, permissions } from '../tools/permissions.ts';
import type { AppPermissions, ToolPermission } from '../ui/app.ts';

const SETTING = 'permission';
/** A permission without a default rule is asked for each time, so there is nothing to set. */
const LISTED = permissions.filter(({ label, rules }) => label !== undefined && Object.keys(rules).length > 0);

/** Throws a fault that says what does not fit. */
export function checkedPermissions(settings: unknown): PermissionSettings {
  const parsed = permissionSettingsSchema.safeParse(settings);
  if (parsed.success) return parsed.data;
  throw new FaultError({
    code: 'permission-invalid',
    what: `The permission settings are not valid: ${z.prettifyError(parsed.error)}`,
    next: 'Use "allow", "ask" or "deny", or an object of them by tool, or by tool and pattern.',
  });
}

/** The permission rules from the settings, and the saved rules of a workspace. */
export class PermissionSettingsOfApp implements AppPermissions {
  readonly #settings: SettingsStore;
  readonly #rules: RuleStore;
  readonly #changed = new Listeners<void>();
  /** Notifies other tabs that stored rules changed: a tab with old rules would allow more. */
  readonly #tellOthers: () => void;
  #stored: PermissionSettings = {};
  /** Set by automation for this page load; replaces the stored settings. */
  #override: PermissionSettings | null = null;

  constructor(settings: SettingsStore, rules: RuleStore, tellOthers: () => void) {
    this.#settings = settings;
    this.#rules = rules;
    this.#tellOthers = tellOthers;
  }

  async load(): Promise<void> {
    const stored = await this.#settings.get(SETTING);
    const parsed = permissionSettingsSchema.safeParse(stored ?? {});
    // Unreadable rules must not fall back to allowing what they may have denied.
    this.#stored = parsed.success ? parsed.data : 'ask';
    this.#changed.emit();
  }

  /** The current settings in the shape of opencode.json's `permission`. */
  current(): PermissionSettings {
    return this.#override ?? this.#stored;
  }

  /** Throws a fault that says what does not fit. `undefined` sets nothing for this page load. */
  override(settings: unknown): void {
    if (settings === undefined) {
      this.#override = null;
      return this.#changed.emit();
    }
    this.#override = checkedPermissions(settings);
    this.#changed.emit();
  }

  tools(): readonly ToolPermission[] {
    const settings = this.current();
    return LISTED.map(({ id: permission }) => {
      const own = typeof settings === 'string' ? undefined : settings[permission];
      if (own !== undefined && typeof own !== 'string') return { permission, action: 'custom' };
      return { permission, action: this.#actionFor(permission) };
    });
  }

  async set(permission: string, action: Action): Promise<void> {
    // A single action for everything becomes the first entry of a map, because later entries count more.
    const before = typeof this.#stored === 'string' ? { '*': this.#stored } : this.#stored;
    this.#stored = { ...before, [permission]: action };
    this.#override = null;
    this.#changed.emit();
    await this.#settings.set(SETTING, this.#stored);
    this.#tellOthers();
  }

  async rules(workspaceID: string | null): Promise<readonly SavedRule[]> {
    const places = workspaceID === null ? [EVERYWHERE] : [workspaceID, EVERYWHERE];
    return (await Promise.all(places.map((place) => this.#rules.list(place)))).flat();
  }

  async revoke(id: string): Promise<void> {
    await this.#rules.remove(id);
    this.#changed.emit();
    this.#tellOthers();
  }

  async exportRules(workspaceID: string | null): Promise<string> {
    const { rulesToJson } = await import('../permissions/rules-file.ts');
    return rulesToJson(await this.rules(workspaceID));
  }

  async importRules(workspaceID: string, json: string): Promise<number> {
    const { rulesFromJson } = await import('../permissions/rules-file.ts');
    const rules = rulesFromJson(json);
    const placed = rules.map(({ scope, ...rule }) => ({
      ...rule,
      workspaceID: scope === 'everywhere' ? EVERYWHERE : workspaceID,
    }));
    await this.#rules.saveAll(placed, Date.now());
    this.#changed.emit();
    this.#tellOthers();
    return rules.length;
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }

  #actionFor(permission: string): Action {
    const configured = [...defaultRules, ...rulesOf(this.current(), 'settings')];
    return decide({ configured, saved: [] }, { permission, patterns: ['example'] }).action;
  }
}
