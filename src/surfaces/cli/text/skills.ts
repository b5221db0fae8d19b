/** `svc skills` for people: the registry, and what was checked, compiled and written. */

import { duration } from '../../../contracts/duration.ts'
import type { Execution } from '../../../contracts/executions/execution.ts'
import { isObject } from '../../../contracts/json/json.ts'
import type { RegistryEntry } from '../../../contracts/skills/registry.ts'
import type {
  SkillCreated,
  SkillRecorded,
  SkillsSynced,
  SkillValidated,
} from '../../../contracts/skills/skill-commands.ts'
import { bullets, counted, type Fact, facts, headline, lines, paragraph, table } from './layout.ts'
import type { Page } from './page.ts'
import { planTable } from './plan.ts'
import { safe, visible } from './visible.ts'

export const skillsText = (page: Page, { skills }: { skills: readonly RegistryEntry[] }): string => {
  if (skills.length === 0) {
    const isList = page.path[1] === 'list'
    return paragraph(page, isList ? 'The registry has no skill. Make one: svc skills new <id>' : 'No skill matches.')
  }
  return table(
    page,
    [
      { title: 'skill', cell: ({ id }) => id },
      { title: 'summary', cell: ({ summary }) => summary, leaveOut: 1, atLeast: 16 },
      { title: 'application', cell: ({ applicationId }) => applicationId, leaveOut: 3 },
      { title: 'keywords', cell: ({ keywords = [] }) => keywords.join(', '), leaveOut: 2, atLeast: 12 },
    ],
    skills,
  )
}

/** `query: string, count: integer` */
const inputsOf = (contract: unknown): string | undefined => {
  const inputs = declaredInputs(contract)
  return inputs.length === 0 ? undefined : inputs.map(([name, type]) => `${name}: ${String(type)}`).join(', ')
}

const declaredInputs = (contract: unknown): [name: string, type: unknown][] => {
  const inputs = isObject(contract) ? contract.inputs : undefined
  return isObject(inputs) ? Object.entries(inputs) : []
}

/** Scripts of svc read their inputs from flags with these names. */
const flagNameOf = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[_\s]+/g, '-')
    .toLowerCase()

const inputFlags = (contract: unknown): string[] =>
  declaredInputs(contract).map(([name]) => `--${flagNameOf(name)} <${name}>`)

export const skillText = (page: Page, { skill }: { skill: RegistryEntry }): string => {
  const rows: Fact[] = [
    ['Summary', skill.summary],
    ['Application', skill.applicationId],
    ['Intent', skill.intent],
    ['Keywords', skill.keywords?.join(', ')],
    ['Inputs', inputsOf(skill.contract)],
    ['Folder', skill.path],
    ['Scripts', skill.scripts.join(', ')],
    ['Recipes', skill.artifacts.join(', ')],
    ['Run it', ['svc skills run', skill.id, ...inputFlags(skill.contract)].join(' ')],
  ]
  return lines(page.paint('bold', visible(skill.id)), facts(page, rows, 2))
}

interface ValidatedAll {
  valid: true
  totalSkills: number
  registryPath: string
}

const payloadsOf = ({ dryRun }: SkillValidated): string | undefined => {
  if (!dryRun) return undefined
  return dryRun.payloadValidation === 'passed' ? 'valid' : `not checked: ${dryRun.reason}`
}

export const validatedText = (page: Page, output: SkillValidated | ValidatedAll): string => {
  if (!('skill' in output)) {
    return lines(
      headline(page, 'ok', `${counted(output.totalSkills, 'skill')} checked, all valid.`),
      facts(page, [['Registry', output.registryPath]], 2),
    )
  }
  const { skill, checks, registryPath } = output
  const rows: Fact[] = [
    ['Registry', registryPath],
    ['Skill file', checks.skillFilePath],
    ['Scripts', checks.scriptPaths.join(', ')],
    ['Recipes', checks.artifactPaths.join(', ')],
    ['Payloads', payloadsOf(output)],
  ]
  return lines(headline(page, 'ok', safe`${skill.id} is valid.`), facts(page, rows, 2))
}

export const compiledText = (page: Page, { execution }: { execution: Execution }): string => {
  const { commandId, timeoutMs, actions } = execution
  const steps = counted(actions.length, 'step')
  return lines(
    headline(
      page,
      'ok',
      safe`Compiled ${commandId}: ${steps} within ${duration(timeoutMs)}. --output json prints the payload for svc exec.`,
    ),
    planTable(page, actions),
  )
}

export const createdText = (page: Page, { skillId, skillPath, files, flowPath, next }: SkillCreated): string =>
  lines(
    headline(page, 'ok', safe`Made the skill ${skillId} in ${skillPath}`),
    bullets(page, flowPath === undefined ? files : [...files, flowPath]),
    facts(page, [['Next', next]], 2),
  )

export const recordedText = (page: Page, output: SkillRecorded): string => {
  const { skillId, skillPath, executions, inputs, recipes, verification, scenarioPath, flowPath, files, next } = output
  const { actionsReplayed } = output
  const replayed = actionsReplayed === undefined ? '' : `: ${counted(actionsReplayed, 'action')} replayed`
  const from = counted(executions.length, 'execution')
  const head = safe`Recorded ${skillId} from ${from}${replayed}. It is in ${skillPath}`
  const rows: Fact[] = [
    ['Executions', executions.join(', ')],
    ['Inputs', inputs.map(({ name, secret }) => (secret ? `${name} (secret)` : name)).join(', ')],
    ['Recipes', recipes.map(({ name, actionCount }) => `${name} (${actionCount})`).join(', ')],
    ['Verified by', verification ? verification.expected : 'nothing: no text that was seen is fit for it'],
    ['Scenario', scenarioPath],
    ['Flow', flowPath],
    ['Next', next],
  ]
  return lines(headline(page, 'ok', head), bullets(page, files), facts(page, rows, 2))
}

export const syncedText = (page: Page, { message, registryPath }: SkillsSynced): string =>
  lines(headline(page, 'ok', visible(message)), facts(page, [['Registry', registryPath]], 2))
