/** Conversations (contract b 1), in matching order: fixed words before ids. */
import participants from './participants.ts';
import requests from './requests.ts';

export default [...requests, ...participants];
