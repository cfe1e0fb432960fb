/** `npm run cli -- people …`, `projects …` and `retention …` */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Conversation } from '#shared/models/conversation.ts';
import { Lead } from '#shared/models/lead.ts';
import { Message } from '#shared/models/message.ts';
import { Project } from '#shared/models/project.ts';
import { api } from '../support/api.ts';
import { hex } from '../support/chunk-rows.ts';
import { aCliProcess, type CliProcess } from '../support/cli.ts';
import { aConversation } from '../support/conversations.ts';
import { startRelayOnce } from '../support/relay.ts';

/** A retention time so long that `retention apply` deletes no conversation of another test. */
const TEN_YEARS_SECONDS = 315_360_000;

describe('npm run cli: personal data', () => {
  let folder: string;
  let commands: CliProcess;
  let fixture: Awaited<ReturnType<typeof aConversation>>;
  const email = `${hex(12)}@example.org`;
  const cli = (command: string) => commands.cli(command);

  before(async () => {
    startRelayOnce();
    folder = await mkdtemp(join(tmpdir(), 'personal-data-'));
    const settings = { DATA_DIR: folder, EMBEDDING_MODEL_FILE: 'off' };
    commands = await aCliProcess({ ...settings, CONVERSATION_RETENTION_SECONDS: String(TEN_YEARS_SECONDS) });
    fixture = await aConversation({ text: 'Where is it?', email, senderFullname: 'Erika' });
  });

  after(async () => {
    await commands.close();
    await rm(folder, { recursive: true });
  });

  it('`people export` writes the records of a person as JSON', async () => {
    const { code, out } = await cli(`people export ${email} ${join(folder, 'export')}`);
    expect(code).to.equal(0);
    expect(out)
      .to.match(/^requests +1$/m)
      .and.match(/^leads +1$/m);
    const { leads } = JSON.parse(await readFile(join(folder, 'export/records.json'), 'utf8'));
    expect(leads[0]).to.include({ email, fullname: 'Erika' });
    const again = await cli(`people export ${email} ${join(folder, 'export')}`);
    expect(again).to.include({ code: 1 }).and.property('error').to.include('Choose an empty or a new folder');
  });

  it('`people erase` reports what it deletes; --dry-run deletes nothing, and an unknown id is an error', async () => {
    const id_project = fixture.project.id;
    const dryRun = await cli(`people erase ${email} --dry-run --project ${id_project}`);
    expect(dryRun.out).to.match(/^requests +1 +0 +0$/m);
    expect(await Conversation.countDocuments({ id_project })).to.equal(1);
    const { code, out } = await cli(`people erase ${email} --json --project ${id_project}`);
    expect(code, out).to.equal(0);
    expect(JSON.parse(out).report.leads.deleted).to.equal(1);
    expect(await Lead.countDocuments({ id_project })).to.equal(0);
    const unknown = await cli('people erase 64b7f3e2a1c9d80f5e6a7b8c');
    expect(unknown).to.include({ code: 1 }).and.property('error').to.include('No account or lead has the id');
  });

  it('`retention list` prints the retention times, and `retention apply` deletes old closed conversations', async () => {
    expect((await cli('retention list')).out).to.match(/^changes +createdAt +7 +CHANGES_TTL_SECONDS$/m);
    const { project, request_id, one, owner } = await aConversation();
    const id_project = project.id;
    await api(owner).put(`${one}/close`);
    await Conversation.updateOne({ id_project, request_id }, { closed_at: new Date(0) });
    expect((await cli('retention apply --dry-run')).out).to.include(`${id_project}  1 conversation\n`);
    expect(await Conversation.countDocuments({ id_project })).to.equal(1);
    expect((await cli('retention apply')).out).to.match(/^1 conversation deleted\.$/m);
    expect(await Conversation.countDocuments({ id_project })).to.equal(0);
    expect(await Message.countDocuments({ id_project })).to.equal(0);
  });

  it('`projects erase` deletes a project with its records, and --dry-run counts them', async () => {
    const { id } = fixture.project;
    expect((await cli(`projects erase ${id} --dry-run`)).out).to.match(/^departments +1$/m);
    expect(await Project.countDocuments({ _id: id })).to.equal(1);
    const { code, out } = await cli(`projects erase ${id}`);
    expect(code, out).to.equal(0);
    expect(out)
      .to.match(/^departments +1$/m)
      .and.match(/^projects +1$/m);
    expect(await Project.countDocuments({ _id: id })).to.equal(0);
    const unknown = hex(24);
    const error = `There is no project with the id ${unknown}\n`;
    expect(await cli(`projects erase ${unknown}`)).to.deep.equal({ code: 1, out: '', error });
  });
});
