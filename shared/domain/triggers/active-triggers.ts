/**
 * The enabled triggers of projects, cached in each process. A change to a project's triggers drops the project's entry:
 * immediately in the process that handles the event of the change, and within a second in the other processes.
 */
import { Trigger } from '../../models/trigger.ts';
import type { ActionKey, TriggerKey } from '../../triggers/definitions.ts';
import { AccessCache, accessKey } from '../access/access-changes.ts';
import type { Conditions } from './conditions.ts';

/** An enabled trigger. */
export interface ActiveTrigger {
  id: string;
  key: TriggerKey;
  conditions: Conditions;
}

/** A stored action of a trigger. */
export interface StoredAction {
  key: ActionKey;
  parameters: Record<string, unknown>;
}

const cache = new AccessCache<ActiveTrigger[]>(20_000);

const readTriggers = async (id_project: string) => {
  const active = { id_project, enabled: true };
  const found = await Trigger.find(active, { 'trigger.key': 1, conditions: 1 })
    .sort({ _id: 1 })
    .lean<{ _id: unknown; trigger: { key: TriggerKey }; conditions: Conditions }[]>();
  return {
    value: found.map(({ _id, trigger: { key }, conditions }) => ({ id: String(_id), key, conditions })),
    accessKeys: [accessKey({ triggers: id_project })],
  };
};

/** Returns the enabled triggers of a project, in the order of creation. */
export const findActiveTriggers = async (id_project: string): Promise<ActiveTrigger[]> =>
  (await cache.getOrLoad(id_project, () => readTriggers(id_project))) ?? [];

/** Drops the cached triggers of these projects. */
export const forgetTriggers = (projects: string[]): void =>
  cache.drop(new Set(projects.map((triggers) => accessKey({ triggers }))));

/** Reads the actions of a trigger; null if it was deleted or disabled. */
export const readActions = async (id_project: string, _id: string): Promise<StoredAction[] | null> => {
  const trigger = await Trigger.findOne({ id_project, _id, enabled: true }, { actions: 1 }).lean<{
    actions: StoredAction[];
  }>();
  return trigger?.actions ?? null;
};
