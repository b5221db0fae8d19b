/** A phone for flows: it keeps what it was asked to do, also when the process that asked is gone. */
import { isDeepStrictEqual } from 'node:util'
import { isSafeToRepeat } from '../../../src/contracts/actions/cards.ts'
import type { Receipt } from '../../../src/contracts/executions/receipt.ts'
import type { PhoneAnswer, PhoneCall, PhoneStep, Phones } from '../../../src/service/flows/phones.ts'
import type { ManualClock } from '../manual-clock.ts'

/** Nothing on the phone changes by these. */
const LOOKS = ['wait_for_node', 'wait_for_idle', 'snapshot', 'take_screenshot', 'read_text', 'sleep']
export const isLook = (type: string): boolean => LOOKS.includes(type)
const isAct = ({ type }: PhoneStep) => !isLook(type)

export interface Touch {
  readonly type: string
  readonly params: unknown
  readonly executionId: string
}

/** The process that asks ends in the execution, counted from 0, when the phone is at that step. */
export interface Death {
  readonly call: number
  readonly step: number
  /** The phone had carried the step out already. */
  readonly isDone: boolean
}

const STEP_MS = 10

const failedStep = (code: string, message: string): PhoneAnswer => ({
  kind: 'performed',
  steps: [],
  error: { code, message },
})

/**
 * An element is on the screen unless its text says `missing`, `after n` (until so many touches) or `until n` (from then on).
 */
const isShown = (text: string, touches: number): boolean => {
  const [, word, count] = /^(after|until) (\d+)$/.exec(text) ?? []
  if (word === 'after') return touches >= Number(count)
  if (word === 'until') return touches < Number(count)
  return !text.startsWith('missing')
}

export const flowPhone = (clock: ManualClock) => {
  const touches: Touch[] = []
  const calls: PhoneCall[] = []
  const receipts = new Map<string, Receipt>()
  const settings: Record<string, unknown> = { airplane_mode: false, dark_mode: false }
  let death: (Death & { die: () => void }) | undefined
  let faults: readonly (PhoneAnswer | undefined)[] = []
  let onCall = (_call: PhoneCall): void | Promise<void> => {}

  /** A setting that has its value already is left as it is. */
  const touch = ({ type, params = {} }: PhoneStep, executionId: string) => {
    if (type === 'change_setting') {
      const { setting, value } = params
      if (isDeepStrictEqual(settings[String(setting)], value)) return
      settings[String(setting)] = value
    }
    touches.push({ type, params, executionId })
  }

  const textOf = (params: PhoneStep['params']): string => {
    const { text, id } = (params?.matcher as { flow?: { text?: string; id?: string } } | undefined)?.flow ?? {}
    return text ?? id ?? ''
  }

  /** The code and message of what fails. */
  const failureOf = ({ type, params }: PhoneStep): [string, string] | undefined => {
    const text = textOf(params)
    if (type !== 'wait_for_node' && !text.startsWith('missing')) return undefined
    const isGone = params?.state === 'gone'
    if (isShown(text, touches.length) !== isGone) return undefined
    clock.advance(Number(params?.timeoutMs ?? 0))
    return isGone ? ['NODE_STILL_VISIBLE', 'still there'] : ['NODE_NOT_FOUND', 'not there']
  }

  const dataOf = ({ type, params }: PhoneStep): Record<string, string> => {
    if (type === 'read_text') return { text: `${textOf(params)} at ${touches.length}` }
    return type === 'snapshot' ? { text: `screen ${touches.length}` } : {}
  }

  const receiptOf = ({ executionId, deviceId, flowRunId }: PhoneCall): Receipt => ({
    executionId,
    deviceId,
    commandId: executionId,
    taskId: flowRunId,
    state: 'dispatched',
    acceptedAt: clock.now(),
    dispatchedAt: clock.now(),
  })

  /** Where an earlier step fails, that is the one it was at. */
  const died = (call: PhoneCall, { step, isDone }: Death) => {
    const ids = call.steps.map((_, at) => `step-${at + 1}`)
    let at = 0
    for (; at < step; at += 1) {
      const each = call.steps[at]
      if (!each || failureOf(each)) break
      if (isAct(each)) touch(each, call.executionId)
    }
    const asked = call.steps[at]
    if (isDone && asked && isAct(asked) && !failureOf(asked)) touch(asked, call.executionId)
    receipts.set(call.executionId, {
      ...receiptOf(call),
      state: 'interrupted',
      executedSteps: ids.slice(0, at),
      doubtfulSteps: asked && isSafeToRepeat(asked.type) ? [] : ids.slice(at, at + 1),
    })
  }

  const carriedOut = (call: PhoneCall): PhoneAnswer => {
    const steps: Extract<PhoneAnswer, { kind: 'performed' }>['steps'][number][] = []
    for (const [at, step] of call.steps.entries()) {
      clock.advance(STEP_MS)
      const failure = failureOf(step)
      if (failure) return { kind: 'performed', steps, error: { code: failure[0], message: failure[1] } }
      if (isAct(step)) touch(step, call.executionId)
      steps.push({ id: `step-${at + 1}`, actionType: step.type, success: true, data: dataOf(step) })
    }
    return { kind: 'performed', steps }
  }

  const settledAs = (call: PhoneCall, answer: PhoneAnswer): PhoneAnswer => {
    const { executionId, deviceId } = call
    const result: Receipt['result'] =
      answer.kind === 'unperformed'
        ? { ok: false, error: answer.error }
        : {
            ok: true,
            deviceId,
            terminalSource: 'svc_result',
            envelope: {
              commandId: executionId,
              taskId: call.flowRunId,
              status: answer.error ? 'failed' : 'success',
              stepResults: [...answer.steps],
              error: answer.error ?? null,
            },
          }
    receipts.set(executionId, { ...receiptOf(call), state: 'settled', settledAt: clock.now(), result })
    return answer
  }

  const phones: Phones = {
    async perform(call) {
      const at = calls.push(call) - 1
      await onCall(call)
      if (death?.call === at) {
        const { die } = death
        died(call, death)
        death = undefined
        die()
        return new Promise(() => {})
      }
      const fault = faults[at]
      return settledAs(call, fault ?? carriedOut(call))
    },
    receipt: async executionId => receipts.get(executionId),
    settings: async () => ({ ok: true, settings }),
    startRecording: async () => undefined,
    stopRecording: async () => ({ ok: true, recordingId: 'recording', files: [] }),
    logLines: async () => [],
  }
  return {
    phones,
    touches,
    calls,
    receipts,
    dieIn(chosen: Death, die: () => void) {
      death = { ...chosen, die }
    },
    /** The answers of the calls in their order, where they are not what the phone would say. */
    answerWith(answers: readonly (PhoneAnswer | undefined)[]) {
      faults = answers
    },
    onCall(listener: typeof onCall) {
      onCall = listener
    },
  }
}

export type FlowPhone = ReturnType<typeof flowPhone>

export const stepFailed = failedStep

export const lostLink: PhoneAnswer = {
  kind: 'unperformed',
  error: { code: 'DEVICE_LINK_LOST', message: 'The link was lost.', retriable: false },
}
