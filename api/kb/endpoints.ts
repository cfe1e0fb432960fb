/** All knowledge base endpoints. */
import clusters from './cluster-endpoints.ts';
import contents from './content-endpoints.ts';
import imports from './import-endpoints.ts';
import namespaces from './namespace-endpoints.ts';
import progress from './progress-endpoints.ts';
import qa from './qa-endpoints.ts';
import questions from './question-log-endpoints.ts';
import scrapes from './scrape-endpoints.ts';

export default [...namespaces, ...clusters, ...questions, ...qa, ...imports, ...progress, ...scrapes, ...contents];
