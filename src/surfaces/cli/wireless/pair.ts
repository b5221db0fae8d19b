/** `svc devices pair`: with the code that a phone shows, or with a QR code that it scans. */

import { encode } from 'uqr'
import type { Paired } from '../../../contracts/device/wireless.ts'
import { type CommandContext, type CommandResult, usage } from '../command.ts'
import { wholeNumber } from '../flags/flag-values.ts'
import { headline, lines, paragraph } from '../text/layout.ts'
import type { Page } from '../text/page.ts'
import { safe } from '../text/visible.ts'
import { outputOf, pairingAddress } from './connect.ts'

/** Readers need a margin of this many cells. */
const QUIET = 4
const DARK_ON_LIGHT = '\x1b[38;5;16;48;5;231m'
const RESET = '\x1b[0m'

/** By the upper and the lower cell, where the ink is dark. */
const INK = { dark: { dark: '█', light: '▀' }, light: { dark: '▄', light: ' ' } } as const
type Cell = 'dark' | 'light'

const opposite = (cell: Cell): Cell => (cell === 'dark' ? 'light' : 'dark')

/** Without colours the ink is light: most terminals have a dark ground. */
/** A QR code as text: two rows of cells in each line. */
export const qrText = (code: readonly (readonly boolean[])[], { hasColours }: { hasColours: boolean }): string => {
  const cellAt = (row: number, column: number): Cell => {
    const cell = code[row]?.[column] ? 'dark' : 'light'
    return hasColours ? cell : opposite(cell)
  }
  const lines: string[] = []
  for (let row = -QUIET; row < code.length + QUIET; row += 2) {
    let line = ''
    for (let column = -QUIET; column < code.length + QUIET; column++) {
      line += INK[cellAt(row, column)][cellAt(row + 1, column)]
    }
    lines.push(hasColours ? `${DARK_ON_LIGHT}${line}${RESET}` : line)
  }
  return lines.join('\n')
}

const FOR_S = { min: 5, max: 600, default: 120 } as const
const CODE = /^\d{6}$/

const pairWithCode = async (call: CommandContext): Promise<CommandResult> => {
  const [place, code] = call.args
  if (place === undefined || code === undefined) {
    throw usage('Give the address and the code that the phone shows, or --qr: svc devices pair <host:port> <code>.')
  }
  const address = pairingAddress(place)
  if (!CODE.test(code)) throw usage('The code must have six digits.')
  const wireless = await (await call.services()).wireless()
  return outputOf(await wireless.pair({ address, code }, call.signal))
}

const pairWithQr = async (call: CommandContext): Promise<CommandResult> => {
  if (call.args.length > 0) throw usage('With --qr the phone finds this machine: give no address and no code.')
  const { signal, io, env } = call
  const seconds = wholeNumber(call, 'for', FOR_S) ?? FOR_S.default
  const onCode = (text: string) => {
    const { data } = encode(text, { ecc: 'L', border: 0 })
    io.note(qrText(data, { hasColours: io.errorColumns() !== undefined && !env.NO_COLOR }))
    io.note('On the phone: Developer options, Wireless debugging, Pair device with QR code.')
  }
  const wireless = await (await call.services()).wireless()
  return outputOf(await wireless.pairByQr({ seconds, onCode }, signal))
}

export const pairDevice = (call: CommandContext): Promise<CommandResult> =>
  call.isOn('qr') ? pairWithQr(call) : pairWithCode(call)

export const pairedText = (page: Page, { paired, device, connectAt }: Paired): string => {
  const next =
    connectAt === null
      ? 'svc devices discover shows where it can be connected.'
      : safe`Connect it: svc devices connect ${connectAt}`
  return lines(
    headline(page, 'ok', safe`Paired with ${paired.address}`),
    device === null ? paragraph(page, next, 2) : headline(page, 'ok', safe`${device.deviceId} is connected`),
  )
}
