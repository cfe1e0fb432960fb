/** The texts that a project's clients show (contract 4.6, b 10). */
import { z } from 'zod';
import { flag } from '#shared/lenient.ts';
import * as labels from '#shared/domain/conversations/labels.ts';
import { shipped, shippedIn } from '#shared/labels/labels.ts';
import { LabelEntryView, LabelsView, ShippedLabelsView } from '#shared/models/label.ts';
import { endpoint } from '../http/endpoint.ts';
import { given } from '../http/given.ts';
import { Removed, removed } from '../http/removed.ts';
import { LIMITS } from '../limits.ts';
import { Lang, Texts } from './input.ts';

const ROOT = '/v3/:project_id/labels';
const KEEP_SECONDS = 300;
const Nothing = z.strictObject({});

export default [
  endpoint({
    method: 'get',
    path: ROOT,
    role: 'none',
    summary: "All texts of the project, or an empty object where it uses the service's",
    reply: z.union([LabelsView, Nothing]),
    handle: async ({ params }) => (await labels.read(params.project_id)) ?? {},
  }),
  endpoint({
    method: 'get',
    path: `${ROOT}/default`,
    role: 'none',
    summary: 'The texts that come with the service, in all languages',
    reply: z.array(ShippedLabelsView),
    keepFor: KEEP_SECONDS,
    handle: async () => shipped,
  }),
  endpoint({
    method: 'get',
    path: `${ROOT}/default/:lang`,
    role: 'none',
    summary: 'The texts that come with the service, in one language; an empty object for one that does not come',
    reply: z.union([ShippedLabelsView, Nothing]),
    keepFor: KEEP_SECONDS,
    handle: async ({ params }) => shippedIn(params.lang) ?? {},
  }),
  endpoint({
    method: 'get',
    path: `${ROOT}/:lang`,
    role: 'none',
    summary: 'The texts of one language, else of the default language, else the English ones',
    reply: LabelEntryView,
    handle: ({ params }) => labels.readLanguage(params.project_id, params.lang),
  }),
  endpoint({
    method: 'post',
    path: `${ROOT}/default/clone`,
    record: { in: 'labels' },
    role: 'admin',
    summary: 'Take over the texts of a language that comes with the service, to change them',
    body: z.object({ lang: Lang }),
    reply: LabelsView,
    handle: ({ project, body, actor }) => labels.clone({ id_project: project, by: actor.id }, body.lang),
  }),
  endpoint({
    method: 'post',
    path: ROOT,
    record: { in: 'labels' },
    role: 'admin',
    summary: 'Write the texts of a language, in place of those it has',
    body: z.object({
      lang: Lang,
      data: Texts,
      category: z.string().max(LIMITS.name).nullish(),
      default: flag().nullish().meta({ description: 'Default: as it was; true for the first language' }),
    }),
    reply: LabelEntryView,
    handle: ({ project, body: { lang, data, ...more }, actor }) =>
      labels.write({ id_project: project, by: actor.id }, { lang, data, ...given(more) }),
  }),
  endpoint({
    method: 'patch',
    path: `${ROOT}/:lang/default`,
    record: { in: 'labels' },
    role: 'admin',
    summary: 'Make a language the default',
    reply: LabelEntryView,
    handle: ({ project, params, actor }) => labels.makeDefault({ id_project: project, by: actor.id }, params.lang),
  }),
  endpoint({
    method: 'delete',
    path: `${ROOT}/:lang`,
    record: { in: 'labels' },
    role: 'admin',
    summary: 'Delete a language, and get what stands in for it now',
    reply: LabelEntryView,
    errors: { 400: 'It is the default language' },
    handle: ({ project, params, actor }) => labels.remove({ id_project: project, by: actor.id }, params.lang),
  }),
  endpoint({
    method: 'delete',
    path: ROOT,
    record: { in: 'labels' },
    role: 'admin',
    summary: "Delete all texts of the project: the service's are used again",
    reply: Removed,
    handle: async ({ project }) => removed(await labels.removeAll(project)),
  }),
];
