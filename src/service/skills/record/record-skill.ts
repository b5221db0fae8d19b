/** `svc skills record`: executions that were journaled, made into a skill that replays them. */
import { basename, join, posix } from 'node:path'
import type { RegistryEntry } from '../../../contracts/skills/registry.ts'
import { RECIPE_SUFFIX, type SkillRecorded } from '../../../contracts/skills/skill-commands.ts'
import type { Refusal } from '../refusal.ts'
import { type NewSkillOptions, newSkill, type SkillContent } from '../scaffold/new-skill.ts'
import { extractInputs, type GivenParam, hasSecret, type ParameterizedFlow } from './extract-inputs.ts'
import { type Flow, recordFailed } from './flow.ts'
import { type IdentifyingText, identifyingTextAt, isActing, proposeVerification } from './identifying-text.ts'
import { type Recipe, recipeOf, recipesOf, replayOf } from './replay.ts'
import { replayJs } from './templates/replay-js.ts'
import { replayMd } from './templates/replay-md.ts'

const VERIFY = 'verify'
/** The number of actions in the recipe that reads the text; it comes last. */
export const VERIFY_ACTIONS = 2
const ARTIFACTS = 'artifacts'

/** A recorded skill before anything of it is written. */
export interface Recorded {
  ok: true
  parameterized: ParameterizedFlow
  recipes: readonly Recipe[]
  /** How many of the recorded actions they repeat. */
  actionsReplayed: number
  verification: IdentifyingText | undefined
  notes: readonly string[]
}

const verifyRecipe = ({ wait, read }: IdentifyingText): Recipe =>
  recipeOf(VERIFY, [
    { id: 'there', type: 'wait_for_node', params: { matcher: wait, timeoutMs: 10_000 } },
    { id: VERIFY, type: 'read_text', params: { matcher: read, all: false } },
  ])

const brittle = ({ steps }: ParameterizedFlow): string[] =>
  steps.flatMap(({ action }) => {
    if (action.type === 'swipe')
      return [`step "${action.id}" swipes between two points: it fits screens of this size only`]
    if (action.type !== 'click' || action.params.coordinate === undefined) return []
    return [`step "${action.id}" taps a point and names no node: it fits screens of this size only`]
  })

const beginning = ({ steps }: ParameterizedFlow): string[] => {
  const first = steps.find(({ action }) => isActing(action))?.action.type
  if (first === undefined || ['open_app', 'close_app', 'open_uri'].includes(first)) return []
  return ['the recording does not begin by opening an application: the skill begins on whatever screen is in front']
}

/** Recipes, inputs and verification of a flow; pure. */
export const recordingOf = (flow: Flow, intent: string, params: readonly GivenParam[]): Recorded | Refusal => {
  const parameterized = extractInputs(flow.steps, params)
  if (!parameterized.ok) return parameterized
  const { steps } = parameterized
  if (!steps.some(({ action }) => isActing(action))) {
    return recordFailed('The executions only look at the screen: there is no step to replay.', {
      executions: flow.executions,
    })
  }
  const screenBefore = (place: number) => {
    const act = steps.findLastIndex(({ action }, index) => index < place && isActing(action))
    const seen = steps.findLastIndex(
      ({ screen, data }, index) => index < place && index > act && screen !== undefined && data.format !== 'compact',
    )
    return seen < 0 ? undefined : identifyingTextAt(parameterized, seen)?.wait
  }
  const replay = replayOf(steps, screenBefore)
  const verification = proposeVerification(parameterized)
  const name = intent === VERIFY ? `${VERIFY}-steps` : intent
  const recipes = [...recipesOf(name, replay.steps), ...(verification ? [verifyRecipe(verification)] : [])]
  if (hasSecret([recipes, verification], parameterized.inputs)) {
    return recordFailed(
      'What was typed into a password field is also in a part of the recording that cannot be a parameter (an application, a path, a pattern).',
      { executions: flow.executions },
    )
  }
  const missing = verification
    ? []
    : ['nothing that was seen at the end is fit for a verification: end with svc snapshot']
  const notes = [
    ...flow.notes,
    ...parameterized.notes,
    ...replay.notes,
    ...beginning(parameterized),
    ...brittle(parameterized),
    ...missing,
  ]
  return { ok: true, parameterized, recipes, actionsReplayed: replay.actionsReplayed, verification, notes }
}

interface RecordOptions extends Omit<NewSkillOptions, 'content' | 'recordingContext'> {
  flow: Flow
  recorded: Recorded
  /** The text of a scenario, and the file below the folder of the skill, or where else it was written. */
  scenario?: { text: string; file: string | undefined; path: string | undefined } | undefined
  /** The text of a flow file that does the same. */
  flowText?: string | undefined
}

/** In the folder of the skill. */
const FLOW_FILE = 'flow.yaml'

const contentOf = ({ flow, recorded, scenario, flowText }: RecordOptions) => {
  const { recipes, verification, parameterized, notes } = recorded
  const { inputs } = parameterized
  return (plain: RegistryEntry, registryPath: string): SkillContent => {
    const artifacts = recipes.map(({ name }) => posix.join(plain.path, ARTIFACTS, name + RECIPE_SUFFIX))
    const contract = {
      inputs: Object.fromEntries(inputs.map(({ name }) => [name, 'string'])),
      goal: { kind: 'replay' },
      verification: verification ? { kind: 'node_text_matches', matcher: verification.expected } : null,
    }
    const entry: RegistryEntry = { ...plain, artifacts, contract }
    const steps = recipes.filter(({ name }) => name !== VERIFY)
    const texts = {
      skillMd: replayMd({
        entry,
        actions: steps.flatMap(({ content }) => content.actions),
        inputs,
        verification,
        executions: flow.executions,
        notes,
        scenario: scenario?.path ?? scenario?.file,
        flowFile: flowText === undefined ? undefined : FLOW_FILE,
      }),
      runJs: replayJs({
        skillId: entry.id,
        registryFile: basename(registryPath),
        recipes: steps.map(({ name }) => name),
        inputs: inputs.map(({ name, variable }) => ({ name, variable })),
        verification: verification ? { recipe: VERIFY, expected: verification.expected } : null,
      }),
      more: {
        ...Object.fromEntries(
          recipes.map(({ name, content }) => [
            posix.join(ARTIFACTS, name + RECIPE_SUFFIX),
            `${JSON.stringify(content, null, 2)}\n`,
          ]),
        ),
        ...(scenario?.file === undefined ? {} : { [scenario.file]: scenario.text }),
        ...(flowText === undefined ? {} : { [FLOW_FILE]: flowText }),
      },
    }
    return { entry, texts }
  }
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Snapshots and screenshots between the steps show what was there; a replay takes none. */
const countNote = (flow: Flow, actionsReplayed: number): string =>
  `recorded ${counted(flow.executions.length, 'execution')} with ${counted(flow.steps.length, 'action')}; ${actionsReplayed} of these actions ${actionsReplayed === 1 ? 'is' : 'are'} replayed`

/** The files and the entry, all of it or nothing. */
export const writeRecorded = async (options: RecordOptions): Promise<{ ok: true; output: SkillRecorded } | Refusal> => {
  const { flow, recorded, scenario, flowText, ...rest } = options
  const created = await newSkill({ ...rest, content: contentOf(options) })
  if (!created.ok) return created
  const { skillId, registryPath, skillPath, files, next } = created.output
  const { recipes, actionsReplayed, verification, parameterized, notes } = recorded
  const recipeFiles = recipes.map(({ name }) => join(skillPath, ARTIFACTS, name + RECIPE_SUFFIX))
  const scenarioPath = scenario && (scenario.path ?? join(skillPath, scenario.file ?? ''))
  const flags = parameterized.inputs.map(({ name }) => ` --${name} <text>`).join('')
  const output: SkillRecorded = {
    recorded: true,
    skillId,
    registryPath,
    skillPath,
    files: [...files, ...recipeFiles],
    executions: [...flow.executions],
    executionCount: flow.executions.length,
    actionsReplayed,
    inputs: parameterized.inputs.map(({ name, secret }) => ({ name, secret })),
    recipes: recipes.map(({ name, content }) => ({ name, actionCount: content.actions.length })),
    verification: verification ? { expected: verification.expected, reasons: [...verification.reasons] } : null,
    ...(scenarioPath === undefined ? {} : { scenarioPath }),
    ...(flowText === undefined ? {} : { flowPath: join(skillPath, FLOW_FILE) }),
    notes: [countNote(flow, actionsReplayed), ...notes],
    next: `Run it: ${next?.split('then run: ')[1] ?? `svc skills run ${skillId}`}${flags}`,
  }
  return { ok: true, output }
}
