/** All that one process needs to take executions to devices, made together and ended together. */
import { createInteractiveCheck } from '../adb/interactive.ts'
import type { Links } from '../adb/links.ts'
import type { Fence } from '../contracts/fence.ts'
import type { RecordDenial } from '../policy/refuse.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import { threadFile } from '../workers/thread-file.ts'
import { operatorPort } from './operator-port.ts'
import { createPatterns } from './patterns.ts'
import { createScreenMemory } from './screens/memory.ts'
import { createScreenReader } from './screens/reader.ts'
import { createSessions } from './session/sessions.ts'

export interface OperatorOptions {
  clock: Clock
  journal: Journal
  links: () => Links
  /** The program file, beside which the bundles of threads are. */
  program: string | undefined
  fence: Fence
  recordDenial: RecordDenial
  isCancelRequested: (journal: Journal, executionId: string) => boolean
}

export const createOperator = (options: OperatorOptions) => {
  const { clock, journal, links, program, fence, recordDenial } = options
  const sessions = createSessions({ clock, openLink: (serial, options) => links().get(serial, options) })
  const reader = createScreenReader(threadFile(program, 'screen'))
  const patterns = createPatterns(threadFile(program, 'pattern'))
  const screens = createScreenMemory({ journal, clock })
  const checkInteractive = createInteractiveCheck(clock)
  return {
    port: operatorPort({
      clock,
      sessions,
      checkInteractive,
      screens,
      reader,
      matchPattern: patterns.match,
      recordDenial,
      fence,
      isCancelRequested: executionId => options.isCancelRequested(journal, executionId),
    }),
    async close() {
      await sessions.close()
      await Promise.all([reader.close(), patterns.close()])
    },
  }
}
