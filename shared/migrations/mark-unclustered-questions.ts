import { KbQuestion } from '../models/kb-question.ts';

/** Marks the unanswered questions that were stored before clusters existed, so that they are clustered. */
export const markUnclusteredQuestions = async (): Promise<void> => {
  const update = { $set: { needsCluster: true }, $inc: { __v: 0 } };
  await KbQuestion.updateMany({ cluster: { $exists: false } }, update, { anyProject: true, timestamps: false });
};
