/** `npm run demo`: a scripted execution through the real runtime, each transition printed as it is recorded. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CATALOGUE } from '../../machines/catalogue.ts'
import type { DeviceEmitted, OperatorInput } from '../../machines/device-setup.ts'
import { pause, systemClock } from '../runtime/clock.ts'
import { deadlinePort } from '../runtime/deadline.ts'
import { createHost } from '../runtime/host.ts'
import { systemIds } from '../runtime/ids.ts'
import { openJournal } from '../runtime/journal/sqlite.ts'
import type { Port } from '../runtime/port.ts'
import { isAlive, thisProcess } from '../runtime/processes.ts'
import { watchTransitions } from '../runtime/transitions.ts'

const clock = systemClock()
const ids = systemIds()
const folder = mkdtempSync(join(tmpdir(), 'svc-demo-'))
const journal = openJournal({ path: join(folder, 'journal.db'), alive: isAlive, clock })
const say = (line: string) => process.stdout.write(`${line}\n`)

/** Stands in for the phone: takes a moment for each of two segments, then answers. */
const operator: Port<OperatorInput> = async ({ executionId }, { send, signal }) => {
  for (const segment of [0, 1]) {
    await pause(clock, 150, signal)
    if (!send({ type: 'execution.dispatched', executionId, segment })) return
  }
  await pause(clock, 300, signal)
  const envelope = { commandId: 'demo', taskId: 'demo', status: 'success', stepResults: [], error: null }
  send({
    type: 'execution.settled',
    executionId,
    ok: true,
    body: { ok: true, deviceId: 'demo-phone', terminalSource: 'svc_result', envelope },
  })
}

const host = createHost({
  journal,
  clock,
  definitions: CATALOGUE,
  ports: { device: { operator, deadline: deadlinePort(clock) } },
  holder: { ...thisProcess(), instance: ids.instance() },
})

const execute = (commandId: string) => {
  const executionId = ids.at(clock.now())
  const target = { id: 'device:demo-phone', machine: 'device', input: { serial: 'demo-phone' }, note: { executionId } }
  const event = {
    type: 'execution.requested',
    executionId,
    commandId,
    taskId: 'demo',
    deviceId: 'demo-phone',
    timeoutMs: 5_000,
    acceptUntil: clock.now() + 5_000,
  }
  return host.ask<DeviceEmitted>(target, event, {
    matches: emitted => emitted.executionId === executionId && emitted.type !== 'execution.accepted',
    until: clock.now() + 15_000,
  })
}

try {
  say('Every line is a transition, recorded before it took effect:\n')
  const watch = watchTransitions(journal, {}, ({ seq, actor, event, from, to }) =>
    say(`  ${String(seq).padStart(3)}  ${actor}  ${event.padEnd(22)} ${from || '(new)'} -> ${to}`),
  )
  const first = execute('tap-settings')
  const second = await execute('tap-too-soon')
  const answer = await first
  await pause(clock, 100)
  watch.close()
  say('\nTwo executions were asked of one device at once.')
  for (const outcome of [answer, second]) {
    if (outcome.kind !== 'answered') say(`  ${outcome.kind}`)
    else if (outcome.emitted.type === 'execution.refused') say('  refused: the device was busy with the other one')
    else if (outcome.emitted.type === 'execution.answered') say('  answered: success')
  }
  say('\nDid my tap happen? The receipt knows:\n')
  for (const { commandId, state, acceptedAt, dispatchedAt, settledAt } of journal.receipts()) {
    say(
      `  ${commandId}: ${state}, dispatched after ${(dispatchedAt ?? 0) - acceptedAt} ms, settled after ${(settledAt ?? 0) - acceptedAt} ms`,
    )
  }
} finally {
  await host.stop({ graceMs: 0 })
  journal.close()
  rmSync(folder, { recursive: true, force: true })
}
