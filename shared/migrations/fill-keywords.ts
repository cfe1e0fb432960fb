/** The migration that adds search keywords to existing records, and its reverse. */
import type { Model } from 'mongoose';
import { keywordsOf } from '../database/plugins/search-keywords.ts';
import { Conversation } from '../models/conversation.ts';
import { Lead } from '../models/lead.ts';
import { Message } from '../models/message.ts';
import { CONVERSATION_TEXT_FIELDS } from '../search/conversation-texts.ts';

const RECORDS_PER_BATCH = 1000;
const allProjects = { anyProject: true };

type StoredRecord = { _id: unknown };

/** Adds keywords to the records that match `missingFilter`, in batches, in ascending order of id. */
const fillKeywordsOf = async (
  model: Model<unknown>,
  missingFilter: object,
  fields: Record<string, 1>,
): Promise<void> => {
  for (let lastId: unknown; ; ) {
    const filter = { ...missingFilter, ...(lastId ? { _id: { $gt: lastId } } : {}) };
    const query = model.find(filter, fields, allProjects).sort({ _id: 1 }).limit(RECORDS_PER_BATCH).lean();
    const records = (await query) as StoredRecord[];
    if (!records.length) return;
    const writes = records.map((record) => ({
      updateOne: {
        filter: { _id: record._id },
        update: { $set: keywordsOf(model, record as object as Record<string, unknown>), $inc: { __v: 0 } },
        timestamps: false,
      },
    }));
    await model.bulkWrite(writes, { ...allProjects, ordered: false } as never);
    lastId = records.at(-1)?._id;
  }
};

/** Adds keywords to all conversations, messages and leads. A rerun continues with the records without keywords. */
export const fillKeywords = async (): Promise<void> => {
  await fillKeywordsOf(Conversation as Model<unknown>, { keywords: null }, CONVERSATION_TEXT_FIELDS);
  await fillKeywordsOf(Message as Model<unknown>, { keywords: null, text: { $ne: null } }, { text: 1 });
  const missingNameWords = { fullname_keywords: null, fullname: { $ne: null } };
  const missingEmailWords = { email_keywords: null, email: { $ne: null } };
  const missingWords = { $or: [missingNameWords, missingEmailWords] };
  await fillKeywordsOf(Lead as Model<unknown>, missingWords, { fullname: 1, email: 1 });
  await Lead.syncIndexes(); // drops the former text index on name and email
};

const removeFields = async (model: Model<unknown>, fields: Record<string, 1>): Promise<void> => {
  const update = { $unset: fields, $inc: { __v: 0 } };
  await model.updateMany({}, update, { timestamps: false, strict: false }).setOptions(allProjects);
};

/** Removes the keywords of all conversations, messages and leads. */
export const removeKeywords = async (): Promise<void> => {
  await removeFields(Conversation as Model<unknown>, { keywords: 1 });
  await removeFields(Message as Model<unknown>, { keywords: 1 });
  await removeFields(Lead as Model<unknown>, { fullname_keywords: 1, email_keywords: 1 });
};
