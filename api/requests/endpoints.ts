/** Conversations (contract b 1), in matching order: fixed words before ids. */
import assignment from './assignment.ts';
import ending from './ending.ts';
import exports from './exports.ts';
import followers from './followers.ts';
import history from './history.ts';
import listing from './listing.ts';
import lookups from './lookups.ts';
import notes from './notes.ts';
import participants from './participants.ts';
import patching from './patching.ts';
import requests from './requests.ts';
import tags from './tags.ts';

export default [
  ...listing,
  ...requests,
  ...ending,
  ...assignment,
  ...patching,
  ...participants,
  ...followers,
  ...notes,
  ...tags,
  ...exports,
  ...history,
  ...lookups,
];
