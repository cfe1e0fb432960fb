import { KbUnansweredQuestion } from '../models/kb-question.ts';

/** Marks the unanswered questions that were stored before clusters existed, so that they are clustered. */
export const markUnclusteredQuestions = async (): Promise<void> => {
  const update = { $set: { needsCluster: true } };
  await KbUnansweredQuestion.updateMany({ cluster: { $exists: false } }, update, { timestamps: false }).setOptions({
    anyProject: true,
  });
};
