/**
 * A visitor with records in every collection that an erasure changes, and a search of all stores for the visitor's
 * data.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import mongoose, { mongo } from 'mongoose';
import { config } from '#shared/config.ts';
import { models } from '#shared/database/collection.ts';
import { Token } from '#shared/models/token.ts';
import { personalData } from '#shared/models/personal-data.ts';
import { enqueue, queueRedis } from '#shared/queue/queue.ts';
import { redisServers } from '#shared/queue/redis.ts';
import { storages } from '#shared/storage/storages.ts';
import { api } from './api.ts';
import { changeProject } from './change-project.ts';
import { aConversation } from './conversations.ts';
import { hex } from './chunk-rows.ts';
import { runJobs, runJobsOnEvents } from './run-jobs.ts';
import { anImage, uploadFile } from './uploads.ts';

/** Collections whose records the calls below create. */
const FILLED_BY_CALLS = new Set(['requests', 'messages', 'leads', 'users', 'project_users', 'files', 'tokens']);

/** Sets the value at a dotted path. */
const setPath = (target: Record<string, unknown>, path: string, value: unknown): void => {
  const [name = '', ...rest] = path.split('.');
  if (!rest.length) target[name] = value;
  else setPath((target[name] ??= {}) as Record<string, unknown>, rest.join('.'), value);
};

const ID_PREFIX = 'personal ';

/**
 * Inserts records into every other collection that an erasure changes: one for each field that identifies the person,
 * and one that only mentions the person.
 */
const fillLogs = async (
  id_project: string,
  { ids, texts }: { ids: { person: string; visitor: string; conversation: string; address: string }; texts: string[] },
) => {
  for (const model of models()) {
    const rule = personalData[model.modelName];
    if (!rule || 'holdsNone' in rule || FILLED_BY_CALLS.has(model.modelName) || rule.mentions === 'report') continue;
    const aRecord = (fields: object) => ({
      _id: ID_PREFIX + randomUUID(),
      id_project,
      createdAt: new Date(),
      ...fields,
    });
    const own = (['person', 'visitor', 'conversation', 'address'] as const).flatMap((kind) =>
      (rule[kind] ?? []).map((path) => {
        const record = aRecord({ note: texts.join(' ') });
        setPath(record, path, ids[kind]);
        return record;
      }),
    );
    const mention = aRecord({ note: `Write to ${ids.address}`, about: { id: ids.person, name: texts[0] } });
    await model.collection.insertMany([...own, mention] as never[], { ordered: false }).catch((error: unknown) => {
      if (!(error instanceof mongo.MongoBulkWriteError)) throw error; // the collection allows one record per project
    });
  }
};

/** A visitor with records of all kinds, and the values that an erasure must remove. */
export const aVisitorWithData = async () => {
  const tag = hex(10);
  const [email, fullname] = [`Erika.${tag}@example.org`, `Erika Muster${tag}`];
  const [phone, ip, text] = [`+49 30 ${parseInt(tag.slice(0, 8), 16)}`, '203.0.113.77', `The parcel ${tag} is broken`];
  const conversation = await aConversation({
    ...{ text, senderFullname: fullname, email, userAgent: `Browser ${tag}`, subject: `About ${tag}` },
    attributes: { ipAddress: ip, remark: `From ${fullname}` },
  });
  const { project, guest, agent, admin, request_id, one } = conversation;
  const [lead] = (await api(admin).get(`/v3/${project.id}/leads?email=${encodeURIComponent(email)}`)).body.leads;
  await api(admin).put(`/v3/${project.id}/leads/${lead._id}`, { phone, company: `Company ${tag}` });
  const files = `/v3/${project.id}/files/chat`;
  const upload = await uploadFile(guest, files, { name: `passport-${tag}.txt`, bytes: `${fullname} ${email}` });
  await uploadFile(guest, files, {
    name: `${tag}.png`,
    type: 'image/png',
    bytes: await anImage(),
  });
  const sent = await uploadFile(agent, files, { name: `contract-${tag}.txt`, bytes: `For ${fullname}` });
  await api(guest).post(`${one}/messages`, { text: `See ${text}`, metadata: { src: upload.body.filename } });
  await api(agent).post(`${one}/messages`, { text: `Dear ${fullname}`, metadata: { src: sent.body.filename } });
  await Token.create([
    { jti: randomUUID(), id_user: guest.id, ip, userAgent: tag, expiresAt: new Date(Date.now() + 1e8) },
  ]);
  await changeProject(project.id, { $push: { bannedUsers: { id: guest.id, ip } } });
  await runJobsOnEvents(project.id);
  const ids = { person: guest.id, visitor: guest.id, conversation: request_id, address: email };
  await fillLogs(project.id, { ids, texts: [fullname, email, text] });
  await enqueue('bulk.remove-messages', { id_project: project.id, removal: email });
  await runJobs();
  const outside = await writeOutside({ email, fullname, tag });
  return { ...conversation, ...outside, tag, email, fullname, phone, ip, text, lead };
};

const writeOutside = async ({ email, fullname, tag }: { email: string; fullname: string; tag: string }) => {
  const [logs, outbox] = [join(config.DATA_DIR, 'logs'), join(config.DATA_DIR, 'outbox')];
  await Promise.all([mkdir(logs, { recursive: true }), mkdir(outbox, { recursive: true })]);
  const log = join(logs, `api-${tag}.log`);
  await writeFile(log, `${'x'.repeat(2_000_000)}{"err":"${email} is not ${fullname}"}\n`);
  await writeFile(join(outbox, `${tag}.eml`), `To: ${email}\n\nDear ${fullname}`);
  return { log };
};

const searchDatabase = async (pattern: RegExp): Promise<string[]> => {
  const found: string[] = [];
  for (const { name } of (await mongoose.connection.db?.listCollections().toArray()) ?? []) {
    const documents = mongoose.connection.collection(name).find({}, { raw: true }) as unknown as AsyncIterable<Buffer>;
    for await (const bson of documents)
      if (pattern.test(bson.toString('latin1'))) found.push(`${name} ${String(mongo.BSON.deserialize(bson)._id)}`);
  }
  return found;
};

const READERS: Record<string, (key: string) => Promise<unknown>> = {
  string: (key) => queueRedis.get(key),
  hash: (key) => queueRedis.hgetall(key),
  list: (key) => queueRedis.lrange(key, 0, -1),
  set: (key) => queueRedis.smembers(key),
  zset: (key) => queueRedis.zrange(key, '0', '-1'),
  stream: (key) => queueRedis.xrange(key, '-', '+'),
};

const searchRedis = async (pattern: RegExp): Promise<string[]> => {
  const found: string[] = [];
  const [server] = redisServers(queueRedis) as [Redis];
  for await (const keys of server.scanStream({ match: `*${config.QUEUE_PREFIX}*`, count: 1000 }))
    for (const key of keys as string[]) {
      const value = await READERS[await queueRedis.type(key)]?.(key);
      if (pattern.test(key + JSON.stringify(value))) found.push(`Redis ${key}`);
    }
  return found;
};

const searchStorages = async (pattern: RegExp): Promise<string[]> => {
  const found: string[] = [];
  for (const storage of storages)
    for await (const { key } of storage.list('uploads/')) {
      const bytes = Buffer.concat(await Array.fromAsync((await storage.open(key)) ?? []));
      if (pattern.test(key + bytes.toString('latin1'))) found.push(`file ${key}`);
    }
  return found;
};

const searchDataFolder = async (pattern: RegExp): Promise<string[]> => {
  const found: string[] = [];
  for (const folder of ['logs', 'outbox', 'lancedb'].map((name) => join(config.DATA_DIR, name)))
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile() && pattern.test(await readFile(path, 'latin1'))) found.push(path);
    }
  return found;
};

/** Everything in the database, Redis, the storages, the index and the data folder that contains one of the values. */
export const searchEverywhere = async (values: string[]): Promise<string[]> => {
  const pattern = new RegExp(values.map((value) => value.replace(/[.+]/g, '\\$&')).join('|'), 'i');
  const found: string[] = [];
  // One after the other: the search of the database keeps this process so busy that Redis commands would time out.
  for (const search of [searchDatabase, searchRedis, searchStorages, searchDataFolder])
    found.push(...(await search(pattern)));
  return found;
};
