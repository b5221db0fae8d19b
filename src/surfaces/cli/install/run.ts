/** `svc install` and its parts: `svc uninstall`, `host setup`, `authoring-skills`, `completion --install` and `upgrade check`. */
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import type {
  AuthoringHost,
  AuthoringList,
  AuthoringStatus,
  Installed,
  InstallReport,
  UpgradeChecked,
} from '../../../contracts/install.ts'
import { homeOf, userHome } from '../../../runtime/home.ts'
import { childEnv } from '../../../runtime/processes/child-env.ts'
import { applyPlan, type PlanResult } from '../../../service/install/apply-plan.ts'
import { planCompletion, type Shell } from '../../../service/install/completion-files.ts'
import { hostsOf } from '../../../service/install/hosts.ts'
import { planInstall, planUninstall } from '../../../service/install/install.ts'
import type { Plan } from '../../../service/install/plan.ts'
import { authoringStatus, listAuthoring } from '../../../service/install/status.ts'
import { checkUpgrade, findNpm } from '../../../service/install/upgrade.ts'
import { installSkills, planSkills } from '../../../service/skills/install/install.ts'
import { type CommandContext, CommandError, type CommandResult } from '../command.ts'
import { keepOwnerRights } from '../process.ts'
import { fieldsText, listText } from '../text/answer.ts'
import { blocks, bullets, counted, headline, lines } from '../text/layout.ts'
import { type Page, SIGNS } from '../text/page.ts'
import { safe, visible } from '../text/visible.ts'
import {
  absolute,
  authoringOptions,
  hostPlaces,
  hostSetupOptions,
  ownerWarnings,
  reported,
  summaryOf,
} from './places.ts'

const planned = (call: CommandContext, plan: () => Plan): Promise<PlanResult> =>
  applyPlan({ home: homeOf(call.env), clock: call.clock, plan, isDryRun: call.isOn('dry-run') })

const printed = (call: CommandContext, report: InstallReport, next?: readonly string[]): CommandResult => {
  const dryRun = call.isOn('dry-run')
  for (const warning of report.warnings) call.log.warn(warning)
  const message = summaryOf(report, dryRun)
  return reported(report, { ok: true, dryRun, version: __SVC_VERSION__, ...report, message, ...(next ? { next } : {}) })
}

const failed = (error: ErrorObject): CommandResult => ({ ok: false, output: error })

const NEXT = [
  'svc doctor checks this host and the connected devices',
  'svc simulate --port 41001 runs a simulated device, for SVC_TCP_DEVICES=127.0.0.1:41001',
  'svc completion bash --install completes commands in the shell (also zsh, fish)',
]

/** The workspace as a part of the report: a refusal of it does not keep the other parts from being done. */
const addWorkspace = async (call: CommandContext): Promise<(report: InstallReport) => void> => {
  const options = { home: homeOf(call.env), path: call.env.PATH, clock: call.clock }
  const { registryPath, workspace, isReady, isLoose } = planSkills(options)
  if (isReady && !isLoose) return report => void report.unchanged.push(registryPath)
  const made = call.isOn('dry-run') ? undefined : await installSkills(options)
  const isDone = !made || made.ok
  if (isDone && isReady) return report => void report.updated.push(workspace)
  if (isDone) return report => void report.wrote.push(registryPath)
  const { code, message } = made.error
  return report => void report.refused.push({ path: registryPath, reason: `${code}: ${message}` })
}

export const install = async (call: CommandContext): Promise<CommandResult> => {
  keepOwnerRights()
  const plan = () => planInstall({ authoring: authoringOptions(call), hostSetup: hostSetupOptions(call) })
  // Whatever is in the way is told before the workspace is made.
  const first = await applyPlan({ home: homeOf(call.env), clock: call.clock, plan, isDryRun: true })
  if (!first.ok) return failed(first.error)
  const add = await addWorkspace(call)
  const done = await planned(call, plan)
  if (!done.ok) return failed(done.error)
  add(done.report)
  done.report.warnings.push(...ownerWarnings(call))
  return printed(call, done.report, NEXT)
}

export const hostSetup = async (call: CommandContext): Promise<CommandResult> => {
  keepOwnerRights()
  const done = await planned(call, () => planInstall({ hostSetup: hostSetupOptions(call) }))
  return done.ok ? printed(call, done.report) : failed(done.error)
}

export const uninstall = async (call: CommandContext): Promise<CommandResult> => {
  const { codexHome, ...places } = hostPlaces(call)
  const hosts = hostsOf({ ...places, codexHome })
  const done = await planned(call, () => planUninstall({ ...places, hosts }))
  return done.ok ? printed(call, done.report) : failed(done.error)
}

const applyAuthoring = async (call: CommandContext, isUpdate: boolean): Promise<CommandResult> => {
  keepOwnerRights()
  const dryRun = call.isOn('dry-run')
  const authoring = { ...authoringOptions(call), isUpdate }
  if (isUpdate && listAuthoring(authoring).count === 0) {
    throw new CommandError('AUTHORING_SKILLS_NOT_INSTALLED', 'There are no authoring skills to updateAuthoring.', {
      hint: 'Install them: svc authoring-skills install',
    })
  }
  const { home, bundle } = authoring
  const done = await applyPlan({ home, clock: call.clock, plan: () => planInstall({ authoring }), isDryRun: dryRun })
  if (!done.ok) return { ok: false, output: done.error }
  const { report } = done
  const message = `Authoring skills ${bundle.version}. ${summaryOf(report, dryRun)}`
  return reported(report, { ...authoringStatus(authoring), ...report, dryRun, message })
}

export const installAuthoring = (call: CommandContext): Promise<CommandResult> => applyAuthoring(call, false)
export const updateAuthoring = (call: CommandContext): Promise<CommandResult> => applyAuthoring(call, true)
export const listInstalledAuthoring = (call: CommandContext): CommandResult => ({
  ok: true,
  output: listAuthoring(authoringOptions(call)),
})
export const showAuthoringStatus = (call: CommandContext): CommandResult => ({
  ok: true,
  output: authoringStatus(authoringOptions(call)),
})

export const installCompletion = async (call: CommandContext, shell: Shell, script: string): Promise<CommandResult> => {
  keepOwnerRights()
  const { env, clock } = call
  const places = {
    home: homeOf(env),
    userHome: userHome(env),
    zshFolder: absolute('ZDOTDIR', env.ZDOTDIR),
    configHome: absolute('XDG_CONFIG_HOME', env.XDG_CONFIG_HOME),
  }
  const isDryRun = call.isOn('dry-run')
  const plan = () => planCompletion({ ...places, shell, script })
  const done = await applyPlan({ home: places.home, clock, plan, isDryRun })
  if (!done.ok) return { ok: false, output: done.error }
  const { report } = done
  for (const warning of report.warnings) call.log.warn(warning)
  const message = `${summaryOf(report, isDryRun)} It works in shells that are started from now on.`
  return reported(report, { ok: true, dryRun: isDryRun, version: __SVC_VERSION__, ...report, message })
}

export const checkForUpgrade = async ({ env, clock, signal }: CommandContext): Promise<CommandResult> => {
  const npm = findNpm(env.PATH)
  if (npm === undefined) {
    throw new CommandError('UPGRADE_CHECK_FAILED', 'npm is not on the PATH.', {
      hint: 'Add the folder that has npm to the PATH: npm comes with Node.',
    })
  }
  const checked = await checkUpgrade(__SVC_VERSION__, { npm, env: childEnv(env), clock, signal })
  if (typeof checked !== 'string') return { ok: true, output: checked }
  throw new CommandError('UPGRADE_CHECK_FAILED', `${npm} was asked for the version of svc: ${checked}.`, {
    hint: 'Run it again where npm reaches its registry; svc works without this check.',
  })
}

const DONE = { wrote: 'Wrote', updated: 'Updated', removed: 'Removed' } as const
const PLANNED = { wrote: 'Would write', updated: 'Would update', removed: 'Would remove' } as const

type Report = InstallReport & { dryRun: boolean; message: string }

const placesText = (page: Page, title: string, paths: readonly string[]): string | undefined =>
  paths.length === 0 ? undefined : lines(`${title}:`, bullets(page, paths))

const reportText = (page: Page, report: Report): string => {
  const titles = report.dryRun ? PLANNED : DONE
  return lines(
    placesText(page, titles.wrote, report.wrote),
    placesText(page, titles.updated, report.updated),
    placesText(page, titles.removed, report.removed),
    report.unchanged.length === 0
      ? undefined
      : `Already as it should be: ${counted(report.unchanged.length, 'place')}.`,
    placesText(
      page,
      'Left alone',
      report.skipped.map(({ path, reason }) => `${path}: ${reason}`),
    ),
    placesText(
      page,
      'Could not be written',
      report.refused.map(({ path, reason }) => `${path}: ${reason}`),
    ),
    headline(page, report.refused.length > 0 ? 'failed' : 'ok', visible(report.message)),
  )
}

export const installedText = (page: Page, output: Installed): string =>
  blocks(reportText(page, output), output.next && lines('Next:', bullets(page, output.next)))

const SIGN_OF: Readonly<Record<AuthoringHost['state'], string>> = {
  ok: `${SIGNS.ok} current`,
  missing: `${SIGNS.warning} missing`,
  stale: `${SIGNS.warning} stale`,
  conflict: `${SIGNS.failed} conflict`,
}

const hostsText = (page: Page, { hosts }: AuthoringStatus): string =>
  listText(page, hosts, { as: { state: ({ state }) => SIGN_OF[state] }, first: ['host', 'state'] })

export const authoringListText = (page: Page, { skills, installedDir }: AuthoringList): string =>
  lines(
    listText(page, skills, {
      none: 'No authoring skill is installed. Install them: svc authoring-skills install',
    }),
    skills.length > 0 ? safe`${counted(skills.length, 'skill')} in ${installedDir}` : '',
  )

export const authoringStatusText = (page: Page, status: AuthoringStatus): string =>
  lines(
    safe`${counted(status.count, 'authoring skill')} in ${status.installedDir}`,
    hostsText(page, status),
    status.hosts.some(({ state }) => state !== 'ok') ? 'Bring them up to date: svc authoring-skills install' : '',
  )

export const authoringInstalledText = (page: Page, output: AuthoringStatus & Report): string =>
  blocks(reportText(page, output), hostsText(page, output))

export const upgradeText = (page: Page, output: UpgradeChecked): string =>
  lines(
    headline(page, ['newer', 'another-package'].includes(output.state) ? 'warning' : 'ok', visible(output.message)),
    fieldsText(page, output, { without: ['ok', 'state', 'message'] }),
  )
