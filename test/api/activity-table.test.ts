/** Causes every kind of activity through the API, and looks for each activity in the list and the CSV of activities. */
import { expect } from 'chai';
import { describedVerbs } from '#shared/domain/activities/describe-activity.ts';
import { recordActivities } from '../support/activities.ts';
import { causeAllActivities, type ExpectedActivity } from '../support/activity-causes.ts';
import { anApi, api } from '../support/api.ts';
import { anEventScene, type EventScene } from '../support/event-causes/scene.ts';
import { contains } from '../support/event-causes/table.ts';
import { startRelayOnce } from '../support/relay.ts';

/** The verbs of activities about email failures. `project-mails.test.ts` tests them. */
const VERBS_OF_MAILS = ['PROJECT_SMTP_FAILED', 'EMAIL_ADDRESS_BLOCKED'];

/** The sentences of activities caused by calls that only prepare a call in the table (`causeAllActivities`). */
const OTHER_SENTENCES = [
  'Ann Lee left conversation #1',
  'Ann Lee left conversation #1',
  'Ann Lee added the knowledge base Default',
  'Ann Lee added the knowledge base Drafts',
  'Ann Lee added contents to the knowledge base Drafts (3)',
];

interface ListedActivity {
  _id: string;
  verb: string;
  involvedUserIds: string[];
  message: string;
}

describe('Table of activities', () => {
  let scene: EventScene;
  let expected: ExpectedActivity[];
  let listed: ListedActivity[];

  before(async () => {
    startRelayOnce();
    scene = await anEventScene('specification', await anApi(), { acceptingUrl: '', failingUrl: '' });
    expected = await causeAllActivities(scene);
    await recordActivities(scene.project);
    listed = (await scene.call(scene.admin, 'GET', 'activities?limit=100&direction=1')).activities;
  });

  const listedOf = ({ involved, ...part }: ExpectedActivity): ListedActivity[] =>
    listed.filter((each) => contains(each, part) && involved.every((id) => each.involvedUserIds.includes(id)));

  it('the table has a row for every verb, except for those of email failures', () => {
    const verbs = new Set([...expected.map(({ verb }) => verb), ...VERBS_OF_MAILS]);
    expect([...verbs]).to.have.members(describedVerbs);
  });

  it('each call in the table causes one activity with the listed actor, target, actionObj, involved users and sentence', () => {
    for (const row of expected) {
      const similar = listed.filter(({ verb }) => verb === row.verb);
      expect(listedOf(row), `${JSON.stringify(row)}\nlisted: ${JSON.stringify(similar)}`).to.have.length(1);
    }
  });

  it('no call in the table causes further activities, such as one for each content of a removed knowledge base', () => {
    const known = new Set(expected.flatMap(listedOf).map(({ _id }) => _id));
    const others = listed.filter(({ _id }) => !known.has(_id));
    expect(others.map(({ message }) => message)).to.have.members(OTHER_SENTENCES);
  });

  it('the CSV has a row for every activity, with the same sentence as the list', async () => {
    const { text } = await api(scene.admin).get(`/v3/${scene.project}/activities/csv`);
    for (const { _id, message } of listed) expect(text).to.include(`${message};${_id};`);
  });
});
