/**
 * The rules that allow MongoDB to distribute projects over shards by the shard key `{ id_project: 1 }`: see
 * docs/scale-out.md, which lists the collections that are not sharded.
 */
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { models, projectModels } from '#shared/database/collection.ts';
import { loadModels } from '#shared/database/load-models.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { api } from '../support/api.ts';
import { aConversation } from '../support/conversations.ts';
import { commandsDuring } from '../support/mongo-commands.ts';
import { runJobs } from '../support/run-jobs.ts';

const SHARD_KEY = 'id_project';

type Fields = Record<string, unknown>;

/** The collections that docs/scale-out.md lists in the table below a heading. */
const listedCollections = async (heading: string): Promise<string[]> => {
  const text = await readFile(new URL('../../docs/scale-out.md', import.meta.url), 'utf8');
  const section = text.split(/^#+ /m).find((each) => each.startsWith(heading)) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name as string));
};

const unsharded = () => listedCollections('Collections that are not sharded');

/** The filters of a command, and the documents that it inserts. */
const filtersOf = (command: Fields): Fields[] => {
  const { filter, query, pipeline, updates, deletes, documents } = command as Record<string, Fields & Fields[]>;
  if (pipeline) return [(pipeline[0]?.$match ?? {}) as Fields];
  const many = [...(updates ?? []), ...(deletes ?? [])].map(({ q }) => q as Fields);
  return [...many, ...(documents ?? []), ...[filter ?? query].filter((each) => each !== undefined)];
};

const namesProject = ({ id_project }: Fields): boolean =>
  typeof id_project === 'string' || Array.isArray((id_project as Fields | undefined)?.$in);

const collectionOf = (command: Fields): string => String(Object.values(command)[0]);

/** The commands on sharded collections that MongoDB would have to send to every shard. */
const broadcasts = async (commands: Fields[]): Promise<string[]> => {
  const whole = new Set(await unsharded());
  const sharded = new Set(projectModels().map(({ collection }) => collection.collectionName));
  return commands
    .filter((command) => sharded.has(collectionOf(command)) && !whole.has(collectionOf(command)))
    .filter((command) => !filtersOf(command).every(namesProject))
    .map((command) => JSON.stringify(command).slice(0, 300));
};

/** Whether a collection can be sharded with this index: MongoDB accepts no partial or sparse index. */
const canBeShardKey = ([keys, options]: [Fields, Fields?]): boolean =>
  Object.keys(keys)[0] === SHARD_KEY && !options?.partialFilterExpression && !options?.sparse;

describe('Sharding by project', () => {
  before(loadModels);

  it('every unique index of a sharded collection begins with the shard key', async () => {
    const names = await unsharded();
    // Other tests in this process may have defined models of their own.
    const product = models().filter(({ modelName }) => !modelName.startsWith('test_'));
    const sharded = product.filter(({ collection }) => !names.includes(collection.collectionName));
    const wrong = sharded.flatMap(({ schema, modelName }) => [
      ...(schema.path(SHARD_KEY) ? [] : [`${modelName} has no ${SHARD_KEY}`]),
      ...schema
        .indexes()
        .filter(([keys, options]) => options?.unique && Object.keys(keys)[0] !== SHARD_KEY)
        .map(([keys]) => `${modelName} ${JSON.stringify(keys)}`),
      ...(schema.indexes().some(canBeShardKey) ? [] : [`${modelName} has no index that begins with ${SHARD_KEY}`]),
    ]);
    expect(wrong).to.deep.equal([]);
    expect(names.filter((name) => !models().some(({ collection }) => collection.collectionName === name))).to.be.empty;
  });

  it('the calls and jobs of a conversation send no command to all shards', async () => {
    const { project, owner, guest, one, root, post } = await aConversation();
    await runJobs(); // the jobs of earlier tests
    const commands = await commandsDuring(async () => {
      await post(guest, { text: 'It has not arrived' });
      await post(owner, { text: 'I will look' });
      await api(guest).post(`${root}/another-of-${project.id}/messages`, { text: 'Hello' });
      await api(owner).get(root);
      await api(owner).get(`${root}?full_text=arrived`);
      await api(owner).get(one);
      await api(owner).get(`${one}/messages`);
      await api(owner).get(`/v3/${project.id}/changes?after=0`);
      await api(owner).get(`/v3/${project.id}/leads`);
      await api(owner).get(`/v3/${project.id}/project_users`);
      await api(owner).get(`/v3/${project.id}/analytics/requests/count`);
      await api(owner).get(`/v3/${project.id}/kb?namespace=${project.id}`);
      await api(owner).put(`${one}/close`, {});
      await runJobs();
    });
    expect(commands.length).to.be.greaterThan(40);
    expect(await broadcasts(commands as Fields[])).to.deep.equal([]);
    const sweep = await commandsDuring(() => Conversation.findOne({ status: -1 }, null, { anyProject: true }));
    expect(await broadcasts(sweep as Fields[])).to.have.length(1);
  });
});
