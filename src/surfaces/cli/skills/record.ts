/** `svc skills record` at work: executions of the journal in, a skill and a scenario out. */
import { rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Action } from '../../../contracts/executions/action.ts'
import { EXECUTION_BYTES, RECORDED_FROM_MAX, STATE_FILE_MODE } from '../../../contracts/limits/limits.ts'
import type { SkillRecorded } from '../../../contracts/skills/skill-commands.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import { recordedScreens } from '../../../service/executions/recorded-screens.ts'
import type { WrittenFlow } from '../../../service/flows/from-recording/write-flow.ts'
import { fillPlaceholders } from '../../../service/skills/compile/recipe.ts'
import type { GivenParam } from '../../../service/skills/record/extract-inputs.ts'
import { type Flow, readFlow, recordFailed } from '../../../service/skills/record/flow.ts'
import {
  type Recorded,
  recordingOf,
  VERIFY_ACTIONS,
  writeRecorded,
} from '../../../service/skills/record/record-skill.ts'
import type { Refusal } from '../../../service/skills/refusal.ts'
import { type NewId, readNewId } from '../../../service/skills/scaffold/new-entry.ts'
import { type CommandContext, type CommandResult, usage } from '../command.ts'
import { namedExecutions } from '../executions/parse-execution-ids.ts'
import { readable } from '../journal/from-dump.ts'
import { keepOwnerRights } from '../process.ts'
import { fieldsText } from '../text/answer.ts'
import { bullets, counted, headline, lines } from '../text/layout.ts'
import type { Page } from '../text/page.ts'
import { safe } from '../text/visible.ts'
import { outcomeOf, placesOf } from './registry.ts'

const PARAM_NAME = /^[A-Za-z][\w-]{0,40}$/
const SCENARIO = 'scenario.json'

/** The only other form of a recording than recipes. */
const FLOW = 'flow'

const idsOf = async (call: CommandContext, shape: string): Promise<string[]> => {
  const named = call
    .all('from')
    .flatMap(text => text.split(','))
    .map(id => id.trim())
    .filter(id => id !== '')
  const ids = (await Promise.all(named.map(text => namedExecutions(text, call)))).flat()
  if (ids.length === 0) {
    throw usage(`--from is missing: ${shape}`, {
      hint: 'Name the executions, or the skill run, to record from. See: svc executions list',
    })
  }
  if (ids.length > RECORDED_FROM_MAX) throw usage(`--from names more than ${RECORDED_FROM_MAX} executions.`)
  return ids
}

const paramOf = (text: string, runFlags: readonly string[]): GivenParam => {
  const equals = text.indexOf('=')
  const [name, value] = equals < 0 ? [text, ''] : [text.slice(0, equals), text.slice(equals + 1)]
  if (value === '') throw usage(`--param must be <name>=<value seen>; got "${text}".`)
  if (!PARAM_NAME.test(name)) {
    throw usage(`--param: "${name}" is not a name: letters, digits, "-" and "_", beginning with a letter.`)
  }
  const flag = name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
  if (runFlags.includes(`--${flag}`)) {
    throw usage(`--param: svc skills run has a flag --${flag} of its own; choose another name.`)
  }
  return { name, value }
}

const paramsOf = (call: CommandContext, runFlags: readonly string[]): GivenParam[] => {
  const params = call.all('param').map(text => paramOf(text, runFlags))
  const twice = params.find(({ name }, index) => params.findIndex(other => other.name === name) !== index)
  if (twice) throw usage(`--param ${twice.name} is given twice.`)
  return params
}

type ScenarioText = { ok: true; text: string; notes: readonly string[] } | Refusal

const noScenario = (step: string, problem: string): Refusal =>
  recordFailed(
    `No scenario can be made of this recording: ${step === '' ? '' : `step "${step}": `}${problem}; nothing was written.`,
    step === '' ? {} : { step },
    'Record it without --scenario, or again with svc snapshot --full between the steps whose id stands in --from, in the order of the steps.',
  )

/** Made of what was seen, and tried with the recipes as they are. */
const scenarioOf = async (
  flow: Flow,
  { parameterized, recipes, verification }: Recorded,
  call: CommandContext,
): Promise<ScenarioText> => {
  const secrets = parameterized.inputs.filter(({ secret }) => secret).map(({ value }) => value)
  const vars = Object.fromEntries(parameterized.inputs.map(({ variable, value }) => [variable, value]))
  const actions = recipes.flatMap(({ content }) => content.actions)
  const filled = fillPlaceholders(actions, vars, EXECUTION_BYTES)
  if (!filled.ok) return noScenario('', 'the values of its parameters do not fit into the recipes')
  const replayed = filled.value as Action[]
  const proof = verification ? replayed.slice(-VERIFY_ACTIONS).map(action => ({ action, data: {} })) : []
  const { rehearsedScenario } = await import('../../../simulator/from-recording/rehearsed-scenario.ts')
  const rehearsed = await rehearsedScenario({ steps: [...flow.steps, ...proof], actions: replayed, secrets }, call)
  if (!rehearsed.ok) return noScenario(rehearsed.step, rehearsed.problem)
  const notes = rehearsed.notes.map(note => `scenario: ${note}`)
  return { ok: true, text: `${readable(rehearsed.scenario)}\n`, notes }
}

/** A file that is there is never overwritten. */
const writeNew = async (path: string, text: string): Promise<void> => {
  try {
    await writeFile(path, text, { flag: 'wx', mode: STATE_FILE_MODE })
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST'
    throw usage(`--scenario: ${path} ${isThere ? 'already exists' : `cannot be written: ${messageOf(error)}`}.`)
  }
}

const wantsFlow = (call: CommandContext): boolean => {
  const format = call.text('format')
  if (format !== undefined && format !== FLOW) throw usage(`--format must be ${FLOW}; got "${format}".`)
  return format === FLOW
}

const flowOf = async (
  { parameterized, recipes, verification }: Recorded,
  { skillId, applicationId }: NewId,
): Promise<WrittenFlow> => {
  const { writeFlow } = await import('../../../service/flows/from-recording/write-flow.ts')
  const steps = verification ? recipes.slice(0, -1) : recipes
  return writeFlow({
    applicationId,
    name: skillId,
    actions: steps.flatMap(({ content }) => content.actions),
    variables: parameterized.inputs.map(({ variable, secret: isSecret }) => ({ variable, isSecret })),
    end: verification?.wait,
  })
}

/** No parameter may have the name of one of `runFlags`: svc skills run would take it for its own. */
export const recordSkill = async (
  call: CommandContext,
  runFlags: readonly string[],
  shape: string,
): Promise<CommandResult> => {
  keepOwnerRights()
  const [skillId = ''] = call.args
  const ids = await idsOf(call, shape)
  const params = paramsOf(call, runFlags)
  const isFlow = wantsFlow(call)
  const id = readNewId(skillId)
  if (!id.ok) return outcomeOf(id)
  const services = await call.services()
  const receipts = await services.receipts()
  const journal = services.journalToRead()
  const flow = await readFlow(ids, { receipts, journal, screens: recordedScreens(journal, call.clock) })
  if (!flow.ok) return outcomeOf(flow)
  const recorded = recordingOf(flow, id.intent, params)
  if (!recorded.ok) return outcomeOf(recorded)

  const wanted = call.text('scenario')
  const scenario = wanted === undefined ? undefined : await scenarioOf(flow, recorded, call)
  if (scenario && !scenario.ok) return outcomeOf(scenario)
  const flowFile = isFlow ? await flowOf(recorded, id) : undefined
  const path = wanted ? resolve(call.cwd, wanted) : undefined
  if (path !== undefined && scenario) await writeNew(path, scenario.text)
  const written = await writeRecorded({
    ...placesOf(call),
    skillId,
    summary:
      call.text('summary') ??
      `Replays ${recorded.actionsReplayed} recorded steps of ${id.intent} in ${id.applicationId}`,
    clock: call.clock,
    flow,
    recorded: { ...recorded, notes: [...recorded.notes, ...(scenario?.notes ?? []), ...(flowFile?.notes ?? [])] },
    scenario: scenario && { text: scenario.text, file: path === undefined ? SCENARIO : undefined, path },
    flowText: flowFile?.text,
  })
  if (!written.ok && path !== undefined) await rm(path, { force: true })
  if (written.ok) for (const note of written.output.notes) call.io.note(note)
  return outcomeOf(written)
}

export const recordedText = (page: Page, output: SkillRecorded): string => {
  const { skillId, skillPath, executions, actionsReplayed, files } = output
  const replayed = actionsReplayed === undefined ? '' : `: ${counted(actionsReplayed, 'action')} replayed`
  const from = counted(executions.length, 'execution')
  const head = safe`Recorded ${skillId} from ${from}${replayed}. It is in ${skillPath}`
  const rows = fieldsText(page, output, {
    as: {
      inputs: ({ inputs }) => inputs.map(({ name, secret }) => (secret ? `${name} (secret)` : name)).join(', '),
      recipes: ({ recipes }) => recipes.map(({ name, actionCount }) => `${name} (${actionCount})`).join(', '),
      verification: ({ verification }) =>
        verification ? verification.expected : 'nothing: no text that was seen is fit for it',
    },
    without: ['ok', 'skillId', 'skillPath', 'actionsReplayed', 'files', 'recorded', 'registryPath', 'executionCount'],
  })
  return lines(headline(page, 'ok', head), bullets(page, files), rows)
}
