/**
 * Limits the number of receivers of one project to which this process delivers at the same time, so that a project with
 * many slow receivers does not occupy all jobs that the process may run.
 */
import type { ReceiverKey } from '#shared/domain/webhooks/receiver-lease.ts';

const RECEIVERS_PER_PROJECT = 128;

interface ProjectSlots {
  used: number;
  /** Receivers that wait for a slot, the longest waiting first. */
  waiting: Map<string, ReceiverKey>;
}

const slotsByProject = new Map<string, ProjectSlots>();

/** Takes a slot. Returns false if the project has none left; the receiver then waits until `releaseSlot` returns it. */
export const takeSlot = (key: ReceiverKey): boolean => {
  const slots = slotsByProject.get(key.id_project) ?? { used: 0, waiting: new Map() };
  slotsByProject.set(key.id_project, slots);
  if (slots.used >= RECEIVERS_PER_PROJECT) {
    slots.waiting.set(key.receiver, key);
    return false;
  }
  slots.used += 1;
  return true;
};

/** Releases a slot. Returns the receiver that has waited longest, whose job must be enqueued; null if none waits. */
export const releaseSlot = ({ id_project }: ReceiverKey): ReceiverKey | null => {
  const slots = slotsByProject.get(id_project);
  if (!slots) return null;
  slots.used -= 1;
  const [next = null] = slots.waiting.values();
  if (next) slots.waiting.delete(next.receiver);
  else if (!slots.used) slotsByProject.delete(id_project);
  return next;
};
