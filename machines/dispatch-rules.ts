/** The one question after a lost answer. Apart from the chart, because the thin client asks it without loading xstate. */
import type { CommandKind } from '../src/contracts/events/dispatch.ts'

/** Only what reads and writes nothing may run again, and only once: a direct run has no answer to lose. */
export const mayRerunDirect = (kind: CommandKind): boolean => kind === 'snapshot'
