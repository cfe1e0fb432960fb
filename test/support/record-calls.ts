/** Calls that do change the record they are about: what each says, and what must have been done before. */
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import type { Endpoint } from '../../api/http/endpoint.ts';
import { isId } from '#shared/view.ts';
import { api, type Reply } from './api.ts';
import { KIND_IN, KINDS, type Kind, type World } from './kinds.ts';
import { aProject } from './people.ts';

type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Act = (method: Verb, path: string, body?: object) => Promise<Reply>;

/** The body of a call, and the parameters of its path beside the record's own. */
interface Said {
  body?: object;
  more?: Record<string, string>;
}

/** `act` calls as the owner; `root` is where the project is, `id` the record. */
type Recipe = (scene: { world: World; root: string; id: string; act: Act }) => Said | Promise<Said>;

const says = (body: object) => () => ({ body });

const PROJECT = '/v3/projects/:project_id';
const OWN = '/v3/:project_id';
const REQUEST = `${OWN}/requests/:request_id`;

const RECIPES: Record<string, Recipe> = {
  [`PUT ${OWN}/tags/:tag_id`]: says({ color: '#123456' }),
  [`PUT ${OWN}/canned/:canned_id`]: says({ text: 'Welcome!' }),
  [`PUT ${OWN}/segments/:id`]: says({ name: 'Others' }),
  [`PUT ${OWN}/leads/:id`]: says({ fullname: 'Bea' }),
  [`PUT ${OWN}/leads/:id/tag`]: says(['vip']),
  [`POST ${OWN}/leads/:id/merge`]: async ({ world }) => ({ body: { lead: await KINDS.lead(world) } }),
  [`PATCH ${OWN}/leads/:id/attributes`]: says({ a: 1 }),
  [`PATCH ${OWN}/leads/:id/properties`]: says({ a: 1 }),
  [`DELETE ${OWN}/leads/:id/tag/:tag`]: async ({ root, id, act }) => {
    await act('PUT', `${root}/leads/${id}/tag`, ['vip']);
    return { more: { tag: 'vip' } };
  },
  [`PUT ${OWN}/departments/:department_id`]: says({ name: 'Sales' }),
  [`PATCH ${OWN}/departments/:department_id`]: says({ name: 'Sales' }),
  [`PUT ${OWN}/groups/:group_id`]: says({ name: 'Sales' }),
  [`PUT ${OWN}/pendinginvitations/:id`]: () => ({ body: { email: `${randomUUID()}@example.com`, role: 'admin' } }),
  [`PUT ${OWN}/project_users/:project_user_id`]: says({ max_assigned_chat: 7 }),
  [`PUT ${OWN}/project_users/:project_user_id/restore`]: async ({ root, id, act }) => {
    await act('DELETE', `${root}/project_users/${id}?soft=true`);
    return {};
  },
  [`PUT ${REQUEST}/participants`]: async ({ world }) => ({ body: [await KINDS.user(world)] }),
  [`POST ${REQUEST}/participants`]: async ({ world }) => ({ body: { member: await KINDS.user(world) } }),
  [`DELETE ${REQUEST}/participants/:participant_id`]: async ({ world, root, id, act }) => {
    const member = await KINDS.user(world);
    await act('POST', `${root}/requests/${id}/participants`, { member });
    return { more: { participant_id: member } };
  },
  [`PUT ${REQUEST}/departments`]: async ({ world }) => ({ body: { departmentid: await KINDS.department(world) } }),
  [`PUT ${REQUEST}/replace`]: async ({ world }) => ({ body: { id: await KINDS.bot(world) } }),
  [`PUT ${REQUEST}/agent`]: async ({ world, root, id, act }) => {
    await act('PUT', `${root}/requests/${id}/participants`, [`bot_${await KINDS.bot(world)}`]);
    return {};
  },
  [`PUT ${REQUEST}/assign`]: async ({ root, id, act }) => {
    await act('PUT', `${root}/requests/${id}/participants`, []);
    return {};
  },
  [`PUT ${REQUEST}/reopen`]: async ({ root, id, act }) => {
    await act('PUT', `${root}/requests/${id}/close`);
    return {};
  },
  [`PATCH ${REQUEST}`]: says({ subject: 'Another one' }),
  [`PATCH ${REQUEST}/attributes`]: says({ a: 1 }),
  [`PATCH ${REQUEST}/rating`]: says({ rating: 4 }),
  [`POST ${REQUEST}/notes`]: says({ text: 'Be kind' }),
  [`DELETE ${REQUEST}/notes/:note_id`]: async ({ root, id, act }) => {
    const { body } = await act('POST', `${root}/requests/${id}/notes`, { text: 'Be kind' });
    return { more: { note_id: body.notes[0]._id } };
  },
  [`PUT ${REQUEST}/tag`]: says([{ tag: 'vip', color: 'red' }]),
  [`DELETE ${REQUEST}/tag/:tag_id`]: async ({ root, id, act }) => {
    const { body } = await act('PUT', `${root}/requests/${id}/tag`, [{ tag: 'vip', color: 'red' }]);
    return { more: { tag_id: body.tags[0]._id } };
  },
  [`POST ${REQUEST}/followers`]: async ({ world }) => ({ body: { member: await KINDS.membership(world) } }),
  [`PUT ${REQUEST}/followers`]: async ({ world }) => ({ body: [await KINDS.membership(world)] }),
  [`DELETE ${REQUEST}/followers/:follower_id`]: async ({ world, root, id, act }) => {
    const member = await KINDS.membership(world);
    await act('POST', `${root}/requests/${id}/followers`, { member });
    return { more: { follower_id: member } };
  },
  [`POST ${OWN}/labels`]: says({ lang: 'IT', data: { HELLO: 'Ciao' } }),
  [`POST ${OWN}/labels/default/clone`]: says({ lang: 'DE' }),
  [`PATCH ${OWN}/labels/:lang/default`]: () => ({ more: { lang: 'FR' } }),
  [`DELETE ${OWN}/labels/:lang`]: () => ({ more: { lang: 'FR' } }),
  [`PUT ${PROJECT}`]: says({ name: 'Another name' }),
  [`PATCH ${PROJECT}/attributes`]: says({ a: 1 }),
  [`PUT ${PROJECT}/availables`]: says({ widget: { themeColor: '#123456' } }),
  [`POST ${PROJECT}/ban`]: ({ world }) => ({ body: { id: world.guest.id } }),
  [`DELETE ${PROJECT}/ban/:banid`]: async ({ world, act }) => {
    const { body } = await act('POST', `/v3/projects/${world.project.id}/ban`, { id: world.guest.id });
    return { more: { banid: body.bannedUsers[0]._id } };
  },
};

/** What a project has one of: two languages, so that one may go. */
const writeLabels = async (root: string, act: Act): Promise<void> => {
  for (const lang of ['EN', 'FR']) await act('POST', `${root}/labels`, { lang, data: { HELLO: randomUUID() } });
};

const kindOf = ({ in: collection, by }: { in: string; by?: string }): Kind | undefined =>
  collection === 'requests' && by === 'id' ? 'requestById' : KIND_IN[collection];

/** Where the record is in the database. */
const keyOf = (collection: string, project: string, id: string) => {
  if (collection === 'projects') return { _id: project };
  if (collection === 'labels') return { id_project: project };
  return { id_project: project, [collection === 'requests' && !isId(id) ? 'request_id' : '_id']: id };
};

/** A new record of the endpoint's, and a call that changes it, to be sent with any `If-Match`. */
export const aRecordCall = async (endpoint: Endpoint, shared: World) => {
  const { method, path, record } = endpoint;
  if (!record) throw new Error(`${path} declares no record`);
  const world = record.by ? shared : await aProject();
  const root = `/v3/${world.project.id}`;
  const act = api(world.owner).call;
  const kind = kindOf(record);
  if (record.by && !kind) throw new Error(`no record of ${record.in} can be made: add its kind to kinds.ts`);
  const id = kind ? await KINDS[kind](world) : '';
  if (record.in === 'labels') await writeLabels(root, act);
  const { body, more = {} } = (await RECIPES[`${method.toUpperCase()} ${path}`]?.({ world, root, id, act })) ?? {};
  const parameters: Record<string, string> = {
    ...more,
    project_id: world.project.id,
    ...(record.by && { [record.by]: id }),
  };
  const url = path.replace(/:(\w+)/g, (_, name: string) => parameters[name] ?? name);
  const key = keyOf(record.in, world.project.id, id);
  return {
    send: (match: string) => api(world.owner)[method as 'put'](url, body, { 'if-match': match }),
    /** The version it has now; nothing once it is gone. */
    version: async () => (await mongoose.model(record.in).findOne(key, { __v: 1 }).lean<{ __v: number }>())?.__v,
    /** The record as it is stored. */
    stored: () => mongoose.model(record.in).findOne(key).lean(),
  };
};
