/** Finds the records that contain data of a person, in every collection with personal data. */
import { models } from '../../database/collection.ts';
import { searchBytes, type WholeDocument } from '../../database/whole-documents.ts';
import { personalData, type PersonalDataRule } from '../../models/personal-data.ts';
import { bytesPattern } from './patterns.ts';
import type { Person } from './person.ts';

/** A model, and its rule for personal data. */
export interface PersonalCollection {
  model: ReturnType<typeof models>[number];
  rule: PersonalDataRule;
}

/** The rule for a collection that `personalData` does not list: its records are redacted, never deleted. */
const UNKNOWN: PersonalDataRule = { mentions: 'redact' };

/** Returns the collections that may contain personal data, including those without a rule. */
export const personalCollections = (): PersonalCollection[] =>
  models().flatMap((model) => {
    const rule = personalData[model.modelName] ?? UNKNOWN;
    return 'holdsNone' in rule ? [] : [{ model, rule }];
  });

/** Yields the records of a collection that contain data of the person. */
export const searchRecords = ({ model }: PersonalCollection, person: Person): AsyncGenerator<WholeDocument> =>
  searchBytes(model, bytesPattern(person), person.projects);
