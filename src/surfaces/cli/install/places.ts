/** Finds the folders and the bundle that the installer uses for this caller. */
import { existsSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import type { InstallReport } from '../../../contracts/install.ts'
import { homeOf, userHome } from '../../../runtime/home.ts'
import type { AuthoringOptions } from '../../../service/install/authoring.ts'
import type { HostSetupOptions } from '../../../service/install/host-setup.ts'
import { hostsOf } from '../../../service/install/hosts.ts'
import { type Bundle, readBundle } from '../../../service/install/packages.ts'
import { installedRegistry, readRegistry } from '../../../service/skills/registry/load.ts'
import { type CommandContext, CommandError, type CommandResult, usage } from '../command.ts'
import { programFile } from '../process.ts'

const FOLDER = 'authoring-skills'

const bundleHere = (): Bundle => {
  const folder = join(dirname(programFile() ?? ''), FOLDER)
  if (!existsSync(folder)) {
    throw new CommandError('INSTALL_FAILED', `This svc comes without ${folder}.`, {
      hint: 'Install the package again; in a checkout, run npm run build.',
    })
  }
  return readBundle(folder, __SVC_VERSION__)
}

export const absolute = (name: string, value: string | undefined): string | undefined => {
  if (!value?.trim()) return undefined
  if (!isAbsolute(value)) {
    throw usage(`${name} is the relative path ${JSON.stringify(value)}: an absolute path is needed.`)
  }
  return value
}

/** The folders of this user that the installer looks at. */
export const hostPlaces = ({ env }: Pick<CommandContext, 'env'>) => ({
  home: homeOf(env),
  userHome: userHome(env),
  codexHome: absolute('CODEX_HOME', env.CODEX_HOME),
})

export const authoringOptions = (call: Pick<CommandContext, 'env'>): AuthoringOptions => {
  const { home, ...places } = hostPlaces(call)
  return { home, hosts: hostsOf(places), bundle: bundleHere() }
}

export const hostSetupOptions = ({ env }: Pick<CommandContext, 'env'>): HostSetupOptions => {
  const home = homeOf(env)
  const registryPath = absolute('SVC_SKILLS_REGISTRY', env.SVC_SKILLS_REGISTRY) ?? installedRegistry(home)
  const read = readRegistry(registryPath)
  const skills = read.ok ? read.registry.skills : undefined
  return { home, userHome: userHome(env), guide: { version: __SVC_VERSION__, registryPath, skills } }
}

/** Files that root writes into somebody's home are in that user's way from then on. */
export const ownerWarnings = ({ env }: Pick<CommandContext, 'env'>): string[] => {
  const home = userHome(env)
  const owner = statSync(home, { throwIfNoEntry: false })?.uid
  const isOther = process.getuid?.() === 0 && owner !== undefined && owner !== 0
  return isOther ? [`${home} belongs to user ${owner}, and svc runs as root: what it writes there belongs to root`] : []
}

const countOf = (count: number, noun: string) => (count === 0 ? [] : [`${count} ${noun}`])

export const summaryOf = (report: InstallReport, isDryRun: boolean): string => {
  const { wrote, updated, removed, skipped } = report
  const counts = [
    ...countOf(wrote.length, isDryRun ? 'to write' : 'written'),
    ...countOf(updated.length, isDryRun ? 'to update' : 'updated'),
    ...countOf(removed.length, isDryRun ? 'to remove' : 'removed'),
    ...countOf(skipped.length, 'left alone'),
  ]
  if (wrote.length + updated.length + removed.length === 0) counts.unshift('nothing to do')
  const sentence = `${counts.join(', ')}.`
  return isDryRun ? `Plan: ${sentence}` : sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

/** A place that could not be written makes the command fail; what was done is in the details. */
export const reported = (report: InstallReport, output: unknown): CommandResult => {
  const { refused } = report
  const [first] = refused
  if (!first) return { ok: true, output }
  const more = refused.length > 1 ? `, and ${refused.length - 1} more` : ''
  throw new CommandError('INSTALL_FAILED', `${first.path}: ${first.reason}${more}. The rest was done.`, {
    details: { ...report },
    hint: 'Fix this and run the command again; it continues where it stopped.',
  })
}
