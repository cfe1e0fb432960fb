/** Decides what the erasure of a person does with a record that contains data of the person. */
import type { WholeDocument } from '../../database/whole-documents.ts';
import { belongsTo, createAddressTest } from './classify.ts';
import { idsOf, type Person } from './person.ts';
import { changedFields, createRedactor } from './redact.ts';
import type { PersonalCollection } from './search-records.ts';

/** What to erase, and how. */
export interface ErasureOptions {
  person: Person;
  dryRun: boolean;
  /** When the erasure began. Events that the erasure itself has emitted since then are redacted, not deleted. */
  startedAt: Date;
}

/** The collections that contain the events of the erasure itself. */
const EVENT_COLLECTIONS = ['changes', 'outbox'];

type Outcome = 'deleted' | 'redacted' | 'reported' | 'none';

/** Returns a function that decides what is done with a record, and which of its fields change to which values. */
export const createDecision = ({ rule, model }: PersonalCollection, { person, startedAt }: ErasureOptions) => {
  const ids = idsOf(person);
  const [redact, containsAddress] = [createRedactor(person, ids), createAddressTest(person)];
  const isOwnEvent = ({ createdAt }: WholeDocument): boolean =>
    EVENT_COLLECTIONS.includes(model.modelName) && createdAt instanceof Date && createdAt >= startedAt;
  return (record: WholeDocument): { outcome: Outcome; changes?: Record<string, unknown> } => {
    if (belongsTo(record, rule, { ids }) && !isOwnEvent(record)) return { outcome: rule.hasStep ? 'none' : 'deleted' };
    if (rule.mentions === 'report') return { outcome: containsAddress(record) ? 'reported' : 'none' };
    if (rule.mentions === 'delete') return { outcome: 'deleted' };
    const changes = changedFields(record, redact(record));
    return Object.keys(changes).length ? { outcome: 'redacted', changes } : { outcome: 'none' };
  };
};
