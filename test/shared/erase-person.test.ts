/**
 * The erasure of a person removes the person's names and addresses and, if the person is a visitor, the person's texts.
 * Contents of knowledge bases that name the person are only reported.
 */
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { models } from '#shared/database/collection.ts';
import { findCachedProject, type ProjectAccessRules } from '#shared/domain/access/cached-project.ts';
import { eraseFromLogs } from '#shared/domain/people/erase-local-files.ts';
import { erasePerson } from '#shared/domain/people/erase-person.ts';
import { eraseRecords } from '#shared/domain/people/erase-records.ts';
import { exportPerson } from '#shared/domain/people/export-person.ts';
import { findPerson } from '#shared/domain/people/find-person.ts';
import { ERASED } from '#shared/domain/people/redact.ts';
import { personalCollections } from '#shared/domain/people/search-records.ts';
import { Change } from '#shared/models/change.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import { KbUnansweredQuestion } from '#shared/models/kb-question.ts';
import { KbQuestionCluster } from '#shared/models/kb-question-cluster.ts';
import { Message } from '#shared/models/message.ts';
import { personalData } from '#shared/models/personal-data.ts';
import { Token } from '#shared/models/token.ts';
import { User } from '#shared/models/user.ts';
import { api } from '../support/api.ts';
import { waitForRelay } from '../support/changes-log.ts';
import { changeProject } from '../support/change-project.ts';
import { hex } from '../support/chunk-rows.ts';
import { aConversation } from '../support/conversations.ts';
import { useEmptyDatabase } from '../support/fleet-database.ts';
import { aVisitorWithData, searchEverywhere } from '../support/personal-records.ts';
import { startRelayOnce } from '../support/relay.ts';

const OPTIONS = { dryRun: false, closesProjects: false, onProgress: () => {} };

/** The message of the error with which a call fails; an empty string if it succeeds. */
const messageOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => '',
    (error: Error) => error.message,
  );

describe('Erasure of a person', () => {
  useEmptyDatabase();
  before(startRelayOnce);

  it('personalData has an entry for every collection', () => {
    const names = models().flatMap(({ modelName }) => (modelName.startsWith('test_') ? [] : [modelName]));
    expect(Object.keys(personalData)).to.have.members(names);
  });

  it('a dry run and an export change nothing; once an interrupted erasure has been repeated, none of the data of the visitor is left', async () => {
    const [visitor, neighbour] = [await aVisitorWithData(), await aConversation({ text: 'Another question' })];
    const { email, fullname, phone, text, tag, log, project, guest, ip } = visitor;
    const values = [email, fullname, phone, text, tag, guest.id, visitor.request_id];
    await waitForRelay();
    const before = await searchEverywhere(values);
    const size = (await stat(log)).size;

    const folder = await mkdtemp(join(tmpdir(), 'export-'));
    const { counts, files } = await exportPerson(email, folder, OPTIONS);
    const records = JSON.parse(await readFile(join(folder, 'records.json'), 'utf8'));
    expect(counts).to.include({ requests: 1, leads: 1, tokens: 1 });
    expect(records.messages.map((message: { text: string }) => message.text)).to.include.members([text, `See ${text}`]);
    expect([files, (await readdir(join(folder, 'files'))).length]).to.deep.equal([3, 3]);
    await rm(folder, { recursive: true });

    const { report } = await erasePerson(email, { ...OPTIONS, dryRun: true });
    expect(report.messages?.deleted).to.be.at.least(3);
    expect(await searchEverywhere(values)).to.deep.equal(before);

    const interrupted = erasePerson(email, {
      ...OPTIONS,
      onProgress: ({ done, total }) => {
        if (done > total / 2) throw new Error('killed');
      },
    });
    expect(await messageOf(interrupted)).to.equal('killed');
    const { isComplete } = await erasePerson(email, OPTIONS);
    expect(isComplete).to.equal(true);
    await waitForRelay();
    const left = await searchEverywhere([email, fullname, phone, text, tag]);
    expect(left).to.deep.equal([]);
    expect(await searchEverywhere([ip])).to.deep.equal([]);
    expect((await stat(log)).size).to.equal(size);
    expect(await Change.exists({ id_project: project.id, event: 'request.delete' })).to.not.equal(null);
    const [token] = await Token.find({ id_user: guest.id }).lean();
    expect(token?.revokedAt).to.be.an.instanceOf(Date);
    expect((await neighbour.messages()).map((message: { text: string }) => message.text)).to.include(
      'Another question',
    );
  });

  it("a content that names the person is reported, and a cluster that the person's question represented gets another person's question", async () => {
    const email = `${hex(12)}@example.org`;
    const { project, request_id, guest } = await aConversation({ text: 'Hello', email });
    const id_project = project.id;
    const question = (words: string, more = {}) => ({ id_project, namespace: id_project, question: words, ...more });
    const [kept, deleted] = await KbQuestionCluster.create([question('Mine'), question('Mine, too')]);
    const own = { request_id, sender: guest.id };
    await KbUnansweredQuestion.create([
      question('Mine', { cluster: String(kept?._id), ...own }),
      question('Not mine', { cluster: String(kept?._id) }),
      question('Mine, too', { cluster: String(deleted?._id), ...own }),
    ]);
    const contactPage = { ...{ type: 'text', source: 'Contact', name: 'Contact' }, content: `Write to ${email}` };
    const [content] = await KbContent.create([{ id_project, namespace: id_project, ...contactPage }]);
    const { report } = await erasePerson(guest.id, OPTIONS);
    expect(report.kb_contents).to.deep.include({ deleted: 0, redacted: 0, reported: 1, ids: [String(content?._id)] });
    expect(await KbContent.findOne({ id_project }).lean()).to.include({ content: `Write to ${email}` });
    const clusters = await KbQuestionCluster.find({ id_project }).lean();
    expect(clusters.map((cluster) => cluster.question)).to.deep.equal(['Not mine']);
    expect(await Conversation.countDocuments({ id_project })).to.equal(0);
  });

  it('eraseFromLogs reads log files for a person without a name and addresses, and masks nothing in them', async () => {
    const { log } = await aVisitorWithData();
    const text = await readFile(log, 'utf8');
    const { project, guest } = await aConversation({ text: 'Hello' });
    const person = { ...(await findPerson(guest.id, project.id)), emails: [], phones: [], names: [] };
    expect(await eraseFromLogs(person, false)).to.equal(0);
    expect((await readFile(log, 'utf8')) === text).to.equal(true);
  });

  it('the cached project does not keep the address of an erased visitor who was banned', async () => {
    const { project, guest } = await aConversation({ text: 'Hello' });
    await changeProject(project.id, { $push: { bannedUsers: { id: guest.id, ip: '192.0.2.7' } } });
    const cachedBans = async () => {
      const cached = (await findCachedProject(project.id)) as ProjectAccessRules | null;
      return cached?.bannedUsers?.map(({ id, ip }) => ({ id, ip }));
    };
    expect(await cachedBans()).to.deep.equal([{ id: guest.id, ip: '192.0.2.7' }]);
    await erasePerson(guest.id, OPTIONS);
    expect(await cachedBans()).to.deep.equal([{ id: guest.id, ip: ERASED }]);
  });

  it('a record that another process changes after it was read is read again and redacted', async () => {
    const { project, agent, request_id } = await aConversation({ text: 'Hello' });
    const key = { id_project: project.id, request_id };
    await Conversation.updateOne(key, { subject: `For ${agent.email}` });
    const conversations = personalCollections().find(({ model }) => model.modelName === 'requests');
    if (!conversations) throw new Error('There is no collection named requests');
    const find = async function* (...args: Parameters<typeof Conversation.collection.find>) {
      for await (const found of Conversation.collection.find(...args)) {
        await Conversation.collection.updateOne(key, { $set: { subject: `Now ${agent.email}` }, $inc: { __v: 1 } });
        yield found;
      }
    };
    const collection = Object.create(Conversation.collection, { find: { value: find } }) as object;
    const model = Object.create(conversations.model, {
      collection: { value: collection },
    }) as typeof conversations.model;
    const person = await findPerson(agent.email, project.id);
    const counts = await eraseRecords({ ...conversations, model }, { person, dryRun: false, startedAt: new Date() });
    expect(counts.redacted).to.equal(1);
    expect((await Conversation.findOne(key).lean())?.subject).to.equal(`Now ${ERASED}`);
  });

  it('after the erasure of a teammate, the conversations remain without the name and address of the teammate', async () => {
    const tag = hex(10);
    const { project, agent, owner, post, request_id } = await aConversation({ text: 'Who are you?' });
    const [firstname, lastname] = [`Otto${tag}`, 'Normal'];
    await User.updateOne({ _id: agent.id }, { firstname, lastname, phone: `+49 ${tag}` });
    await api(owner).put(`/v3/${project.id}/requests/${request_id}/participants`, [agent.id]);
    await post(agent, { text: 'I am your agent', senderFullname: `${firstname} ${lastname}` });
    await post(owner, { text: `Ask ${firstname} ${lastname}, ${agent.email}` });
    await waitForRelay();
    const { isComplete, report } = await erasePerson(agent.id, OPTIONS);
    expect([isComplete, report.users?.deleted]).to.deep.equal([true, 1]);
    await waitForRelay();
    expect(await searchEverywhere([agent.email, `${firstname} ${lastname}`, firstname])).to.deep.equal([]);
    const texts = await Message.find({ id_project: project.id, recipient: request_id }).lean();
    expect(texts.map((message) => message.text)).to.include.members(['I am your agent', 'Ask [erased], [erased]']);
    expect(await messageOf(erasePerson(owner.email, OPTIONS))).to.include(`only owner of ${project.id}`);
  });
});
