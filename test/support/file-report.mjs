/** Mocha's spec report for one of several test files. It omits the totals, which are printed at the end of the run. */
import { format } from 'node:util';
import mocha from 'mocha';
import { printReasons } from './reporter.mjs';

const { Base, Spec } = mocha.reporters;

/** Returns the text that mocha prints for each failure, with the difference and the stack. */
export function failureTexts(tests) {
  const print = Base.consoleLog;
  let text = '';
  Base.consoleLog = (...args) => {
    text += `${format(...args)}\n`;
  };
  try {
    return tests.map((test) => {
      text = '';
      Base.list([test]);
      return text.replace(/^\n+/, '');
    });
  } finally {
    Base.consoleLog = print;
  }
}

export default class FileReport extends Spec {
  constructor(runner, options) {
    super(runner, options);
    printReasons(runner);
  }

  /** Omits mocha's totals, which cover this file and not the whole run. */
  epilogue() {}
}
