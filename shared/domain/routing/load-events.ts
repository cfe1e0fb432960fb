/**
 * Events about an agent's load. The write that changes the load emits `project_user.update`, at most once per second
 * and agent. A change within that second only marks the membership as pending; `emitPendingLoads` later emits the event
 * for it.
 */
import { serializeEvents } from '../../database/plugins/event-outbox.ts';
import { ProjectUser } from '../../models/project-user.ts';

const MIN_INTERVAL_MS = 1000;

const isEventDue = {
  $lte: [{ $ifNull: ['$load_emitted_at', new Date(0)] }, { $subtract: ['$$NOW', MIN_INTERVAL_MS] }],
};

/**
 * Returns the stage of an update pipeline that emits `project_user.update`, or marks the membership as pending if that
 * event was emitted within the last second.
 */
export const loadEventStage = (id_project: string) => {
  const text = serializeEvents([['project_user.update']], { id_project });
  return {
    $set: {
      _events: { $cond: [isEventDue, { $literal: text }, '$_events'] },
      load_emitted_at: { $cond: [isEventDue, '$$NOW', '$load_emitted_at'] },
      load_changed: { $cond: [isEventDue, '$$REMOVE', true] },
    },
  };
};

/** Emits the pending events of all projects. */
export const emitPendingLoads = async (): Promise<void> => {
  const options = { updatePipeline: true, timestamps: false } as const;
  const pending = { load_changed: true };
  for (const id_project of await ProjectUser.distinct('id_project', pending, { anyProject: true }))
    await ProjectUser.updateMany({ id_project, ...pending }, [loadEventStage(id_project)], options);
};
