/** Opens an address in the browser of the person who called, where there is one. */
import { spawn } from 'node:child_process'
import { childEnv } from '../../runtime/child-env.ts'
import type { Environment } from '../command.ts'

/** By platform: the program, and what goes before the address. */
const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
}

const hasScreen = (env: Environment) => Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)

/** Why it was not opened; undefined when somebody was asked to. */
export const openBrowser = (url: string, env: Environment): Promise<string | undefined> =>
  new Promise(resolve => {
    const [program, ...before] = OPENERS[process.platform] ?? []
    if (program === undefined) return resolve(`no way to open a browser is known on ${process.platform}`)
    if (process.platform === 'linux' && !hasScreen(env)) return resolve('there is no display')
    const child = spawn(program, [...before, url], { detached: true, stdio: 'ignore', env: childEnv(env) })
    child.once('error', error => resolve(error.message))
    child.once('spawn', () => {
      // The browser is the person's from here on.
      child.unref()
      resolve(undefined)
    })
  })
