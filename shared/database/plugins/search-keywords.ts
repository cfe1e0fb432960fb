/** Stores the search keywords of a record's texts in hidden fields of the record. */
import type { Query, Schema } from 'mongoose';

type Fields = Record<string, unknown>;

/** Returns the keyword fields for the fields that a write sets; an empty object if no searchable text is set. */
type KeywordRule = (fields: Fields) => Fields;

type BulkWrite = Record<string, { document?: Fields; update?: { $set?: Fields } }>;

const keywordRules = new WeakMap<object, KeywordRule>();

/** Returns the keyword fields to write together with `fields`, for writes that bypass mongoose. */
export const keywordsOf = ({ schema }: { schema: object }, fields: Fields): Fields =>
  keywordRules.get(schema)?.(fields) ?? {};

/** Plugin: every write that sets a searchable text, except an update with a pipeline, also sets its keywords. */
export const searchKeywords = (schema: Schema, rule: KeywordRule) => {
  keywordRules.set(schema, rule);
  schema.pre(
    ['updateOne', 'updateMany', 'findOneAndUpdate'],
    function addKeywordsToUpdate(this: Query<unknown, unknown>) {
      const update = this.getUpdate();
      if (!update || Array.isArray(update)) return;
      const words = rule({ ...update, ...update.$set }); // mongoose moves fields outside $set into $set
      if (Object.keys(words).length) this.setUpdate({ ...update, $set: { ...update.$set, ...words } });
    },
  );
  schema.pre('save', function addKeywordsToDocument() {
    const texts = Object.fromEntries(this.modifiedPaths().map((path) => [path, this.get(path)]));
    this.set(rule(texts));
  });
  schema.pre('insertMany', (records: unknown) => {
    for (const record of records as Fields[]) Object.assign(record, rule(record));
  });
  schema.pre('bulkWrite', (operations: unknown) => {
    for (const { document, update } of (operations as BulkWrite[]).flatMap((operation) => Object.values(operation))) {
      if (document) Object.assign(document, rule(document));
      if (update?.$set) Object.assign(update.$set, rule(update.$set));
    }
  });
};
