/** The command line that hands a request to the operator app, with everything in it quoted for the device's shell. */
import { commandLine } from '../../adb/quote.ts'
import { COMMAND_BYTES_MAX } from '../../contracts/limits.ts'
import { BROADCAST_ACTION, type OperatorRequest } from '../../contracts/operator.ts'

export interface BroadcastCommand {
  line: string
  /** Pushed before the command runs and removed afterwards, for a payload that no command line can carry. */
  file?: { path: string; content: Uint8Array; removal: string }
}

/** The longest package name of Android; a longer name belongs to no package of any device. */
const PACKAGE_CHARS_MAX = 255

/** False for a text that no installed app can be called, and that a command line or a service name cannot carry. */
export const canBePackage = (text: string): boolean =>
  text.trim() !== '' && text.length <= PACKAGE_CHARS_MAX && !/[\0\p{Cs}]/u.test(text)

const broadcast = (operatorPackage: string, extra: string, value: string) =>
  commandLine(
    ...['am', 'broadcast', '-a', BROADCAST_ACTION, '-p', operatorPackage],
    ...['--es', extra, value, '--receiver-foreground'],
  )

const payloadPath = (wireId: string) => `/data/local/tmp/svc-${wireId.replaceAll(/[^\w.-]/g, '_')}.json`

export const broadcastCommand = (operatorPackage: string, request: OperatorRequest): BroadcastCommand => {
  const payload = JSON.stringify(request)
  const line = broadcast(operatorPackage, 'payload', payload)
  if (Buffer.byteLength(line) <= COMMAND_BYTES_MAX) return { line }
  const path = payloadPath(request.commandId)
  return {
    line: broadcast(operatorPackage, 'payloadFile', path),
    file: { path, content: Buffer.from(payload), removal: commandLine('rm', '-f', path) },
  }
}
