/** `svc install`, `svc uninstall` and `svc host setup`. */

import type { ErrorObject } from '../../contracts/error.ts'
import type { InstallReport } from '../../contracts/install.ts'
import { applyPlan, type PlanResult } from '../../install/apply-plan.ts'
import { hostsOf } from '../../install/hosts.ts'
import { planInstall, planUninstall } from '../../install/install.ts'
import type { Plan } from '../../install/plan.ts'
import { homeOf } from '../../runtime/home.ts'
import { installSkills, planSkills } from '../../skills/install/install.ts'
import type { Call, CommandResult } from '../command.ts'
import { keepOwnerRights } from '../owner-umask.ts'
import { authoringOptions, hostPlaces, hostSetupOptions, ownerWarnings, reported, summaryOf } from './places.ts'

const planned = (call: Call, plan: () => Plan): Promise<PlanResult> =>
  applyPlan({ home: homeOf(call.env), clock: call.clock, plan, isDryRun: call.isOn('dry-run') })

const printed = (call: Call, report: InstallReport, next?: readonly string[]): CommandResult => {
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
const addWorkspace = async (call: Call): Promise<(report: InstallReport) => void> => {
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

export const install = async (call: Call): Promise<CommandResult> => {
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

export const hostSetup = async (call: Call): Promise<CommandResult> => {
  keepOwnerRights()
  const done = await planned(call, () => planInstall({ hostSetup: hostSetupOptions(call) }))
  return done.ok ? printed(call, done.report) : failed(done.error)
}

export const uninstall = async (call: Call): Promise<CommandResult> => {
  const { codexHome, ...places } = hostPlaces(call)
  const hosts = hostsOf({ ...places, codexHome })
  const done = await planned(call, () => planUninstall({ ...places, hosts }))
  return done.ok ? printed(call, done.report) : failed(done.error)
}
