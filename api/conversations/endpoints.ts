/** All conversation endpoints. */
import assignment from './assignment-endpoints.ts';
import closing from './close-endpoints.ts';
import conversations from './conversation-endpoints.ts';
import exports from './export-endpoints.ts';
import followers from './follower-endpoints.ts';
import history from './history-endpoints.ts';
import lists from './list-endpoints.ts';
import lookups from './lookup-endpoints.ts';
import notes from './note-endpoints.ts';
import participants from './participant-endpoints.ts';
import tags from './tag-endpoints.ts';
import updates from './update-endpoints.ts';

export default [
  ...lists,
  ...conversations,
  ...closing,
  ...assignment,
  ...updates,
  ...participants,
  ...followers,
  ...notes,
  ...tags,
  ...exports,
  ...history,
  ...lookups,
];
