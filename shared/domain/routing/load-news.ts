/**
 * News of loads: the write that changes the load of a teammate tells `project_user.update` itself, at most once a second.
 * A change within that second marks the membership, and `tellLoads` tells it afterwards.
 */
import { textOf } from '../../models/plugins/emitting.ts';
import { ProjectUser } from '../../models/project-user.ts';

const PERIOD_MS = 1000;

const due = { $lte: [{ $ifNull: ['$load_told_at', new Date(0)] }, { $subtract: ['$$NOW', PERIOD_MS] }] };

/** The stage of a pipeline update that tells the load, or marks the membership when it was told within the last second. */
export const telling = (id_project: string) => {
  const text = textOf([['project_user.update']], { id_project });
  return {
    $set: {
      _events: { $cond: [due, { $literal: text }, '$_events'] },
      load_told_at: { $cond: [due, '$$NOW', '$load_told_at'] },
      load_untold: { $cond: [due, '$$REMOVE', true] },
    },
  };
};

/** Tell the loads that changed within a second after they were told last. */
export const tellLoads = async (): Promise<void> => {
  const options = { updatePipeline: true, timestamps: false } as const;
  const untold = { load_untold: true };
  for (const id_project of await ProjectUser.distinct('id_project', untold, { anyProject: true }))
    await ProjectUser.updateMany({ id_project, ...untold }, [telling(id_project)], options);
};
