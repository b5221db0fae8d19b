/** A link to the shell of a simulated phone in this process. */
import type { Phone } from '../../src/simulator/phone.ts'
import { type ScriptedLink, scriptedLink } from './scripted-link.ts'
import { runIn, shellOf } from './shell-run.ts'

export const phoneLink = (phone: Phone): ScriptedLink => {
  const shell = shellOf(phone)
  return scriptedLink(async command => {
    const { code, out, err } = await runIn(shell, command)
    return { exitCode: code, stdout: out, stderr: err }
  })
}
