/** The command line that hands a request to the operator app, and what `am broadcast` says of it. */

import { BROADCAST_ACTION, type OperatorRequest } from '../../../../contracts/device/operator.ts'
import { COMMAND_BYTES_MAX } from '../../../../contracts/limits/limits.ts'
import type { Outcome } from '../../../../contracts/outcome.ts'
import { commandLine } from '../../../../runtime/text/quote.ts'
import type { ShellResult } from '../../../link/link.ts'

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

/** The value is quoted for the shell of the device. */
export const broadcastLine = (operatorPackage: string, extra: string, value: string) =>
  commandLine(
    ...['am', 'broadcast', '-a', BROADCAST_ACTION, '-p', operatorPackage],
    ...['--es', extra, value, '--receiver-foreground'],
  )

const payloadPath = (wireId: string) => `/data/local/tmp/svc-${wireId.replaceAll(/[^\w.-]/g, '_')}.json`

export const broadcastCommand = (operatorPackage: string, request: OperatorRequest): BroadcastCommand => {
  const payload = JSON.stringify(request)
  const line = broadcastLine(operatorPackage, 'payload', payload)
  if (Buffer.byteLength(line) <= COMMAND_BYTES_MAX) return { line }
  const path = payloadPath(request.commandId)
  return {
    line: broadcastLine(operatorPackage, 'payloadFile', path),
    file: { path, content: Buffer.from(payload), removal: commandLine('rm', '-f', path) },
  }
}

/** `unknown`: the link did not tell how the command ended, so the broadcast may be out. */
type AmAnswer = Outcome<unknown, { code: 'OPERATOR_NOT_INSTALLED' | 'BROADCAST_FAILED'; message: string }, unknown>

const NOBODY = /target package not found|does not exist|not installed for/i
const COMPLETED = /^Broadcast completed: result=(-?\d+)/m
const FAILED = /^[ \t]*(?:Error|Exception|java\.|android\.|Security exception)/im

/** Android's own BROADCAST_FAILED_USER_STOPPED and below; 0 is the initial code, -1 and above are set by receivers. */
const NOBODY_RECEIVED = -2
/** Exit codes of a command that a signal ended: 128 and the number of the signal. */
const KILLED = { above: 128, upTo: 192 }
const QUOTED_CHARS = 300

const quotedOutput = ({ exitCode, stdout, stderr }: ShellResult) => {
  const text = `${stderr}\n${stdout}`.replaceAll(/\s+/g, ' ').trim()
  return text === '' ? `am ended with exit code ${exitCode}` : text.slice(0, QUOTED_CHARS)
}

export const readAmAnswer = (result: ShellResult, operatorPackage: string): AmAnswer => {
  const { exitCode, stdout, stderr } = result
  const code = COMPLETED.exec(stdout)?.[1]
  if (code !== undefined && Number(code) > NOBODY_RECEIVED) return { kind: 'done' }
  if (code !== undefined || NOBODY.test(stdout) || NOBODY.test(stderr)) {
    return {
      kind: 'not sent',
      code: 'OPERATOR_NOT_INSTALLED',
      message: `No operator app ${JSON.stringify(operatorPackage)} on the device took the request: ${quotedOutput(result)}`,
    }
  }
  if (exitCode > KILLED.above && exitCode <= KILLED.upTo) return { kind: 'unknown' }
  if (exitCode === 0 && !FAILED.test(stdout) && !FAILED.test(stderr)) return { kind: 'unknown' }
  return {
    kind: 'not sent',
    code: 'BROADCAST_FAILED',
    message: `The device refused to deliver the request: ${quotedOutput(result)}`,
  }
}
