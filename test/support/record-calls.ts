/** Calls that change a record: the body of each call, and the calls that must precede it. */
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { isId } from '#shared/wire/view.ts';
import type { Endpoint } from '../../api/http/endpoint.ts';
import { api, type Reply } from './api.ts';
import { aTextBody } from './content-bodies.ts';
import { aProject, highestRole } from './people.ts';
import { KIND_OF_COLLECTION, type ProjectFixture, RECORD_MAKERS, type RecordKind } from './record-makers.ts';

type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type CallAsOwner = (method: HttpMethod, path: string, body?: object) => Promise<Reply>;

/** The body of a call, and the parameters of its path other than the ids of the project and the record. */
interface CallInput {
  body?: object;
  parameters?: Record<string, string>;
}

/** Prepares a call and returns its input. `root` is the path of the project, `id` the id of the record. */
type Recipe = (scene: {
  fixture: ProjectFixture;
  root: string;
  id: string;
  callAsOwner: CallAsOwner;
}) => CallInput | Promise<CallInput>;

const fixedBody = (body: object) => () => ({ body });

const PROJECT_PATH = '/v3/projects/:project_id';
const PROJECT_RECORDS_PATH = '/v3/:project_id';
const CONVERSATION_PATH = `${PROJECT_RECORDS_PATH}/requests/:request_id`;

const CALL_RECIPES: Record<string, Recipe> = {
  [`PUT ${PROJECT_RECORDS_PATH}/kb/:content_id`]: ({ fixture }) => ({ body: aTextBody(fixture.project.id) }),
  [`PUT ${PROJECT_RECORDS_PATH}/integration/:integration_id`]: fixedBody({ value: { apikey: 'other' } }),
  [`PUT ${PROJECT_RECORDS_PATH}/tags/:tag_id`]: fixedBody({ color: '#123456' }),
  [`PUT ${PROJECT_RECORDS_PATH}/canned/:canned_id`]: fixedBody({ text: 'Welcome!' }),
  [`PUT ${PROJECT_RECORDS_PATH}/kb/unanswered/:id`]: fixedBody({ question: 'Why?' }),
  [`PUT ${PROJECT_RECORDS_PATH}/segments/:id`]: fixedBody({ name: 'Others' }),
  [`PUT ${PROJECT_RECORDS_PATH}/leads/:id`]: fixedBody({ fullname: 'Bea' }),
  [`PUT ${PROJECT_RECORDS_PATH}/leads/:id/tag`]: fixedBody(['vip']),
  [`POST ${PROJECT_RECORDS_PATH}/leads/:id/merge`]: async ({ fixture }) => ({
    body: { lead: await RECORD_MAKERS.lead(fixture) },
  }),
  [`PATCH ${PROJECT_RECORDS_PATH}/leads/:id/attributes`]: fixedBody({ a: 1 }),
  [`PATCH ${PROJECT_RECORDS_PATH}/leads/:id/properties`]: fixedBody({ a: 1 }),
  [`DELETE ${PROJECT_RECORDS_PATH}/leads/:id/tag/:tag`]: async ({ root, id, callAsOwner }) => {
    await callAsOwner('PUT', `${root}/leads/${id}/tag`, ['vip']);
    return { parameters: { tag: 'vip' } };
  },
  [`PUT ${PROJECT_RECORDS_PATH}/departments/:department_id`]: fixedBody({ name: 'Sales' }),
  [`PATCH ${PROJECT_RECORDS_PATH}/departments/:department_id`]: fixedBody({ name: 'Sales' }),
  [`PUT ${PROJECT_RECORDS_PATH}/groups/:group_id`]: fixedBody({ name: 'Sales' }),
  [`PUT ${PROJECT_RECORDS_PATH}/pendinginvitations/:id`]: () => ({
    body: { email: `${randomUUID()}@example.com`, role: 'admin' },
  }),
  [`PUT ${PROJECT_RECORDS_PATH}/project_users/:project_user_id`]: fixedBody({ max_assigned_chat: 7 }),
  [`PUT ${PROJECT_RECORDS_PATH}/project_users/:project_user_id/restore`]: async ({ root, id, callAsOwner }) => {
    await callAsOwner('DELETE', `${root}/project_users/${id}?soft=true`);
    return {};
  },
  [`PUT ${PROJECT_RECORDS_PATH}/bots/:bot_id/language/:language`]: () => ({ parameters: { language: 'de' } }),
  [`PATCH ${PROJECT_RECORDS_PATH}/bots/:bot_id/attributes`]: fixedBody({ a: 1 }),
  [`POST ${PROJECT_RECORDS_PATH}/bots/importjson/:bot_id`]: fixedBody({ intents: [] }),
  [`PUT ${PROJECT_RECORDS_PATH}/faq/:faq_id`]: async ({ fixture }) => ({
    body: { id_faq_kb: await RECORD_MAKERS.bot(fixture), answer: 'Later' },
  }),
  [`PATCH ${PROJECT_RECORDS_PATH}/faq/:faq_id/attributes`]: fixedBody({ a: 1 }),
  [`PUT ${CONVERSATION_PATH}/participants`]: async ({ fixture }) => ({ body: [await RECORD_MAKERS.user(fixture)] }),
  [`POST ${CONVERSATION_PATH}/participants`]: async ({ fixture }) => ({
    body: { member: await RECORD_MAKERS.user(fixture) },
  }),
  [`DELETE ${CONVERSATION_PATH}/participants/:participant_id`]: async ({ fixture, root, id, callAsOwner }) => {
    const member = await RECORD_MAKERS.user(fixture);
    await callAsOwner('POST', `${root}/requests/${id}/participants`, { member });
    return { parameters: { participant_id: member } };
  },
  [`PUT ${CONVERSATION_PATH}/departments`]: async ({ fixture }) => ({
    body: { departmentid: await RECORD_MAKERS.department(fixture) },
  }),
  [`PUT ${CONVERSATION_PATH}/replace`]: async ({ fixture }) => ({ body: { id: await RECORD_MAKERS.bot(fixture) } }),
  [`PUT ${CONVERSATION_PATH}/agent`]: async ({ fixture, root, id, callAsOwner }) => {
    await callAsOwner('PUT', `${root}/requests/${id}/participants`, [`bot_${await RECORD_MAKERS.bot(fixture)}`]);
    return {};
  },
  [`PUT ${CONVERSATION_PATH}/assign`]: async ({ root, id, callAsOwner }) => {
    await callAsOwner('PUT', `${root}/requests/${id}/participants`, []);
    return {};
  },
  [`PUT ${CONVERSATION_PATH}/reopen`]: async ({ root, id, callAsOwner }) => {
    await callAsOwner('PUT', `${root}/requests/${id}/close`);
    return {};
  },
  [`PATCH ${CONVERSATION_PATH}`]: fixedBody({ subject: 'Another one' }),
  [`PATCH ${CONVERSATION_PATH}/attributes`]: fixedBody({ a: 1 }),
  [`PATCH ${CONVERSATION_PATH}/rating`]: fixedBody({ rating: 4 }),
  [`POST ${CONVERSATION_PATH}/notes`]: fixedBody({ text: 'Be kind' }),
  [`DELETE ${CONVERSATION_PATH}/notes/:note_id`]: async ({ root, id, callAsOwner }) => {
    const { body } = await callAsOwner('POST', `${root}/requests/${id}/notes`, { text: 'Be kind' });
    return { parameters: { note_id: body.notes[0]._id } };
  },
  [`PUT ${CONVERSATION_PATH}/tag`]: fixedBody([{ tag: 'vip', color: 'red' }]),
  [`DELETE ${CONVERSATION_PATH}/tag/:tag_id`]: async ({ root, id, callAsOwner }) => {
    const { body } = await callAsOwner('PUT', `${root}/requests/${id}/tag`, [{ tag: 'vip', color: 'red' }]);
    return { parameters: { tag_id: body.tags[0]._id } };
  },
  [`POST ${CONVERSATION_PATH}/followers`]: async ({ fixture }) => ({
    body: { member: await RECORD_MAKERS.membership(fixture) },
  }),
  [`PUT ${CONVERSATION_PATH}/followers`]: async ({ fixture }) => ({ body: [await RECORD_MAKERS.membership(fixture)] }),
  [`DELETE ${CONVERSATION_PATH}/followers/:follower_id`]: async ({ fixture, root, id, callAsOwner }) => {
    const member = await RECORD_MAKERS.membership(fixture);
    await callAsOwner('POST', `${root}/requests/${id}/followers`, { member });
    return { parameters: { follower_id: member } };
  },
  [`POST ${PROJECT_RECORDS_PATH}/labels`]: fixedBody({ lang: 'IT', data: { HELLO: 'Ciao' } }),
  [`POST ${PROJECT_RECORDS_PATH}/labels/default/clone`]: fixedBody({ lang: 'DE' }),
  [`PATCH ${PROJECT_RECORDS_PATH}/labels/:lang/default`]: () => ({ parameters: { lang: 'FR' } }),
  [`DELETE ${PROJECT_RECORDS_PATH}/labels/:lang`]: () => ({ parameters: { lang: 'FR' } }),
  [`PUT ${PROJECT_PATH}`]: fixedBody({ name: 'Another name' }),
  [`PATCH ${PROJECT_PATH}/attributes`]: fixedBody({ a: 1 }),
  [`PUT ${PROJECT_PATH}/availables`]: fixedBody({ widget: { themeColor: '#123456' } }),
  [`POST ${PROJECT_PATH}/ban`]: ({ fixture }) => ({ body: { id: fixture.guest.id } }),
  [`DELETE ${PROJECT_PATH}/ban/:banid`]: async ({ fixture, callAsOwner }) => {
    const { body } = await callAsOwner('POST', `/v3/projects/${fixture.project.id}/ban`, { id: fixture.guest.id });
    return { parameters: { banid: body.bannedUsers[0]._id } };
  },
};

/** Creates labels in two languages, so that one of them can be deleted. */
const writeLabels = async (root: string, callAsOwner: CallAsOwner): Promise<void> => {
  for (const lang of ['EN', 'FR']) await callAsOwner('POST', `${root}/labels`, { lang, data: { HELLO: randomUUID() } });
};

const kindOf = ({ collection, parameter, project }: NonNullable<Endpoint['record']>): RecordKind | undefined => {
  if (collection === 'subscriptions' && project) return 'globalSubscription';
  return collection === 'requests' && parameter === 'id' ? 'requestById' : KIND_OF_COLLECTION[collection];
};

/** The filter that finds the record in the database. */
const keyOf = (collection: string, project: string, id: string) => {
  if (collection === 'projects') return { _id: project };
  if (collection === 'labels') return { id_project: project };
  return { id_project: project, [collection === 'requests' && !isId(id) ? 'request_id' : '_id']: id };
};

/** Creates a record for the endpoint; `send` calls the endpoint with this record and the given `If-Match`. */
export const aRecordCall = async (endpoint: Endpoint, shared: ProjectFixture) => {
  const { method, path, record } = endpoint;
  if (!record) throw new Error(`${path} declares no record`);
  const fixture = record.parameter ? shared : await aProject();
  const root = `/v3/${fixture.project.id}`;
  const callAsOwner = api(fixture.owner).call;
  const kind = kindOf(record);
  if (record.parameter && !kind)
    throw new Error(`no factory for records of ${record.collection}: add its kind to record-makers.ts`);
  const id = kind ? await RECORD_MAKERS[kind](fixture) : '';
  if (record.collection === 'labels') await writeLabels(root, callAsOwner);
  const { body, parameters: more = {} } =
    (await CALL_RECIPES[`${method.toUpperCase()} ${path}`]?.({ fixture, root, id, callAsOwner })) ?? {};
  const parameters: Record<string, string> = {
    ...more,
    project_id: fixture.project.id,
    ...(record.parameter && { [record.parameter]: id }),
  };
  const url = path.replace(/:(\w+)/g, (_, name: string) => parameters[name] ?? name);
  const key = keyOf(record.collection, record.project ?? fixture.project.id, id);
  const caller = await highestRole(endpoint, fixture);
  return {
    send: (match: string) => api(caller)[method as 'put'](url, body, { 'if-match': match }),
    /** The version of the record; undefined if it is deleted. */
    version: async () =>
      (await mongoose.model(record.collection).findOne(key, { __v: 1 }).lean<{ __v: number }>())?.__v,
    /** The stored record. */
    stored: () => mongoose.model(record.collection).findOne(key).lean(),
  };
};
