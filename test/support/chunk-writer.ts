import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const WRITER_SCRIPT = join(import.meta.dirname, 'chunk-writer-process.ts');

/** Runs chunk-writer-process.ts and collects the attempts that it acknowledges. */
export class ChunkWriter {
  readonly child: ChildProcess;
  readonly lines: string[] = [];
  readonly exited: Promise<unknown>;

  constructor(...args: (string | number)[]) {
    const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
    this.child = spawn(process.execPath, [WRITER_SCRIPT, ...args.map(String)], { stdio });
    this.exited = once(this.child, 'close');
    createInterface(this.child.stdout!).on('line', (line) => this.lines.push(line));
  }

  removedAttempts() {
    return this.lines.filter((line) => line.startsWith('-')).map((line) => line.slice(1));
  }

  /**
   * Attempts that must be in the index: those that were added and not removed. If the last line reports an addition,
   * that attempt is omitted, because the writer may have been killed while it was removing the attempt.
   */
  keptAttempts() {
    const added = this.lines.filter((line) => !line.startsWith('-'));
    const settled = this.lines.at(-1)?.startsWith('-') ? added : added.slice(0, -1);
    return settled.filter((attempt) => !this.removedAttempts().includes(attempt));
  }

  async waitForLines(lines: number) {
    const reader = createInterface(this.child.stdout!);
    while (this.lines.length < lines) await once(reader, 'line');
  }
}
