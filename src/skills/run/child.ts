/** A started child, on pipes or on a pseudo-terminal. */
import type { ChildPlan } from './child-plan.ts'

export interface ChildExit {
  /** Null when a signal ended it. */
  exitCode: number | null
  signal: string | null
}

export interface OutputSink {
  stdout(bytes: Buffer): void
  stderr(bytes: Buffer): void
}

export interface Child {
  pid: number
  /** Resolves when it has ended and its output is there, or as much of it as will come. */
  ended: Promise<ChildExit>
  /** To its whole process group. */
  signal(name: NodeJS.Signals): void
  /** Lets go of its output, even if another process holds the other end. */
  release(): void
}

/** Rejects when the program cannot be started. */
export type StartChild = (plan: ChildPlan, sink: OutputSink) => Promise<Child>
