/** Label endpoints. Labels are the texts that the web clients of a project show, by language. */
import { z } from 'zod';
import * as labels from '#shared/domain/conversations/catalogue/labels.ts';
import { builtInLabels, findBuiltInLabels } from '#shared/labels/built-in-labels.ts';
import { BuiltInLabelsView, LabelEntryView, LabelsView } from '#shared/models/label.ts';
import { flag } from '#shared/wire/coercion.ts';
import { omitNullish } from '#shared/wire/omit-fields.ts';
import { endpoint } from '../http/endpoint.ts';
import { DeleteResult, deleteResult } from '../http/response/delete-result.ts';
import { INPUT_LIMITS } from '../input-limits.ts';
import { LabelTexts, LanguageCode } from './input.ts';

const BASE_PATH = '/v3/:project_id/labels';
const CACHE_SECONDS = 300;
const EmptyReply = z.strictObject({});

export default [
  endpoint({
    method: 'get',
    path: BASE_PATH,
    role: 'none',
    summary: 'Get all labels of a project, or an empty object if it uses the built-in labels',
    reply: z.union([LabelsView, EmptyReply]),
    handle: async ({ params }) => (await labels.read(params.project_id)) ?? {},
  }),
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/default`,
    role: 'none',
    summary: 'List the built-in labels in all languages',
    reply: z.array(BuiltInLabelsView),
    cacheSeconds: CACHE_SECONDS,
    handle: async () => builtInLabels,
  }),
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/default/:lang`,
    role: 'none',
    summary: 'Get the built-in labels of a language, or an empty object for an unknown language',
    reply: z.union([BuiltInLabelsView, EmptyReply]),
    cacheSeconds: CACHE_SECONDS,
    handle: async ({ params }) => findBuiltInLabels(params.lang) ?? {},
  }),
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/:lang`,
    role: 'none',
    summary: 'Get the labels of a language, falling back to the default language and then to English',
    reply: LabelEntryView,
    handle: ({ params }) => labels.readLanguage(params.project_id, params.lang),
  }),
  endpoint({
    method: 'post',
    path: `${BASE_PATH}/default/clone`,
    record: { collection: 'labels' },
    role: 'admin',
    summary: 'Copy the built-in labels of a language into the project',
    body: z.object({ lang: LanguageCode }),
    reply: LabelsView,
    handle: ({ project, body, actor }) => labels.clone({ id_project: project, actorId: actor.id }, body.lang),
  }),
  endpoint({
    method: 'post',
    path: BASE_PATH,
    record: { collection: 'labels' },
    role: 'admin',
    summary: 'Replace the labels of a language',
    body: z.object({
      lang: LanguageCode,
      data: LabelTexts,
      category: z.string().max(INPUT_LIMITS.name).nullish(),
      default: flag().nullish().meta({
        description:
          'Whether this is the default language; unchanged if absent. The first language is always the default',
      }),
    }),
    reply: LabelEntryView,
    handle: ({ project, body: { lang, data, ...rest }, actor }) =>
      labels.write({ id_project: project, actorId: actor.id }, { lang, data, ...omitNullish(rest) }),
  }),
  endpoint({
    method: 'patch',
    path: `${BASE_PATH}/:lang/default`,
    record: { collection: 'labels' },
    role: 'admin',
    summary: 'Set the default language',
    reply: LabelEntryView,
    handle: ({ project, params, actor }) => labels.makeDefault({ id_project: project, actorId: actor.id }, params.lang),
  }),
  endpoint({
    method: 'delete',
    path: `${BASE_PATH}/:lang`,
    record: { collection: 'labels' },
    role: 'admin',
    summary: 'Delete the labels of a language and get the labels that clients then show for this language',
    reply: LabelEntryView,
    errors: { 400: 'The language is the default language' },
    handle: ({ project, params, actor }) => labels.remove({ id_project: project, actorId: actor.id }, params.lang),
  }),
  endpoint({
    method: 'delete',
    path: BASE_PATH,
    record: { collection: 'labels' },
    role: 'admin',
    summary: 'Delete all labels of a project; clients show the built-in labels again',
    reply: DeleteResult,
    handle: async ({ project }) => deleteResult(await labels.removeAll(project)),
  }),
];
