/** All knowledge base endpoints. */
import contents from './content-endpoints.ts';
import imports from './import-endpoints.ts';
import namespaces from './namespace-endpoints.ts';
import progress from './progress-endpoints.ts';
import qa from './qa-endpoints.ts';
import questions from './question-endpoints.ts';
import scrapes from './scrape-endpoints.ts';

export default [...namespaces, ...questions, ...qa, ...imports, ...progress, ...scrapes, ...contents];
