/** Records of before the search get their words, and projects their tallies. */
import type { Model } from 'mongoose';
import { recount } from '../domain/conversations/tallies.ts';
import { Lead } from '../models/lead.ts';
import { Message } from '../models/message.ts';
import { wordsBeside } from '../models/plugins/worded.ts';
import { Project } from '../models/project.ts';
import { Request } from '../models/request.ts';

const TOGETHER = 1000;
const everyProject = { anyProject: true };

type Stored = { _id: unknown };

/** In the order of the ids, so that each record is read once; one that has its words already is left alone. */
const fill = async (model: Model<unknown>, lacking: object, fields: Record<string, 1>): Promise<void> => {
  for (let last: unknown; ; ) {
    const after = { ...lacking, ...(last ? { _id: { $gt: last } } : {}) };
    const found = model.find(after, fields, everyProject).sort({ _id: 1 }).limit(TOGETHER).lean();
    const records = (await found) as Stored[];
    if (!records.length) return;
    const writes = records.map((record) => ({
      updateOne: {
        filter: { _id: record._id },
        update: { $set: wordsBeside(model, record as object as Record<string, unknown>), $inc: { __v: 0 } },
        timestamps: false,
      },
    }));
    await model.bulkWrite(writes, { ...everyProject, ordered: false } as never);
    last = records.at(-1)?._id;
  }
};

const TEXTS = { subject: 1, first_text: 1, rating_message: 1, tags: 1, notes: 1, snapshot: 1 } as const;

/** Give every record its words; again from where it was cut off. */
export const fillWords = async (): Promise<void> => {
  await fill(Request as Model<unknown>, { words: null }, TEXTS);
  await fill(Message as Model<unknown>, { words: null, text: { $ne: null } }, { text: 1 });
  const named = { fullname_words: null, fullname: { $ne: null } };
  const addressed = { email_words: null, email: { $ne: null } };
  await fill(Lead as Model<unknown>, { $or: [named, addressed] }, { fullname: 1, email: 1 });
  await Lead.syncIndexes(); // without the text index that names and addresses had
};

/** Count the conversations of every project. */
export const countAll = async (): Promise<void> => {
  for (const { _id } of await Project.find({}, { _id: 1 }).lean()) await recount(String(_id));
};
