/** The device machine over the real operator port and a fake device: executions as a host runs them. */

import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DeviceEmitted } from '../../../machines/device/device-setup.ts'
import type { Action } from '../../../src/contracts/executions/action.ts'
import type { Execution } from '../../../src/contracts/executions/execution.ts'
import type { ExecutionResult } from '../../../src/contracts/executions/execution-result.ts'
import { DEFAULT_OPERATOR_PACKAGE } from '../../../src/contracts/json/literals.ts'
import { createSessions } from '../../../src/device/operators/app/session/sessions.ts'
import { JournalError } from '../../../src/runtime/journal/fault.ts'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import type { Dispatch } from '../../../src/service/executions/dispatch.ts'
import { NO_FENCE } from '../../../src/service/executions/fence.ts'
import { operatorPort } from '../../../src/service/executions/run/operator-port.ts'
import { answerFor, deviceHost, request, target } from '../executions/device-host.ts'
import { manualClock } from '../manual-clock.ts'
import { settled } from '../settled.ts'
import { fakeDevice } from './fake-device.ts'
import { executionOf } from './operator-samples.ts'
import { screenParts } from './screen-parts.ts'

const STEP_MS = 200

export interface Outcome {
  result: ExecutionResult
  dispatched: boolean
}

interface OperatorHostOptions {
  journalFails?: (type: string) => boolean
  /** Tells whether the screen is known to be on, without asking the phone. */
  isScreenKnown?: () => boolean
}

export const operatorHost = ({ journalFails = () => false, isScreenKnown = () => true }: OperatorHostOptions = {}) => {
  const clock = manualClock()
  const device = fakeDevice(clock)
  const journal = memoryJournal({ alive: () => true, clock })
  const append = journal.append.bind(journal)
  journal.append = (record, options) => {
    if (journalFails(record.event.type)) return Promise.reject(new JournalError('full', 'disk full'))
    return append(record, options)
  }
  const sessions = createSessions({ clock, openLink: (serial, options) => device.openLink(serial, options) })
  const host = deviceHost({
    journal,
    clock,
    operator: operatorPort({
      fence: NO_FENCE,
      clock,
      sessions,
      checkInteractive: Object.assign(async () => ({ ok: true }) as const, {
        isKnown: isScreenKnown,
        forget: () => {},
      }),
      ...screenParts(journal, clock),
    }),
  })

  /** Starts an execution; `outcome` is there once it is answered. */
  const start = (executionId: string, actions: readonly Action[], more: Partial<Execution & Dispatch> = {}) => {
    const {
      operatorPackage = DEFAULT_OPERATOR_PACKAGE,
      screenshots,
      phone,
      isScreenHidden,
      view,
      inFront,
      ...payload
    } = more
    const execution = executionOf(actions, payload)
    const body: Dispatch = {
      execution,
      operatorPackage,
      serial: 'd1',
      screenshots: screenshots ?? { relativeTo: tmpdir(), newFilesIn: join(tmpdir(), 'nowhere') },
      ...(phone === undefined ? {} : { phone }),
      ...(isScreenHidden ? { isScreenHidden } : {}),
      ...(view ? { view } : {}),
      ...(inFront ? { inFront } : {}),
    }
    const run: { outcome: Outcome | undefined; kind: string | undefined } = { outcome: undefined, kind: undefined }
    const { commandId, taskId, timeoutMs } = execution
    const event = request(executionId, clock, {
      commandId,
      taskId,
      timeoutMs,
      body,
      acceptUntil: clock.now() + 15_000,
      answerUntil: clock.now() + timeoutMs + 5_000,
    })
    const asked = host.ask<DeviceEmitted>(target(), event, {
      matches: answerFor(executionId),
      until: clock.now() + 600_000,
    })
    void asked.then(
      answer => {
        run.kind = answer.kind
        if (answer.kind !== 'answered' || answer.emitted.type !== 'execution.answered') return
        run.outcome = { result: answer.emitted.result as ExecutionResult, dispatched: answer.emitted.dispatched }
      },
      () => {
        run.kind = 'failed'
      },
    )
    return run
  }
  /** In steps, so that what one moment leads to has happened before the next one comes. */
  const later = async (ms: number) => {
    await settled()
    for (let left = ms; left > 0; left -= STEP_MS) {
      clock.advance(Math.min(left, STEP_MS))
      await settled()
    }
  }
  const events = () => journal.records({ actor: 'device:d1' }).map(({ event }) => event)
  return {
    clock,
    device,
    journal,
    sessions,
    host,
    start,
    later,
    events,
    cancel: (executionId: string) => host.tell(target(), { type: 'execution.cancelled', executionId }),
    state: () => host.snapshot('device:d1')?.value,
    segments: () => events().flatMap(event => (event.type === 'execution.dispatched' ? [event.segment] : [])),
    /** What was done on the device, without what only reads. */
    deeds: () =>
      device
        .calls()
        .filter(call => !/^(stream|exec) logcat|^shell date|^socket /.test(call))
        .map(call =>
          call
            .replace(/^shell /, '')
            .split(' ')
            .slice(0, 2)
            .join(' '),
        ),
  }
}

export type OperatorHost = ReturnType<typeof operatorHost>
