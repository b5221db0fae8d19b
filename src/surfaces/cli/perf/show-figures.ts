/** `svc perf frames` and `svc perf memory`: asked of this machine, or of the host of the fleet that has the device. */

import type { Frames, Memory } from '../../../contracts/device/perf.ts'
import type { CommandContext, CommandResult } from '../command.ts'
import { look } from '../devices/devices.ts'
import { fieldsText } from '../text/answer.ts'
import { lines, paragraph } from '../text/layout.ts'
import type { Page } from '../text/page.ts'
import { safe } from '../text/visible.ts'

export const showFrames = (call: CommandContext): Promise<CommandResult> =>
  look('apps.frames', call, { applicationId: call.args[0] ?? '' })

export const showMemory = (call: CommandContext): Promise<CommandResult> =>
  look('apps.memory', call, { applicationId: call.args[0] ?? '' })

const UNKNOWN = '-'
const HIDDEN = ['applicationId', 'running']

const withUnit = (fields: readonly string[], unit: string) =>
  Object.fromEntries(
    fields.map(field => [
      field,
      (figures: object) => {
        const value = (figures as Readonly<Record<string, number | null>>)[field] ?? null
        return value === null ? UNKNOWN : `${value}${unit}`
      },
    ]),
  )

const figuresText = <T extends Frames | Memory>(
  page: Page,
  figures: T,
  as: Readonly<Record<string, (figures: T) => string>>,
): string =>
  figures.running
    ? lines(page.paint('bold', safe`${figures.applicationId}`), fieldsText(page, figures, { as, without: HIDDEN }))
    : paragraph(page, safe`${figures.applicationId} does not run.`)

const jankyText = ({ total, janky }: Frames): string => {
  const share = total === null || janky === null || total === 0 ? '' : ` (${((100 * janky) / total).toFixed(1)} %)`
  return `${janky ?? UNKNOWN}${share}`
}

export const framesText = (page: Page, { frames }: { frames: Frames }): string =>
  figuresText(page, frames, {
    ...withUnit(['total'], ''),
    janky: jankyText,
    ...withUnit(['p50', 'p90', 'p95', 'p99'], ' ms'),
  })

export const memoryText = (page: Page, { memory }: { memory: Memory }): string =>
  figuresText(page, memory, withUnit(['totalPss', 'java', 'native', 'graphics'], ' kB'))
