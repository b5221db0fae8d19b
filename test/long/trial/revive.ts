/** Whether each device can be used again: probes, by a server and by a process of their own in turn, until one succeeds. */
import { setTimeout as pause } from 'node:timers/promises'
import { ask } from './ask.ts'
import { PROBE_TIMEOUT_MS } from './bounds.ts'
import { ROWS } from './phone-scenario.ts'
import type { Step } from './plan.ts'
import { freeWithinMs } from './recovery-laws.ts'
import type { Ask, Revival } from './timeline.ts'
import type { World } from './world.ts'

const AGAIN_MS = 250

const probeOf = (row: number, device: number, surface: Step['surface']): Step => ({
  command: `tap-${row}`,
  atMs: 0,
  surface,
  device,
  server: 0,
  timeoutMs: PROBE_TIMEOUT_MS,
  operatorPackage: 'com.svc.operator',
  beforeMs: 0,
  afterMs: 0,
  picture: false,
  keyed: false,
  twin: undefined,
  isOtherBuild: false,
  isContained: false,
})

/** Adds to `revivals`; returns what was asked. Rows from `firstRow` on are free. */
export const revive = async (world: World, firstRow: number, revivals: Revival[]): Promise<Ask[]> => {
  let next = firstRow
  const withinMs = freeWithinMs({ setting: world.around.canContain ? 'container' : 'plain' })
  const one = async (serial: string, device: number): Promise<Ask[]> => {
    const began = Date.now()
    const asks: Ask[] = []
    let row = next++
    for (let turn = 0; ; turn += 1) {
      const asked = await ask(probeOf(row, device, turn % 2 === 0 ? 'http' : 'direct'), world)
      asks.push(asked)
      const { claim, code = '', executionId } = asked.answer
      const succeeded = claim === 'did' ? asked.ended : undefined
      const isOver = succeeded !== undefined || Date.now() - began > withinMs
      if (!isOver && (claim === 'doubt' || executionId !== undefined)) row = next++
      if (isOver || row >= ROWS) {
        revivals.push({ serial, began, succeeded, last: code })
        return asks
      }
      await pause(AGAIN_MS)
    }
  }
  return (await Promise.all(world.serials.map(one))).flat()
}
