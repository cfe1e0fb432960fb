/** The tags that a conversation bears (contract b 1.15). */
import type { z } from 'zod';
import { showOne } from '#shared/domain/conversations/requests.ts';
import * as tagging from '#shared/domain/conversations/tagging.ts';
import { AppError } from '#shared/errors.ts';
import { RequestView } from '#shared/models/request.ts';
import { endpoint } from '../http/endpoint.ts';
import { Tags } from './input.ts';
import { record } from './record.ts';

const ROOT = '/v3/:project_id/requests/:request_id/tag';

const some = (tags: z.output<typeof Tags>) => {
  if (!tags.length) throw new AppError(400, 'NO_TAGS', 'Name one tag at least');
  return tags;
};

export default [
  endpoint({
    method: 'put',
    path: ROOT,
    record,
    role: 'agent',
    bots: true,
    summary: 'Add tags to a conversation; one whose name is there stays as it is',
    body: Tags,
    reply: RequestView,
    handle: async ({ project: id_project, params: { request_id }, body }) =>
      showOne(await tagging.add({ id_project, request_id }, some(body))),
  }),
  endpoint({
    method: 'delete',
    path: `${ROOT}/:tag_id`,
    record,
    role: 'agent',
    bots: true,
    summary: 'Take a tag from a conversation by its id there',
    reply: RequestView,
    handle: async ({ project: id_project, params: { request_id, tag_id } }) =>
      showOne(await tagging.remove({ id_project, request_id }, tag_id)),
  }),
];
