/** What receipts say of steps that the host has performed, and what phones and hosts show of them. */
import type { Receipt } from '../../../src/contracts/executions/receipt.ts'
import { HOST_STEP, marksOf } from '../phone/host-steps.ts'
import type { Ask } from '../plan/plan.ts'
import type { HostStepsOfWorld, World as Whole } from '../world.ts'

export type World = Whole & HostStepsOfWorld

export type Step = NonNullable<Ask['hostStep']>
export type StepAsk = Ask & { hostStep: Step }

const isOfMany = ({ kind }: Step): boolean => kind === 'restore' || kind === 'again'

/** Those whose step has an effect that nothing else has. */
export const stepAsks = ({ asks }: World): StepAsk[] =>
  asks.filter((ask): ask is StepAsk => {
    const { hostStep, command } = ask
    if (hostStep === undefined || isOfMany(hostStep)) return false
    return hostStep.kind !== 'pull' || hostStep.name === command
  })

const isFetched = ({ fetchedBefore }: World, { command, place }: Ask): boolean =>
  fetchedBefore.some(file => file.host === place.host && file.name === command && file.command === command)

const countOf = ({ deeds }: World, mark: string): number =>
  deeds.reduce((sum, { counts }) => sum + (counts[mark] ?? 0), 0)

export const doneOf = (world: World, ask: StepAsk): number => {
  if (ask.hostStep.kind === 'pull') return isFetched(world, ask) ? 1 : 0
  const [mark = ''] = marksOf(ask)
  return countOf(world, mark)
}

/** True where a part of the step has happened at least. */
export const hasTrace = (world: World, ask: StepAsk): boolean =>
  doneOf(world, ask) > 0 || marksOf(ask).some(mark => countOf(world, mark) > 0)

export type Claim = 'did' | 'did-not' | 'doubt'

const TRANSFERS: readonly Step['kind'][] = ['push', 'pull']
/** The failures of a step that leave everything as it was. */
const UNDONE: Partial<Record<Step['kind'], readonly string[]>> = {
  install: ['INSTALL_FAILED', 'FILE_NOT_FOUND', 'FILE_REFUSED'],
  uninstall: ['APP_NOT_FOUND', 'UNINSTALL_FAILED'],
  clear: ['APP_NOT_FOUND', 'CLEAR_FAILED'],
  remove: ['FILE_NOT_FOUND', 'FILE_REFUSED'],
}
/** The phone took it, and shows something else. */
const CONTRADICTED = /the device said Success/

const isUndone = (kind: Step['kind'], { error = '', message = '' }: Readonly<Record<string, string | undefined>>) =>
  TRANSFERS.includes(kind) || ((UNDONE[kind]?.includes(error) ?? false) && !CONTRADICTED.test(message))

export const claimOf = ({ result, dispatchedAt }: Receipt, kind: Step['kind']): Claim => {
  if (result === null || result === undefined) return dispatchedAt === undefined ? 'did-not' : 'doubt'
  if (result.ok) {
    const step = result.envelope.stepResults.find(({ id }) => id === HOST_STEP)
    if (step?.success) return 'did'
    return step && isUndone(kind, step.data as Record<string, string>) ? 'did-not' : 'doubt'
  }
  const {
    completedSteps = [],
    inDoubt,
    dispatched,
  } = (result.error.details ?? {}) as {
    completedSteps?: string[]
    inDoubt?: boolean
    dispatched?: boolean
  }
  if (completedSteps.includes(HOST_STEP)) return 'did'
  return inDoubt === false || dispatched === false ? 'did-not' : 'doubt'
}
