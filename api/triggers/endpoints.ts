/** Trigger endpoints. */
import { z } from 'zod';
import * as triggers from '#shared/domain/triggers/triggers.ts';
import { TriggerView } from '#shared/models/trigger.ts';
import { omitNullish } from '#shared/wire/omit-fields.ts';
import { endpoint } from '../http/endpoint.ts';
import { NewTrigger, TriggerChange } from './input.ts';

const BASE_PATH = '/v3/:project_id/modules/triggers';
const RECORD_PATH = `${BASE_PATH}/:trigger_id` as const;
const RECORD = { collection: 'triggers', parameter: 'trigger_id' };

export default [
  endpoint({
    method: 'get',
    path: BASE_PATH,
    role: 'admin',
    summary: 'List the triggers of a project',
    reply: z.array(TriggerView),
    handle: ({ project }) => triggers.list(project),
  }),
  endpoint({
    method: 'get',
    path: RECORD_PATH,
    role: 'admin',
    summary: 'Get a trigger',
    reply: TriggerView,
    handle: ({ project, params }) => triggers.read(project, params.trigger_id),
  }),
  endpoint({
    method: 'post',
    path: BASE_PATH,
    role: 'admin',
    summary: 'Create an enabled trigger: actions that follow an event if conditions hold',
    body: NewTrigger,
    reply: TriggerView,
    handle: ({ project, body: { name, trigger, actions = [], ...body }, actor }) =>
      triggers.create(project, { ...omitNullish(body), name, trigger, actions }, actor.id),
  }),
  endpoint({
    method: 'put',
    path: RECORD_PATH,
    record: RECORD,
    role: 'admin',
    summary: 'Change, enable or disable a trigger; absent and null fields are unchanged',
    body: TriggerChange,
    reply: TriggerView,
    handle: ({ project, params, body, actor }) =>
      triggers.update(project, params.trigger_id, { ...omitNullish(body), updatedBy: actor.id }),
  }),
  endpoint({
    method: 'put',
    path: `${BASE_PATH}/:code/reset`,
    role: 'admin',
    summary: 'Restore a built-in trigger, or add it if the project does not have it',
    reply: TriggerView,
    handle: ({ project, params, actor }) => triggers.reset(project, params.code, actor.id),
  }),
  endpoint({
    method: 'delete',
    path: RECORD_PATH,
    record: RECORD,
    role: 'admin',
    summary: 'Delete a trigger and stop its unfinished runs',
    reply: TriggerView,
    handle: ({ project, params }) => triggers.remove(project, params.trigger_id),
  }),
];
