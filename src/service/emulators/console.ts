/** The console of an emulator: a plain-text port on loopback that names its AVD and takes the command to end. */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Clock } from '../../runtime/clock.ts'
import { userHome } from '../../runtime/home.ts'
import type { Environment } from './sdk.ts'

const HOST = '127.0.0.1'
const CHARS_MAX = 65_536
const TOKEN_FILE = '.emulator_console_auth_token'

interface ConsoleOptions {
  port: number
  env: Environment
  clock: Clock
  timeoutMs: number
  signal?: AbortSignal | undefined
}

const tokenOf = (env: Environment): string | undefined => {
  try {
    return readFileSync(join(userHome(env), TOKEN_FILE), 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

/** Reads the answer until the console closes; undefined when unreachable. It may close silently, or never close. */
const converse = (command: string, { port, env, clock, timeoutMs, signal }: ConsoleOptions) =>
  new Promise<string | undefined>(resolve => {
    const socket = connect({ host: HOST, port })
    let reply = ''
    let isAsked = false
    let isConnected = false
    const settle = () => {
      timer.cancel()
      signal?.removeEventListener('abort', settle)
      socket.destroy()
      // A greeting alone is no answer.
      resolve(isConnected ? (isAsked ? reply : '') : undefined)
    }
    const timer = clock.at(clock.now() + timeoutMs, settle)
    signal?.addEventListener('abort', settle, { once: true })
    if (signal?.aborted) return settle()
    socket.on('connect', () => {
      isConnected = true
    })
    socket.setEncoding('utf8').on('data', (text: string) => {
      reply += text
      if (reply.length > CHARS_MAX) {
        reply = ''
        return settle()
      }
      if (isAsked || !/(^|\n)OK\r?\n/.test(reply)) return
      isAsked = true
      reply = ''
      const token = tokenOf(env)
      socket.write(`${token === undefined ? '' : `auth ${token}\n`}${command}\nquit\n`)
    })
    socket.on('error', settle)
    socket.on('close', settle)
  })

const linesOf = (reply: string) =>
  reply
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && line !== 'OK' && !line.startsWith('Android Console'))

export const consoleAvdName = async (options: ConsoleOptions): Promise<string | undefined> => {
  const [name] = linesOf((await converse('avd name', options)) ?? '')
  return name === undefined || name.startsWith('KO') ? undefined : name
}

export const consoleKill = async (options: ConsoleOptions): Promise<'taken' | 'refused' | 'unreachable' | 'silent'> => {
  const reply = await converse('kill', options)
  if (reply === undefined) return 'unreachable'
  const lines = linesOf(reply)
  if (lines.some(line => line.startsWith('OK'))) return 'taken'
  return lines.some(line => line.startsWith('KO')) ? 'refused' : 'silent'
}
