import type { Query, Schema } from 'mongoose';

type Fields = Record<string, unknown>;

/** The hidden words that belong to what is written; none where no text is. */
type Rule = (written: Fields) => Fields;

type Write = Record<string, { document?: Fields; update?: { $set?: Fields } }>;

const rules = new WeakMap<object, Rule>();

/** What is to be written beside these fields, so that they are found by their words. */
export const wordsBeside = ({ schema }: { schema: object }, written: Fields): Fields =>
  rules.get(schema)?.(written) ?? {};

/** Keep the words of a collection's texts beside them: every write that sets a text sets its words. */
export const worded = (schema: Schema, rule: Rule) => {
  rules.set(schema, rule);
  schema.pre(['updateOne', 'updateMany', 'findOneAndUpdate'], function word(this: Query<unknown, unknown>) {
    const update = this.getUpdate();
    if (!update || Array.isArray(update)) return;
    const words = rule({ ...update, ...update.$set }); // what stands beside $set is set too
    if (Object.keys(words).length) this.setUpdate({ ...update, $set: { ...update.$set, ...words } });
  });
  schema.pre('save', function word() {
    const texts = Object.fromEntries(this.modifiedPaths().map((path) => [path, this.get(path)]));
    this.set(rule(texts));
  });
  schema.pre('insertMany', (records: unknown) => {
    for (const record of records as Fields[]) Object.assign(record, rule(record));
  });
  schema.pre('bulkWrite', (operations: unknown) => {
    for (const { document, update } of (operations as Write[]).flatMap((operation) => Object.values(operation))) {
      if (document) Object.assign(document, rule(document));
      if (update?.$set) Object.assign(update.$set, rule(update.$set));
    }
  });
};
