import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import mongoose from 'mongoose';
import { request } from 'undici';
import { Conversation } from '#shared/models/conversation.ts';
import { Message } from '#shared/models/message.ts';
import { anApi, api, type Reply } from '../support/api.ts';
import { aConversation } from '../support/conversations.ts';
import { times } from '../support/fleet-fixture.ts';
import { waitUntil } from '../support/wait-until.ts';

type CsvRow = Record<string, string>;
const rowsOf = ({ text }: Reply): CsvRow[] => parse<CsvRow>(text, { columns: true, delimiter: ';' });
const headerOf = ({ text }: Reply): string[] => text.slice(0, text.indexOf('\n')).split(';');

/** Counts the open MongoDB cursors that read the project's conversations and that no command is currently using. */
const countOpenCursors = async (project: string): Promise<number> => {
  const stages = [{ $currentOp: { idleCursors: true } }, { $match: { type: 'idleCursor' } }];
  const open = await mongoose.connection.getClient().db('admin').aggregate(stages).toArray();
  return open.filter(({ cursor }) => JSON.stringify(cursor.originatingCommand).includes(project)).length;
};

describe('CSV of conversations', () => {
  it('the CSV of conversations has the documented columns, and writes each list into one field', async () => {
    const { owner, root, request_id, one } = await aConversation();
    await api(owner).put(`${one}/tag`, [
      { tag: 'vip', color: '#fff' },
      { tag: 'late', color: '#000' },
    ]);
    const reply = await api(owner).get(`${root}/csv`);
    expect(reply.headers).to.include({ 'content-type': 'text/csv; charset=utf-8' });
    expect(reply.headers['content-disposition']).to.equal('attachment; filename="requests.csv"');
    expect(headerOf(reply).join()).to.equal(
      '_id,request_id,ticket_id,requester,first_text,subject,preflight,hasBot,participants,participantsAgents,' +
        'participantsBots,priority,followers,assigned_at,first_response_at,waiting_time,closed_at,closed_by,duration,' +
        'rating,rating_message,sourcePage,language,userAgent,smartAssignment,workingStatus,id_project,createdBy,' +
        'createdAt,updatedAt,channel_name,department_name,lead_fullname,lead_email,tags,caller_phone,called_phone,' +
        'call_id',
    );
    const [row] = rowsOf(reply);
    expect(row).to.include({ request_id, tags: 'vip, late', participants: owner.id, hasBot: 'false' });
    expect(row).to.include({ channel_name: 'chat21', department_name: 'Default Department' });
  });

  it('the CSV of conversations contains the same conversations as the list for the same filters and caller', async () => {
    const { owner, admin, agent, root, one, request_id } = await aConversation();
    const readRows = async (caller: typeof owner, query = '') =>
      rowsOf(await api(caller).get(`${root}/csv${query}`)).map((row) => row.request_id);
    expect(await readRows(owner)).to.deep.equal([request_id]);
    expect(await readRows(admin)).to.deep.equal([request_id]);
    expect(await readRows(admin, '?mine=true')).to.deep.equal(await readRows(agent));
    await api(owner).put(`${one}/close`, {});
    expect(await readRows(owner)).to.deep.equal([]);
    expect(await readRows(owner, '?status=1000')).to.deep.equal([request_id]);
    expect((await api(owner).get(`${root}/csv?start_date=nonsense`)).status).to.equal(422);
  });

  it('the CSV of conversations escapes spreadsheet formulas', async () => {
    const { owner, root } = await aConversation({ text: '=HYPERLINK("http://evil.example";"click")' });
    const [row] = rowsOf(await api(owner).get(`${root}/csv`));
    expect(row?.first_text).to.equal(`'=HYPERLINK("http://evil.example";"click")`);
  });

  it('the CSV of conversations is streamed, and its cursor is closed when the client disconnects', async () => {
    const { owner, root, project } = await aConversation();
    const [first] = await Conversation.find({ id_project: project.id }).lean();
    const { _id, ...like } = { ...first, first_text: 'x'.repeat(10_000) };
    const many = times(1200, (index) => ({ ...like, request_id: `many-${index}`, ticket_id: index + 2 }));
    await Conversation.insertMany(many, { lean: true });
    expect(rowsOf(await api(owner).get(`${root}/csv`))).to.have.length(1201);
    const headers = { authorization: owner.authorization };
    const { body } = await request(`${await anApi()}${root}/csv`, { headers });
    for await (const piece of body) {
      expect(String(piece)).to.match(/^_id;/);
      await waitUntil(async () => (await countOpenCursors(project.id)) === 1);
      break; // the client disconnects
    }
    await waitUntil(async () => (await countOpenCursors(project.id)) === 0);
  });
});

describe('CSV of messages', () => {
  it("the CSV of a conversation's messages contains the messages that the caller may see, oldest first", async () => {
    const { owner, guest, one, post } = await aConversation({ text: 'One' });
    await post(owner, { text: 'Between us', attributes: { subtype: 'private' } });
    await post(guest, { text: 'Two', type: 'text', metadata: { width: 1 } });
    const texts = async (caller: typeof owner | typeof guest) =>
      rowsOf(await api(caller).get(`${one}/messages/csv`)).map(({ text }) => text);
    expect(await texts(owner)).to.include.members(['One', 'Between us', 'Two']);
    expect((await texts(guest)).filter((text) => text !== '')).to.include.members(['One', 'Two']);
    expect(await texts(guest)).not.to.include('Between us');
    const rows = rowsOf(await api(owner).get(`${one}/messages/csv`));
    expect(rows.at(-1)).to.include({ text: 'Two', sender: guest.id, metadata: '{"width":1}' });
  });

  it("only the owner can read the CSV of a project's messages, which is sorted newest first and has no nested fields", async () => {
    const { owner, admin, project, post } = await aConversation({ text: 'One' });
    await post(owner, { text: 'Two' });
    const path = `/v3/${project.id}/messages/csv`;
    const reply = await api(owner).get(path);
    expect(headerOf(reply)).not.to.include.oneOf(['channel', 'attributes', 'metadata']);
    const texts = rowsOf(reply).map(({ text }) => text);
    expect(texts).to.have.length(await Message.countDocuments({ id_project: project.id }));
    expect([texts[0], texts.at(-1)]).to.deep.equal(['Two', 'One']);
    expect((await api(admin).get(path)).status).to.equal(403);
  });
});
