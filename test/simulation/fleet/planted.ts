/** Defects that only the profile of a fleet finds: a fence, a key, a mirror or an exchange that does not do its part. */
import type { Planted } from '../planted.ts'

const PLANTED: readonly Omit<Planted, 'profile'>[] = [
  {
    law: 7,
    name: 'a record of a host that was acknowledged with 0 counts as told',
    file: 'src/fleet/compare-and-set.ts',
    from: 'return written > 0',
    to: 'return written >= 0',
    seed: 14,
  },
  {
    law: 7,
    name: 'a record of a host whose write is undecided counts as never sent',
    file: 'src/fleet/announcer.ts',
    from: "    told = ''\n    isNewest = false\n    const written",
    to: '    const written',
    seed: 790677286,
  },
  {
    law: 4,
    name: 'the fence of a host is not asked before a dispatch',
    file: 'src/fleet/fence.ts',
    from: "if (found?.state === 'elsewhere')",
    to: 'if (epoch === undefined || epoch !== 0) return undefined\n      if (found?.state === "elsewhere")',
    seed: 2,
  },
  {
    law: 4,
    name: 'a phone is claimed without a look at who has it',
    file: 'src/fleet/phone-claims.ts',
    from: '      if (!(await isFree(value))) {\n        own.delete',
    to: '      if (phone === "") {\n        own.delete',
    seed: 11,
  },
  {
    law: 6,
    name: 'a key that another request holds is taken all the same',
    file: 'src/fleet/key-holds.ts',
    from: "if (written.kind === 'written') return value ? { holder: value } : { holder: wanted, revision: written.revision }",
    to: "if (written.kind === 'written') return { holder: wanted, revision: written.revision }",
    seed: 10,
  },
  {
    law: 6,
    name: 'a bucket is written without comparing its revision',
    file: 'src/fleet/compare-and-set.ts',
    from: '{ previousSeq: revision, timeout: FLEET_WRITE_MS }',
    to: '{ timeout: FLEET_WRITE_MS }',
    seed: 10,
  },
  {
    law: 5,
    name: 'the mirror passes over a record',
    file: 'src/fleet/mirror-batch.ts',
    from: '    if (!isFirst && record.seq > seq + 1) {',
    to: '    if (!isFirst && record.seq % 7 === 0) {\n      batch.position = { journal: name, seq: record.seq, digest: digestOf(record) }\n      continue\n    }\n    if (!isFirst && record.seq > seq + 1) {',
    seed: 1,
  },
  {
    law: 2,
    name: 'a lost answer of another host is told as a request that nobody took',
    file: 'src/fleet/exchange/ask.ts',
    from: 'const isUntaken = () => !accepted && open.size === 0',
    to: 'const isUntaken = () => true',
    seed: 31,
  },
  {
    law: 1,
    name: 'a request whose answer was lost is sent again as another one',
    file: 'src/service/fleet/run.ts',
    from: '    if (isUsed(use) && result.unanswered) {',
    to: '    if (result.unanswered === "lost" && !context.executionId) return there(work, target, undefined, call)\n    if (isUsed(use) && result.unanswered) {',
    seed: 31,
  },
]

export const PLANTED_IN_FLEET: readonly Planted[] = PLANTED.map(planted => ({ ...planted, profile: 'fleet' }))
