/** All knowledge base endpoints. */
import contents from './content-endpoints.ts';
import namespaces from './namespace-endpoints.ts';
import progress from './progress-endpoints.ts';
import qa from './qa-endpoints.ts';
import questions from './question-endpoints.ts';

export default [...namespaces, ...questions, ...qa, ...progress, ...contents];
