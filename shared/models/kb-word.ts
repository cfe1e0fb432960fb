import { Schema } from 'mongoose';
import { collection } from '../database/collection.ts';

const schema = Schema.create(
  {
    /** The namespace and the word without accents. */
    _id: { type: String, required: true },
    id_project: { type: String, required: true },
    namespace: { type: String, required: true },
    /** The word in lower case, with the accents that it has in the first text that contained it. */
    word: { type: String, required: true },
    /** Keys by which this word is found when a question contains it with typing errors. */
    keys: { type: [String], required: true },
  },
  { versionKey: false, strict: 'throw', id: false },
);
schema.index({ id_project: 1, namespace: 1, keys: 1 });

/** The words in the texts of a namespace, which are used to correct typing errors in questions. */
export const KbWord = collection('kb_words', schema);
