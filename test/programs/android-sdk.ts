/**
 * The tools of a simulated Android SDK. Arguments: the name of the tool, the root of its SDK, and what the caller wrote; the
 * executables of `createSdk` are scripts that start it so. It ends itself when its SDK is gone, so that nothing outlives a test.
 */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { avdmanager } from '../fixtures/sdk/avdmanager.ts'
import { logCall, type ToolName } from '../fixtures/sdk/call-log.ts'
import { emulator } from '../fixtures/sdk/emulator/emulator.ts'
import { readModes } from '../fixtures/sdk/modes.ts'
import { sdkmanager } from '../fixtures/sdk/sdkmanager.ts'
import { bar, stdinLines, type ToolMain } from '../fixtures/sdk/tool.ts'

const MAINS: Readonly<Record<ToolName, ToolMain>> = { sdkmanager, avdmanager, emulator }
const LOOK_MS = 1_000
const LONGEST_MS = 30 * 60_000

const [name = '', root = '', ...args] = process.argv.slice(2)
const main = MAINS[name as ToolName]
const { env } = process
logCall(root, name as ToolName, args, env)
setInterval(() => {
  if (!existsSync(root)) process.exit(1)
}, LOOK_MS).unref()
setTimeout(() => process.exit(1), LONGEST_MS).unref()

// Whoever reads may go away; a tool does not end for that.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
const out = (text: string) => void process.stdout.write(text)
const err = (text: string) => void process.stderr.write(text)
const nextLine = stdinLines()
const ask = (question: string) => {
  out(question)
  return nextLine()
}

const modes = readModes(root, env)
if (name === 'sdkmanager' || name === 'avdmanager') {
  const { ignoresSigterm = false, chatterBytes = 0 } = modes[name] ?? {}
  if (ignoresSigterm) process.on('SIGTERM', () => {})
  const line = bar(25, 'Fetch remote repository...')
  for (let sent = 0; sent < chatterBytes; sent += line.length) {
    if (!process.stdout.write(line)) await once(process.stdout, 'drain')
  }
}
const code = await main({ root, args, env, modes, out, err, ask })
// What was written goes out first, where stdout is a pipe.
process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
