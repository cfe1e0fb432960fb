import { KbUnansweredQuestion } from '../models/kb-question.ts';

/** Marks the unanswered questions that older versions stored without a cluster, so that they will be clustered. */
export const markUnclusteredQuestions = async (): Promise<void> => {
  const update = { $set: { needsCluster: true }, $inc: { __v: 0 } };
  await KbUnansweredQuestion.updateMany({ cluster: { $exists: false } }, update, { timestamps: false }).setOptions({
    anyProject: true,
  });
};

/** Removes the marks from questions that do not yet belong to a cluster. */
export const unmarkUnclusteredQuestions = async (): Promise<void> => {
  const update = { $unset: { needsCluster: 1 }, $inc: { __v: 0 } };
  await KbUnansweredQuestion.updateMany({ cluster: { $exists: false } }, update, { timestamps: false }).setOptions({
    anyProject: true,
  });
};
